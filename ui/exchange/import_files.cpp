// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/exchange/import_files.h"

#include <QDir>
#include <QDirIterator>
#include <QFileInfo>

#include "engine/formats/import/import_labels.h"
#include "engine/formats/match_videos.h"
#include "engine/formats/project_video.h"
#include "engine/formats/video_path.h"
#include "engine/project/edit/merge.h"
#include "ui/text.h"

namespace skein::ui {

namespace fs = std::filesystem;

namespace {

/// The new project lies nowhere yet, so its videos are named in full.
void anchorVideos(project::Labels& labels, const fs::path& file) {
    formats::VideoSearch search;
    search.projectFolder = file.parent_path();
    for (fs::path above = file.parent_path(); above.has_relative_path(); above = above.parent_path()) {
        std::error_code ec;
        if (above.filename() == "labeled-data" && fs::is_directory(above.parent_path() / "videos", ec))
            search.extraFolders.push_back(above.parent_path() / "videos");
    }
    std::vector<project::Video> videos = labels.videos();
    for (project::Video& video : videos) {
        if (formats::isEmbedded(video))
            continue;
        const auto place = [&](const std::string& stored) {
            if (const auto found = formats::resolveVideoPath(stored, search))
                return fs::absolute(*found).generic_string();
            const bool isElsewhere =
                stored.empty() || fs::path(stored).is_absolute() || stored.find('\\') != std::string::npos;
            return isElsewhere ? stored : (search.projectFolder / stored).generic_string();
        };
        for (std::string& image : video.imageFiles)
            image = place(image);
        video.filename = video.imageFiles.empty() ? place(video.filename) : video.imageFiles.front();
    }
    labels.editVideos() = std::move(videos);
}

}  // namespace

Result<Imported> importFiles(const QStringList& paths, const std::stop_token& stop,
                             const std::function<void(double)>& progress) {
    Imported all;
    const auto count = static_cast<double>(paths.size());
    for (qsizetype i = 0; i < paths.size(); ++i) {
        const fs::path file = fs::absolute(text::toPath(paths[i]));
        formats::ImportReport report;
        formats::ImportOptions options;
        options.stop = stop;
        options.progress = [&](std::string_view, double fraction) {
            progress((static_cast<double>(i) + fraction) / count);
        };
        auto read = formats::importLabels(file, &report, options);
        if (!read)
            return fail(std::move(read.error()).withContext("while reading " + file.filename().string()));
        for (std::string& warning : report.warnings)
            all.warnings.push_back(paths.size() == 1 ? std::move(warning) : file.filename().string() + ": " + warning);
        read->editVideos() = formats::externalVideos(*read, file);
        anchorVideos(*read, file);
        if (i == 0) {
            all.labels = std::move(*read);
            continue;
        }
        project::edit::MergeOptions merge;
        merge.users = merge.predictions = project::edit::Prefer::Both;
        merge.videos = formats::matchVideos(all.labels.videos(), file, read->videos(), file);
        all.labels = project::edit::mergeProjects(all.labels, *read, merge).labels;
    }
    all.instances = all.labels.instanceCount();
    if (paths.size() == 1 && all.labels.videos().size() == 1) {
        const fs::path video = all.labels.videos().front().filename;
        std::error_code ec;
        all.isWithoutVideo = video.stem() == text::toPath(paths.first()).stem() && !fs::exists(video, ec);
    }
    return all;
}

QStringList deepLabCutTables(const QString& folder) {
    QStringList tables;
    const QString inside = QDir(folder).filePath(QStringLiteral("labeled-data"));
    QDirIterator files(QDir(inside).exists() ? inside : folder,
                       {QStringLiteral("CollectedData*.csv"), QStringLiteral("CollectedData*.h5")}, QDir::Files,
                       QDirIterator::Subdirectories);
    while (files.hasNext()) {
        const QFileInfo file(files.next());
        const bool isCsv = file.suffix().toLower() == QLatin1String("csv");
        if (isCsv || !QFileInfo::exists(file.dir().filePath(file.completeBaseName() + QStringLiteral(".csv"))))
            tables << file.absoluteFilePath();
    }
    tables.sort();
    return tables;
}

}  // namespace skein::ui
