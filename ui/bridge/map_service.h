// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QObject>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "engine/inference/map_probe.h"
#include "engine/inference/options.h"
#include "engine/models/model_spec.h"
#include "engine/video/video_source.h"
#include "ui/canvas/map_overlay.h"
#include "ui/ui_error.h"

namespace skein::ui {

/// Looks at frames through a model on a worker, for the overlay of its maps. One question at a time, and of those that
/// wait only the newest; the model stays loaded from one to the next, and the last frame's maps are kept, so that
/// another choice of them is there at once. GUI thread only.
class MapService : public QObject {
    Q_OBJECT
public:
    using Loader = std::function<Result<std::unique_ptr<inference::MapProbe>>(const std::vector<models::ModelSpec>&,
                                                                              const inference::InferenceOptions&)>;
    struct Question {
        std::shared_ptr<video::VideoSource> source;  ///< read through openAnother(), never itself
        std::uint64_t serial = 0;                    ///< VideoState::serial of the source
        std::int64_t frame = 0;
        MapChoice choice = MapChoice::Confidence;
        std::vector<inference::CentroidPoint> around;  ///< for a model that has to be told where instances are
    };

    explicit MapService(QObject* parent);

    void setLoader(Loader loader) { m_loader = std::move(loader); }
    /// Other models, loaded with the next question.
    void setModels(std::vector<models::ModelSpec> models, const inference::InferenceOptions& options);
    [[nodiscard]] const std::vector<models::ModelSpec>& models() const { return m_models; }
    [[nodiscard]] bool hasModels() const { return !m_models.empty(); }
    void ask(Question question);
    /// No answer is wanted any more; the model stays loaded.
    void withdraw();
    [[nodiscard]] bool isBusy() const { return m_running; }

Q_SIGNALS:
    void ready(const std::shared_ptr<const skein::ui::MapOverlay>& overlay);
    void failed(const skein::ui::UiError& error);
    void busyChanged(bool busy);

private:
    struct Desk;
    void start(Question question);

    Loader m_loader;
    std::vector<models::ModelSpec> m_models;
    inference::InferenceOptions m_options;
    std::shared_ptr<Desk> m_desk;  ///< what the worker keeps; a new one for new models
    std::optional<Question> m_next;
    bool m_running = false;
    bool m_wanted = false;  ///< the answer to the running question still is
};

}  // namespace skein::ui
