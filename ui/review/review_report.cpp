// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/review/review_report.h"

#include <QFileInfo>
#include <QPageLayout>
#include <QPdfWriter>
#include <QSaveFile>
#include <QTextDocument>

#include "ui/text.h"

namespace skein::ui {

namespace {
constexpr int kResolution = 150;  // dots an inch
constexpr double kTextPoints = 9;
}  // namespace

Result<void> writeReviewReport(const QString& path, const project::Labels& labels,
                               const proofread::ReviewSample& sample, const proofread::ReportFacts& facts) {
    if (QFileInfo(path).suffix().compare(QLatin1String("pdf"), Qt::CaseInsensitive) != 0)
        return proofread::writeReport(text::toPath(path), labels, sample, facts);
    QSaveFile file(path);
    bool done = file.open(QIODevice::WriteOnly);
    if (done) {
        QPdfWriter writer(&file);
        writer.setTitle(QStringLiteral("Identity review"));
        writer.setCreator(QStringLiteral("Skein ") + QString::fromStdString(facts.version));
        writer.setResolution(kResolution);
        // The document has margins of its own, 2 cm, and numbers the pages.
        writer.setPageLayout(QPageLayout(QPageSize(QPageSize::A4), QPageLayout::Portrait, QMarginsF()));
        QTextDocument document;
        QFont font(QStringLiteral("sans-serif"));
        font.setPointSizeF(kTextPoints);
        document.setDefaultFont(font);
        document.setHtml(QString::fromStdString(proofread::reportHtml(labels, sample, facts)));
        document.print(&writer);
        done = file.commit();
    }
    if (!done)
        return fail(ErrorCode::Io, "The report " + path.toStdString() + " cannot be written. Choose another folder.");
    return {};
}

}  // namespace skein::ui
