// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/suggestion_form.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <limits>

#include "ui/theme.h"

namespace skein::ui {

namespace {
enum Page { SamplePage, ImagesPage, ScorePage, VelocityPage, MovedPage, ChunkPage, ApartPage, NovelPage, CountPage };
constexpr int kMany = 1'000'000;
constexpr double kDefaultScore = 3.0, kDefaultNodeScore = 0.5;
}  // namespace

SuggestionForm::SuggestionForm(const project::Labels& labels, int firstFrameNumber, QWidget* parent)
    : QWidget(parent),
      m_method(new QComboBox(this)),
      m_pages(new QStackedWidget(this)),
      m_node(new QComboBox(this)),
      m_otherButton(new QPushButton(tr("Choose Project..."), this)),
      m_firstNumber(firstFrameNumber) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(theme::kMargin);
    auto* head = new QFormLayout;
    head->setHorizontalSpacing(theme::kGap);
    addRow(head, "suggestMethod", tr("Method"), tr("How frames are chosen."), m_method);
    column->addLayout(head);
    column->addWidget(m_pages);

    const QStringList samplings{tr("evenly spread"), tr("at random")};
    QFormLayout* form = addPage(tr("Sample"), tr("Frames from all over each video."));
    m_perVideo = addInt(form, "suggestPerVideo", tr("Per video"), tr("Frames of each video."), 1, kMany, 20);
    m_sampling = addChoice(form, "suggestSampling", tr("Sampling"), tr("Every n-th frame, or random ones."), samplings);
    m_seed = addInt(form, "suggestSeed", tr("Seed"), tr("Another number gives other random frames."), 0, kMany, 1);

    form = addPage(tr("Image features"), tr("Frames whose pictures differ: some of each kind."));
    m_samples = addInt(form, "suggestSamples", tr("Samples per video"), tr("Pictures of each video that are compared."),
                       1, 5000, 200);
    m_imageSampling =
        addChoice(form, "suggestImageSampling", tr("Sampling"), tr("Which pictures are compared."), samplings);
    m_scale =
        addReal(form, "suggestScale", tr("Scale"), tr("Pictures are made this much smaller first."), 0.05, 1, 1, 2);
    m_across = addChoice(form, "suggestAcross", tr("Compare"), tr("Pictures of one video, or of all together."),
                         {tr("within each video"), tr("across all videos")});
    m_feature = addChoice(form, "suggestFeature", tr("Feature"),
                          tr("What of a picture is compared: its pixels, the directions of its edges, or its corners."),
                          {tr("raw picture"), tr("edges (HOG)"), tr("corners (ORB-like)")});
    m_components = addInt(form, "suggestComponents", tr("PCA components"),
                          tr("Directions of greatest difference that are kept."), 1, 100, 5);
    m_clusters = addInt(form, "suggestClusters", tr("Clusters"), tr("Kinds of pictures."), 1, 100, 5);
    m_perCluster = addInt(form, "suggestPerCluster", tr("Per cluster"), tr("Frames of each kind."), 1, 1000, 5);
    m_imageSeed = addInt(form, "suggestImageSeed", tr("Seed"), tr("Another number gives another choice."), 0, kMany, 1);

    form = addPage(tr("Prediction score"), tr("Frames with some low-scoring predictions."));
    m_scoreMode = addChoice(form, "suggestScoreMode", tr("Score"),
                            tr("Of the instance as the model gave it, or the mean of its nodes."),
                            {tr("instance score, at most"), tr("mean node score, below")});
    m_limit = addReal(form, "suggestLimit", tr("Limit"), tr("What counts as low."), -1e6, 1e6, kDefaultScore, 3);
    m_least = addInt(form, "suggestLeast", tr("At least"), tr("Fewest low instances on a frame."), 0, 10000, 1);
    m_most = addInt(form, "suggestMost", tr("At most"), tr("Most low instances on a frame."), 0, 10000, 2);
    connect(m_scoreMode, &QComboBox::currentIndexChanged, this,
            [this](int mode) { m_limit->setValue(mode == 0 ? kDefaultScore : kDefaultNodeScore); });

    form = addPage(tr("Velocity"), tr("Frames on which tracked animals move fast."));
    if (!labels.skeletons().empty())
        for (const std::string& node : labels.skeletons().front().nodes)
            m_node->addItem(QString::fromStdString(node));
    m_node->setEnabled(m_node->count() > 0);
    addRow(form, "suggestNode", tr("Node"), tr("Whose way is measured."), m_node);
    m_threshold = addReal(form, "suggestThreshold", tr("Threshold"),
                          tr("Share of the way from the slowest to the fastest movement of the video."), 0, 1, 0.1, 2);

    form = addPage(tr("Max point displacement"), tr("Frames on which a track jumped since the frame before."));
    m_pixels = addReal(form, "suggestPixels", tr("More than"), tr("Mean way of an instance's nodes, in pixels."), 0,
                       1e5, 10, 1);
    m_pixels->setSuffix(QStringLiteral("\u2009px"));

    form = addPage(tr("Frame chunk"), tr("All frames of a stretch."));
    m_from = addInt(form, "suggestFrom", tr("From frame"), tr("First frame, included."), m_firstNumber,
                    std::numeric_limits<int>::max(), m_firstNumber);
    m_to = addInt(form, "suggestTo", tr("To frame"), tr("Last frame, included."), m_firstNumber,
                  std::numeric_limits<int>::max(), m_firstNumber + 99);

    form = addPage(tr("Disagreement"), tr("Frames on which another run or model predicts something else."));
    addRow(form, "suggestOther", tr("Compare with"), tr("A project with the other predictions of the same videos."),
           m_otherButton);
    m_apart = addReal(form, "suggestApart", tr("More than"), tr("Mean distance of an instance's nodes, in pixels."), 0,
                      1e5, 5, 1);
    m_apart->setSuffix(QStringLiteral("\u2009px"));
    connect(m_otherButton, &QPushButton::clicked, this, &SuggestionForm::otherWanted);

    form = addPage(tr("Pose novelty"), tr("The poses that differ most from those that were labelled."));
    m_novel = addInt(form, "suggestNovel", tr("Per video"), tr("Frames of each video."), 1, 10000, 20);

    form = addPage(tr("Instance count"), tr("Frames with more or fewer instances than there should be."));
    m_expected =
        addInt(form, "suggestExpected", tr("Expected"), tr("Instances that should be on a frame."), 0, 10000, 1);

    connect(m_method, &QComboBox::currentIndexChanged, this, [this](int page) {
        m_pages->setCurrentIndex(page);
        if (m_fitsPage)
            fitToPage();
        Q_EMIT changed();
    });
}

void SuggestionForm::fitToPage() {
    m_fitsPage = true;
    for (int page = 0; page < m_pages->count(); ++page)
        m_pages->widget(page)->setSizePolicy(
            QSizePolicy::Preferred, page == m_pages->currentIndex() ? QSizePolicy::Preferred : QSizePolicy::Ignored);
    m_pages->updateGeometry();
}

void SuggestionForm::addRow(QFormLayout* form, const char* id, const QString& label, const QString& tip,
                            QWidget* field) {
    field->setObjectName(QLatin1String(id));
    field->setAccessibleName(label);
    field->setToolTip(tip);
    auto* name = new QLabel(label, this);
    name->setMinimumHeight(theme::kControlHeight);
    name->setMinimumWidth(fontMetrics().horizontalAdvance(QStringLiteral("Samples per video")) + theme::kMargin);
    name->setBuddy(field);
    form->addRow(name, field);
}

QFormLayout* SuggestionForm::addPage(const QString& name, const QString& explanation) {
    auto* page = new QWidget(m_pages);
    auto* form = new QFormLayout(page);
    form->setContentsMargins(0, 0, 0, 0);
    form->setHorizontalSpacing(theme::kGap);
    form->setVerticalSpacing(theme::kGrid);
    auto* words = new QLabel(explanation, page);
    words->setWordWrap(true);
    words->setForegroundRole(QPalette::PlaceholderText);
    form->addRow(words);
    m_pages->addWidget(page);
    m_method->addItem(name);
    return form;
}

QSpinBox* SuggestionForm::addInt(QFormLayout* form, const char* id, const QString& label, const QString& tip, int least,
                                 int most, int value) {
    auto* box = new QSpinBox(this);
    box->setRange(least, most);
    box->setGroupSeparatorShown(true);
    box->setValue(value);
    addRow(form, id, label, tip, box);
    connect(box, &QSpinBox::valueChanged, this, &SuggestionForm::changed);
    return box;
}

QDoubleSpinBox* SuggestionForm::addReal(QFormLayout* form, const char* id, const QString& label, const QString& tip,
                                        double least, double most, double value, int decimals) {
    auto* box = new QDoubleSpinBox(this);
    box->setDecimals(decimals);
    box->setRange(least, most);
    box->setSingleStep(decimals >= 2 ? 0.05 : 1);
    box->setValue(value);
    addRow(form, id, label, tip, box);
    connect(box, &QDoubleSpinBox::valueChanged, this, &SuggestionForm::changed);
    return box;
}

QComboBox* SuggestionForm::addChoice(QFormLayout* form, const char* id, const QString& label, const QString& tip,
                                     const QStringList& choices) {
    auto* box = new QComboBox(this);
    box->addItems(choices);
    addRow(form, id, label, tip, box);
    connect(box, &QComboBox::currentIndexChanged, this, &SuggestionForm::changed);
    return box;
}

void SuggestionForm::setOther(std::shared_ptr<const project::Labels> other, const QString& name) {
    m_other = std::move(other);
    m_otherButton->setText(m_other != nullptr ? name : tr("Choose Project..."));
    Q_EMIT changed();
}

suggestions::Method SuggestionForm::method() const {
    using namespace suggestions;
    const auto sampling = [](const QComboBox* box) {
        return box->currentIndex() == 0 ? Sampling::Stride : Sampling::Random;
    };
    switch (m_method->currentIndex()) {
        case ImagesPage: {
            ImageFeatures images;
            images.samplesPerVideo = m_samples->value();
            images.sampling = sampling(m_imageSampling);
            images.scale = m_scale->value();
            images.acrossVideos = m_across->currentIndex() == 1;
            images.feature = static_cast<ImageFeatures::Feature>(m_feature->currentIndex());
            images.components = m_components->value();
            images.clusters = m_clusters->value();
            images.perCluster = m_perCluster->value();
            images.seed = static_cast<std::uint64_t>(m_imageSeed->value());
            return images;
        }
        case ScorePage:
            return PredictionScore{m_scoreMode->currentIndex() == 1, m_limit->value(), m_least->value(),
                                   m_most->value()};
        case VelocityPage:
            return Velocity{m_node->currentText().toStdString(), m_threshold->value()};
        case MovedPage:
            return MaxPointDisplacement{m_pixels->value()};
        case ChunkPage:
            return FrameChunk{std::int64_t{m_from->value()} - m_firstNumber,
                              std::int64_t{m_to->value()} - m_firstNumber};
        case ApartPage:
            return Disagreement{m_other, m_apart->value()};
        case NovelPage:
            return PoseNovelty{m_novel->value()};
        case CountPage:
            return InstanceCount{m_expected->value()};
        default:
            return Sample{m_perVideo->value(), sampling(m_sampling), static_cast<std::uint64_t>(m_seed->value())};
    }
}

}  // namespace skein::ui
