// SPDX-License-Identifier: BSD-3-Clause
// Labels files that are damaged, saves that fail, and files that several use at once.
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <QtTest>
#include <functional>
#include <random>
#include <thread>

#include "engine/formats/slp.h"
#include "engine/formats/slp/tables.h"
#include "tests/engine/formats/made_project.h"
#include "tests/engine/formats/slp_change.h"

using namespace skein;
using namespace skein::formats;
using namespace skein::test;
using project::Labels;
namespace fs = std::filesystem;

namespace {

template <class Row>
void changeRow(const fs::path& path, const slp::TableLayout& layout, std::uint64_t row,
               const std::function<void(Row&)>& change) {
    const OpenFile file(path);
    const auto table = h5::openDataset(file.get(), layout.name);
    QVERIFY(table.has_value());
    Row value;
    QVERIFY(h5::readRows(*table, table->type.get(), row, 1, &value).has_value());
    change(value);
    QVERIFY(h5::writeRows(*table, table->type.get(), row, 1, &value).has_value());
}

}  // namespace

class TestSlpDamage : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void pitfall_P37_malformedRowsAreLeftOutAndCounted() {
        const Folder folder;
        const fs::path path = folder / "a.slp";
        const auto fresh = [&] { QVERIFY(writeSlp(madeProject(), path).has_value()); };
        constexpr auto kHuge = std::numeric_limits<std::uint64_t>::max();
        const auto load = [&](LoadReport& report) {
            auto labels = readSlp(path, &report);
            if (labels)
                (void)dumpOf(*labels);
            return labels;
        };
        LoadReport report;

        fresh();
        changeRow<slp::InstanceRow>(path, slp::instancesLayout(), 0, [](auto& row) { row.track = 99; });
        changeRow<slp::InstanceRow>(path, slp::instancesLayout(), 1, [](auto& row) { row.fromPredicted = 1 << 20; });
        auto labels = load(report);
        QVERIFY(labels.has_value());
        QCOMPARE(report.clearedTracks, std::size_t{1});
        QCOMPARE(report.clearedLinks, std::size_t{1});
        QCOMPARE(report.warnings.size(), std::size_t{2});
        QCOMPARE(labels->instanceCount(), std::size_t{4});

        fresh();
        changeRow<slp::InstanceRow>(path, slp::instancesLayout(), 0, [](auto& row) { row.pointEnd = kHuge; });
        changeRow<slp::InstanceRow>(path, slp::instancesLayout(), 1,
                                    [](auto& row) { std::swap(row.pointBegin, row.pointEnd); });
        changeRow<slp::InstanceRow>(path, slp::instancesLayout(), 2, [](auto& row) { row.skeleton = 77; });
        changeRow<slp::InstanceRow>(path, slp::instancesLayout(), 3, [](auto& row) { row.type = 9; });
        labels = load(report);
        QVERIFY(labels.has_value());
        QCOMPARE(report.skippedInstances, std::size_t{4});
        QCOMPARE(labels->instanceCount(), std::size_t{0});
        QCOMPARE(labels->frameCount(), std::size_t{4});

        fresh();
        changeRow<slp::FrameRow>(path, slp::framesLayout(), 0, [](auto& row) { row.instanceEnd = kHuge; });
        changeRow<slp::FrameRow>(path, slp::framesLayout(), 1, [](auto& row) { row.video = 1000; });
        changeRow<slp::FrameRow>(path, slp::framesLayout(), 2, [](auto& row) { row.frameIndex = kHuge; });
        labels = load(report);
        QVERIFY(labels.has_value());
        QCOMPARE(report.skippedFrames, std::size_t{3});
        QCOMPARE(labels->frameCount(), std::size_t{1});

        // Two frames that claim the same instances get one each, with ids of their own.
        fresh();
        changeRow<slp::FrameRow>(path, slp::framesLayout(), 2, [](auto& row) {
            row.instanceBegin = 0;
            row.instanceEnd = 2;
        });
        labels = load(report);
        QVERIFY(labels.has_value());
        QVERIFY(labels->frame(0).instance(0).header->id != labels->frame(2).instance(0).header->id);
        QVERIFY(writeSlp(*labels, path).has_value());

        // More and fewer points than nodes.
        fresh();
        changeRow<slp::InstanceRow>(path, slp::instancesLayout(), 0, [](auto& row) { row.pointEnd -= 2; });
        changeRow<slp::InstanceRow>(path, slp::instancesLayout(), 3, [](auto& row) { row.pointBegin = 0; });
        labels = load(report);
        QVERIFY(labels.has_value());
        QCOMPARE(report.fittedInstances, std::size_t{2});
        QCOMPARE(labels->frame(0).instance(0).points.size(), std::size_t{4});
        QVERIFY(!labels->frame(0).instance(0).points[3].exists());
        QCOMPARE(labels->frame(3).instance(0).points.size(), std::size_t{1});
    }

    void damagedFilesGetOneClearSentence_data() {
        QTest::addColumn<QString>("content");
        QTest::addColumn<QString>("expected");
        QTest::newRow("text") << "just some text, long enough to look like something"
                              << "not an HDF5 file";
        QTest::newRow("empty") << ""
                               << "empty";
    }
    void damagedFilesGetOneClearSentence() {
        QFETCH(QString, content);
        QFETCH(QString, expected);
        const Folder folder;
        std::ofstream(folder / "a.slp") << content.toStdString();
        const auto labels = readSlp(folder / "a.slp");
        QVERIFY(!labels.has_value());
        QVERIFY(QString::fromStdString(labels.error().message()).contains(expected));
        QVERIFY(labels.error().message().find("a.slp") != std::string::npos);
    }

    void missingPartsGetOneClearSentence() {
        const Folder folder;
        const fs::path path = folder / "a.slp";
        const auto message = [&] {
            const auto labels = readSlp(path);
            return labels ? QString("read") : QString::fromStdString(labels.error().describe());
        };
        QVERIFY(message().contains("does not exist"));
        QVERIFY(QString::fromStdString(readSlp(folder.path()).error().describe()).contains("folder"));
        {
            const h5::Session session;
            auto file = h5::createFile(path);
            QVERIFY(file->close().has_value());
        }
        QVERIFY(message().contains("no metadata"));
        for (const char* table : {"frames", "instances", "points", "pred_points"}) {
            QVERIFY(writeSlp(madeProject(), path).has_value());
            {
                const OpenFile file(path);
                H5Ldelete(file.get(), table, H5P_DEFAULT);
            }
            QVERIFY(message().contains(QString("no table ") + table));
        }
        QVERIFY(writeSlp(madeProject(), path).has_value());
        setMetadata(path, "{\"skeletons\": [");
        QVERIFY(message().contains("not valid JSON"));
        setMetadata(path, R"({"skeletons":[{"nodes":[{"id":5}],"links":[]}],"nodes":[]})");
        QVERIFY(message().contains("Skeleton 0"));
        setMetadata(path, std::string(60000, '['));
        QVERIFY(message().contains("nested"));
        {
            const OpenFile file(path);
            const h5::Id metadata(H5Oopen(file.get(), "metadata", H5P_DEFAULT));
            QVERIFY(h5::writeNumberAttribute(metadata.get(), "format_id", 12.5).has_value());
        }
        QVERIFY(message().contains("12.5"));
    }

    void cutFilesNeverCrash() {
        const Folder folder;
        const fs::path whole = folder / "whole.slp";
        QVERIFY(writeSlp(madeProject(), whole).has_value());
        const std::string bytes = textOf(whole);
        for (std::size_t length = 1; length < bytes.size(); length += 97) {
            std::ofstream(folder / "cut.slp", std::ios::binary | std::ios::trunc) << bytes.substr(0, length);
            const auto labels = readSlp(folder / "cut.slp");
            QVERIFY(!labels.has_value());
            QVERIFY(!labels.error().message().empty());
        }
    }

    void tablesThatClaimTooMuchAreRefused() {
        const Folder folder;
        const fs::path path = folder / "a.slp";
        QVERIFY(writeSlp(madeProject(), path).has_value());
        {
            // Twelve exabytes of points, of which none is stored.
            const OpenFile file(path);
            H5Ldelete(file.get(), "points", H5P_DEFAULT);
            const h5::Id type = slp::tableType(slp::pointsLayout());
            const hsize_t rows = hsize_t{1} << 59U;
            const hsize_t chunk = 64;
            const h5::Id space(H5Screate_simple(1, &rows, nullptr));
            const h5::Id plan(H5Pcreate(H5P_DATASET_CREATE));
            H5Pset_chunk(plan.get(), 1, &chunk);
            const h5::Id table(
                H5Dcreate2(file.get(), "points", type.get(), space.get(), H5P_DEFAULT, plan.get(), H5P_DEFAULT));
            QVERIFY(static_cast<bool>(table));
        }
        const auto labels = readSlp(path);
        QVERIFY(!labels.has_value());
        QVERIFY(labels.error().message().find("claims to be larger") != std::string::npos);
    }

    void cancelledSaveAndLoadLeaveEverythingAsItWas() {
        const Folder folder;
        const fs::path path = folder / "a.slp";
        QVERIFY(writeSlp(madeProject(), path).has_value());
        const std::string before = textOf(path);
        std::stop_source stop;
        SlpWriteOptions write;
        write.stop = stop.get_token();
        write.progress = [&](std::string_view, double fraction) {
            if (fraction > 0.5)
                stop.request_stop();
        };
        Labels changed = madeProject();
        changed.editTracks().clear();
        const auto written = writeSlp(changed, path, write);
        QVERIFY(!written.has_value());
        QCOMPARE(written.error().code(), ErrorCode::Cancelled);
        QCOMPARE(textOf(path), before);
        QVERIFY(holdsNothingBut(folder, 1));
        SlpReadOptions read;
        read.stop = stop.get_token();
        QCOMPARE(readSlp(path, nullptr, read).error().code(), ErrorCode::Cancelled);
    }

    void fullDiskKeepsTheOldFile() {
        const Folder folder;
        const fs::path path = folder / "a.slp";
        QVERIFY(writeSlp(madeProject(), path).has_value());
        const std::string before = textOf(path);
        project::LabelsBuilder builder(madeProject());
        for (int i = 0; i < 2000; ++i) {
            builder.beginFrame(0, 1000 + i);
            for (project::Point& point : builder.addInstance({}, 4))
                point = {1.5, 2.5, 1, true, false};
        }
        const Labels large = builder.finish();
        // A limit on the size of files stands in for a disk without room: writing fails in the same place.
        struct sigaction ignore {};
        struct sigaction oldAction {};
        ignore.sa_handler = SIG_IGN;
        sigaction(SIGXFSZ, &ignore, &oldAction);
        rlimit old{};
        getrlimit(RLIMIT_FSIZE, &old);
        for (const rlim_t limit : {rlim_t{512}, rlim_t{6000}, rlim_t{40000}, rlim_t{200000}}) {
            const rlimit tight{limit, old.rlim_max};
            setrlimit(RLIMIT_FSIZE, &tight);
            const auto written = writeSlp(large, path);
            setrlimit(RLIMIT_FSIZE, &old);
            QVERIFY(!written.has_value());
            QCOMPARE(written.error().code(), ErrorCode::Io);
            QVERIFY2(written.error().message().find("save elsewhere") != std::string::npos,
                     written.error().describe().c_str());
            QCOMPARE(textOf(path), before);
            QVERIFY(holdsNothingBut(folder, 1));
        }
        sigaction(SIGXFSZ, &oldAction, nullptr);
        // The library still works after the failures.
        QVERIFY(writeSlp(large, path).has_value());
        QCOMPARE(readSlp(path)->frameCount(), std::size_t{2004});
    }

    void unwritableFolderKeepsTheOldFile() {
        const Folder folder;
        const auto written = writeSlp(madeProject(), folder / "missing" / "a.slp");
        QVERIFY(!written.has_value());
        QVERIFY(written.error().message().find("does not exist") != std::string::npos);
    }

    void pitfall_P39_killedSavesLeaveTheOldOrTheNewFile() {
        const Folder folder;
        const fs::path path = folder / "a.slp";
        Labels first = madeProject();
        Labels second = madeProject();
        second.editTracks().push_back({"second", 0, -1});
        project::LabelsBuilder builder(second);
        for (int i = 0; i < 3000; ++i) {
            builder.beginFrame(0, 1000 + i);
            (void)builder.addInstance({}, 4);
        }
        second = builder.finish();
        QVERIFY(writeSlp(first, path).has_value());
        std::mt19937 random(5);
        for (int round = 0; round < 20; ++round) {
            const pid_t child = fork();
            QVERIFY(child >= 0);
            if (child == 0) {
                for (int i = 0;; ++i)
                    if (!writeSlp(i % 2 == 0 ? second : first, path))
                        _exit(1);
            }
            usleep(static_cast<useconds_t>(random() % 60000));
            kill(child, SIGKILL);
            waitpid(child, nullptr, 0);
            const auto labels = readSlp(path);
            QVERIFY2(labels.has_value(), labels ? "" : labels.error().describe().c_str());
            const bool isSecond = labels->tracks().size() == 4;
            QCOMPARE(labels->frameCount(), isSecond ? second.frameCount() : first.frameCount());
        }
    }

    void savingAndReadingOnSeveralThreads() {
        const Folder folder;
        QVERIFY(writeSlp(madeProject(), folder / "0.slp").has_value());
        std::atomic<int> failures{0};
        {
            std::vector<std::jthread> threads;
            for (int t = 0; t < 4; ++t)
                threads.emplace_back([&, t] {
                    for (int round = 0; round < 10; ++round) {
                        auto labels = readSlp(folder / "0.slp");
                        if (!labels || !writeSlp(*labels, folder / (std::to_string(t) + ".out.slp")))
                            ++failures;
                    }
                });
        }
        QCOMPARE(failures.load(), 0);
    }

    void symbolicLinksAreFollowed() {
        const Folder folder;
        QVERIFY(writeSlp(madeProject(), folder / "real.slp").has_value());
        fs::create_symlink(folder / "real.slp", folder / "link.slp");
        Labels changed = madeProject();
        changed.editTracks().clear();
        QVERIFY(writeSlp(changed, folder / "link.slp").has_value());
        QVERIFY(fs::is_symlink(folder / "link.slp"));
        QCOMPARE(readSlp(folder / "real.slp")->tracks().size(), std::size_t{0});
    }
};

QTEST_APPLESS_MAIN(TestSlpDamage)
#include "tst_slp_damage.moc"
