// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/recovery/recovery_keeper.h"

#include <QDateTime>
#include <QPointer>
#include <QStandardPaths>

#include "ui/bridge/background.h"
#include "ui/text.h"

namespace skein::ui {

namespace journal = project::journal;

namespace {
constexpr int kLookMs = 1000;
}

QString RecoveryKeeper::defaultFolder() {
    return QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) + QStringLiteral("/skein/recovery");
}

RecoveryKeeper::RecoveryKeeper(Document* document, QObject* parent)
    : QObject(parent), m_document(document), m_folder(defaultFolder()) {
    connect(document, &Document::changed, this, &RecoveryKeeper::documentChanged);
    connect(document, &Document::opened, this, &RecoveryKeeper::documentOpened);
    connect(document, &Document::saved, this, &RecoveryKeeper::documentSaved);
    connect(document, &Document::savedLabelsChanged, this, [this] {
        m_editsAtSave = 0;
        documentSaved();
    });
    // Of the two, either may go first.
    document->saveBegins =
        [this, guard = QPointer<RecoveryKeeper>(this)](const project::Labels& labels) -> Document::FileListener {
        if (!guard)
            return {};
        m_editsAtSave = m_edits;
        if (m_recorder)
            m_recorder->saveBegins(labels, m_edits);
        return [recorder = m_recorder, folder = text::toPath(m_folder),
                path = text::toPath(m_document->path())](const FileStamp& stamp) {
            journal::keepBases(folder, path);
            if (recorder)
                recorder->fileWillBe(stamp);
        };
    };
    m_look.setInterval(kLookMs);
    connect(&m_look, &QTimer::timeout, this, [this] {
        const QString problem = m_recorder ? QString::fromStdString(m_recorder->problem()) : QString();
        if (problem != m_problem)
            Q_EMIT problemChanged(m_problem = problem);
        if (!m_recorder)
            m_look.stop();
    });
}

RecoveryKeeper::~RecoveryKeeper() {
    letGo(std::move(m_recorder));
}

/// Its thread may be in the midst of writing: not this one waits for it.
void RecoveryKeeper::letGo(std::shared_ptr<Recorder> recorder) {
    if (recorder)
        QThreadPool::globalInstance()->start([recorder = std::move(recorder)] { recorder->drop(); });
}

std::shared_ptr<journal::Recorder> RecoveryKeeper::newRecorder() const {
    journal::Header header;
    header.projectPath = m_document->path().toStdString();
    header.displayName = m_document->displayName().toStdString();
    header.base = m_document->savedStamp();
    header.startedMs = QDateTime::currentMSecsSinceEpoch();
    return std::make_shared<Recorder>(text::toPath(m_folder), header, m_document->savedLabels());
}

void RecoveryKeeper::documentChanged() {
    if (!m_document->isModified()) {
        // Everything was taken back: the file is what there is.
        letGo(std::move(m_recorder));
        m_recorder.reset();
        m_edits = 0;
        return;
    }
    if (!m_recorder)
        m_recorder = newRecorder();
    m_recorder->record(m_document->snapshot(), ++m_edits);
    m_look.start();
}

void RecoveryKeeper::documentOpened() {
    letGo(std::move(m_recorder));
    m_recorder.reset();
    m_edits = 0;
    if (m_document->isModified())
        documentChanged();
}

void RecoveryKeeper::documentSaved() {
    std::shared_ptr<Recorder> old = std::move(m_recorder);
    m_recorder.reset();
    m_edits -= std::min(m_edits, m_editsAtSave);
    if (!m_document->isModified()) {
        letGo(std::move(old));
        m_edits = 0;
        return;
    }
    // Edits were made while the file was written: they start from the new file now.
    m_recorder = newRecorder();
    m_recorder->record(m_document->snapshot(), std::max<std::uint64_t>(m_edits, 1));
    QThreadPool::globalInstance()->start([old = std::move(old), fresh = m_recorder] {
        fresh->flush();
        if (old && fresh->problem().empty())
            old->drop();
    });
}

void RecoveryKeeper::takeOver(std::shared_ptr<journal::JournalFile> from) {
    QThreadPool::globalInstance()->start([from = std::move(from), recorder = m_recorder] {
        if (recorder)
            recorder->flush();
        if (!recorder || recorder->problem().empty())
            from->remove();
    });
}

void RecoveryKeeper::flush() {
    if (m_recorder)
        m_recorder->flush();
}

}  // namespace skein::ui
