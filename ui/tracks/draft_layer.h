// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <functional>
#include <optional>

#include "ui/canvas/canvas_layer.h"
#include "ui/document.h"

namespace skein::ui {

/// Poses that are not the project's, over those that are: what gaps would be filled with, or smoothed points. Dashed,
/// with hollow nodes, in the colour of the track; instances that would get a track have a dashed box. GUI thread only.
class DraftLayer : public CanvasLayer {
public:
    explicit DraftLayer(const Document* document) : m_document(document) {}

    std::function<QColor(int)> trackColor;
    std::function<bool(int)> trackShown;
    /// The project with those poses; nullopt: nothing is drawn.
    void setDraft(std::optional<project::Labels> draft) { m_draft = std::move(draft); }
    [[nodiscard]] bool hasDraft() const { return m_draft.has_value(); }
    struct Pose {
        project::InstanceView instance;  ///< of the draft
        bool adopted = false;            ///< the project has the same points, without the track
    };
    /// In frame pixels; null: no node is there.
    [[nodiscard]] static QRectF boundsOf(const Pose& pose);
    /// Instances of a frame that differ from the project's, in whole or in points.
    [[nodiscard]] std::vector<Pose> differing(std::uint32_t video, std::int64_t frame) const;

    void paint(QPainter& painter, const QTransform& toView, const QRect& view, const ShownFrame& frame) override;
    void paintOver(QPainter& painter, const QTransform& toView, const QRect& view, const ShownFrame& frame) override;

private:
    void paintPose(QPainter& painter, const QTransform& toView, const Pose& pose) const;

    const Document* m_document;
    std::optional<project::Labels> m_draft;
};

}  // namespace skein::ui
