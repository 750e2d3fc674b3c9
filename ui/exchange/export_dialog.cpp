// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/exchange/export_dialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "ui/bridge/background.h"
#include "ui/theme.h"

namespace skein::ui {

namespace {

constexpr int kWidth = 460;
constexpr int kSummaryLines = 3;

/// Formats of which one file is about one video can be limited to one.
bool hasVideos(ExportKind kind) {
    const auto format = factsOf(kind).format;
    return format && formats::isPerVideo(*format);
}

}  // namespace

ExportDialog::ExportDialog(Document* document, const ExportChoice& choice, int shownVideo, QWidget* parent)
    : QDialog(parent),
      m_document(document),
      m_kind(choice.kind),
      m_shownVideo(shownVideo),
      m_summary(new QLabel(this)),
      m_export(new QPushButton(tr("Export..."), this)) {
    const ExportFacts& facts = factsOf(m_kind);
    const QString name = QCoreApplication::translate("ExportKinds", facts.title);
    setObjectName(QStringLiteral("exportDialog"));
    setWindowTitle(tr("Export %1").arg(name));
    setAttribute(Qt::WA_DeleteOnClose);
    auto* title = new QLabel(name, this);
    title->setFont(theme::headingFont(2));
    auto* purpose = new QLabel(QCoreApplication::translate("ExportKinds", facts.purpose), this);
    m_summary->setObjectName(QStringLiteral("exportSummary"));
    m_summary->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    m_summary->setMinimumHeight(kSummaryLines * m_summary->fontMetrics().lineSpacing());
    for (QLabel* label : {purpose, m_summary}) {
        label->setTextFormat(Qt::PlainText);
        label->setWordWrap(true);
    }
    purpose->setForegroundRole(QPalette::PlaceholderText);

    auto* form = new QFormLayout;
    form->setHorizontalSpacing(theme::kGap);
    form->setVerticalSpacing(theme::kMargin);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    addChoices(form, choice);

    m_export->setObjectName(QStringLiteral("exportButton"));
    m_export->setAccessibleName(m_export->text());
    m_export->setToolTip(tr("Choose where to write it."));
    m_export->setProperty("primary", true);
    m_export->setDefault(true);
    auto* cancel = new QPushButton(tr("Cancel"), this);
    cancel->setObjectName(QStringLiteral("exportCancel"));
    cancel->setAccessibleName(cancel->text());
    cancel->setToolTip(tr("Write nothing."));
    cancel->setAutoDefault(false);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(theme::kMargin);
    buttons->addStretch();
    buttons->addWidget(cancel);
    buttons->addWidget(m_export);

    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(theme::kGap, theme::kGap, theme::kGap, theme::kGap);
    column->setSpacing(theme::kGap);
    column->addWidget(title);
    column->addWidget(purpose);
    if (form->rowCount() > 0)
        column->addLayout(form);
    else
        delete form;
    column->addWidget(m_summary);
    column->addStretch();
    column->addLayout(buttons);
    setFixedWidth(kWidth);

    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_export, &QPushButton::clicked, this, &ExportDialog::accept);
    connect(document, &Document::changed, this, &ExportDialog::count);
    connect(document, &Document::opened, this, &QDialog::reject);
    count();
}

void ExportDialog::addRow(QFormLayout* form, const QString& words, QWidget* field, const char* objectName,
                          const QString& tip) {
    field->setObjectName(QLatin1String(objectName));
    field->setAccessibleName(words);
    field->setToolTip(tip);
    if (auto* box = qobject_cast<QCheckBox*>(field)) {
        box->setText(words);
        form->addRow(box);
        connect(box, &QCheckBox::toggled, this, &ExportDialog::count);
        return;
    }
    auto* label = new QLabel(words, this);
    label->setMinimumHeight(theme::kControlHeight);
    label->setBuddy(field);
    form->addRow(label, field);
    auto* choices = static_cast<QComboBox*>(field);
    // Names of videos may be long; the window does not grow for them.
    choices->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    choices->setMinimumContentsLength(12);
    connect(choices, &QComboBox::currentIndexChanged, this, &ExportDialog::count);
}

void ExportDialog::addChoices(QFormLayout* form, const ExportChoice& choice) {
    if (hasVideos(m_kind) && m_document->videoCount() > 1 && m_shownVideo >= 0) {
        m_videos = new QComboBox(this);
        m_videos->addItems(
            {tr("This video: %1").arg(m_document->videoName(m_shownVideo)), tr("All videos with labels")});
        m_videos->setCurrentIndex(choice.video ? 0 : 1);
        addRow(form, tr("Videos"), m_videos, "exportVideos", tr("Whose labels are written."));
    }
    if (m_kind == ExportKind::Analysis) {
        m_axes = new QComboBox(this);
        m_axes->addItems({tr("As SLEAP: track, xy, node, frame"), tr("As NumPy users expect: frame, track, node, xy")});
        m_axes->setCurrentIndex(choice.standardAxes ? 1 : 0);
        addRow(form, tr("Order of axes"), m_axes, "exportAxes",
               tr("SLEAP's order reads as frame, node, xy, track in MATLAB. The file says which one it has."));
    }
    if (m_kind == ExportKind::Csv || m_kind == ExportKind::CsvTidy) {
        m_everyFrame = new QCheckBox(this);
        m_everyFrame->setChecked(choice.everyFrame);
        addRow(form, tr("Rows for frames without instances too"), m_everyFrame, "exportEveryFrame",
               tr("With empty cells, so that every frame of the video has its row."));
    }
    if (m_kind == ExportKind::Package) {
        m_content = new QComboBox(this);
        m_content->addItems({tr("Labelled frames"), tr("Labelled and suggested frames"),
                             tr("Labelled, suggested and predicted frames")});
        m_content->setCurrentIndex(static_cast<int>(choice.content));
        addRow(form, tr("Pictures of"), m_content, "exportContent",
               tr("Whose pictures go into the file. The labels are all in it in any case."));
    }
}

ExportChoice ExportDialog::choice() const {
    ExportChoice choice;
    choice.kind = m_kind;
    if (m_videos != nullptr && m_videos->currentIndex() == 0)
        choice.video = static_cast<std::uint32_t>(m_shownVideo);
    choice.standardAxes = m_axes != nullptr && m_axes->currentIndex() == 1;
    choice.everyFrame = m_everyFrame == nullptr || m_everyFrame->isChecked();
    if (m_content != nullptr)
        choice.content = static_cast<formats::PackageContent>(m_content->currentIndex());
    return choice;
}

void ExportDialog::count() {
    const ExportChoice what = choice();
    if (m_asked == 0)
        m_summary->setText(tr("Counting..."));
    inBackground(
        this, [labels = m_document->snapshot(), what]() -> Result<ExportCounts> { return countExport(labels, what); },
        [this, what, asked = ++m_asked](const Result<ExportCounts>& counts) {
            if (asked != m_asked || !counts)
                return;
            m_summary->setText(exportSummary(*counts, what));
            const bool nothing =
                counts->frames == 0 && what.kind != ExportKind::Json && what.kind != ExportKind::Package;
            m_export->setEnabled(!nothing);
            m_export->setToolTip(nothing ? m_summary->text() : tr("Choose where to write it."));
        });
}

void ExportDialog::accept() {
    const auto then = chosen;
    const ExportChoice what = choice();
    QDialog::accept();
    if (then)
        then(what);
}

}  // namespace skein::ui
