// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/review/review_notes.h"

#include "ui/bridge/background.h"
#include "ui/text.h"

namespace skein::ui {

namespace {
constexpr int kSaveAfterMs = 500;
}

ReviewNotes::ReviewNotes(Document* document, QObject* parent) : QObject(parent), m_document(document) {
    m_saveDelay.setSingleShot(true);
    m_saveDelay.setInterval(kSaveAfterMs);
    connect(&m_saveDelay, &QTimer::timeout, this, &ReviewNotes::write);
    connect(document, &Document::opened, this, &ReviewNotes::reset);
    connect(document, &Document::saved, this, [this] {
        if (!m_log.isEmpty())  // the project may have another name now
            (void)edit();
    });
}

ReviewNotes::~ReviewNotes() {
    if (m_unsaved && !m_document->path().isEmpty())  // said in the last moment before the window closed
        (void)m_log.write(file());
}

std::filesystem::path ReviewNotes::file() const {
    return proofread::ReviewLog::pathFor(text::toPath(m_document->path()));
}

proofread::ReviewLog& ReviewNotes::edit() {
    m_unsaved = true;
    m_saveDelay.start();
    return m_log;
}

void ReviewNotes::reset() {
    ++m_generation;
    m_saveDelay.stop();
    m_log = proofread::ReviewLog();
    m_unsaved = false;
    read();
}

void ReviewNotes::read() {
    if (m_document->path().isEmpty())
        return;
    inBackground(
        this, [path = file()] { return proofread::ReviewLog::read(path); },
        [this, generation = m_generation](Result<proofread::ReviewLog> log) {
            if (generation != m_generation)
                return;
            if (!log) {
                Q_EMIT problem(toUiError(log.error()));
                return;
            }
            m_log = std::move(*log);
            Q_EMIT loaded();
        });
}

void ReviewNotes::write() {
    if (!m_unsaved || m_document->path().isEmpty() || m_document->isReadOnly())
        return;
    if (m_saving) {
        m_saveDelay.start();
        return;
    }
    m_unsaved = false;
    m_saving = true;
    inBackground(
        this, [log = m_log, path = file()] { return log.write(path); },
        [this](const Result<void>& done) {
            m_saving = false;
            if (!done)
                Q_EMIT problem(toUiError(done.error()));
        });
}

}  // namespace skein::ui
