// SPDX-License-Identifier: BSD-3-Clause
#include <QtTest>
#include <algorithm>
#include <cmath>

#include "engine/formats/project_video.h"
#include "engine/formats/slp.h"
#include "engine/inference/grouping.h"
#include "engine/inference/model_set.h"
#include "engine/inference/runner.h"
#include "engine/models/model_folder.h"
#include "engine/profile/profiler.h"
#include "tests/support/reference.h"

using namespace skein;
using namespace skein::inference;

namespace {

const char* const kModels = "models/ckpt/minimal_instance_";

InferenceOptions onCpu() {
    InferenceOptions options;
    options.device = "cpu";
    return options;
}

/// The hottest place of one channel, in pixels of the frame, and its value.
struct Hottest {
    double x = 0, y = 0;
    float value = -1;
};
Hottest hottestNear(const MapLayer& layer, int channel, double x, double y, double reach) {
    Hottest best;
    for (int j = 0; j < layer.height; ++j)
        for (int i = 0; i < layer.width; ++i) {
            const double px = layer.originX + i * layer.step, py = layer.originY + j * layer.step;
            if (std::hypot(px - x, py - y) > reach)
                continue;
            const float value =
                layer.values[(static_cast<std::size_t>(channel) * static_cast<std::size_t>(layer.height) +
                              static_cast<std::size_t>(j)) *
                                 static_cast<std::size_t>(layer.width) +
                             static_cast<std::size_t>(i)];
            if (value > best.value)
                best = {px, py, value};
        }
    return best;
}

}  // namespace

/// Through the library that is opened at run time, as the window does.
class TestMapProbe : public QObject {
    Q_OBJECT

    static std::vector<models::ModelSpec> specs(const std::filesystem::path& reference, const QStringList& names) {
        std::vector<models::ModelSpec> list;
        for (const QString& name : names)
            if (auto spec = models::readModelSpec(reference / (kModels + name.toStdString())))
                list.push_back(*spec);
        return list;
    }
    static ImagePtr firstFrame(const std::filesystem::path& reference) {
        const std::filesystem::path file = reference / "media/minimal_instance.pkg.slp";
        const auto read = formats::readSlp(file);
        return read ? formats::frameImages(*read, file)(0, 0) : nullptr;
    }

private Q_SLOTS:
    void everyPeakLiesWithinAStrideOfItsMapsMaximum_data() {
        QTest::addColumn<QStringList>("models");
        QTest::newRow("bottom-up") << QStringList{"bottomup"};
        QTest::newRow("multi-class bottom-up") << QStringList{"multiclass_bottomup"};
        QTest::newRow("single instance") << QStringList{"single_instance"};
        QTest::newRow("centroids") << QStringList{"centroid"};
        QTest::newRow("top-down") << QStringList{"centroid", "centered_instance"};
    }
    void everyPeakLiesWithinAStrideOfItsMapsMaximum() {
        QFETCH(QStringList, models);
        SKEIN_NEEDS_REFERENCE(reference);
        const auto list = specs(reference, models);
        QCOMPARE(list.size(), static_cast<std::size_t>(models.size()));
        const ImagePtr image = firstFrame(reference);
        QVERIFY(image != nullptr);
        const auto backend = openBackend();
        QVERIFY2(backend, backend ? "" : backend.error().message().c_str());
        const InferenceOptions options = onCpu();
        auto probe = (*backend)->loadProbe(list, options);
        QVERIFY2(probe, probe ? "" : probe.error().message().c_str());
        QVERIFY(!(*probe)->needsCentroids());
        const auto maps = (*probe)->maps(image, {});
        QVERIFY2(maps, maps ? "" : maps.error().message().c_str());

        profile::Profiler profiler;
        auto runner = (*backend)->loadRunner(list, options, profiler);
        QVERIFY(runner);
        const ImagePtr images[] = {image};
        auto pending = (*runner)->submit(images);
        QVERIFY(pending);
        const auto batch = (*pending)->wait();
        QVERIFY(batch);
        const auto arranged = arrangeModels(list);
        const auto grouper = Grouper::create(arranged->back(), options);
        QVERIFY(grouper);
        const std::vector<FrameDetections> found = grouper->group(*batch, profiler);
        QCOMPARE(found.size(), std::size_t{1});
        int checked = 0;
        for (int i = 0; i < found[0].count(); ++i)
            for (int n = 0; n < found[0].nodes; ++n) {
                const auto place = 2 * static_cast<std::size_t>(i * found[0].nodes + n);
                const QPointF p(double(found[0].points[place]), double(found[0].points[place + 1]));
                if (std::isnan(p.x()))
                    continue;
                // Of crops the layer that holds this peak; a point moves by its refinement, by less than a stride.
                double nearest = 1e9, step = 1;
                for (const MapLayer& layer : maps->layers) {
                    const bool kind =
                        layer.kind == MapKind::Confidence || (layer.kind == MapKind::Centroids && models.size() == 1);
                    if (!kind || n >= layer.channels)
                        continue;
                    const Hottest hot = hottestNear(layer, n, p.x(), p.y(), 3 * layer.step);
                    if (hot.value > 0.2F && std::hypot(hot.x - p.x(), hot.y - p.y()) < nearest) {
                        nearest = std::hypot(hot.x - p.x(), hot.y - p.y());
                        step = layer.step;
                    }
                }
                QVERIFY2(nearest <= step * 1.5,
                         qPrintable(QStringLiteral("node %1 is %2 px away").arg(n).arg(nearest)));
                ++checked;
            }
        QVERIFY(checked > 0);
    }

    void fieldsPointAlongTheirEdges() {
        SKEIN_NEEDS_REFERENCE(reference);
        const auto list = specs(reference, {"bottomup"});
        const auto backend = openBackend();
        QVERIFY(backend);
        auto probe = (*backend)->loadProbe(list, onCpu());
        QVERIFY(probe);
        const auto maps = (*probe)->maps(firstFrame(reference), {});
        QVERIFY(maps);
        const auto field = std::find_if(maps->layers.begin(), maps->layers.end(),
                                        [](const MapLayer& l) { return l.kind == MapKind::PartAffinity; });
        QVERIFY(field != maps->layers.end());
        QCOMPARE(field->channels, 2 * static_cast<int>(list[0].pafEdges.size()));
        QCOMPARE(field->names.size(), list[0].pafEdges.size());
        const float strongest = *std::max_element(field->values.begin(), field->values.end());
        QVERIFY(strongest > 0.3F && strongest < 1.5F);
    }

    void aModelForCropsHasToBeTold() {
        SKEIN_NEEDS_REFERENCE(reference);
        const auto list = specs(reference, {"centered_instance"});
        const auto backend = openBackend();
        QVERIFY(backend);
        auto probe = (*backend)->loadProbe(list, onCpu());
        QVERIFY(probe);
        QVERIFY((*probe)->needsCentroids());
        const ImagePtr image = firstFrame(reference);
        const auto none = (*probe)->maps(image, {});
        QVERIFY(none && none->layers.empty());
        const CentroidPoint middle[] = {{120, 150}};
        const auto one = (*probe)->maps(image, middle);
        QVERIFY(one);
        QCOMPARE(one->layers.size(), std::size_t{1});
        const MapLayer& layer = one->layers.front();
        QVERIFY(std::fabs(layer.originX + layer.width * layer.step / 2 - 120) <= layer.step + 1);
        QVERIFY(std::fabs(layer.originY + layer.height * layer.step / 2 - 150) <= layer.step + 1);
    }

    void refusesWhatIsNoFrame() {
        SKEIN_NEEDS_REFERENCE(reference);
        const auto backend = openBackend();
        QVERIFY(backend);
        auto probe = (*backend)->loadProbe(specs(reference, {"single_instance"}), onCpu());
        QVERIFY(probe);
        auto image = std::make_shared<Image>();
        image->channels = 4;
        QVERIFY(!(*probe)->maps(image, {}));
        QVERIFY(!(*backend)->loadProbe({}, {}));
    }
};

QTEST_GUILESS_MAIN(TestMapProbe)
#include "tst_map_probe.moc"
