// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/bridge/map_service.h"

#include "engine/inference/runner.h"
#include "ui/bridge/background.h"

namespace skein::ui {

/// Belongs to the running question, one at a time.
struct MapService::Desk {
    std::unique_ptr<inference::MapProbe> probe;
    std::uint64_t serial = 0;
    std::shared_ptr<video::VideoSource> reader;
    std::int64_t frame = -1;
    inference::FrameMaps maps;  ///< of `frame`, around `around`
    std::vector<inference::CentroidPoint> around;
};

namespace {

Result<std::unique_ptr<inference::MapProbe>> loadFromEngine(const std::vector<models::ModelSpec>& specs,
                                                            const inference::InferenceOptions& options) {
    const auto backend = inference::openBackend();
    if (!backend)
        return fail(backend.error());
    return (*backend)->loadProbe(specs, options);
}

bool same(const std::vector<inference::CentroidPoint>& a, const std::vector<inference::CentroidPoint>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const auto& p, const auto& q) { return p.x == q.x && p.y == q.y; });
}

}  // namespace

MapService::MapService(QObject* parent) : QObject(parent), m_loader(loadFromEngine), m_desk(std::make_shared<Desk>()) {}

void MapService::setModels(std::vector<models::ModelSpec> models, const inference::InferenceOptions& options) {
    m_models = std::move(models);
    m_options = options;
    m_desk = std::make_shared<Desk>();
    m_wanted = false;
}

void MapService::ask(Question question) {
    if (m_models.empty())
        return;
    m_wanted = false;
    m_next = std::move(question);
    if (!m_running)
        start(*std::exchange(m_next, std::nullopt));
}

void MapService::withdraw() {
    m_next.reset();
    m_wanted = false;
}

void MapService::start(Question question) {
    m_running = m_wanted = true;
    Q_EMIT busyChanged(true);
    using Answer = std::shared_ptr<const MapOverlay>;
    inBackground(
        this,
        [desk = m_desk, loader = m_loader, models = m_models, options = m_options,
         q = std::move(question)]() -> Result<Answer> {
            if (!desk->probe) {
                auto probe = loader(models, options);
                if (!probe)
                    return fail(probe.error());
                desk->probe = std::move(*probe);
            }
            if (desk->serial != q.serial || !desk->reader) {
                auto reader = q.source->openAnother();
                if (!reader)
                    return fail(reader.error());
                desk->reader = *reader;
                desk->serial = q.serial;
                desk->frame = -1;
            }
            if (desk->frame != q.frame || !same(desk->around, q.around)) {
                const auto image = desk->reader->read(q.frame, desk->reader->engineFormat());
                if (!image)
                    return fail(image.error());
                auto maps = desk->probe->maps(*image, q.around);
                if (!maps)
                    return fail(maps.error());
                desk->maps = std::move(*maps);
                desk->frame = q.frame;
                desk->around = q.around;
            }
            if (!hasMaps(desk->maps, q.choice) && !(desk->probe->needsCentroids() && q.around.empty()))
                return fail(ErrorCode::Model, q.choice == MapChoice::PartAffinity
                                                  ? "This model has no part affinity fields."
                                              : q.choice == MapChoice::Centroids
                                                  ? "This model has no centroid maps."
                                                  : "This model has no confidence maps of nodes on this frame.");
            MapOverlay overlay = makeMapOverlay(desk->maps, q.choice);
            overlay.serial = q.serial;
            overlay.frame = q.frame;
            return std::make_shared<const MapOverlay>(std::move(overlay));
        },
        [this](Result<Answer> answer) {
            m_running = false;
            if (std::exchange(m_wanted, false)) {
                if (answer)
                    Q_EMIT ready(*answer);
                else
                    Q_EMIT failed(toUiError(answer.error()));
            }
            if (m_next && !m_running)
                start(*std::exchange(m_next, std::nullopt));
            else if (!m_running)
                Q_EMIT busyChanged(false);
        });
}

}  // namespace skein::ui
