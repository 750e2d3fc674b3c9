// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QDialog>
#include <functional>

#include "ui/document.h"
#include "ui/exchange/export_kinds.h"

class QCheckBox;
class QComboBox;
class QFormLayout;
class QLabel;
class QPushButton;

namespace skein::ui {

/// One format: what it is for, the few choices that it has, and what will be written.
class ExportDialog : public QDialog {
    Q_OBJECT
public:
    /// `shownVideo`: what "this video" means.
    ExportDialog(Document* document, const ExportChoice& choice, int shownVideo, QWidget* parent);

    [[nodiscard]] ExportChoice choice() const;
    std::function<void(const ExportChoice&)> chosen;  ///< called when the person goes on

private:
    void addChoices(QFormLayout* form, const ExportChoice& choice);
    void addRow(QFormLayout* form, const QString& words, QWidget* field, const char* objectName, const QString& tip);
    void count();
    void accept() override;

    Document* m_document;
    ExportKind m_kind;
    int m_shownVideo;
    QComboBox* m_videos = nullptr;
    QComboBox* m_axes = nullptr;
    QCheckBox* m_everyFrame = nullptr;
    QComboBox* m_content = nullptr;
    QLabel* m_summary;
    QPushButton* m_export;
    std::uint64_t m_asked = 0;
};

}  // namespace skein::ui
