// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QDialog>
#include <functional>
#include <optional>
#include <stop_token>
#include <vector>

#include "engine/suggestions/suggest.h"
#include "ui/document.h"
#include "ui/run_host.h"

class QComboBox;
class QLabel;
class QPushButton;
class QSpinBox;
class QTimer;

namespace skein::ui {

class DialogService;
class ProgressLine;
class SuggestionForm;

/// Chooses frames to be labelled: method, parameters, where to look, group, add or replace. Says how many frames it
/// would be before anything is changed, as far as that takes no pictures. A worker does the looking; closing stops it.
class SuggestionDialog : public QDialog {
    Q_OBJECT
public:
    SuggestionDialog(Document* document, DialogService* dialogs, int shownVideo,
                     std::vector<std::size_t> selectedVideos, std::optional<FrameRange> range, int firstFrameNumber,
                     QWidget* parent);
    ~SuggestionDialog() override;

Q_SIGNALS:
    void found(const std::vector<skein::suggestions::Suggested>& frames, bool replace);

private:
    enum class Purpose { Count, Generate };
    [[nodiscard]] suggestions::Request request() const;
    void changed();
    void look(Purpose purpose);
    void looked(Purpose purpose, Result<std::vector<suggestions::Suggested>> result);
    void chooseOther();
    void showCount(const QString& words, std::optional<std::int64_t> count, bool atMost = false);
    void setGenerating(bool generating);

    Document* m_document;
    DialogService* m_dialogs;
    int m_shownVideo;
    std::vector<std::size_t> m_selectedVideos;
    int m_firstNumber;
    SuggestionForm* m_form;
    QComboBox *m_target, *m_frames, *m_add;
    QSpinBox *m_first, *m_last, *m_group;
    QLabel* m_count;
    ProgressLine* m_progress;
    QPushButton *m_generate, *m_cancel;
    QTimer* m_delay;
    std::stop_source m_stop;
    bool m_looking = false;
    bool m_generating = false;
    std::optional<Purpose> m_next;  ///< wanted while looking
};

}  // namespace skein::ui
