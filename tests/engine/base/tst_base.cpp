// SPDX-License-Identifier: BSD-3-Clause
#include <QtTest>
#include <filesystem>
#include <fstream>
#include <thread>

#include "engine/base/atomic_file.h"
#include "engine/base/bounded_queue.h"
#include "engine/base/mailbox.h"
#include "engine/base/result.h"

using namespace skein;
namespace fs = std::filesystem;

class TestBase : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void errorDescribesItselfWithContextInnermostFirst() {
        const Error error = Error(ErrorCode::Format, "Bad.").withContext("while a").withContext("while b");
        QCOMPARE(error.describe(), std::string("Bad. (while a, while b)"));
    }

    void brokenPreconditionThrowsInEveryBuild() { QVERIFY_EXCEPTION_THROWN(BoundedQueue<int>(0), std::logic_error); }

    void closedQueueDrainsAndThenEnds() {
        BoundedQueue<int> queue(2);
        QVERIFY(queue.push(1, {}));
        QVERIFY(queue.push(2, {}));
        queue.close();
        QVERIFY(!queue.push(3, {}));
        QCOMPARE(queue.pop({}), std::optional(1));
        QCOMPARE(queue.pop({}), std::optional(2));
        QCOMPARE(queue.pop({}), std::optional<int>());
        QCOMPARE(queue.stats().maxDepth, std::size_t{2});
    }

    void stopRequestFreesABlockedProducerAndDropsWhatIsQueued() {
        BoundedQueue<int> queue(1);
        QVERIFY(queue.push(1, {}));
        bool pushed = true;
        std::stop_source source;
        {
            std::jthread producer([&] { pushed = queue.push(2, source.get_token()); });
            source.request_stop();
        }
        QVERIFY(!pushed);
        QCOMPARE(queue.pop(source.get_token()), std::optional<int>());
    }

    void fullQueueMakesTheProducerWait() {
        BoundedQueue<int> queue(2);
        constexpr int kItems = 2000;
        std::jthread producer([&] {
            for (int i = 0; i < kItems; ++i)
                if (!queue.push(i, {}))
                    return;
            queue.close();
        });
        int expected = 0;
        while (const auto item = queue.pop({}))
            QCOMPARE(*item, expected++);
        QCOMPARE(expected, kItems);
        QVERIFY(queue.stats().maxDepth <= 2);
    }

    void mailboxKeepsOnlyTheNewest() {
        Mailbox<int> box;
        box.put(1);
        box.put(2);
        QCOMPARE(box.take({}), std::optional(2));
        QCOMPARE(box.tryTake(), std::optional<int>());
    }

    void atomicWriteReplacesTheFileOnlyWhenComplete() {
        const QTemporaryDir dir;
        const fs::path target = fs::path(dir.path().toStdString()) / "a.txt";
        const auto put = [](const char* text) {
            return [text](const fs::path& p) -> Result<void> {
                std::ofstream(p) << text;
                return {};
            };
        };
        QVERIFY(writeAtomically(target, put("old")));
        const auto failing = writeAtomically(target, [](const fs::path& p) -> Result<void> {
            std::ofstream(p) << "half";
            return fail(ErrorCode::Io, "The disk is full.");
        });
        QVERIFY(!failing);
        QCOMPARE(failing.error().message(), std::string("The disk is full."));
        std::string text;
        std::ifstream(target) >> text;
        QCOMPARE(text, std::string("old"));
        QVERIFY(writeAtomically(target, put("new")));
        std::ifstream(target) >> text;
        // Nothing but the target stays behind.
        QCOMPARE(QDir(dir.path()).entryList(QDir::Files | QDir::Hidden), QStringList{"a.txt"});
    }

    void atomicWriteKeepsALinkAndWritesItsTarget() {
        const QTemporaryDir dir;
        const fs::path folder = dir.path().toStdString();
        std::ofstream(folder / "real.txt") << "old";
        fs::create_symlink("real.txt", folder / "link.txt");
        QVERIFY(writeAtomically(folder / "link.txt", [](const fs::path& p) -> Result<void> {
            std::ofstream(p) << "new";
            return {};
        }));
        QVERIFY(fs::is_symlink(folder / "link.txt"));
        std::string text;
        std::ifstream(folder / "real.txt") >> text;
        QCOMPARE(text, std::string("new"));
    }

    void atomicWriteIntoAMissingFolderIsASentence() {
        const auto result =
            writeAtomically("/nowhere/at/all/a.slp", [](const fs::path&) -> Result<void> { return {}; });
        QVERIFY(!result);
        QVERIFY(result.error().message().find("/nowhere/at/all") != std::string::npos);
    }
};

QTEST_APPLESS_MAIN(TestBase)
#include "tst_base.moc"
