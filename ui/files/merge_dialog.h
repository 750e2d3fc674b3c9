// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QDialog>
#include <functional>
#include <optional>

#include "engine/project/edit/merge.h"
#include "ui/document.h"

class QComboBox;
class QLabel;
class QPushButton;

namespace skein::ui {

/// What a merge would bring, counted before it is done, and how conflicts are settled.
class MergeDialog : public QDialog {
    Q_OBJECT
public:
    /// `theirs` lies at `path`; its videos are compared with the document's.
    MergeDialog(Document* document, project::Labels theirs, const QString& path, QWidget* parent);

    std::function<void()> merged;  ///< called after the step was made

private:
    void count();
    void show(const project::edit::Merged& result);
    void accept() override;
    [[nodiscard]] project::edit::MergeOptions options() const;

    Document* m_document;
    project::Labels m_theirs;
    QString m_path;
    std::vector<std::int32_t> m_videos;
    bool m_matched = false;
    std::uint64_t m_asked = 0;
    std::optional<project::edit::Merged> m_result;
    project::Labels m_countedFor;
    QLabel *m_brings, *m_conflicts;
    QComboBox *m_users, *m_predictions;
    QPushButton* m_merge;
};

}  // namespace skein::ui
