// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QTimer>
#include <QWidget>
#include <functional>
#include <vector>

namespace skein::ui {

/// Over the video while Ctrl is held: the first nine tracks with their numbers, so that Ctrl+1 to Ctrl+9 can be read
/// off, and Ctrl+0 for a new one. Lets every click through. GUI thread only.
class TrackLegend : public QWidget {
    Q_OBJECT
public:
    struct Entry {
        QString key;
        QString name;
        int color = 0;  ///< place in the palette; kNeutralColor: none of its own
    };

    /// `entries` is asked when the legend opens.
    TrackLegend(QWidget* canvas, std::function<std::vector<Entry>()> entries);

    bool eventFilter(QObject* watched, QEvent* event) override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void open();

    std::function<std::vector<Entry>()> m_ask;
    std::vector<Entry> m_entries;
    QTimer m_delay;
};

}  // namespace skein::ui
