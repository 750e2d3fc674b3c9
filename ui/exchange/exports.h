// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QObject>

#include "ui/exchange/exchange_parts.h"
#include "ui/exchange/export_kinds.h"

namespace skein::ui {

/// Results for other programs: asks what and where to, and writes a snapshot of the project in the background. GUI
/// thread only.
class Exports : public QObject {
    Q_OBJECT
public:
    Exports(const ExchangeParts& parts, QObject* parent) : QObject(parent), m_parts(parts) {}

    void ask(const ExportChoice& choice);
    /// A selected range as a video of its own, with its labels beside it.
    void askForClip();

private:
    void askWhere(const ExportChoice& choice);
    void write(const ExportChoice& choice, const QString& path);
    void writePackage(const ExportChoice& choice, const QString& path);
    void writeClip(std::uint32_t video, FrameRange range, const QString& path);

    ExchangeParts m_parts;
};

}  // namespace skein::ui
