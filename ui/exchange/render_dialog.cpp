// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/exchange/render_dialog.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSlider>
#include <QVBoxLayout>

#include "ui/bridge/background.h"
#include "ui/exchange/render_preview.h"
#include "ui/run_text.h"
#include "ui/theme.h"
#include "ui/widgets/job_bar.h"
#include "ui/widgets/message_bar.h"

namespace skein::ui {

namespace {
constexpr int kWidth = 980, kHeight = 640;
constexpr int kPlanDelayMs = 80;
}  // namespace

RenderDialog::RenderDialog(Document* document, const RenderFacts& facts, std::function<RenderOptions()> windowLook,
                           std::int64_t shownFrame, QWidget* parent)
    : QDialog(parent),
      m_document(document),
      m_facts(facts),
      m_windowLook(std::move(windowLook)),
      m_form(new RenderForm(facts, m_windowLook(), this)),
      m_preview(new RenderPreview(this)),
      m_pictures(new RenderPictures(this)),
      m_messages(new MessageBar(this)),
      m_jobBar(new JobBar(this)),
      m_slider(new QSlider(Qt::Horizontal, this)),
      m_frame(new QLabel(this)),
      m_promise(new QLabel(this)),
      m_render(new QPushButton(tr("Render..."), this)) {
    setObjectName(QStringLiteral("renderDialog"));
    setWindowTitle(tr("Render %1").arg(document->videoName(static_cast<int>(facts.video))));
    setAttribute(Qt::WA_DeleteOnClose);
    setSizeGripEnabled(true);
    m_messages->setObjectName(QStringLiteral("renderMessages"));
    m_jobBar->setObjectName(QStringLiteral("renderJobBar"));

    auto* scroll = new QScrollArea(this);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setWidgetResizable(true);
    scroll->setWidget(m_form);
    m_form->setAutoFillBackground(true);
    m_form->setBackgroundRole(QPalette::Base);
    scroll->setFixedWidth(m_form->sizeHint().width() + scroll->verticalScrollBar()->sizeHint().width());
    auto* row = new QHBoxLayout;
    row->setSpacing(0);
    row->addWidget(makeLeft(), 1);
    row->addWidget(scroll);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_messages);
    column->addLayout(row, 1);
    column->addWidget(m_jobBar);
    column->addWidget(makeFoot());
    resize(kWidth, kHeight);

    const auto last =
        static_cast<int>(std::max<std::int64_t>(0, document->frameCount(static_cast<int>(facts.video)) - 1));
    m_slider->setRange(0, last);
    m_slider->setValue(static_cast<int>(std::clamp<std::int64_t>(shownFrame, 0, last)));

    m_planTimer.setSingleShot(true);
    m_planTimer.setInterval(kPlanDelayMs);
    connect(&m_planTimer, &QTimer::timeout, this, &RenderDialog::plan);
    connect(m_form, &RenderForm::changed, this, &RenderDialog::choicesChanged);
    connect(m_slider, &QSlider::valueChanged, this, &RenderDialog::wantPicture);
    connect(m_preview, &RenderPreview::roomChanged, this, &RenderDialog::wantPicture);
    connect(m_pictures, &RenderPictures::ready, this, &RenderDialog::showPicture);
    connect(document, &Document::opened, this, &QDialog::close);
    connect(document, &Document::changed, this, [this](const Change& change) {
        // The video may be another one now, or gone.
        if (change.kinds.testFlag(ChangeKind::Videos) || change.kinds.testFlag(ChangeKind::Skeletons))
            close();
        else
            choicesChanged();
    });
    connect(document, &Document::videoStateChanged, this, [this](int video) {
        if (video == static_cast<int>(m_facts.video))
            choicesChanged();
    });
    document->wantVideo(static_cast<int>(facts.video));
    choicesChanged();
}

QWidget* RenderDialog::makeLeft() {
    auto* left = new QWidget(this);
    m_slider->setObjectName(QStringLiteral("renderSlider"));
    m_slider->setAccessibleName(tr("Frame of the preview"));
    m_slider->setToolTip(tr("Which frame the preview shows."));
    m_frame->setObjectName(QStringLiteral("renderFrame"));
    m_frame->setMinimumWidth(m_frame->fontMetrics().horizontalAdvance(tr("Frame %1").arg(text::number(8'888'888))));
    m_frame->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    auto* under = new QHBoxLayout;
    under->setContentsMargins(theme::kGap, theme::kMargin, theme::kGap, theme::kMargin);
    under->setSpacing(theme::kMargin);
    under->addWidget(m_slider, 1);
    under->addWidget(m_frame);
    auto* column = new QVBoxLayout(left);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_preview, 1);
    column->addLayout(under);
    return left;
}

QWidget* RenderDialog::makeFoot() {
    auto* foot = new QWidget(this);
    foot->setAutoFillBackground(true);
    foot->setBackgroundRole(QPalette::Window);
    m_promise->setObjectName(QStringLiteral("renderPromise"));
    m_promise->setWordWrap(true);
    m_promise->setTextFormat(Qt::PlainText);
    auto* look = new QPushButton(tr("Use Window's Look"), foot);
    look->setObjectName(QStringLiteral("renderWindowLook"));
    look->setAccessibleName(look->text());
    look->setToolTip(tr("Takes over the colours, sizes and trails that the window shows now."));
    look->setAutoDefault(false);
    auto* shut = new QPushButton(tr("Close"), foot);
    shut->setObjectName(QStringLiteral("renderClose"));
    shut->setAccessibleName(shut->text());
    shut->setToolTip(tr("A video that is being written goes on."));
    shut->setAutoDefault(false);
    m_render->setObjectName(QStringLiteral("renderButton"));
    m_render->setProperty("primary", true);
    m_render->setDefault(true);
    auto* row = new QHBoxLayout(foot);
    row->setContentsMargins(theme::kGap, theme::kMargin, theme::kGap, theme::kMargin);
    row->setSpacing(theme::kMargin);
    row->addWidget(m_promise, 1);
    row->addWidget(look);
    row->addWidget(shut);
    row->addWidget(m_render);
    connect(look, &QPushButton::clicked, this, [this] { m_form->setLook(m_windowLook()); });
    connect(shut, &QPushButton::clicked, this, &QDialog::close);
    connect(m_render, &QPushButton::clicked, this, [this] {
        if (m_plan && renderWanted)
            renderWanted(*m_plan, m_form->settings().openWhenDone);
    });
    return foot;
}

/// Null once the video is gone: the dialog is closing then.
const VideoState* RenderDialog::state() const {
    const auto video = static_cast<int>(m_facts.video);
    return video < m_document->videoCount() ? &m_document->videoState(video) : nullptr;
}

std::shared_ptr<video::VideoSource> RenderDialog::source() const {
    const VideoState* known = state();
    return known != nullptr && known->kind == VideoState::Kind::Ready ? known->source : nullptr;
}

void RenderDialog::setJob(const QString& what) {
    m_busy = what.isEmpty() ? QString() : tr("%1: wait for it, or stop it.").arg(what);
    if (what.isEmpty())
        m_jobBar->finish();
    else if (!m_jobBar->isBusy())
        (void)m_jobBar->start(what);
    updateFoot();
}

void RenderDialog::choicesChanged() {
    m_plan.reset();
    ++m_planAsked;  // what is being counted is of no use any more
    m_problem.clear();
    m_planTimer.start();
    wantPicture();
    updateFoot();
}

void RenderDialog::plan() {
    const auto video = source();
    if (!video)
        return;
    inBackground(
        this,
        [settings = m_form->settings(), labels = m_document->snapshot(), video, selection = m_facts.selection,
         first = m_facts.firstFrameNumber]() -> Result<RenderPlan> {
            if (settings.options.background == RenderBackground::Transparent &&
                settings.options.codec != RenderCodec::PngSequence)
                return fail(ErrorCode::InvalidArgument,
                            tr("Only PNG pictures can be transparent: choose them as the format.").toStdString());
            if (settings.range == RenderRange::Selection && !selection)
                return fail(
                    ErrorCode::InvalidArgument,
                    tr("No range is selected: Shift and drag on the timeline, then open this again.").toStdString());
            if (settings.options.crop == RenderCrop::FollowTrack && labels.tracks().empty())
                return fail(ErrorCode::InvalidArgument, tr("There is no track to follow.").toStdString());
            return planRender(settings, labels, *video, selection, first);
        },
        [this, asked = m_planAsked](Result<RenderPlan> planned) {
            if (asked == m_planAsked)
                takePlan(std::move(planned));
        });
}

void RenderDialog::takePlan(Result<RenderPlan> planned) {
    if (planned)
        m_plan = std::move(*planned);
    else
        m_problem = QString::fromStdString(planned.error().message());
    // How large the part about a track is depends on all frames.
    if (m_plan && m_plan->options.crop == RenderCrop::FollowTrack)
        wantPicture();
    updateFoot();
}

void RenderDialog::updateFoot() {
    const VideoState* known = state();
    const bool isLost =
        known != nullptr && (known->kind == VideoState::Kind::Missing || known->kind == VideoState::Kind::Unreadable);
    QString reason = m_busy;
    if (!source())
        reason = isLost ? tr("The video cannot be read: find it first (File > Find Videos).")
                        : tr("The video is being opened.");
    else if (!m_problem.isEmpty())
        reason = m_problem;
    QString words = reason;
    if (words.isEmpty() && m_plan) {
        const RenderReport& promise = m_plan->promise;
        words = tr("%1 of %2 × %3 px")
                    .arg(text::frames(promise.frames), text::number(promise.size.width()),
                         text::number(promise.size.height()));
        if (m_plan->options.codec != RenderCodec::PngSequence)
            words += tr(", %1 frames/s: %2 of video")
                         .arg(QString::number(promise.fps, 'g', 4),
                              text::duration(static_cast<double>(promise.frames) / promise.fps));
    }
    m_promise->setText(words.isEmpty() ? tr("Counting...") : words);
    m_render->setEnabled(reason.isEmpty() && m_plan.has_value());
    m_render->setText(m_plan ? tr("Render %1...").arg(text::frames(m_plan->promise.frames)) : tr("Render..."));
    m_render->setAccessibleName(m_render->text());
    m_render->setToolTip(reason.isEmpty() ? tr("Choose where to write it. You can go on working meanwhile.") : reason);
}

void RenderDialog::wantPicture() {
    m_frame->setText(tr("Frame %1").arg(text::number(m_slider->value() + m_facts.firstFrameNumber)));
    const auto video = source();
    if (!video) {
        m_preview->showWord(tr("The video cannot be shown yet."));
        return;
    }
    RenderPictures::Request request;
    request.source = video;
    request.labels = m_document->snapshot();
    request.options = m_plan ? m_plan->options : m_form->settings().options;
    request.frame = std::min<std::int64_t>(m_slider->value(), video->frameCount() - 1);
    if (request.options.frames.empty() || request.options.crop != RenderCrop::FollowTrack)
        request.options.frames = {request.frame};
    request.room = m_preview->room();
    request.number = ++m_pictureAsked;
    m_previewMs = -1;
    m_since.start();
    m_pictures->request(std::move(request));
}

void RenderDialog::showPicture(quint64 number, const QImage& picture, const QSize& size, const QString& problem) {
    if (picture.isNull())
        m_preview->showWord(problem);
    else
        m_preview->show(picture, size);
    m_preview->setToolTip(problem);
    if (number == m_pictureAsked)
        m_previewMs = static_cast<double>(m_since.nsecsElapsed()) / 1e6;
}

}  // namespace skein::ui
