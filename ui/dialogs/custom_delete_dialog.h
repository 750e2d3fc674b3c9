// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QDialog>
#include <functional>
#include <optional>

#include "engine/project/edit/removal.h"
#include "ui/document.h"
#include "ui/run_host.h"

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QPushButton;
class QSpinBox;
class QTimer;

namespace skein::ui {

/// "Custom Instance Delete": picks instances by kind, video, frames, track and score, and says how many they are before
/// anything happens. Not modal. GUI thread; counting is a worker's.
class CustomDeleteDialog : public QDialog {
    Q_OBJECT
public:
    CustomDeleteDialog(Document* document, int video, std::optional<FrameRange> range, int firstFrameNumber,
                       QWidget* parent);

    [[nodiscard]] project::edit::InstanceFilter filter() const;

Q_SIGNALS:
    void deleteWanted(const skein::project::edit::InstanceFilter& filter);

private:
    void count();
    void showCount(std::optional<std::size_t> found);

    Document* m_document;
    int m_video;
    int m_firstFrameNumber;
    QComboBox* m_kind;
    QComboBox* m_where;
    QComboBox* m_frames;
    QSpinBox* m_first;
    QSpinBox* m_last;
    QComboBox* m_track;
    QCheckBox* m_byScore;
    QDoubleSpinBox* m_score;
    QLabel* m_count;
    QPushButton* m_delete;
    QTimer* m_delay;
    bool m_counting = false;
    bool m_again = false;
};

}  // namespace skein::ui
