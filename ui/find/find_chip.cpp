// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/find/find_chip.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QSpinBox>
#include <QToolButton>

#include "ui/icons.h"
#include "ui/theme.h"

namespace skein::ui {

using project::FindBy;

FindChip::FindChip(project::FindCondition condition, const project::Labels& labels, QWidget* parent)
    : QFrame(parent), m_condition(std::move(condition)), m_row(new QHBoxLayout(this)) {
    setObjectName(QStringLiteral("findChip"));
    m_row->setContentsMargins(theme::kGrid, 2, 2, 2);
    m_row->setSpacing(theme::kGrid);
    auto* negate = new QToolButton(this);
    negate->setObjectName(QStringLiteral("findNot"));
    negate->setText(tr("not"));
    negate->setCheckable(true);
    negate->setChecked(m_condition.negated);
    negate->setAccessibleName(tr("Not"));
    negate->setToolTip(tr("Find the frames that are not so."));
    negate->setFocusPolicy(Qt::TabFocus);
    connect(negate, &QToolButton::toggled, this, [this](bool on) {
        m_condition.negated = on;
        Q_EMIT changed();
    });
    m_row->addWidget(negate);
    m_row->addWidget(new QLabel(nameOf(m_condition.by), this));

    std::vector<std::string> tracks;
    for (const project::Track& track : labels.tracks())
        tracks.push_back(track.name);
    switch (m_condition.by) {
        case FindBy::InstanceCount: {
            auto* compare = new QComboBox(this);
            compare->setObjectName(QStringLiteral("findCompare"));
            compare->setAccessibleName(tr("Comparison"));
            compare->setToolTip(tr("Exactly as many, fewer, or more."));
            compare->addItems({QStringLiteral("="), QStringLiteral("<"), QStringLiteral(">")});
            compare->setCurrentIndex(static_cast<int>(m_condition.compare));
            connect(compare, &QComboBox::currentIndexChanged, this, [this](int index) {
                m_condition.compare = static_cast<project::Compare>(index);
                Q_EMIT changed();
            });
            auto* number = new QSpinBox(this);
            number->setObjectName(QStringLiteral("findNumber"));
            number->setAccessibleName(tr("Number of instances"));
            number->setToolTip(tr("Instances on the frame."));
            number->setRange(0, 10000);
            number->setValue(static_cast<int>(m_condition.number));
            connect(number, &QSpinBox::valueChanged, this, [this](int value) {
                m_condition.number = value;
                Q_EMIT changed();
            });
            m_row->addWidget(compare);
            m_row->addWidget(number);
            break;
        }
        case FindBy::ScoreBelow:
            m_row->addWidget(new QLabel(QStringLiteral("<"), this));
            addLimit({});
            break;
        case FindBy::SpeedAbove:
            m_row->addWidget(new QLabel(QStringLiteral(">"), this));
            addLimit(tr("\u2009px/frame"));
            break;
        case FindBy::NodeInvisible: {
            std::vector<std::string> nodes;
            for (const project::Skeleton& skeleton : labels.skeletons())
                for (const std::string& node : skeleton.nodes)
                    if (std::find(nodes.begin(), nodes.end(), node) == nodes.end())
                        nodes.push_back(node);
            addNames("findNode", tr("Node"), nodes, m_condition.node);
            break;
        }
        case FindBy::Track:
            addNames("findTrack", tr("Track"), tracks, m_condition.track);
            break;
        case FindBy::TracksClose:
            addNames("findTrack", tr("First track"), tracks, m_condition.track);
            if (m_condition.otherTrack.empty() && tracks.size() > 1)
                m_condition.otherTrack = tracks[1];
            addNames("findOtherTrack", tr("Second track"), tracks, m_condition.otherTrack);
            m_row->addWidget(new QLabel(QStringLiteral("<"), this));
            addLimit(QStringLiteral("\u2009px"));
            break;
        case FindBy::Inside:
            m_region = new QToolButton(this);
            m_region->setObjectName(QStringLiteral("findRegion"));
            m_region->setToolTip(tr("Draw the rectangle in the picture."));
            m_region->setFocusPolicy(Qt::TabFocus);
            connect(m_region, &QToolButton::clicked, this, &FindChip::regionWanted);
            m_row->addWidget(m_region);
            describeRegion();
            break;
        default:
            break;
    }
    auto* remove = new QToolButton(this);
    remove->setObjectName(QStringLiteral("findRemove"));
    remove->setIcon(icon(QStringLiteral("close")));
    remove->setAccessibleName(tr("Take this condition out"));
    remove->setToolTip(tr("Take this condition out."));
    remove->setFocusPolicy(Qt::TabFocus);
    connect(remove, &QToolButton::clicked, this, &FindChip::removed);
    m_row->addWidget(remove);
}

QString FindChip::nameOf(FindBy by) {
    switch (by) {
        case FindBy::InstanceCount:
            return tr("Instances");
        case FindBy::ScoreBelow:
            return tr("Score");
        case FindBy::NodeInvisible:
            return tr("Node not visible");
        case FindBy::Track:
            return tr("Track");
        case FindBy::SpeedAbove:
            return tr("Speed");
        case FindBy::TracksClose:
            return tr("Distance");
        case FindBy::Inside:
            return tr("Inside");
        case FindBy::User:
            return tr("User instance");
        case FindBy::Predicted:
            return tr("Prediction");
        case FindBy::Empty:
            return tr("Empty");
        case FindBy::Negative:
            return tr("Negative");
    }
    return {};
}

QComboBox* FindChip::addNames(const char* id, const QString& what, const std::vector<std::string>& names,
                              std::string& field) {
    auto* box = new QComboBox(this);
    box->setObjectName(QLatin1String(id));
    box->setAccessibleName(what);
    box->setToolTip(what);
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(8);
    for (const std::string& name : names)
        box->addItem(QString::fromStdString(name));
    if (field.empty() && !names.empty())
        field = names.front();
    int at = box->findText(QString::fromStdString(field));
    if (at < 0 && !field.empty()) {  // of a saved filter; this project does not know it
        at = box->count();
        box->addItem(QString::fromStdString(field));
    }
    box->setCurrentIndex(at);
    connect(box, &QComboBox::currentTextChanged, this, [this, &field](const QString& text) {
        field = text.toStdString();
        Q_EMIT changed();
    });
    m_row->addWidget(box);
    return box;
}

void FindChip::addLimit(const QString& unit) {
    auto* box = new QDoubleSpinBox(this);
    box->setObjectName(QStringLiteral("findLimit"));
    box->setAccessibleName(tr("Limit"));
    box->setToolTip(tr("Limit of %1.").arg(nameOf(m_condition.by).toLower()));
    box->setDecimals(m_condition.by == FindBy::ScoreBelow ? 3 : 1);
    box->setSingleStep(m_condition.by == FindBy::ScoreBelow ? 0.05 : 1);
    box->setRange(m_condition.by == FindBy::ScoreBelow ? -1e6 : 0, 1e6);
    box->setValue(m_condition.limit);
    box->setSuffix(unit);
    connect(box, &QDoubleSpinBox::valueChanged, this, [this](double value) {
        m_condition.limit = value;
        Q_EMIT changed();
    });
    m_row->addWidget(box);
}

void FindChip::setRegion(const project::edit::Box& region) {
    m_condition.region = region;
    describeRegion();
    Q_EMIT changed();
}

void FindChip::describeRegion() {
    const project::edit::Box& r = m_condition.region;
    m_region->setText(r.width() > 0 && r.height() > 0 ? QStringLiteral("%1, %2 \u2013 %3, %4")
                                                            .arg(qRound(r.left))
                                                            .arg(qRound(r.top))
                                                            .arg(qRound(r.right))
                                                            .arg(qRound(r.bottom))
                                                      : tr("Draw..."));
    m_region->setAccessibleName(tr("Region: %1").arg(m_region->text()));
}

void FindChip::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(theme::tokens().line);
    painter.setBrush(theme::tokens().surface);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), theme::kRadius, theme::kRadius);
}

}  // namespace skein::ui
