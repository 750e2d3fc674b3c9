// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/suggestion_dialog.h"

#include <QComboBox>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPointer>
#include <QPushButton>
#include <QSpinBox>
#include <QTimer>
#include <QVBoxLayout>
#include <limits>
#include <map>

#include "engine/formats/project_video.h"
#include "engine/formats/slp.h"
#include "ui/bridge/background.h"
#include "ui/dialogs/dialog_service.h"
#include "ui/dialogs/suggestion_form.h"
#include "ui/text.h"
#include "ui/theme.h"
#include "ui/widgets/progress_line.h"

namespace skein::ui {

namespace {
enum Target { ThisVideo, SelectedVideos, AllVideos };
enum Frames { AllFrames, Between };
constexpr int kCountDelayMs = 120;
constexpr int kAutomatic = -1;
}  // namespace

SuggestionDialog::SuggestionDialog(Document* document, DialogService* dialogs, int shownVideo,
                                   std::vector<std::size_t> selectedVideos, std::optional<FrameRange> range,
                                   int firstFrameNumber, QWidget* parent)
    : QDialog(parent),
      m_document(document),
      m_dialogs(dialogs),
      m_shownVideo(shownVideo),
      m_selectedVideos(std::move(selectedVideos)),
      m_firstNumber(firstFrameNumber),
      m_form(new SuggestionForm(document->labels(), firstFrameNumber, this)),
      m_target(new QComboBox(this)),
      m_frames(new QComboBox(this)),
      m_add(new QComboBox(this)),
      m_first(new QSpinBox(this)),
      m_last(new QSpinBox(this)),
      m_group(new QSpinBox(this)),
      m_count(new QLabel(this)),
      m_progress(new ProgressLine(QStringLiteral("suggestProgress"), this)),
      m_generate(new QPushButton(this)),
      m_cancel(new QPushButton(tr("Cancel"), this)),
      m_delay(new QTimer(this)) {
    setObjectName(QStringLiteral("suggestionDialog"));
    setWindowTitle(tr("Generate suggestions"));
    setAttribute(Qt::WA_DeleteOnClose);
    const auto name = [](QWidget* widget, const char* objectName, const QString& what, const QString& tip) {
        widget->setObjectName(QLatin1String(objectName));
        widget->setAccessibleName(what);
        widget->setToolTip(tip);
    };
    name(m_target, "suggestTarget", tr("Videos"), tr("Where frames are looked for."));
    name(m_frames, "suggestFrames", tr("Frames"), tr("All frames of these videos, or a stretch."));
    name(m_first, "suggestFirst", tr("First frame"), tr("First frame, included."));
    name(m_last, "suggestLast", tr("Last frame"), tr("Last frame, included."));
    name(m_group, "suggestGroup", tr("Group"),
         tr("Number that the frames get in the column Group. Automatic: the video's place or the cluster."));
    name(m_add, "suggestAdd", tr("Old suggestions"), tr("Keep the suggestions that there are, or let them go."));
    name(m_generate, "suggestGenerate", tr("Generate"), tr("Adds the frames, as one step."));
    name(m_cancel, "suggestCancel", tr("Cancel"), tr("Stops looking and closes."));
    m_count->setObjectName(QStringLiteral("suggestCount"));
    m_count->setWordWrap(true);
    m_target->addItem(tr("This video: %1").arg(document->videoName(shownVideo)));
    m_target->addItem(m_selectedVideos.size() == 1 ? tr("Selected video")
                                                   : tr("Selected videos (%1)").arg(m_selectedVideos.size()));
    m_target->addItem(tr("All videos (%1)").arg(document->videoCount()));
    m_frames->addItems({tr("All frames"), tr("From ... to ...")});
    std::int64_t longest = 1;
    for (int v = 0; v < document->videoCount(); ++v)
        longest = std::max(longest, document->frameCount(v));
    const auto last =
        static_cast<int>(std::min<std::int64_t>(longest - 1 + firstFrameNumber, std::numeric_limits<int>::max()));
    for (QSpinBox* box : {m_first, m_last}) {
        box->setRange(firstFrameNumber, last);
        box->setGroupSeparatorShown(true);
    }
    m_last->setValue(last);
    if (range) {
        m_frames->setCurrentIndex(Between);
        m_first->setValue(static_cast<int>(range->first) + firstFrameNumber);
        m_last->setValue(static_cast<int>(range->last) + firstFrameNumber);
    }
    m_group->setRange(kAutomatic, 1'000'000);
    m_group->setValue(kAutomatic);
    m_group->setSpecialValueText(tr("automatic"));
    m_add->addItem(tr("Keep them and add"));
    m_add->addItem(tr("Replace them (%1)").arg(document->labels().suggestions().size()));

    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(theme::kGap, theme::kGap, theme::kGap, theme::kGap);
    column->setSpacing(theme::kGap);
    column->addWidget(m_form);
    auto* form = new QFormLayout;
    form->setHorizontalSpacing(theme::kGap);
    form->setVerticalSpacing(theme::kGrid);
    const auto addRow = [this, form](const QString& words, auto* field) {
        auto* label = new QLabel(words, this);
        label->setMinimumHeight(theme::kControlHeight);
        label->setMinimumWidth(fontMetrics().horizontalAdvance(QStringLiteral("Samples per video")) + theme::kMargin);
        form->addRow(label, field);
    };
    addRow(tr("Videos"), m_target);
    auto* stretch = new QHBoxLayout;
    stretch->setSpacing(theme::kMargin);
    stretch->addWidget(m_frames, 1);
    stretch->addWidget(m_first);
    stretch->addWidget(m_last);
    addRow(tr("Frames"), stretch);
    addRow(tr("Group"), m_group);
    addRow(tr("Old suggestions"), m_add);
    column->addLayout(form);
    column->addStretch();
    column->addWidget(m_count);
    column->addWidget(m_progress);
    auto* buttons = new QHBoxLayout;
    buttons->addStretch();
    m_generate->setProperty("primary", true);
    m_generate->setDefault(true);
    m_cancel->setAutoDefault(false);
    buttons->addWidget(m_cancel);
    buttons->addWidget(m_generate);
    column->addLayout(buttons);
    setMinimumWidth(440);

    connect(m_cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_generate, &QPushButton::clicked, this, [this] {
        setGenerating(true);
        look(Purpose::Generate);
    });
    connect(m_form, &SuggestionForm::changed, this, &SuggestionDialog::changed);
    connect(m_form, &SuggestionForm::otherWanted, this, &SuggestionDialog::chooseOther);
    for (QComboBox* box : {m_target, m_frames, m_add})
        connect(box, &QComboBox::currentIndexChanged, this, &SuggestionDialog::changed);
    for (QSpinBox* box : {m_first, m_last, m_group})
        connect(box, &QSpinBox::valueChanged, this, &SuggestionDialog::changed);
    connect(document, &Document::changed, this, &SuggestionDialog::changed);
    connect(document, &Document::opened, this, &QDialog::reject);
    m_delay->setSingleShot(true);
    m_delay->setInterval(kCountDelayMs);
    connect(m_delay, &QTimer::timeout, this, [this] { look(Purpose::Count); });
    setGenerating(false);
    changed();
    // High enough for every method, so that another one does not move the buttons; the free space is above the count.
    resize(sizeHint());
    m_form->fitToPage();
}

SuggestionDialog::~SuggestionDialog() {
    m_stop.request_stop();
}

suggestions::Request SuggestionDialog::request() const {
    suggestions::Request request;
    request.method = m_form->method();
    if (m_target->currentIndex() == ThisVideo) {
        if (m_shownVideo >= 0 && m_shownVideo < m_document->videoCount())
            request.videos = {static_cast<std::uint32_t>(m_shownVideo)};
    } else if (m_target->currentIndex() == SelectedVideos) {
        for (const std::size_t video : m_selectedVideos)
            if (static_cast<int>(video) < m_document->videoCount())
                request.videos.push_back(static_cast<std::uint32_t>(video));
    } else {
        for (int v = 0; v < m_document->videoCount(); ++v)
            request.videos.push_back(static_cast<std::uint32_t>(v));
    }
    if (m_frames->currentIndex() == Between)
        request.span = project::edit::FrameSpan{std::min(m_first->value(), m_last->value()) - m_firstNumber,
                                                std::max(m_first->value(), m_last->value()) - m_firstNumber};
    if (m_group->value() != kAutomatic)
        request.group = m_group->value();
    request.replace = m_add->currentIndex() == 1;
    return request;
}

void SuggestionDialog::changed() {
    m_first->setVisible(m_frames->currentIndex() == Between);
    m_last->setVisible(m_frames->currentIndex() == Between);
    if (m_generating)
        return;
    const suggestions::Request wanted = request();
    if (const auto* images = std::get_if<suggestions::ImageFeatures>(&wanted.method)) {
        m_delay->stop();
        if (wanted.videos.empty())
            showCount(tr("No video is selected."), 0);
        else
            showCount({}, suggestions::mostOf(*images, wanted.videos.size()), true);
        return;
    }
    if (const auto* other = std::get_if<suggestions::Disagreement>(&wanted.method); other && !other->other) {
        m_delay->stop();
        showCount(tr("Choose the project to compare with."), 0);
        return;
    }
    showCount(tr("Counting..."), std::nullopt);
    m_delay->start();
}

void SuggestionDialog::look(Purpose purpose) {
    if (m_looking) {
        m_next = purpose;
        m_stop.request_stop();
        return;
    }
    m_looking = true;
    m_stop = {};
    std::vector<std::int64_t> frameCounts;
    std::map<std::uint32_t, std::shared_ptr<video::VideoSource>> sources;
    for (int v = 0; v < m_document->videoCount(); ++v) {
        frameCounts.push_back(m_document->frameCount(v));
        if (const auto& source = m_document->videoState(v).source)
            sources[static_cast<std::uint32_t>(v)] = source;
    }
    const auto report = [guard = QPointer<SuggestionDialog>(this)](double share) {
        QMetaObject::invokeMethod(
            QCoreApplication::instance(),
            [guard, share] {
                if (guard)
                    guard->m_progress->set(share, ProgressLine::State::Active);
            },
            Qt::QueuedConnection);
    };
    inBackground(
        this,
        [labels = m_document->snapshot(), wanted = request(), frameCounts, sources, report, path = m_document->path(),
         stop = m_stop.get_token()]() -> Result<std::vector<suggestions::Suggested>> {
            suggestions::Surroundings around;
            around.frameCount = [&frameCounts](std::uint32_t v) { return frameCounts.at(v); };
            around.open = [&](std::uint32_t v) -> Result<std::shared_ptr<video::VideoSource>> {
                if (const auto it = sources.find(v); it != sources.end())
                    return it->second->openAnother();
                video::OpenOptions options;
                options.stop = stop;
                return formats::openProjectVideo(labels, v, text::toPath(path), options);
            };
            around.progress = report;
            around.stop = stop;
            return suggestions::suggest(labels, wanted, around);
        },
        [this, purpose](Result<std::vector<suggestions::Suggested>> result) { looked(purpose, std::move(result)); });
}

void SuggestionDialog::looked(Purpose purpose, Result<std::vector<suggestions::Suggested>> result) {
    m_looking = false;
    if (const auto next = std::exchange(m_next, std::nullopt)) {
        look(*next);
        return;
    }
    if (!result) {
        setGenerating(false);
        if (result.error().code() != ErrorCode::Cancelled)
            showCount(QString::fromStdString(result.error().message()), 0);
        return;
    }
    if (purpose == Purpose::Generate) {
        Q_EMIT found(*result, m_add->currentIndex() == 1);
        accept();
        return;
    }
    if (!m_delay->isActive())
        showCount(result->empty() ? tr("No frame is like this that is not suggested or labelled already.") : QString(),
                  static_cast<std::int64_t>(result->size()));
}

void SuggestionDialog::showCount(const QString& words, std::optional<std::int64_t> count, bool atMost) {
    const QString frames = count ? text::count(*count, tr("frame"), tr("frames")) : QString();
    QString sentence = words;
    if (words.isEmpty())
        sentence =
            atMost ? tr("At most %1 will be suggested; which ones is known once the pictures were read.").arg(frames)
                   : tr("%1 will be suggested.").arg(frames);
    m_count->setText(sentence);
    const bool possible = count.value_or(0) > 0;
    m_generate->setEnabled(possible);
    m_generate->setText(!possible ? tr("Suggest")
                        : atMost  ? tr("Suggest up to %1").arg(frames)
                                  : tr("Suggest %1").arg(frames));
}

void SuggestionDialog::setGenerating(bool generating) {
    m_generating = generating;
    m_progress->set(0, ProgressLine::State::Active);
    m_progress->setVisible(generating);
    m_form->setEnabled(!generating);
    for (QWidget* widget : std::initializer_list<QWidget*>{m_target, m_frames, m_first, m_last, m_group, m_add})
        widget->setEnabled(!generating);
    if (generating) {
        m_generate->setEnabled(false);
        m_count->setText(tr("Looking for frames..."));
    }
}

void SuggestionDialog::chooseOther() {
    m_dialogs->chooseFiles(this, tr("Project to compare with"), QFileInfo(m_document->path()).absolutePath(),
                           tr("Projects (*.slp *.h5)"),
                           [guard = QPointer<SuggestionDialog>(this)](const QStringList& paths) {
                               if (!guard || paths.isEmpty())
                                   return;
                               const QString path = paths.front();
                               guard->showCount(tr("Reading %1...").arg(QFileInfo(path).fileName()), std::nullopt);
                               inBackground(
                                   guard.data(),
                                   [path]() -> Result<std::shared_ptr<const project::Labels>> {
                                       auto labels = formats::readSlp(text::toPath(path));
                                       if (!labels)
                                           return fail(std::move(labels.error()));
                                       return std::make_shared<const project::Labels>(std::move(*labels));
                                   },
                                   [guard, path](Result<std::shared_ptr<const project::Labels>> read) {
                                       if (read)
                                           guard->m_form->setOther(*read, QFileInfo(path).fileName());
                                       else
                                           guard->showCount(QString::fromStdString(read.error().message()), 0);
                                   });
                           });
}

}  // namespace skein::ui
