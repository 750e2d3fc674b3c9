// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/exchange/render_form.h"

#include <QCheckBox>
#include <QComboBox>
#include <QCoreApplication>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSpinBox>
#include <QVBoxLayout>
#include <cmath>

#include "ui/dialogs/option_editors.h"
#include "ui/run_text.h"
#include "ui/theme.h"

namespace skein::ui {

namespace {

constexpr int kLabelLetters = 17;
constexpr int kFieldLetters = 22;
constexpr int kCustomPreset = static_cast<int>(std::size(kRenderPresets));
enum TrailColor { AsSkeletons, White, Black };

const QString kPixels = QStringLiteral(" px");

}  // namespace

RenderForm::RenderForm(const RenderFacts& facts, const RenderOptions& look, QWidget* parent)
    : QWidget(parent), m_facts(facts), m_look(look), m_column(new QVBoxLayout(this)) {
    m_column->setContentsMargins(theme::kGap, theme::kGap, theme::kGap, theme::kGap);
    m_column->setSpacing(theme::kGap);
    m_showing = true;
    makeFrames();
    makeLook();
    makeTrails();
    makeCrop();
    makeBurnIn();
    makeOutput();
    m_column->addStretch();
    m_showing = false;
    setLook(look);
}

// --- Making ------------------------------------------------------------------------------------------------------

QFormLayout* RenderForm::addSection(const QString& title) {
    auto* heading = new QLabel(title, this);
    heading->setFont(theme::headingFont());
    m_column->addWidget(heading);
    auto* section = new QFormLayout;
    section->setHorizontalSpacing(theme::kMargin);
    section->setVerticalSpacing(theme::kGrid);
    section->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    m_column->addLayout(section);
    return section;
}

template <class Field>
Field* RenderForm::addRow(QFormLayout* section, const QString& words, const char* objectName, const QString& tip) {
    auto* field = new Field(this);
    field->setObjectName(QLatin1String(objectName));
    field->setAccessibleName(words);
    field->setToolTip(tip);
    field->setMinimumWidth(fontMetrics().averageCharWidth() * kFieldLetters);
    auto* label = new QLabel(words, this);
    label->setMinimumSize(fontMetrics().averageCharWidth() * kLabelLetters, theme::kControlHeight);
    label->setBuddy(field);
    section->addRow(label, field);
    m_sections[field] = section;
    if constexpr (std::is_same_v<Field, QComboBox>) {
        field->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        field->setMinimumContentsLength(8);
        connect(field, &QComboBox::currentIndexChanged, this, &RenderForm::tell);
    } else if constexpr (std::is_same_v<Field, QLineEdit>) {
        connect(field, &QLineEdit::textChanged, this, &RenderForm::tell);
    } else {
        connect(field, &Field::valueChanged, this, &RenderForm::tell);
    }
    guardWheel(field);
    return field;
}

QCheckBox* RenderForm::addCheck(QFormLayout* section, const QString& words, const char* objectName,
                                const QString& tip) {
    auto* box = new QCheckBox(words, this);
    box->setObjectName(QLatin1String(objectName));
    box->setAccessibleName(words);
    box->setToolTip(tip);
    box->setMinimumHeight(theme::kMinTarget);
    section->addRow(box);
    m_sections[box] = section;
    connect(box, &QCheckBox::toggled, this, &RenderForm::tell);
    return box;
}

QSpinBox* RenderForm::addNumber(QFormLayout* section, const QString& words, const char* objectName, const QString& tip,
                                int least, int most, int value, const QString& unit) {
    auto* box = addRow<QSpinBox>(section, words, objectName, tip);
    box->setRange(least, most);
    box->setValue(value);
    box->setSuffix(unit);
    return box;
}

QDoubleSpinBox* RenderForm::addDecimal(QFormLayout* section, const QString& words, const char* objectName,
                                       const QString& tip, double least, double most, double value,
                                       const QString& unit) {
    auto* box = addRow<QDoubleSpinBox>(section, words, objectName, tip);
    box->setRange(least, most);
    box->setDecimals(2);
    box->setSingleStep(least < 0.5 ? 0.1 : 0.5);
    box->setValue(value);
    box->setSuffix(unit);
    return box;
}

void RenderForm::makeFrames() {
    QFormLayout* section = addSection(tr("Frames"));
    m_range = addRow<QComboBox>(section, tr("Range"), "renderRange", tr("Which part of the video is written."));
    m_range->addItem(tr("All labelled frames"));
    const auto numbered = [this](std::int64_t frame) { return text::number(frame + m_facts.firstFrameNumber); };
    m_range->addItem(
        m_facts.selection
            ? tr("Selection %1–%2").arg(numbered(m_facts.selection->first), numbered(m_facts.selection->last))
            : tr("Selection (none)"));
    m_range->addItem(tr("Frames by number"));
    m_custom = addRow<QLineEdit>(section, tr("Numbers"), "renderCustom",
                                 m_facts.firstFrameNumber == 0 ? tr("Frames counted from 0, such as 0-99, 150.")
                                                               : tr("Frames counted from 1, such as 1-100, 150."));
    m_custom->setPlaceholderText(m_facts.firstFrameNumber == 0 ? QStringLiteral("0-99, 150")
                                                               : QStringLiteral("1-100, 150"));
    m_withoutLabels = addCheck(section, tr("Frames without labels too"), "renderUnlabelled",
                               tr("Otherwise frames on which nothing is labelled are left out."));
    if (m_facts.selection) {
        m_range->setCurrentIndex(static_cast<int>(RenderRange::Selection));
        m_withoutLabels->setChecked(true);
    }
}

void RenderForm::makeLook() {
    QFormLayout* section = addSection(tr("Look"));
    m_colorBy = addRow<QComboBox>(section, tr("Colours mean"), "renderColorBy", tr("What the colours stand for."));
    m_colorBy->addItems({tr("Tracks"), tr("Instances"), tr("Nodes"), tr("Edges"), tr("Scores"), tr("Speed")});
    m_palette = addRow<QComboBox>(section, tr("Palette"), "renderPalette", tr("The colours themselves."));
    m_palette->addItems(
        {tr("Colour-blind safe"), tr("Standard"), tr("Five+"), tr("Solarized"), tr("Alphabet (26 colours)")});
    m_shape = addRow<QComboBox>(section, tr("Shape of nodes"), "renderShape", tr("Shape of nodes."));
    m_shape->addItems({tr("By kind"), tr("Circles"), tr("Squares"), tr("Diamonds"), tr("Triangles"), tr("Crosses")});
    m_markerSize = addNumber(section, tr("Node size"), "renderMarkerSize",
                             tr("Radius of nodes, in the written picture."), 1, 100, 4, kPixels);
    m_lineWidth =
        addDecimal(section, tr("Line width"), "renderLineWidth",
                   tr("Width of edges, in the written picture. 0: by kind, as in the window."), 0, 50, 2, kPixels);
    m_lineWidth->setSpecialValueText(tr("by kind"));
    m_opacity = addNumber(section, tr("Opacity"), "renderOpacity", tr("Of skeletons and names."), 0, 100, 100,
                          QStringLiteral(" %"));
    m_background = addRow<QComboBox>(section, tr("Background"), "renderBackground",
                                     tr("What lies under the skeletons. Transparent needs PNG pictures."));
    m_background->addItems({tr("The video"), tr("Black"), tr("White"), tr("Grey"), tr("Transparent")});
    m_nodes = addCheck(section, tr("Nodes"), "renderNodes", tr("Draw the nodes."));
    m_edges = addCheck(section, tr("Edges"), "renderEdges", tr("Draw the lines between nodes."));
    m_names = addCheck(section, tr("Names of nodes"), "renderNames", tr("Write the nodes' names beside them."));
    m_trackNames =
        addCheck(section, tr("Names of tracks"), "renderTrackNames", tr("Write each track's name above it."));
}

void RenderForm::makeTrails() {
    QFormLayout* section = addSection(tr("Trails"));
    m_trails = addCheck(section, tr("Draw where they came from"), "renderTrails",
                        tr("A line through where each track was on the frames before."));
    m_trailLength =
        addNumber(section, tr("Length"), "renderTrailLength", tr("How many frames back."), 1, 10000, 10, tr(" frames"));
    m_trailNode = addRow<QComboBox>(section, tr("Node"), "renderTrailNode", tr("The node that the line goes through."));
    m_trailNode->addItem(tr("Middle of all nodes"));
    m_trailNode->addItems(m_facts.nodes);
    m_trailWidth =
        addDecimal(section, tr("Width"), "renderTrailWidth", tr("In the written picture."), 0.5, 50, 2, kPixels);
    m_trailOpacity = addNumber(section, tr("Opacity"), "renderTrailOpacity", tr("Of the newest part."), 0, 100, 100,
                               QStringLiteral(" %"));
    m_trailColor = addRow<QComboBox>(section, tr("Colour"), "renderTrailColor", tr("Of the lines."));
    m_trailColor->addItems({tr("As the skeletons"), tr("White"), tr("Black")});
    m_trailFade = addCheck(section, tr("Older parts fainter"), "renderTrailFade", tr("The line fades with its age."));
}

void RenderForm::makeCrop() {
    QFormLayout* section = addSection(tr("Crop"));
    m_crop = addRow<QComboBox>(section, tr("Part"), "renderCrop", tr("Which part of the picture is written."));
    m_crop->addItems({tr("The whole picture"), tr("A rectangle"), tr("Around a track")});
    const QSize size = m_facts.frameSize;
    m_left = addNumber(section, tr("Left"), "renderLeft", tr("First column, from 0."), 0, std::max(0, size.width() - 1),
                       0, kPixels);
    m_top = addNumber(section, tr("Top"), "renderTop", tr("First row, from 0."), 0, std::max(0, size.height() - 1), 0,
                      kPixels);
    m_width = addNumber(section, tr("Width"), "renderWidth", tr("What lies outside of the video is cut off."), 1,
                        std::max(1, size.width()), std::max(1, size.width()), kPixels);
    m_height = addNumber(section, tr("Height"), "renderHeight", tr("What lies outside of the video is cut off."), 1,
                         std::max(1, size.height()), std::max(1, size.height()), kPixels);
    m_track = addRow<QComboBox>(section, tr("Track"), "renderTrack", tr("The track that stays in the middle."));
    m_track->addItems(m_facts.tracks);
    m_margin = addNumber(section, tr("Margin"), "renderMargin", tr("About the track's largest extent."), 0, 10000, 40,
                         kPixels);
}

void RenderForm::makeBurnIn() {
    QFormLayout* section = addSection(tr("In the picture"));
    m_burnFrame = addCheck(section, tr("Frame number"), "renderBurnFrame",
                           m_facts.firstFrameNumber == 0 ? tr("Below on the left, counted from 0.")
                                                         : tr("Below on the left, counted from 1."));
    m_burnTime = addCheck(section, tr("Time"), "renderBurnTime", tr("Below on the left, in seconds."));
    m_scaleBar = addCheck(section, tr("Scale bar"), "renderScaleBar", tr("Below on the right."));
    m_barLength = addDecimal(section, tr("Its length"), "renderBarLength", tr("In pixels of the video."), 1, 100000,
                             std::max(1, m_facts.frameSize.width() / 5), kPixels);
    m_barText = addRow<QLineEdit>(section, tr("Its words"), "renderBarText", tr("What stands over it, such as 1 mm."));
}

void RenderForm::makeOutput() {
    QFormLayout* section = addSection(tr("File"));
    m_preset = addRow<QComboBox>(section, tr("Size"), "renderPreset", tr("Size of the pictures."));
    for (const RenderPreset& preset : kRenderPresets)
        m_preset->addItem(QCoreApplication::translate("RenderSettings", preset.name));
    m_preset->addItem(tr("Other"));
    m_preset->setCurrentIndex(kCustomPreset - 1);
    m_scale = addDecimal(section, tr("Scale"), "renderScale", tr("1: as the video."), 0.1, 2, 1, {});
    m_codec =
        addRow<QComboBox>(section, tr("Format"), "renderCodec", tr("What the FFmpeg of this computer can write."));
    const std::pair<RenderCodec, QString> codecs[] = {
        {RenderCodec::H264, tr("MP4, H.264")}, {RenderCodec::H265, tr("MP4, H.265")},
        {RenderCodec::Av1, tr("MP4, AV1")},    {RenderCodec::ProRes, tr("MOV, ProRes")},
        {RenderCodec::Gif, tr("GIF")},         {RenderCodec::PngSequence, tr("PNG pictures")}};
    for (const auto& [codec, name] : codecs)
        if (canRender(codec))
            m_codec->addItem(name, static_cast<int>(codec));
    m_crf = addNumber(section, tr("Quality (CRF)"), "renderCrf",
                      tr("0 is best and largest; 17 shows no loss, 23 is usual, above 30 it is seen."), 0, 51, 23, {});
    m_matchRate = addCheck(section, tr("As many frames a second as the video"), "renderMatchRate",
                           tr("With its true times where they are uneven."));
    m_matchRate->setChecked(true);
    m_fps = addDecimal(section, tr("Frames a second"), "renderFps", tr("Of the written video."), 0.1, 1000, 30, {});
    m_speed = addDecimal(section, tr("Speed"), "renderSpeed", tr("2: twice as fast as the video."), 0.01, 100, 1,
                         QStringLiteral(" ×"));
    m_open = addCheck(section, tr("Open it when it is done"), "renderOpen", tr("With the desktop's own player."));
    m_open->setChecked(true);
}

// --- Showing and reading -----------------------------------------------------------------------------------------

void RenderForm::tell() {
    if (m_showing)
        return;
    updateRows();
    Q_EMIT changed();
}

/// Rows that say nothing now are not seen.
void RenderForm::updateRows() {
    const auto show = [this](QWidget* field, bool shown) { m_sections.at(field)->setRowVisible(field, shown); };
    show(m_custom, m_range->currentIndex() == static_cast<int>(RenderRange::Custom));
    for (QWidget* field : std::initializer_list<QWidget*>{m_trailLength, m_trailNode, m_trailWidth, m_trailOpacity,
                                                          m_trailColor, m_trailFade})
        show(field, m_trails->isChecked());
    const auto crop = static_cast<RenderCrop>(m_crop->currentIndex());
    for (QWidget* field : {m_left, m_top, m_width, m_height})
        show(field, crop == RenderCrop::Rectangle);
    show(m_track, crop == RenderCrop::FollowTrack);
    show(m_margin, crop == RenderCrop::FollowTrack);
    show(m_barLength, m_scaleBar->isChecked());
    show(m_barText, m_scaleBar->isChecked());
    show(m_scale, m_preset->currentIndex() == kCustomPreset);
    const auto codec = static_cast<RenderCodec>(m_codec->currentData().toInt());
    show(m_crf, codec == RenderCodec::H264 || codec == RenderCodec::H265 || codec == RenderCodec::Av1);
    const bool isVideo = codec != RenderCodec::PngSequence;
    show(m_matchRate, isVideo);
    show(m_fps, isVideo && !m_matchRate->isChecked());
    show(m_speed, isVideo);
}

void RenderForm::setLook(const RenderOptions& look) {
    m_showing = true;
    m_look = look;
    m_colorBy->setCurrentIndex(static_cast<int>(look.style.colorBy));
    m_palette->setCurrentIndex(static_cast<int>(look.style.palette));
    m_shape->setCurrentIndex(static_cast<int>(look.look.shape));
    m_markerSize->setValue(look.style.markerSize);
    m_lineWidth->setValue(look.look.lineWidth);
    m_opacity->setValue(static_cast<int>(std::lround(look.opacity * 100)));
    m_nodes->setChecked(look.look.nodes);
    m_edges->setChecked(look.style.edges);
    m_names->setChecked(look.style.names);
    m_trails->setChecked(look.trails.on);
    m_trailLength->setValue(look.trails.length);
    m_trailNode->setCurrentIndex(look.trails.node + 1);
    m_trailWidth->setValue(look.trails.width);
    m_trailOpacity->setValue(static_cast<int>(std::lround(look.trails.opacity * 100)));
    m_trailFade->setChecked(look.trails.fade);
    m_showing = false;
    tell();
}

RenderSettings RenderForm::settings() const {
    RenderSettings settings;
    settings.options = m_look;
    settings.options.video = m_facts.video;
    readLook(settings.options);
    readExtras(settings.options);
    readOutput(settings);
    settings.range = static_cast<RenderRange>(m_range->currentIndex());
    settings.custom = m_custom->text();
    settings.withoutLabels = m_withoutLabels->isChecked();
    return settings;
}

void RenderForm::readLook(RenderOptions& o) const {
    o.style.colorBy = static_cast<ColorBy>(m_colorBy->currentIndex());
    o.style.palette = static_cast<theme::Palette>(m_palette->currentIndex());
    o.style.markerSize = m_markerSize->value();
    o.style.edges = m_edges->isChecked();
    o.style.names = m_names->isChecked();
    o.look.shape = static_cast<MarkerShape>(m_shape->currentIndex());
    o.look.lineWidth = m_lineWidth->value();
    o.look.nodes = m_nodes->isChecked();
    o.opacity = m_opacity->value() / 100.0;
    o.trackNames = m_trackNames->isChecked();
    o.background = static_cast<RenderBackground>(m_background->currentIndex());
}

void RenderForm::readExtras(RenderOptions& o) const {
    const QColor colors[] = {QColor(), Qt::white, Qt::black};
    o.trails = {m_trails->isChecked(),
                m_trailLength->value(),
                m_trailNode->currentIndex() - 1,
                m_trailWidth->value(),
                m_trailOpacity->value() / 100.0,
                m_trailFade->isChecked(),
                colors[std::max(0, m_trailColor->currentIndex())]};
    o.crop = static_cast<RenderCrop>(m_crop->currentIndex());
    o.rectangle = o.crop == RenderCrop::Rectangle
                      ? QRect(m_left->value(), m_top->value(), m_width->value(), m_height->value())
                      : QRect();
    o.track = std::max(0, m_track->currentIndex());
    o.margin = m_margin->value();
    o.burnIn = {m_burnFrame->isChecked(), m_facts.firstFrameNumber, m_burnTime->isChecked(),
                m_scaleBar->isChecked() ? m_barLength->value() : 0, m_barText->text()};
}

void RenderForm::readOutput(RenderSettings& settings) const {
    RenderOptions& o = settings.options;
    const int preset = m_preset->currentIndex();
    o.scale = preset < kCustomPreset ? kRenderPresets[std::max(0, preset)].scale : m_scale->value();
    o.codec = static_cast<RenderCodec>(m_codec->currentData().toInt());
    o.crf = m_crf->value();
    o.fps = m_matchRate->isChecked() ? 0 : m_fps->value();
    o.speed = m_speed->value();
    settings.openWhenDone = m_open->isChecked();
}

}  // namespace skein::ui
