// SPDX-License-Identifier: GPL-3.0-or-later
// Small pictures of other frames: under the pointer on the timeline, and shortly before and after an issue.
#include <QPixmap>
#include <algorithm>

#include "engine/video/video_source.h"
#include "ui/main_window.h"
#include "ui/tracks/issues_panel.h"
#include "ui/tracks/proofreading.h"

namespace skein::ui {

namespace {
constexpr std::int64_t kPictureReach = 3;  ///< frames before and after an issue
}

void Proofreading::wantThumbnail(Thumbnail thumbnail) {
    if (thumbnail.hover)
        std::erase_if(m_wanted, [](const Thumbnail& other) { return other.hover; });
    m_wanted.push_back(std::move(thumbnail));
    nextThumbnail();
}

/// The decoder knows the newest request alone, so each is made when the one before is done.
void Proofreading::nextThumbnail() {
    const int video = m_window->m_view->video();
    while (!m_wanted.empty()) {
        const std::int64_t frame = m_wanted.front().frame;
        if (video < 0 || video >= m_window->m_document->videoCount())
            return m_wanted.clear();
        const VideoState& state = m_window->m_document->videoState(video);
        if (state.kind != VideoState::Kind::Ready || state.source == nullptr)
            return m_wanted.clear();
        if (frame < 0 || frame >= state.source->frameCount()) {
            m_wanted.pop_front();
            continue;
        }
        const ImagePtr image = m_thumbnails.request({state.source, state.serial, frame, 0});
        if (image == nullptr)
            return;  // it will come
        const Thumbnail done = m_wanted.front();
        m_wanted.pop_front();
        done.then(drawThumbnail(image, done));
    }
}

void Proofreading::takeThumbnail(const ImagePtr& image, std::int64_t frame) {
    if (m_wanted.empty() || frame != m_wanted.front().frame)
        return;
    const Thumbnail done = m_wanted.front();
    m_wanted.pop_front();
    done.then(drawThumbnail(image, done));
    nextThumbnail();
}

QPixmap Proofreading::drawThumbnail(const ImagePtr& image, const Thumbnail& thumbnail) {
    if (image == nullptr || image->width <= 0 || image->height <= 0)
        return {};
    const QImage picture(image->pixels.data(), image->width, image->height, static_cast<qsizetype>(image->rowBytes()),
                         QImage::Format_RGB32);
    // (0, 0) is the centre of the top-left pixel.
    const QRectF whole(-0.5, -0.5, image->width, image->height);
    const QRectF part = thumbnail.scene.isNull() ? whole : thumbnail.scene.intersected(whole);
    if (part.isEmpty())
        return {};
    const double ratio = m_window->devicePixelRatioF();
    const double scale = std::min(thumbnail.size.width() / part.width(), thumbnail.size.height() / part.height());
    QPixmap result((part.size() * scale * ratio).toSize().expandedTo({1, 1}));
    result.setDevicePixelRatio(ratio);
    QPainter painter(&result);
    painter.setRenderHint(QPainter::SmoothPixmapTransform);
    painter.drawImage(QRectF(QPointF(0, 0), QSizeF(result.size()) / ratio), picture, part.translated(0.5, 0.5));
    if (m_window->m_view->showInstances()) {
        OverlayStyle style = m_window->m_view->style();
        style.markerSize = thumbnail.scene.isNull() ? 1 : 2;
        style.names = style.scores = false;
        const ShownFrame shown =
            m_window->m_contents->at(static_cast<std::uint32_t>(m_window->m_view->video()), thumbnail.frame);
        const QTransform toView =
            QTransform::fromTranslate(-part.left(), -part.top()) * QTransform::fromScale(scale, scale);
        m_thumbnailPainter.paint(painter, shown, toView, style, picture, 0);
    }
    return result;
}

/// The same place shortly before and shortly after.
void Proofreading::showIssuePictures(const proofread::Issue& issue, const QRectF& scene) {
    m_issuesPanel->setPictures({}, {});
    const auto before = std::make_shared<QPixmap>();
    const QSize size(IssuesPanel::kPictureWidth, IssuesPanel::kPictureHeight);
    const auto isShown = [this, frame = issue.frame] { return m_issue >= 0 && m_reviewed.frame == frame; };
    wantThumbnail({std::max<std::int64_t>(0, issue.first - kPictureReach), scene, size,
                   [before](const QPixmap& picture) { *before = picture; }});
    wantThumbnail({issue.last + kPictureReach, scene, size, [this, before, isShown](const QPixmap& picture) {
                       if (isShown())
                           m_issuesPanel->setPictures(*before, picture);
                   }});
}

}  // namespace skein::ui
