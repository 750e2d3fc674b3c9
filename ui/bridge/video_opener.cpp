// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/bridge/video_opener.h"

#include <QCoreApplication>
#include <QFileInfo>

#include "engine/formats/project_video.h"
#include "engine/formats/video_path.h"
#include "ui/text.h"

namespace skein::ui {

namespace {
QString tr(const char* sentence) {
    return QCoreApplication::translate("VideoOpener", sentence);
}
}  // namespace

VideoState findVideo(const project::Labels& labels, std::uint32_t video, const QString& projectFile) {
    const project::Video& stored = labels.videos()[video];
    VideoState state;
    if (formats::isEmbedded(stored)) {
        // Which file holds the pictures is found out when they are opened.
        state.kind = VideoState::Kind::Found;
        state.path = projectFile;
        return state;
    }
    formats::VideoSearch search;
    if (!projectFile.isEmpty())
        search.projectFolder = text::toPath(QFileInfo(projectFile).absolutePath());
    const QString name = QString::fromStdString(formats::storedBaseName(stored.filename));
    if (const auto found = formats::resolveVideoPath(stored.filename, search)) {
        state.kind = VideoState::Kind::Found;
        state.path = text::fromPath(*found);
        return state;
    }
    state.kind = VideoState::Kind::Missing;
    state.path = QString::fromStdString(stored.filename);
    state.problem.message =
        tr("%1 is not where the project expects it. Find the file, or go on without its pictures.").arg(name);
    state.problem.details = tr("Looked for %1 and for %2 beside the project.").arg(state.path, name);
    return state;
}

}  // namespace skein::ui
