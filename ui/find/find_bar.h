// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QWidget>
#include <functional>
#include <optional>
#include <stop_token>
#include <vector>

#include "ui/document.h"
#include "ui/find/find_chip.h"
#include "ui/models/found_table_model.h"
#include "ui/view_state.h"

class QAction;
class QComboBox;
class QLabel;
class QTimer;
class QToolButton;

namespace skein::ui {

class DialogService;
class FlowLayout;
class PlainTable;
class Settings;

/// Finds frames by conditions: a line of chips over the timeline, the number of frames found, a list. A worker searches
/// a snapshot; a newer search stops the one before. While the bar is hidden nothing is searched. GUI thread only.
class FindBar : public QWidget {
    Q_OBJECT
public:
    FindBar(Document* document, const ViewState* view, Settings* settings, QWidget* parent);
    ~FindBar() override;

    std::function<DialogService&()> dialogs;  ///< asks for the name of a saved filter
    void setFirstFrameNumber(int number);     ///< 0 or 1: what frame index 0 is called
    /// The window's actions for next and previous get a button each.
    void setActions(QAction* previous, QAction* next);

    void open();
    void close();
    [[nodiscard]] bool isOpen() const { return isVisibleTo(parentWidget()); }
    void addCondition(project::FindCondition condition);
    [[nodiscard]] std::vector<project::FindCondition> conditions() const;
    /// By video and frame.
    [[nodiscard]] const FoundFrames& found() const { return m_found; }
    [[nodiscard]] bool isSearching() const { return m_searching; }
    struct Neighbour {
        int video;
        std::int64_t frame;
        bool wrapped;
    };
    /// The found frame after (direction 1) or before (-1) a place, around the end if need be. O(log n).
    [[nodiscard]] std::optional<Neighbour> neighbour(int video, std::int64_t frame, int direction) const;
    /// A rectangle was drawn for the chip that asked for one. False: none had.
    bool takeRegion(const QRectF& scene);
    [[nodiscard]] bool wantsRegion() const { return m_drawingFor != nullptr; }
    void giveUpRegion() { m_drawingFor = nullptr; }

Q_SIGNALS:
    void foundChanged();
    void placeWanted(int video, qint64 frame);
    void regionWanted();

protected:
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    QToolButton* addTool(QLayout* row, const char* id, const QString& words, const QString& tip);
    void clear();
    void search();
    void setFound(FoundFrames found);
    void describe();
    void fillSaved();
    void saveFilter();
    void showCurrent();

    Document* m_document;
    const ViewState* m_view;
    Settings* m_settings;
    FlowLayout* m_chipsRow;
    std::vector<FindChip*> m_chips;
    QToolButton *m_add, *m_saved, *m_list;
    QComboBox* m_scope;
    QLabel* m_count;
    FlowLayout* m_tools;
    FoundTableModel* m_model;
    PlainTable* m_table;
    QTimer* m_delay;
    FoundFrames m_found;
    QString m_problem;
    FindChip* m_drawingFor = nullptr;
    std::stop_source m_stop;
    bool m_searching = false;
    bool m_again = false;
    int m_firstNumber = 1;
};

}  // namespace skein::ui
