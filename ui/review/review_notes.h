// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QObject>
#include <QTimer>

#include "engine/proofread/review_log.h"
#include "ui/document.h"

namespace skein::ui {

/// What was said in reviews of the open project, read from the file beside it and written there a moment after each
/// change. GUI thread only; files are read and written by a worker.
class ReviewNotes : public QObject {
    Q_OBJECT
public:
    ReviewNotes(Document* document, QObject* parent);
    ~ReviewNotes() override;

    [[nodiscard]] const proofread::ReviewLog& log() const { return m_log; }
    /// To say something; it will be written.
    [[nodiscard]] proofread::ReviewLog& edit();
    /// Everything that was said is in the file, or there is no file to keep it in yet.
    [[nodiscard]] bool isSaved() const { return !m_unsaved && !m_saving; }

Q_SIGNALS:
    void loaded();  ///< what the project's file holds is in log() now
    void problem(const skein::ui::UiError& error);

private:
    void reset();
    void read();
    void write();
    [[nodiscard]] std::filesystem::path file() const;

    Document* m_document;
    proofread::ReviewLog m_log;
    QTimer m_saveDelay;
    std::uint64_t m_generation = 0;
    bool m_unsaved = false, m_saving = false;
};

}  // namespace skein::ui
