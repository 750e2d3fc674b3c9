// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/command_palette.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QPainter>
#include <QRegularExpression>
#include <QStyledItemDelegate>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/theme.h"

namespace skein::ui {

namespace {

constexpr int kWidth = 560;
constexpr int kRows = 12;
constexpr int kIndexRole = Qt::UserRole;
constexpr int kMenuRole = Qt::UserRole + 1;
constexpr int kKeyRole = Qt::UserRole + 2;
constexpr int kUsableRole = Qt::UserRole + 3;

/// Name at the left, where it is found behind it, its key at the right.
class RowPainter : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override {
        return {kWidth, theme::kControlHeight};
    }
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        const auto& t = theme::tokens();
        if (option.state.testFlag(QStyle::State_Selected))
            painter->fillRect(option.rect, t.selection);
        const QRect room = option.rect.adjusted(theme::kGap, 0, -theme::kGap, 0);
        const bool usable = index.data(kUsableRole).toBool();
        const QFontMetrics metrics(option.font);
        painter->setFont(option.font);
        painter->setPen(usable ? t.text : t.disabled);
        const QString name = index.data(Qt::DisplayRole).toString();
        painter->drawText(room, Qt::AlignVCenter | Qt::AlignLeft, name);
        painter->setPen(usable ? t.text2 : t.disabled);
        const QString key = index.data(kKeyRole).toString();
        painter->drawText(room, Qt::AlignVCenter | Qt::AlignRight, key);
        const QRect rest = room.adjusted(metrics.horizontalAdvance(name) + theme::kGap, 0,
                                         -metrics.horizontalAdvance(key) - theme::kGap, 0);
        painter->drawText(rest, Qt::AlignVCenter | Qt::AlignLeft,
                          metrics.elidedText(index.data(kMenuRole).toString(), Qt::ElideRight, rest.width()));
    }
};

QString plain(const QAction* action) {
    QString name = action->text();
    name.remove(QLatin1Char('&'));
    if (name.endsWith(QLatin1String("...")))
        name.chop(3);
    return name;
}

/// All letters of the search in order; earlier and closer together is better, the very words are best. -1: no match.
int score(const QString& text, const QString& search) {
    if (search.isEmpty())
        return 0;
    if (text.compare(search, Qt::CaseInsensitive) == 0)
        return 0;
    const int whole = static_cast<int>(text.indexOf(search, 0, Qt::CaseInsensitive));
    if (whole >= 0)
        return whole == 0 || text[whole - 1].isSpace() ? 1 + whole : 51 + whole;
    qsizetype at = 0;
    int penalty = 200;
    for (const QChar c : search) {
        const qsizetype found = text.indexOf(c, at, Qt::CaseInsensitive);
        if (found < 0)
            return -1;
        penalty += static_cast<int>(found - at);
        at = found + 1;
    }
    return penalty;
}

}  // namespace

CommandPalette::CommandPalette(ActionTable* actions, QWidget* window)
    : QFrame(window), m_actions(actions), m_window(window), m_line(new QLineEdit(this)), m_list(new QListWidget(this)) {
    setObjectName(QStringLiteral("commandPalette"));
    setAccessibleName(tr("Command palette"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(1, 1, 1, 1);
    column->setSpacing(0);
    m_line->setObjectName(QStringLiteral("paletteLine"));
    m_line->setAccessibleName(tr("Command, frame number, v2 for a video, t name for a track"));
    m_line->setPlaceholderText(tr("Command, frame number, v2 for a video, t name for a track"));
    m_line->setFrame(false);
    m_line->setMinimumHeight(36);
    m_line->setTextMargins(theme::kMargin, 0, theme::kMargin, 0);
    m_list->setObjectName(QStringLiteral("paletteList"));
    m_list->setAccessibleName(tr("Commands"));
    m_list->setFocusPolicy(Qt::NoFocus);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setUniformItemSizes(true);
    m_list->setItemDelegate(new RowPainter(m_list));
    column->addWidget(m_line);
    column->addWidget(m_list);
    connect(m_line, &QLineEdit::textChanged, this, &CommandPalette::filter);
    connect(m_list, &QListWidget::itemClicked, this, &CommandPalette::run);
    m_line->installEventFilter(this);
    window->installEventFilter(this);
    hide();
}

void CommandPalette::open(const QString& text) {
    m_line->setText(text);
    filter(text);
    place();
    show();
    raise();
    m_line->setFocus(Qt::ShortcutFocusReason);
    m_line->selectAll();
}

void CommandPalette::place() {
    const int width = std::min(kWidth, m_window->width() - 2 * theme::kGap);
    const int height = std::min(36 + kRows * theme::kControlHeight + 4, m_window->height() - 120);
    setGeometry((m_window->width() - width) / 2, 80, width, height);
}

void CommandPalette::filter(const QString& text) {
    m_list->clear();
    const QString search = text.trimmed();
    struct Match {
        int points;
        std::size_t index;
    };
    std::vector<Match> matches;
    const auto& actions = m_actions->all();
    for (std::size_t i = 0; i < actions.size(); ++i) {
        int points = score(plain(actions[i]), search);
        if (points < 0) {
            const QString more = m_actions->menuPathOf(actions[i]) + QLatin1Char(' ') + plain(actions[i]) +
                                 QLatin1Char(' ') + actions[i]->shortcut().toString();
            points = score(more, search);
            points = points < 0 ? -1 : points + 500;
        }
        if (points >= 0)
            matches.push_back({points, i});
    }
    std::stable_sort(matches.begin(), matches.end(),
                     [](const Match& a, const Match& b) { return a.points < b.points; });
    for (const Match& match : matches) {
        const QAction* action = actions[match.index];
        auto* item = new QListWidgetItem(plain(action), m_list);
        item->setData(kIndexRole, static_cast<int>(match.index));
        item->setData(kMenuRole,
                      QString(m_actions->menuPathOf(action)).replace(QLatin1Char('/'), QStringLiteral(" \u203a ")));
        item->setData(kKeyRole, action->shortcut().toString(QKeySequence::NativeText));
        item->setData(kUsableRole, action->isEnabled());
        item->setToolTip(action->toolTip());
    }
    m_list->setCurrentRow(0);
}

void CommandPalette::run() {
    static const QRegularExpression frame(QStringLiteral("^\\d[\\d,]*$")), video(QStringLiteral("^v\\s?(\\d+)$")),
        track(QStringLiteral("^t\\s+(.+)$"));
    const QString text = m_line->text().trimmed();
    hide();
    m_window->setFocus();
    if (frame.match(text).hasMatch() && goToFrame) {
        goToFrame(QString(text).remove(QLatin1Char(',')).toLongLong());
        return;
    }
    if (const auto match = video.match(text); match.hasMatch() && goToVideo) {
        goToVideo(match.captured(1).toInt());
        return;
    }
    if (const auto match = track.match(text); match.hasMatch() && goToTrack) {
        goToTrack(match.captured(1));
        return;
    }
    const QListWidgetItem* item = m_list->currentItem();
    if (item == nullptr) {
        Q_EMIT refused(tr("No command is called \u201c%1\u201d.").arg(text));
        return;
    }
    QAction* action = m_actions->all()[static_cast<std::size_t>(item->data(kIndexRole).toInt())];
    if (action->isEnabled())
        action->trigger();
    else
        Q_EMIT refused(action->toolTip());
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_window && event->type() == QEvent::Resize && isVisible())
        place();
    if (watched == m_line && event->type() == QEvent::FocusOut)
        hide();
    if (watched == m_line && (event->type() == QEvent::KeyPress || event->type() == QEvent::ShortcutOverride)) {
        const auto* key = static_cast<QKeyEvent*>(event);
        const bool press = event->type() == QEvent::KeyPress;
        const int step = key->key() == Qt::Key_Down       ? 1
                         : key->key() == Qt::Key_Up       ? -1
                         : key->key() == Qt::Key_PageDown ? kRows
                         : key->key() == Qt::Key_PageUp   ? -kRows
                                                          : 0;
        if (step != 0) {
            if (press && m_list->count() > 0)
                m_list->setCurrentRow(std::clamp(m_list->currentRow() + step, 0, m_list->count() - 1));
            event->accept();
            return press;
        }
        if (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter) {
            if (press)
                run();
            event->accept();
            return press;
        }
        if (key->key() == Qt::Key_Escape) {
            if (press) {
                hide();
                m_window->setFocus();
            }
            event->accept();
            return press;
        }
        // Everything else that is typed belongs to the line, not to a shortcut of the window.
        if (!press) {
            event->accept();
            return false;
        }
    }
    return QFrame::eventFilter(watched, event);
}

void CommandPalette::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const auto& t = theme::tokens();
    painter.fillRect(rect(), t.surface);
    painter.setPen(t.text2);
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

}  // namespace skein::ui
