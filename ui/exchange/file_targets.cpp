// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/exchange/file_targets.h"

#include <QCoreApplication>
#include <QDesktopServices>
#include <QDir>
#include <QFileInfo>
#include <QUrl>
#include <algorithm>

#include "ui/text.h"

namespace skein::ui {

namespace {

QString tr(const char* sentence) {
    return QCoreApplication::translate("FileTargets", sentence);
}

const QString kKey = QStringLiteral("exchange");
constexpr int kMostNamed = 10;

}  // namespace

QString exportBase(const ExchangeParts& parts) {
    QString base = parts.document->path();
    if (base.isEmpty()) {
        const QString folder = parts.settings->get(Setting::LastFolder).toString();
        base = QDir(folder.isEmpty() ? QDir::homePath() : folder).filePath(parts.document->displayName());
        const QString ending = QFileInfo(base).suffix();
        if (!ending.isEmpty())
            base.chop(ending.size() + 1);
        return base;
    }
    for (const QLatin1String ending : {QLatin1String(".pkg.slp"), QLatin1String(".slp")})
        if (base.endsWith(ending, Qt::CaseInsensitive)) {
            base.chop(ending.size());
            break;
        }
    return base;
}

QString withEnding(const QString& path, const QString& ending) {
    const QString last = ending.mid(ending.lastIndexOf(QLatin1Char('.')));
    return path.endsWith(last, Qt::CaseInsensitive) ? path : path + ending;
}

QString reasonAgainstWriting(const Document& document, const QStringList& paths) {
    const auto clean = [](const QString& path) { return QDir::cleanPath(QFileInfo(path).absoluteFilePath()); };
    for (const QString& path : paths) {
        const QString name = QFileInfo(path).fileName();
        if (!document.path().isEmpty() && clean(path) == clean(document.path()))
            return tr("%1 is this project itself. Choose another name.").arg(name);
        for (int v = 0; v < document.videoCount(); ++v)
            if (const QString& video = document.videoState(v).path; !video.isEmpty() && clean(path) == clean(video))
                return tr("%1 is a video of this project. Choose another name.").arg(name);
    }
    return {};
}

void askBeforeReplacing(const ExchangeParts& parts, const QStringList& paths, std::function<void()> then) {
    inBackground(
        parts.window,
        [paths]() -> Result<QStringList> {
            QStringList there;
            std::copy_if(paths.begin(), paths.end(), std::back_inserter(there),
                         [](const QString& path) { return QFileInfo::exists(path); });
            return there;
        },
        [parts, then = std::move(then)](const Result<QStringList>& there) {
            if (!there || there->isEmpty()) {
                then();
                return;
            }
            QStringList names;
            for (const QString& path : there->mid(0, kMostNamed))
                names << QFileInfo(path).fileName();
            if (there->size() > kMostNamed)
                names << tr("and %1 more").arg(there->size() - kMostNamed);
            parts.session->dialogs().confirm(
                parts.window,
                there->size() == 1 ? tr("Replace %1?").arg(names.first())
                                   : tr("Replace %1 files?").arg(text::number(there->size())),
                there->size() == 1 ? tr("The file is there already, in %1.")
                                         .arg(text::tidyPath(QFileInfo(there->first()).absolutePath()))
                                   : names.join(QLatin1Char('\n')),
                tr("Replace"), [then](bool yes) {
                    if (yes)
                        then();
                });
        });
}

Banner::Action showInFolder(const QString& path) {
    return {tr("Show in Folder"),
            [folder = QFileInfo(path).absolutePath()] { QDesktopServices::openUrl(QUrl::fromLocalFile(folder)); }};
}

void tellFailure(const ExchangeParts& parts, const Error& error, const QString& consequence) {
    if (error.code() == ErrorCode::Cancelled)
        parts.notice(tr("Stopped; nothing was left behind."));
    else {
        UiError said = toUiError(error);
        if (!consequence.isEmpty())
            said.message = consequence + QLatin1Char(' ') + said.message;
        parts.messages->post(kKey, Severity::Error, said);
    }
}

void tellDone(const ExchangeParts& parts, const QString& sentence, const std::vector<std::string>& warnings,
              const std::vector<Banner::Action>& actions) {
    QStringList lines;
    for (const std::string& warning : warnings)
        lines << QString::fromStdString(warning);
    // One thing that is amiss is said at once, several behind a fold.
    const QString all = lines.isEmpty()     ? sentence
                        : lines.size() == 1 ? sentence + QLatin1Char(' ') + lines.first()
                                            : tr("%1 There are %2 remarks.").arg(sentence).arg(lines.size());
    parts.messages->post(kKey, lines.isEmpty() ? Severity::Info : Severity::Warning,
                         {all, lines.size() > 1 ? lines.join(QLatin1Char('\n')) : QString()}, actions);
}

void forgetLast(const ExchangeParts& parts) {
    parts.messages->withdraw(kKey);
}

}  // namespace skein::ui
