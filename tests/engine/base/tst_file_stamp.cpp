// SPDX-License-Identifier: BSD-3-Clause
#include <QTemporaryDir>
#include <QTest>
#include <filesystem>
#include <fstream>
#include <string>

#include "engine/base/file_stamp.h"

using namespace skein;
namespace fs = std::filesystem;

namespace {
void write(const fs::path& path, const std::string& bytes) {
    std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}
std::string read(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}
}  // namespace

class TestFileStamp : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyByteOfASmallFileCounts() {
        QTemporaryDir folder;
        const fs::path path = fs::path(folder.path().toStdString()) / "a";
        std::string bytes(1000, 'x');
        write(path, bytes);
        const auto before = stampOf(path);
        QVERIFY(before && before->exists() && before->size == 1000);
        for (const std::size_t at : {0U, 7U, 8U, 500U, 999U}) {
            std::string other = bytes;
            other[at] = 'y';
            write(path, other);
            const auto now = stampOf(path);
            QVERIFY(now);
            QVERIFY(!now->sameContent(*before));
        }
        write(path, bytes);
        QVERIFY(stampOf(path)->sameContent(*before));
    }
    void aFileThatIsNotThereSaysSo() {
        const auto stamp = stampOf("/nowhere/at/all");
        QVERIFY(!stamp);
        QCOMPARE(stamp.error().code(), ErrorCode::NotFound);
        QVERIFY(!FileStamp().sameContent(FileStamp()));
    }
    void aBackupHoldsWhatWasThereBeforeTheFileWasReplaced() {
        QTemporaryDir folder;
        const fs::path path = fs::path(folder.path().toStdString()) / "a.slp";
        QVERIFY(keepBackup(path));
        QVERIFY(!fs::exists(path.string() + ".bak"));
        for (const char* bytes : {"first", "second"}) {
            write(path, bytes);
            QVERIFY(keepBackup(path));
            const fs::path fresh = path.string() + ".new";
            write(fresh, "third");
            fs::rename(fresh, path);
            QCOMPARE(read(path.string() + ".bak"), std::string(bytes));
            QCOMPARE(read(path), std::string("third"));
        }
    }
};

QTEST_GUILESS_MAIN(TestFileStamp)
#include "tst_file_stamp.moc"
