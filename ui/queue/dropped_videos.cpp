// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/queue/dropped_videos.h"

#include <QDir>
#include <QFileInfo>
#include <iterator>

#include "engine/batch/entry_list.h"
#include "engine/video/video_source.h"
#include "ui/text.h"

namespace skein::ui {
namespace {

bool isModel(const QFileInfo& info) {
    if (!info.isDir())
        return info.suffix().toLower() == QLatin1String("ckpt");
    const QDir dir(info.absoluteFilePath());
    return !dir.entryList({QStringLiteral("training_config.*"), QStringLiteral("initial_config.*"),
                           QStringLiteral("best.ckpt"), QStringLiteral("best_model.h5")},
                          QDir::Files)
                .isEmpty();
}

}  // namespace

DroppedVideos lookThrough(const QStringList& paths) {
    DroppedVideos drop;
    for (const QString& path : paths) {
        const QFileInfo info(path);
        if (isModel(info)) {
            drop.models << info.absoluteFilePath();
        } else if (info.isDir()) {
            const auto found = batch::videosIn(text::toPath(info.absoluteFilePath()), batch::Subfolders::LeaveOut);
            const auto here = found ? std::ssize(found->videos) : 0;
            // A folder of pictures is a video itself.
            const bool isPictures = here == 0 && !video::imagesIn(text::toPath(info.absoluteFilePath())).empty();
            drop.videos += static_cast<int>(here);
            drop.deeper += found && !isPictures ? static_cast<int>(found->leftOut) : 0;
            drop.other = drop.other || !found || isPictures || here + found->leftOut == 0;
        } else if (batch::isVideoName(text::toPath(path))) {
            ++drop.videos;
        } else {
            drop.other = true;
        }
    }
    return drop;
}

}  // namespace skein::ui
