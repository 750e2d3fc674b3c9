// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/empty_state.h"

#include <QEvent>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/icons.h"
#include "ui/text.h"
#include "ui/theme.h"
#include "ui/widgets/progress_line.h"

namespace skein::ui {

namespace {

constexpr int kCardWidth = 520;
constexpr int kWidestCard = 860;
constexpr std::size_t kMostShown = 5;
constexpr std::size_t kMostUnsaved = 4;
constexpr int kPicture = 48;

/// One recent file: name, and where it lies.
class RecentRow : public QAbstractButton {
public:
    RecentRow(const RecentFiles::Entry& entry, QWidget* parent) : QAbstractButton(parent), m_entry(entry) {
        const QFileInfo info(entry.path);
        setText(info.fileName());
        setObjectName(QStringLiteral("recentFile"));
        setAccessibleName(info.fileName());
        setToolTip(entry.exists ? entry.path : tr("%1 is not there any more.").arg(entry.path));
        setEnabled(entry.exists);
        setFocusPolicy(Qt::TabFocus);
        setAttribute(Qt::WA_Hover);
        setCursor(entry.exists ? Qt::PointingHandCursor : Qt::ArrowCursor);
        setMinimumHeight(theme::kControlHeight);
    }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        const auto& t = theme::tokens();
        if (isEnabled() && (underMouse() || hasFocus())) {
            painter.setPen(hasFocus() ? QPen(t.accent, 1) : QPen(Qt::NoPen));
            painter.setBrush(t.hover);
            painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), theme::kRadius, theme::kRadius);
        }
        const QFileInfo info(m_entry.path);
        const bool project = info.suffix().compare(QLatin1String("slp"), Qt::CaseInsensitive) == 0;
        ui::icon(project ? QStringLiteral("project") : QStringLiteral("video"))
            .paint(&painter, QRect(theme::kMargin, (height() - 16) / 2, 16, 16), Qt::AlignCenter,
                   isEnabled() ? QIcon::Normal : QIcon::Disabled);
        const QRect room = rect().adjusted(theme::kMargin + 16 + theme::kMargin, 0, -theme::kMargin, 0);
        const QString name = fontMetrics().elidedText(text(), Qt::ElideMiddle, room.width() * 2 / 3);
        painter.setPen(isEnabled() ? t.text : t.disabled);
        painter.drawText(room, Qt::AlignVCenter | Qt::AlignLeft, name);
        const QRect rest = room.adjusted(fontMetrics().horizontalAdvance(name) + theme::kGap, 0, 0, 0);
        painter.setPen(isEnabled() ? t.text2 : t.disabled);
        const QString where = isEnabled() ? text::tidyPath(info.absolutePath()) : tr("missing");
        painter.drawText(rest, Qt::AlignVCenter | Qt::AlignRight,
                         fontMetrics().elidedText(where, Qt::ElideMiddle, rest.width()));
    }

private:
    RecentFiles::Entry m_entry;
};

}  // namespace

EmptyState::EmptyState(RecentFiles* recent, QWidget* parent)
    : QWidget(parent),
      m_recent(recent),
      m_card(new QWidget(this)),
      m_picture(new QLabel(m_card)),
      m_heading(new QLabel(m_card)),
      m_howTo(new QLabel(m_card)),
      m_recentTitle(new QLabel(tr("Recent"), m_card)),
      m_recentList(new QWidget(m_card)),
      m_recentLayout(new QVBoxLayout(m_recentList)),
      m_unsaved(new QWidget(m_card)),
      m_unsavedLayout(new QVBoxLayout(m_unsaved)) {
    setObjectName(QStringLiteral("emptyState"));
    m_card->setMinimumWidth(kCardWidth);
    m_card->setMaximumWidth(kWidestCard);
    auto* outer = new QVBoxLayout(this);
    outer->addStretch(2);
    // As wide as the window lets it be: names of files are long.
    auto* middle = new QHBoxLayout;
    middle->addStretch(1);
    middle->addWidget(m_card, 1000);
    middle->addStretch(1);
    outer->addLayout(middle);
    outer->addStretch(3);

    auto* column = new QVBoxLayout(m_card);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(theme::kGap);
    m_picture->setAlignment(Qt::AlignCenter);
    column->addWidget(m_picture);
    m_heading->setObjectName(QStringLiteral("emptyHeading"));
    m_heading->setFont(theme::headingFont(6));
    m_heading->setAlignment(Qt::AlignCenter);
    m_heading->setWordWrap(true);
    column->addWidget(m_heading);

    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(theme::kMargin);
    auto* open = new QPushButton(tr("Open Video or Project..."), m_card);
    open->setObjectName(QStringLiteral("emptyOpen"));
    open->setProperty("primary", true);
    open->setToolTip(tr("Choose videos or a .slp project."));
    auto* folder = new QPushButton(tr("Open Folder..."), m_card);
    folder->setObjectName(QStringLiteral("emptyOpenFolder"));
    folder->setToolTip(tr("Choose a folder of images, a folder of videos, or a trained model."));
    auto* predict = new QPushButton(tr("Predict Videos..."), m_card);
    predict->setObjectName(QStringLiteral("emptyPredict"));
    predict->setToolTip(tr("Run a model on a folder of videos, one after another."));
    connect(predict, &QPushButton::clicked, this, &EmptyState::predictWanted);
    connect(open, &QPushButton::clicked, this, &EmptyState::openWanted);
    connect(folder, &QPushButton::clicked, this, &EmptyState::openFolderWanted);
    buttons->addStretch();
    buttons->addWidget(open);
    buttons->addWidget(folder);
    buttons->addWidget(predict);
    buttons->addStretch();
    column->addLayout(buttons);
    column->addSpacing(theme::kGap);

    m_unsaved->setObjectName(QStringLiteral("emptyUnsaved"));
    m_unsaved->hide();
    m_unsavedLayout->setContentsMargins(0, 0, 0, theme::kGap);
    m_unsavedLayout->setSpacing(theme::kGrid);
    column->addWidget(m_unsaved);

    m_howTo->setObjectName(QStringLiteral("emptyHowTo"));
    m_howTo->setTextFormat(Qt::PlainText);
    m_howTo->setText(
        tr("1   Open a video.\n\n"
           "2   Press Predict and choose a trained model.\n\n"
           "3   Watch the skeletons arrive, then save a .slp project."));
    column->addWidget(m_howTo, 0, Qt::AlignHCenter);
    column->addSpacing(theme::kGap);
    m_recentTitle->setFont(theme::headingFont());
    column->addWidget(m_recentTitle);
    m_recentLayout->setContentsMargins(0, 0, 0, 0);
    m_recentLayout->setSpacing(0);
    column->addWidget(m_recentList);
    connect(recent, &RecentFiles::changed, this, &EmptyState::rebuildRecent);
    rebuildRecent();
    setBusy({});
    applyColors();
}

void EmptyState::rebuildRecent() {
    while (QLayoutItem* item = m_recentLayout->takeAt(0)) {
        item->widget()->hide();
        item->widget()->deleteLater();
        delete item;
    }
    std::size_t shown = 0;
    for (const RecentFiles::Entry& entry : m_recent->entries()) {
        if (++shown > kMostShown)
            break;
        auto* row = new RecentRow(entry, m_recentList);
        connect(row, &QAbstractButton::clicked, this, [this, path = entry.path] { Q_EMIT recentWanted(path); });
        m_recentLayout->addWidget(row);
    }
    m_recentTitle->setVisible(shown > 0);
    m_recentList->setVisible(shown > 0);
}

void EmptyState::setUnsavedWork(const std::vector<Unsaved>& work) {
    while (QLayoutItem* item = m_unsavedLayout->takeAt(0)) {
        item->widget()->hide();
        item->widget()->deleteLater();
        delete item;
    }
    m_unsaved->setVisible(!work.empty());
    if (work.empty())
        return;
    auto* title = new QLabel(tr("Recover unsaved work"), m_unsaved);
    title->setFont(theme::headingFont());
    m_unsavedLayout->addWidget(title);
    for (std::size_t i = 0; i < std::min(work.size(), kMostUnsaved); ++i) {
        auto* row = new QWidget(m_unsaved);
        auto* line = new QHBoxLayout(row);
        line->setContentsMargins(0, 0, 0, 0);
        line->setSpacing(theme::kMargin);
        auto* words = new ElidedLabel(row);
        words->setObjectName(QStringLiteral("unsavedWork"));
        words->setFullText(QStringLiteral("%1 \u2013 %2").arg(work[i].name, work[i].when));
        if (!work[i].path.isEmpty())
            words->setToolTip(work[i].path);
        line->addWidget(words, 1);
        const auto button = [&](const char* name, const QString& text, const QString& tip, auto signal) {
            auto* b = new QPushButton(text, row);
            b->setObjectName(QLatin1String(name));
            b->setAccessibleName(tr("%1: %2").arg(text, work[i].name));
            b->setToolTip(tip);
            connect(b, &QPushButton::clicked, this, [this, signal, i] { Q_EMIT(this->*signal)(static_cast<int>(i)); });
            line->addWidget(b);
        };
        button("unsavedRecover", tr("Recover"), tr("Open the project with its unsaved changes."),
               &EmptyState::recoverWanted);
        button("unsavedDifferences", tr("Show Differences"), tr("Say what differs from the file."),
               &EmptyState::differencesWanted);
        button("unsavedDiscard", tr("Discard..."), tr("Delete the unsaved changes for good."),
               &EmptyState::discardWanted);
        m_unsavedLayout->addWidget(row);
    }
}

void EmptyState::setBusy(const QString& words) {
    m_heading->setText(words.isEmpty() ? tr("Drop a video or a project here") : words);
}

void EmptyState::setDropping(bool dropping) {
    m_dropping = dropping;
    update();
}

void EmptyState::applyColors() {
    const auto& t = theme::tokens();
    m_picture->setPixmap(icon(QStringLiteral("drop"), t.text2).pixmap(QSize(kPicture, kPicture), devicePixelRatioF()));
    QPalette quiet = palette();
    quiet.setColor(QPalette::WindowText, t.text2);
    m_howTo->setPalette(quiet);
    m_recentTitle->setPalette(quiet);
}

void EmptyState::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange)
        applyColors();
    QWidget::changeEvent(event);
}

void EmptyState::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const auto& t = theme::tokens();
    painter.fillRect(rect(), t.surface);
    painter.setRenderHint(QPainter::Antialiasing);
    QPen pen(m_dropping ? t.accent : t.line, m_dropping ? 2 : 1.5, Qt::CustomDashLine);
    pen.setDashPattern({5, 4});
    painter.setPen(pen);
    QColor fill = t.accent;
    fill.setAlpha(m_dropping ? 24 : 0);
    painter.setBrush(fill);
    painter.drawRoundedRect(QRectF(rect()).adjusted(16, 16, -16, -16), 2 * theme::kRadius, 2 * theme::kRadius);
}

}  // namespace skein::ui
