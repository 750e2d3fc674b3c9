// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/files/lost_videos.h"

#include <QCoreApplication>
#include <QFileInfo>

#include "engine/video/video_source.h"
#include "ui/text.h"

namespace skein::ui {

namespace {
QString tr(const char* sentence) {
    return QCoreApplication::translate("LostVideos", sentence);
}
}  // namespace

std::vector<LostVideo> lookFor(std::vector<LostVideo> lost, const QString& projectFile,
                               const std::vector<formats::PathChange>& changes) {
    const auto folder =
        projectFile.isEmpty() ? std::filesystem::path() : text::toPath(QFileInfo(projectFile).absolutePath());
    std::vector<formats::PathChange> known = changes;
    // What one shows helps the others, also those before it.
    for (bool more = true; more;) {
        more = false;
        for (LostVideo& video : lost) {
            if (!video.found.isEmpty())
                continue;
            const auto found = formats::findMoved(video.video.filename, folder, known);
            if (!found)
                continue;
            video.found = text::fromPath(*found);
            if (const auto change = formats::changeBetween(video.video.filename, *found))
                known.push_back(*change);
            more = true;
        }
    }
    return lost;
}

QString differenceOf(const LostVideo& lost, std::stop_token stop) {
    video::OpenOptions options;
    options.stop = stop;
    const project::Video moved = formats::movedTo(lost.video, text::toPath(lost.found));
    std::vector<std::filesystem::path> images;
    for (const std::string& image : moved.imageFiles)
        images.emplace_back(image);
    std::int64_t missing = 0;
    for (const auto& image : images) {
        std::error_code ec;
        missing += std::filesystem::exists(image, ec) ? 0 : 1;
    }
    if (missing > 0)
        return tr("%1 of %2 images are not there").arg(missing).arg(images.size());
    const auto source =
        images.empty() ? video::openVideo(text::toPath(lost.found), options) : video::openImages(images, options);
    if (!source)
        return QString::fromStdString(source.error().message());
    QStringList words;
    if (lost.video.frameCount > 0 && (*source)->frameCount() != lost.video.frameCount)
        words << tr("%1 frames instead of %2")
                     .arg(text::number((*source)->frameCount()), text::number(lost.video.frameCount));
    if (lost.video.width > 0 && lost.video.height > 0 &&
        ((*source)->width() != lost.video.width || (*source)->height() != lost.video.height))
        words << tr("%1 \u00d7 %2 pixels instead of %3 \u00d7 %4")
                     .arg((*source)->width())
                     .arg((*source)->height())
                     .arg(lost.video.width)
                     .arg(lost.video.height);
    return words.join(QLatin1String(", "));
}

}  // namespace skein::ui
