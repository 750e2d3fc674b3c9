// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/exchange/file_jobs.h"

namespace skein::ui {

FileJobs::FileJobs(JobBar* bar, QObject* parent) : QObject(parent), m_bar(bar) {
    m_pool.setMaxThreadCount(1);
}

// The bar asks its job to stop when it goes.
FileJobs::~FileJobs() {
    if (m_bar)
        m_bar->stop();
    m_pool.waitForDone();
}

}  // namespace skein::ui
