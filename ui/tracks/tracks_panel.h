// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QList>
#include <QTimer>
#include <QWidget>

#include "ui/document.h"
#include "ui/tracks/track_table_model.h"
#include "ui/view_state.h"
#include "ui/widgets/plain_table.h"

class QAction;
class QLabel;
class QStackedWidget;

namespace skein::ui {

/// Dock "Tracks": the tracks of the shown video in figures, counted by a worker some time after an edit and only while
/// somebody sees the dock. GUI thread only.
class TracksPanel : public QWidget {
    Q_OBJECT
public:
    TracksPanel(const Document* document, const ViewState* view, ProofreadState* state,
                const QList<std::pair<QAction*, QString>>& buttons, const QList<QAction*>& menu, QAction* makeTracks,
                QWidget* parent);

    [[nodiscard]] TrackTableModel* model() const { return m_model; }
    [[nodiscard]] PlainTable* table() const { return m_table; }
    [[nodiscard]] bool isUpToDate() const { return !m_dirty && !m_working; }
    /// Rows that are selected, in the order shown.
    [[nodiscard]] std::vector<int> selectedTracks() const;
    /// Selects the rows of these tracks, now or when the table knows them; the last one is scrolled to.
    void showTracks(const std::vector<int>& tracks);

Q_SIGNALS:
    void selectionChanged();
    void frameWanted(int track, qint64 frame);

protected:
    void showEvent(QShowEvent* event) override;

private:
    void invalidate();
    void work();
    void showPage();
    void selectRows();

    const Document* m_document;
    const ViewState* m_view;
    TrackTableModel* m_model;
    QStackedWidget* m_pages;
    PlainTable* m_table;
    QLabel* m_totals;
    QTimer m_delay;
    std::vector<int> m_selected;  ///< tracks whose rows are to be selected
    bool m_dirty = true;
    bool m_working = false;
    bool m_following = false;
    std::uint64_t m_generation = 0;
};

}  // namespace skein::ui
