// SPDX-License-Identifier: BSD-3-Clause
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <fstream>

#include "engine/formats/skeleton_file.h"

using namespace skein;

class TestSkeletonFile : public QObject {
    Q_OBJECT

    /// Single quotes stand for double ones.
    std::filesystem::path write(const char* name, std::string text) {
        std::replace(text.begin(), text.end(), '\'', '"');
        const std::filesystem::path path = std::filesystem::path(m_folder.path().toStdString()) / name;
        std::ofstream(path) << text;
        return path;
    }
    QTemporaryDir m_folder;

private Q_SLOTS:
    void whatIsWrittenIsReadAgain() {
        project::Skeleton skeleton;
        skeleton.name = "fly \"two\"";
        skeleton.nodes = {"head", "left", "right", "alone"};
        skeleton.edges = {{0, 1}, {0, 2}};
        skeleton.symmetries = {{1, 2}};
        const auto path = write("mine.json", "");
        QVERIFY(formats::writeSkeletonFile(skeleton, path));
        const auto read = formats::readSkeletonFile(path);
        QVERIFY(read);
        QCOMPARE(read->name, skeleton.name);
        QVERIFY(read->sameStructure(skeleton));
        QCOMPARE(read->symmetries, skeleton.symmetries);
    }

    // The kind of edge counts as the third object met, so that the third node is number 4.
    void objectsAreNumberedAsTheyAreMet() {
        const auto node = [](const std::string& name) {
            return "{'py/object': 'sleap.skeleton.Node', 'py/state': {'py/tuple': ['" + name + "', 1.0]}}";
        };
        const auto kind = [](const std::string& number) {
            return "{'py/reduce': [{'py/type': 'sleap.skeleton.EdgeType'}, {'py/tuple': [" + number + "]}]}";
        };
        const auto path =
            write("theirs.json",
                  "{'nx_graph': {'directed': true, 'graph': {'name': 'S', 'num_edges_inserted': 2}, 'links': ["
                  "{'edge_insert_idx': 0, 'key': 0, 'source': " +
                      node("B") + ", 'target': " + node("A") + ", 'type': " + kind("1") +
                      "}, {'edge_insert_idx': 1, 'key': 0, 'source': {'py/id': 1}, 'target': " + node("C") +
                      ", 'type': {'py/id': 3}}, {'key': 0, 'source': {'py/id': 2}, 'target': {'py/id': 4}, 'type': " +
                      kind("2") +
                      "}], 'multigraph': true, "
                      "'nodes': [{'id': {'py/id': 2}}, {'id': {'py/id': 1}}, {'id': {'py/id': 4}}]}}");
        const auto read = formats::readSkeletonFile(path);
        QVERIFY(read);
        QCOMPARE(read->nodes, (std::vector<std::string>{"A", "B", "C"}));
        QCOMPARE(read->edges, (std::vector<project::Edge>{{1, 0}, {1, 2}}));
        QCOMPARE(read->symmetries.size(), std::size_t{1});
        QCOMPARE(read->symmetries[0], (std::array<int, 2>{0, 2}));
    }

    void badFilesSayWhatIsWrong() {
        const auto message = [](const std::filesystem::path& path) {
            const auto read = formats::readSkeletonFile(path);
            return read ? QString() : QString::fromStdString(read.error().message());
        };
        QVERIFY(message("/nowhere/at/all.json").contains("no file"));
        QVERIFY(!message(write("cut.json", "{'nodes': [")).isEmpty());
        QVERIFY(message(write("other.json", "{'a': 1}")).contains("other.json is no skeleton"));
        QVERIFY(message(write("empty.json", "{'nodes': []}")).contains("no nodes"));
        QVERIFY(message(write("ids.json", "{'links': [], 'nodes': [{'id': {'py/id': 7}}]}")).contains("node"));
        QVERIFY(message(write("twice.json", "{'nodes': [{'id': 'a'}, {'id': 'a'}]}")).contains("two of its nodes"));
        QVERIFY(message(write("list.json", "[1, 2]")).contains("no skeleton"));
    }
};

QTEST_APPLESS_MAIN(TestSkeletonFile)
#include "tst_skeleton_file.moc"
