// SPDX-License-Identifier: GPL-3.0-or-later
#include <QCheckBox>
#include <QDoubleSpinBox>
#include <QPushButton>
#include <atomic>

#include "engine/inference/packed_layout.h"
#include "tests/ui/run/dialog_fixture.h"
#include "ui/bridge/frame_preview.h"
#include "ui/dialogs/preview_window.h"
#include "ui/widgets/progress_line.h"

using namespace skein;
using namespace skein::ui;
using skein::test::DialogFixture;
using skein::test::flySkeleton;
using skein::test::sampleModel;

namespace {

/// An answer with as many instances as the threshold leaves: 0.2 lets three through, 0.6 one.
FramePreview answer(const pipeline::JobSpec& job) {
    FramePreview preview;
    preview.picture = QImage(64, 48, QImage::Format_RGB32);
    preview.picture.fill(Qt::darkGray);
    preview.video = job.sources.front().video;
    preview.frame = job.sources.front().frames.front();
    preview.labels.editSkeletons().push_back(flySkeleton());
    project::FrameData frame{preview.video, preview.frame, {}, -1};
    for (int k = 0; k < (job.inference.peakThreshold > 0.5 ? 1 : 3); ++k) {
        project::InstanceData instance;
        instance.header.kind = project::InstanceKind::Predicted;
        for (int n = 0; n < 2; ++n) {
            project::Point point;
            point.x = 10 + 15.0 * k;
            point.y = 10 + 10.0 * n;
            point.visible = true;
            instance.points.push_back(point);
            preview.peaks.push_back({QPointF(point.x, point.y), 0.9F, n});
        }
        preview.links.push_back({QPointF(10 + 15.0 * k, 10), QPointF(10 + 15.0 * k, 20), 0.8F, 0});
        frame.instances.push_back(std::move(instance));
    }
    preview.labels.appendFrame(std::move(frame));
    preview.seconds = 0.05;
    return preview;
}

}  // namespace

class TestPreview : public QObject {
    Q_OBJECT

    struct Fixture : DialogFixture {
        std::atomic<int> looks = 0;
        Fixture() : DialogFixture(100) {
            dialog.previewer = [this](const pipeline::JobSpec& job) -> Result<FramePreview> {
                ++looks;
                return answer(job);
            };
        }
        PreviewWindow* window() { return dialog.findChild<PreviewWindow*>(); }
        QPushButton* button() { return find<QPushButton>("inferencePreview"); }
        bool look() {
            const int before = looks;
            button()->click();
            return test::await([&] { return looks > before && !window()->isBusy(); });
        }
        QString text(const char* name) { return window()->findChild<QLabel*>(QLatin1String(name))->text(); }
    };

private Q_SLOTS:
    void withoutAModelThereIsAReason() {
        Fixture f;
        f.show();
        QVERIFY(!f.button()->isEnabled());
        QVERIFY(f.button()->toolTip().contains("Choose a model"));
        QVERIFY(f.pick(sampleModel()));
        QVERIFY(f.button()->isEnabled());
        // A run that is in progress does not forbid a glance.
        f.dialog.setRunning(true);
        QVERIFY(f.button()->isEnabled());
    }

    // The current frame with the current settings; before and after once something has changed.
    void settingsAreComparedSideBySide() {
        Fixture f;
        f.host.frame = 41;
        f.show();
        QVERIFY(f.pick(sampleModel()));
        QVERIFY(f.look());
        QVERIFY(f.window()->before().isHidden() || !f.window()->before().isVisible());
        QCOMPARE(f.window()->now().preview()->frame, std::int64_t{41});
        QCOMPARE(f.window()->now().preview()->labels.instanceCount(), std::size_t{3});
        QVERIFY2(f.text("previewNowFigures").contains("3 instances") && f.text("previewNowFigures").contains("6 peaks"),
                 qPrintable(f.text("previewNowFigures")));
        // Looked at again without a change: still alone.
        QVERIFY(f.look());
        QVERIFY(!f.window()->before().isVisible());
        f.option<QDoubleSpinBox>("peak_threshold")->setValue(0.6);
        QVERIFY(f.look());
        QVERIFY(f.window()->before().isVisible());
        QCOMPARE(f.window()->before().preview()->labels.instanceCount(), std::size_t{3});
        QCOMPARE(f.window()->now().preview()->labels.instanceCount(), std::size_t{1});
        QCOMPARE(f.window()->findChild<ElidedLabel*>("previewNowTitle")->fullText(),
                 QString::fromUtf8("Now: Peak threshold 0.2 → 0.6"));
        // The same again: what was before stays.
        QVERIFY(f.look());
        QVERIFY(f.window()->before().isVisible());
        // Another frame is no comparison.
        f.host.frame = 42;
        f.tell();
        QVERIFY(f.look());
        QVERIFY(!f.window()->before().isVisible());
    }

    void bothPicturesHaveRoomOnTheScreen() {
        Fixture f;
        f.show();
        QVERIFY(f.pick(sampleModel()));
        QVERIFY(f.look());
        const QRect room = f.window()->screen()->availableGeometry();
        // Wherever the window stands, and however much it would like to have.
        f.window()->move(room.right() - 200, room.bottom() - 200);
        f.window()->resize(room.size());
        f.option<QDoubleSpinBox>("peak_threshold")->setValue(0.6);
        f.window()->resize(room.width() * 2 / 3, room.height());
        QVERIFY(f.look());
        QVERIFY(f.window()->before().isVisible());
        QVERIFY2(room.contains(f.window()->geometry()), qPrintable(QString::number(f.window()->geometry().right())));
        // In a window of the smallest size both are still there, side by side.
        f.window()->resize(1280, 720);
        QVERIFY(f.window()->minimumSizeHint().width() <= 900);
        QVERIFY(f.window()->minimumSizeHint().height() <= 600);
        QVERIFY(f.window()->before().width() >= 200 && f.window()->now().width() >= 200);
    }

    void layersAreShownAndHidden() {
        Fixture f;
        f.show();
        QVERIFY(f.pick(sampleModel()));
        QVERIFY(f.look());
        const auto grab = [&f] { return f.window()->findChild<PreviewPane*>("previewNow")->grab().toImage(); };
        const QImage all = grab();
        for (const char* name : {"previewPeaks", "previewLinks", "previewInstances"}) {
            auto* box = f.window()->findChild<QCheckBox*>(QLatin1String(name));
            box->setChecked(false);
            QVERIFY2(grab() != all, name);
            box->setChecked(true);
            QCOMPARE(grab(), all);
        }
    }

    void aFailureIsSaidAndWhatWasSeenStays() {
        Fixture f;
        f.show();
        QVERIFY(f.pick(sampleModel()));
        QVERIFY(f.look());
        f.dialog.findChild<PreviewWindow*>();
        delete f.window();
        DialogFixture broken(100);
        broken.dialog.previewer = [](const pipeline::JobSpec&) -> Result<FramePreview> {
            return fail(ErrorCode::Device, "The device has no memory left.");
        };
        broken.show();
        QVERIFY(broken.pick(sampleModel()));
        broken.find<QPushButton>("inferencePreview")->click();
        auto* window = broken.dialog.findChild<PreviewWindow*>();
        QTRY_VERIFY(!window->isBusy());
        QVERIFY(window->findChild<QLabel*>("previewMessage")->text().contains("no memory left"));
        QVERIFY(window->now().preview() == nullptr);
    }

    // Peaks and links as they lie in the engine's buffer, in pixels of the frame.
    void peaksAndLinksAreReadFromTheBatch() {
        inference::HostBatch batch;
        batch.type = models::ModelType::BottomUp;
        batch.frames = 1;
        batch.nodes = 2;
        batch.edges = 1;
        batch.slots = 2;
        batch.inputScale = 0.5;
        batch.effScale = {2.0F};
        const inference::PackedLayout layout = inference::layoutOf(batch);
        batch.packed.assign(layout.size(), std::numeric_limits<float>::quiet_NaN());
        batch.packed[layout.count(0, 0)] = inference::countAsWord(2);
        batch.packed[layout.count(0, 1)] = inference::countAsWord(1);
        const auto put = [&](std::size_t node, std::size_t slot, float x, float y) {
            float* words = &batch.packed[layout.peak(0, node, slot)];
            words[0] = x;
            words[1] = y;
            words[2] = 0.5F;
        };
        put(0, 0, 10, 20);
        put(0, 1, 30, 40);
        put(1, 0, 12, 22);
        batch.packed[layout.score(0, 0, 0, 0)] = 0.9F;
        batch.packed[layout.score(0, 0, 1, 0)] = 0.01F;  // as good as none
        const project::Skeleton skeleton = flySkeleton();
        FramePreview preview;
        unpackPreview(batch, skeleton, preview);
        QCOMPARE(preview.peaks.size(), std::size_t{3});
        // Scaled by a half and then doubled: where it was.
        QCOMPARE(preview.peaks[0].at, QPointF(10, 20));
        QCOMPARE(preview.peaks[2].node, 1);
        QCOMPARE(preview.links.size(), std::size_t{1});
        QCOMPARE(preview.links[0].from, QPointF(10, 20));
        QCOMPARE(preview.links[0].to, QPointF(12, 22));

        // A buffer that is cut off gives nothing.
        batch.packed.resize(3);
        FramePreview none;
        unpackPreview(batch, skeleton, none);
        QVERIFY(none.peaks.empty() && none.links.empty());
    }
};

QTEST_MAIN(TestPreview)
#include "tst_preview.moc"
