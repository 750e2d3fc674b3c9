// SPDX-License-Identifier: BSD-3-Clause
// Labels files made here: writing from nothing, and what is kept of what is not known.
#include <QtTest>
#include <cstring>

#include "engine/formats/json/json.h"
#include "engine/formats/slp.h"
#include "engine/formats/slp/tables.h"
#include "engine/formats/slp_diff.h"
#include "tests/engine/formats/made_project.h"
#include "tests/engine/formats/slp_change.h"

using namespace skein;
using namespace skein::formats;
using namespace skein::test;
using project::InstanceKind;
using project::Labels;
namespace fs = std::filesystem;

namespace {

/// Rewrites a row table with one more field, an int32 that is ten times the row.
void addField(const fs::path& path, const slp::TableLayout& layout, const char* field) {
    const OpenFile file(path);
    const auto old = h5::openDataset(file.get(), layout.name);
    QVERIFY(old.has_value());
    const std::size_t size = layout.rowSize + 4;
    const h5::Id type(H5Tcreate(H5T_COMPOUND, size));
    // The new field stands first, so that nobody can rely on offsets.
    H5Tinsert(type.get(), field, 0, H5T_STD_I32LE);
    for (int i = 0; i < H5Tget_nmembers(old->type.get()); ++i) {
        char* name = H5Tget_member_name(old->type.get(), static_cast<unsigned>(i));
        const h5::Id member(H5Tget_member_type(old->type.get(), static_cast<unsigned>(i)));
        H5Tinsert(type.get(), name, 4 + H5Tget_member_offset(old->type.get(), static_cast<unsigned>(i)), member.get());
        H5free_memory(name);
    }
    std::vector<char> rows(static_cast<std::size_t>(old->rows()) * layout.rowSize);
    QVERIFY(h5::readRows(*old, old->type.get(), 0, old->rows(), rows.data()).has_value());
    std::vector<char> wider(static_cast<std::size_t>(old->rows()) * size);
    for (std::size_t row = 0; row < old->rows(); ++row) {
        const auto value = static_cast<std::int32_t>(10 * row);
        std::memcpy(wider.data() + row * size, &value, 4);
        std::memcpy(wider.data() + row * size + 4, rows.data() + row * layout.rowSize, layout.rowSize);
    }
    H5Ldelete(file.get(), layout.name, H5P_DEFAULT);
    const auto table = h5::createTable(file.get(), layout.name, type.get(), old->rows());
    QVERIFY(table && h5::writeRows(*table, type.get(), 0, old->rows(), wider.data()));
}

std::vector<std::int32_t> fieldOf(const fs::path& path, const char* name, const char* field) {
    const h5::Session session;
    const auto file = h5::openFile(path);
    const auto table = h5::openDataset(file->get(), name);
    const h5::Id type(H5Tcreate(H5T_COMPOUND, 4));
    H5Tinsert(type.get(), field, 0, H5T_NATIVE_INT32);
    std::vector<std::int32_t> values(static_cast<std::size_t>(table->rows()));
    if (!h5::readRows(*table, type.get(), 0, table->rows(), values.data()))
        values.clear();
    return values;
}

TestJson metadataOf(const fs::path& path) {
    const h5::Session session;
    const auto file = h5::openFile(path);
    const h5::Id metadata(H5Oopen(file->get(), "metadata", H5P_DEFAULT));
    // Not a number becomes null, which the tests do not look at.
    return TestJson::parse(parseJson(*h5::textAttribute(metadata.get(), "json"), "The metadata")->dump());
}

}  // namespace

class TestSlpMade : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void whatIsWrittenIsRead() {
        const Folder folder;
        const fs::path path = folder / "größe 5 – δοκιμή (1) #%.slp";
        const Labels labels = madeProject();
        std::vector<std::string> phases;
        double last = 0;
        SlpWriteOptions options;
        options.progress = [&](std::string_view phase, double fraction) {
            QVERIFY(fraction >= last && fraction <= 1);
            last = fraction;
            phases.emplace_back(phase);
        };
        const auto written = writeSlp(labels, path, options);
        QVERIFY2(written.has_value(), written ? "" : written.error().describe().c_str());
        QCOMPARE(last, 1.0);
        QVERIFY(phases.size() > 3);
        QVERIFY(holdsNothingBut(folder, 1));

        LoadReport report;
        const auto read = readSlp(path, &report);
        QVERIFY2(read.has_value(), read ? "" : read.error().describe().c_str());
        QVERIFY(report.warnings.empty());
        QCOMPARE(report.formatId, 1.4);
        QCOMPARE(dumpOf(*read), dumpOf(labels));
        const DiffReport diff = diffLabels(labels, *read, {.tolerance = 0, .scoreTolerance = 0});
        QVERIFY2(diff.equal, diff.text().c_str());
        QCOMPARE(read->negativeFrames(), labels.negativeFrames());
        QCOMPARE(read->suggestions()[0].group, std::int64_t{3});
        QCOMPARE(read->tracks()[1].spawnedOn, std::int64_t{7});
        QCOMPARE(read->videos()[1].imageFiles, labels.videos()[1].imageFiles);
        QCOMPARE(read->videos()[0].fps, 25.0);
        // Not a number is written as null: readers of today refuse it.
        QCOMPARE(read->provenanceJson(), strictText(labels.provenanceJson()));
        QVERIFY(read->provenanceJson().find("null") != std::string::npos);
        QVERIFY(read->frame(0).instance(1).header->fromPredicted == read->frame(0).instance(0).header->id);
        QVERIFY(std::isnan(read->frame(0).instance(1).header->trackingScore));
    }

    void emptyProject() {
        const Folder folder;
        QVERIFY(writeSlp(Labels(), folder / "empty.slp").has_value());
        const auto read = readSlp(folder / "empty.slp");
        QVERIFY(read.has_value());
        QCOMPARE(read->frameCount(), std::size_t{0});
        QVERIFY(read->videos().empty() && read->skeletons().empty() && read->tracks().empty());
        QVERIFY(writeSlp(*read, folder / "empty.slp").has_value());
    }

    void tablesAreStoredAsThePeerStoresThem() {
        const Folder folder;
        QVERIFY(writeSlp(madeProject(), folder / "a.slp").has_value());
        const h5::Session session;
        const auto file = h5::openFile(folder / "a.slp");
        QVERIFY(file.has_value());
        const std::map<std::string, std::size_t> sizes = {
            {"frames", 36}, {"instances", 57}, {"points", 18}, {"pred_points", 26}, {"negative_frames", 12}};
        for (const auto& [name, size] : sizes) {
            const auto table = h5::openDataset(file->get(), name);
            QVERIFY(table.has_value());
            QCOMPARE(table->typeSize, size);
            const h5::Id plan(H5Dget_create_plist(table->id.get()));
            QCOMPARE(H5Pget_layout(plan.get()), H5D_CONTIGUOUS);
        }
        const auto points = h5::openDataset(file->get(), "points");
        const h5::Id flag(H5Tget_member_type(points->type.get(), 2));
        QCOMPARE(H5Tget_class(flag.get()), H5T_ENUM);
        const auto videos = h5::openDataset(file->get(), "videos_json");
        QVERIFY(H5Tis_variable_str(videos->type.get()) > 0);
        QCOMPARE(H5Tget_cset(videos->type.get()), H5T_CSET_UTF8);
        const TestJson metadata = metadataOf(folder / "a.slp");
        QCOMPARE(metadata["nodes"].size(), std::size_t{5});
        QCOMPARE(metadata["skeletons"][1]["nodes"].dump(), std::string(R"([{"id":4}])"));
        QCOMPARE(metadata["skeletons"][0]["links"][3]["type"]["py/reduce"][1]["py/tuple"][0].get<int>(), 2);
    }

    void unknownContentSurvives() {
        const Folder folder;
        const fs::path path = folder / "a.slp";
        QVERIFY(writeSlp(madeProject(), path).has_value());
        TestJson metadata = metadataOf(path);
        metadata["future"] = {{"a", {1, 2}}};
        metadata["negative_anchors"] = {{"0", {{7, 1.5, 2.5}}}};
        metadata["skeletons"][0]["description"] = "kept";
        setMetadata(path, metadata.dump());
        {
            const OpenFile file(path);
            const std::vector<std::string> texts = {"ä", ""};
            QVERIFY(h5::writeStrings(file.get(), "unknown_texts", texts).has_value());
            const auto group = h5::createGroup(file.get(), "unknown_group");
            QVERIFY(group && h5::writeNumberAttribute(group->get(), "x", 2.5).has_value());
            QVERIFY(h5::writeText(group->get(), "inner", "text").has_value());
            H5Lcreate_soft("/nowhere", file.get(), "dangling", H5P_DEFAULT, H5P_DEFAULT);
            QVERIFY(h5::writeVariableTextAttribute(file.get(), "root_note", "é").has_value());
            const h5::Id points(H5Oopen(file.get(), "points", H5P_DEFAULT));
            QVERIFY(h5::writeNumberAttribute(points.get(), "unit", 3).has_value());
            const h5::Id metadataGroup(H5Oopen(file.get(), "metadata", H5P_DEFAULT));
            QVERIFY(h5::writeText(metadataGroup.get(), "child", "kept too").has_value());
            // Rows with keys of a later version.
            H5Ldelete(file.get(), "videos_json", H5P_DEFAULT);
            const std::vector<std::string> rows = {
                R"({"filename":"m.mp4","later":[1,{"b":NaN}],"backend":{"type":"MediaVideo","filename":"m.mp4","new_key":"x"}})",
                R"({"backend":{"filename":"b\\c.mp4"}})", R"({"filename":"c.avi","backend":{"filename":"c.avi"}})"};
            QVERIFY(h5::writeStrings(file.get(), "videos_json", rows).has_value());
        }
        auto labels = readSlp(path);
        QVERIFY2(labels.has_value(), labels ? "" : labels.error().describe().c_str());
        // The file may go, be replaced or saved over: what it held was read.
        fs::copy(path, folder / "copy.slp");
        fs::remove(path);
        labels->editVideos()[0].filename = "moved/m.mp4";
        labels->editTracks().pop_back();
        for (int round = 0; round < 2; ++round) {
            const auto written = writeSlp(*labels, path);
            QVERIFY2(written.has_value(), written ? "" : written.error().describe().c_str());
            const h5::Session session;
            const auto a = h5::openFile(folder / "copy.slp");
            const auto b = h5::openFile(path);
            for (const char* name : {"unknown_texts", "unknown_group", "metadata/child"})
                QCOMPARE(objectDifference(a->get(), b->get(), name), std::string());
            QVERIFY(H5Lexists(b->get(), "dangling", H5P_DEFAULT) > 0);
            QCOMPARE(h5::textAttribute(b->get(), "root_note"), std::optional<std::string>("é"));
            const h5::Id points(H5Oopen(b->get(), "points", H5P_DEFAULT));
            QCOMPARE(h5::numberAttribute(points.get(), "unit"), std::optional<double>(3));
            const TestJson after = metadataOf(path);
            QCOMPARE(after["future"], metadata["future"]);
            QCOMPARE(after["negative_anchors"], metadata["negative_anchors"]);
            QCOMPARE(after["skeletons"], metadata["skeletons"]);
            const auto rows = h5::readStrings(b->get(), "videos_json");
            QCOMPARE((*rows)[0],
                     std::string(R"({"filename":"moved/m.mp4","later":[1,{"b":null}],)"
                                 R"("backend":{"type":"MediaVideo","filename":"moved/m.mp4","new_key":"x"}})"));
            QCOMPARE((*rows)[1], std::string(R"({"backend":{"filename":"b\\c.mp4"}})"));
        }
        // A changed skeleton is written anew, with what was kept about it.
        labels->editSkeletons()[0].nodes[0] = "renamed";
        QVERIFY(writeSlp(*labels, path).has_value());
        const TestJson renamed = metadataOf(path);
        QCOMPARE(renamed["skeletons"][0]["description"].get<std::string>(), std::string("kept"));
        QCOMPARE(renamed["nodes"][0]["name"].get<std::string>(), std::string("renamed"));
        QCOMPARE(readSlp(path)->skeletons()[0].nodes[0], std::string("renamed"));
    }

    void unknownFieldsFollowTheirRows() {
        const Folder folder;
        const fs::path path = folder / "a.slp";
        QVERIFY(writeSlp(madeProject(), path).has_value());
        addField(path, slp::framesLayout(), "later");
        addField(path, slp::instancesLayout(), "later");
        addField(path, slp::predictedPointsLayout(), "later");
        auto labels = readSlp(path);
        QVERIFY2(labels.has_value(), labels ? "" : labels.error().describe().c_str());
        QCOMPARE(dumpOf(*labels), dumpOf(madeProject()));
        QVERIFY(writeSlp(*labels, path).has_value());
        QCOMPARE(fieldOf(path, "frames", "later"), (std::vector<std::int32_t>{0, 10, 20, 30}));
        QCOMPARE(fieldOf(path, "pred_points", "later"), (std::vector<std::int32_t>{0, 10, 20, 30, 40}));

        // Rows move and go; new ones have none.
        const std::vector<std::size_t> second = {1};
        labels->removeFrames(second);
        labels->appendFrame({0, 50, {instanceOf(InstanceKind::Predicted, 1, 1, 5)}, -1});
        auto frame = labels->frame(0).toData();
        std::swap(frame.instances[0], frame.instances[1]);
        labels->replaceFrame(0, frame);
        // Twice, over the file itself: rows are still found.
        for (int round = 0; round < 2; ++round) {
            QVERIFY(writeSlp(*labels, path).has_value());
            QCOMPARE(fieldOf(path, "frames", "later"), (std::vector<std::int32_t>{0, 20, 30, 0}));
            QCOMPARE(fieldOf(path, "instances", "later"), (std::vector<std::int32_t>{10, 0, 30, 0}));
            QCOMPARE(fieldOf(path, "pred_points", "later"), (std::vector<std::int32_t>{0, 10, 20, 30, 40, 0}));
        }
        QVERIFY(readSlp(path).has_value());
    }

    void skeletonWithSymmetriesOnlyReadsTheSameInBothWays() {
        Labels labels;
        project::Skeleton skeleton = skeletonOf("s", {"a", "b", "c", "d"});
        skeleton.edges.clear();
        skeleton.symmetries = {{0, 1}, {2, 3}};
        labels.editSkeletons() = {skeleton};
        const Folder folder;
        QVERIFY(writeSlp(labels, folder / "a.slp").has_value());
        const auto read = readSlp(folder / "a.slp");
        QVERIFY(read.has_value());
        QVERIFY(read->skeletons()[0].edges.empty());
        QCOMPARE(read->skeletons()[0].symmetries, skeleton.symmetries);
        for (const auto& link : metadataOf(folder / "a.slp")["skeletons"][0]["links"])
            QVERIFY(link["type"].contains("py/reduce"));
    }

    void metadataBeyondTheAttributeLimit() {
        const Folder folder;
        Labels labels = madeProject();
        // Large provenance moves out; a large skeleton needs a large attribute.
        labels.setProvenanceJson("{\"history\":\"" + std::string(100000, 'x') + "\"}");
        QVERIFY(writeSlp(labels, folder / "provenance.slp").has_value());
        QCOMPARE(readSlp(folder / "provenance.slp")->provenanceJson(), labels.provenanceJson());
        QVERIFY(metadataOf(folder / "provenance.slp")["provenance"].empty());

        std::vector<std::string> nodes;
        for (int i = 0; i < 1500; ++i)
            nodes.push_back("node with a rather long name, number " + std::to_string(i));
        labels.editSkeletons().push_back(skeletonOf("large", nodes));
        const auto written = writeSlp(labels, folder / "skeleton.slp");
        QVERIFY2(written.has_value(), written ? "" : written.error().describe().c_str());
        QCOMPARE(readSlp(folder / "skeleton.slp")->skeletons()[2].nodes, nodes);
    }
};

QTEST_APPLESS_MAIN(TestSlpMade)
#include "tst_slp_made.moc"
