// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QCoreApplication>
#include <QMetaObject>
#include <QPointer>
#include <QThreadPool>
#include <exception>
#include <memory>
#include <new>
#include <string>
#include <type_traits>
#include <utility>

#include "engine/base/result.h"
#include "engine/base/thread_name.h"

namespace skein::ui {

/// Runs `work` (which returns a Result) on a thread of `pool` and `then(result)` on the GUI thread afterwards, unless
/// `owner` is gone by then. `work` gets values, never a QObject. What it throws becomes an Error.
template <class Work, class Then>
void inBackground(QObject* owner, Work work, Then then, QThreadPool* pool = QThreadPool::globalInstance()) {
    using R = std::invoke_result_t<Work>;
    pool->start([guard = QPointer<QObject>(owner), work = std::move(work), then = std::move(then)]() mutable {
        setThreadName("skein-work");
        std::shared_ptr<R> result;
        try {
            result = std::make_shared<R>(work());
        } catch (const std::bad_alloc&) {
            result = std::make_shared<R>(fail(
                ErrorCode::OutOfMemory, "There is not enough memory for this. Close other programs and try again."));
        } catch (const std::exception& e) {
            result = std::make_shared<R>(
                fail(Error(ErrorCode::Internal, "Something went wrong inside Skein.").withContext(e.what())));
        }
        QMetaObject::invokeMethod(
            QCoreApplication::instance(),
            [guard, result, then = std::move(then)]() mutable {
                if (guard)
                    then(std::move(*result));
            },
            Qt::QueuedConnection);
    });
}

}  // namespace skein::ui
