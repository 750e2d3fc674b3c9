// SPDX-License-Identifier: GPL-3.0-or-later
// The order in which issues are gone through, on the bundled sample.
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <tuple>

#include "tests/ui/window/window_fixture.h"
#include "ui/edit/editor.h"
#include "ui/tracks/issues_panel.h"
#include "ui/tracks/proofreading.h"
#include "ui/widgets/plain_table.h"

using namespace skein;
using namespace skein::ui;

class TestIssueOrder : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { theme::apply(theme::Mode::Light); }
    void init() {
        test::forgetSettings();
        QVERIFY(m_folder.isValid());
        m_window = std::make_unique<test::Window>();
    }
    void cleanup() { m_window.reset(); }

    void theReviewGoesDownTheListAsItIsShown() {
        const QString path = m_folder.filePath(QStringLiteral("sample.slp"));
        QVERIFY(QFile::copy(test::sample("expected.slp"), path));
        QVERIFY(m_window->open(path));
        QVERIFY(m_window->waitForDigest());
        m_window->trigger("analyzeIssues");
        QTRY_VERIFY(proof().issues().isUpToDate());
        IssuesPanel& panel = proof().issuesPanel();
        const auto entries = [this]() -> const std::vector<IssueList::Entry>& { return proof().issues().entries(); };
        using Key = std::tuple<proofread::IssueKind, std::int64_t, std::vector<std::int32_t>>;
        const auto keyOf = [&](int entry) {
            const proofread::Issue& issue = entries()[static_cast<std::size_t>(entry)].issue;
            return Key{issue.kind, issue.frame, issue.tracks};
        };
        const auto entryOf = [&](const Key& key) {  // -1: it is settled, or gone
            for (int i = 0; i < static_cast<int>(entries().size()); ++i)
                if (keyOf(i) == key && entries()[static_cast<std::size_t>(i)].state == proofread::ReviewState::Open)
                    return i;
            return -1;
        };
        m_window->trigger("goNextIssue");
        QCOMPARE(proof().issueUnderReview(), panel.shownOrder().front());
        int repaired = 0;
        for (int step = 0; step < 8; ++step) {
            // With or without a repair, what follows is what stood below.
            std::vector<Key> below;
            const std::vector<int> order = panel.shownOrder();
            for (auto it = std::find(order.begin(), order.end(), proof().issueUnderReview()) + 1; it < order.end();
                 ++it)
                below.push_back(keyOf(*it));
            const bool repairs = entries()[static_cast<std::size_t>(proof().issueUnderReview())].issue.fix.kind !=
                                 proofread::Fix::Kind::None;
            const int steps = (*m_window)->document().undoStack()->count();
            m_window->trigger(repairs ? "issueAccept" : "goNextIssue");
            if (repairs) {
                QTRY_COMPARE((*m_window)->document().undoStack()->count(), steps + 1);
                QTRY_VERIFY(proof().issues().isUpToDate() && !(*m_window)->editor().isWorking());
                ++repaired;
            }
            const auto next =
                std::find_if(below.begin(), below.end(), [&](const Key& key) { return entryOf(key) >= 0; });
            QVERIFY(next != below.end());
            QTRY_COMPARE(proof().issueUnderReview(), entryOf(*next));
        }
        QVERIFY(repaired >= 2);
        // In another order of the table it goes down that one.
        panel.findChild<PlainTable*>()->sortByColumn(IssueTableModel::Frame, Qt::AscendingOrder);
        const auto isSorted = [&] {
            const std::vector<int> order = panel.shownOrder();
            return std::is_sorted(order.begin(), order.end(), [&](int a, int b) {
                return entries()[static_cast<std::size_t>(a)].issue.frame <
                       entries()[static_cast<std::size_t>(b)].issue.frame;
            });
        };
        QTRY_VERIFY(isSorted());
        const std::vector<int> order = panel.shownOrder();
        const auto here = std::find(order.begin(), order.end(), proof().issueUnderReview());
        QVERIFY(here != order.end());
        m_window->trigger("goNextIssue");
        QCOMPARE(proof().issueUnderReview(), here + 1 == order.end() ? order.front() : here[1]);
        m_window->trigger("goPrevIssue");
        QCOMPARE(proof().issueUnderReview(), *here);
    }

private:
    [[nodiscard]] Proofreading& proof() { return (*m_window)->proofreading(); }

    QTemporaryDir m_folder;
    std::unique_ptr<test::Window> m_window;
};

QTEST_MAIN(TestIssueOrder)
#include "tst_issue_order.moc"
