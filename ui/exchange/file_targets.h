// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>
#include <QStringList>
#include <functional>
#include <vector>

#include "ui/exchange/exchange_parts.h"

namespace skein::ui {

/// Path without extension for a file made from the project: beside it and with its name; of a project without a file,
/// in the last folder with the first video's name.
[[nodiscard]] QString exportBase(const ExchangeParts& parts);

/// The path with `ending` (".analysis.h5") unless it has its last part (".h5") already.
[[nodiscard]] QString withEnding(const QString& path, const QString& ending);

/// Why nothing may be written to one of the paths: it is the project itself or one of its videos. Empty: it may.
[[nodiscard]] QString reasonAgainstWriting(const Document& document, const QStringList& paths);

/// Calls `then` when none of the paths is there, or the person lets them be replaced. Looks in the background.
void askBeforeReplacing(const ExchangeParts& parts, const QStringList& paths, std::function<void()> then);

/// The button of a message that opens the folder of a file.
[[nodiscard]] Banner::Action showInFolder(const QString& path);

/// What a file operation says at its end, one message at a time: it failed, or what it made and what is amiss with
/// that. A person's stop is a word in the status bar. `consequence`: what a failure comes to, said before its cause.
void tellFailure(const ExchangeParts& parts, const Error& error, const QString& consequence = {});
void tellDone(const ExchangeParts& parts, const QString& sentence, const std::vector<std::string>& warnings,
              const std::vector<Banner::Action>& actions);
void forgetLast(const ExchangeParts& parts);

}  // namespace skein::ui
