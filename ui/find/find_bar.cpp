// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/find/find_bar.h"

#include <QAction>
#include <QComboBox>
#include <QKeyEvent>
#include <QLabel>
#include <QMenu>
#include <QPainter>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/bridge/background.h"
#include "ui/dialogs/dialog_service.h"
#include "ui/find/filter_text.h"
#include "ui/icons.h"
#include "ui/settings.h"
#include "ui/text.h"
#include "ui/theme.h"
#include "ui/widgets/flow_layout.h"
#include "ui/widgets/plain_table.h"

namespace skein::ui {

using project::FindBy;
using project::FindCondition;

namespace {
constexpr int kDelayMs = 80;
constexpr int kListHeight = 6 * theme::kRowHeight;
enum Scope { ThisVideo, AllVideos };

/// A condition as it is when it is added: with limits that find something.
FindCondition startOf(FindBy by) {
    FindCondition condition;
    condition.by = by;
    condition.number = 1;
    condition.limit = by == FindBy::ScoreBelow ? 0.5 : by == FindBy::SpeedAbove ? 20 : 30;
    return condition;
}
}  // namespace

FindBar::FindBar(Document* document, const ViewState* view, Settings* settings, QWidget* parent)
    : QWidget(parent),
      m_document(document),
      m_view(view),
      m_settings(settings),
      m_chipsRow(new FlowLayout),
      m_scope(new QComboBox(this)),
      m_count(new QLabel(this)),
      m_tools(new FlowLayout),
      m_model(new FoundTableModel(document, this)),
      m_table(new PlainTable(QStringLiteral("findTable"), tr("Frames that were found"), this)),
      m_delay(new QTimer(this)),
      m_found(std::make_shared<std::vector<project::FoundFrame>>()) {
    setObjectName(QStringLiteral("findBar"));
    setAccessibleName(tr("Find frames"));
    hide();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(theme::kMargin, theme::kGrid, theme::kMargin, theme::kGrid);
    column->setSpacing(theme::kGrid);
    column->addLayout(m_chipsRow);
    column->addLayout(m_tools);
    column->addWidget(m_table);

    m_add = addTool(m_chipsRow, "findAdd", tr("Add Condition"), tr("Add a condition; a frame must meet all of them."));
    m_add->setIcon(icon(QStringLiteral("add")));
    m_add->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_add->setPopupMode(QToolButton::InstantPopup);
    auto* kinds = new QMenu(m_add);
    kinds->setObjectName(QStringLiteral("findKinds"));
    for (const FindBy by :
         {FindBy::InstanceCount, FindBy::ScoreBelow, FindBy::NodeInvisible, FindBy::Track, FindBy::SpeedAbove,
          FindBy::TracksClose, FindBy::Inside, FindBy::User, FindBy::Predicted, FindBy::Empty, FindBy::Negative}) {
        if (by == FindBy::User)
            kinds->addSeparator();
        kinds->addAction(FindChip::nameOf(by), this, [this, by] { addCondition(startOf(by)); });
    }
    m_add->setMenu(kinds);

    m_scope->setObjectName(QStringLiteral("findScope"));
    m_scope->setAccessibleName(tr("Where to look"));
    m_scope->setToolTip(tr("In the shown video, or in all videos of the project."));
    m_scope->addItems({tr("This video"), tr("All videos")});
    m_tools->addWidget(m_scope);
    m_saved = addTool(m_tools, "findSaved", tr("Saved"), tr("Filters that were saved; save this one."));
    m_saved->setPopupMode(QToolButton::InstantPopup);
    m_saved->setMenu(new QMenu(m_saved));
    connect(m_saved->menu(), &QMenu::aboutToShow, this, &FindBar::fillSaved);
    fillSaved();
    m_list = addTool(m_tools, "findList", tr("List"), tr("Show the frames that were found as a list."));
    m_list->setCheckable(true);
    m_count->setObjectName(QStringLiteral("findCount"));
    m_count->setMinimumHeight(theme::kControlHeight);
    m_count->setContentsMargins(theme::kGrid, 0, theme::kGrid, 0);
    m_tools->addWidget(m_count);

    m_table->setModel(m_model);
    m_table->setColumnWidths({30, 10, 10}, FoundTableModel::Video);
    m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_table->setLettersLeftToWindow();
    m_table->setFixedHeight(kListHeight);
    m_table->setEmptySentence(tr("No frame is like this."));
    m_table->hide();
    connect(m_list, &QToolButton::toggled, m_table, &QWidget::setVisible);
    connect(m_list, &QToolButton::toggled, this, &FindBar::showCurrent);
    const auto go = [this](const QModelIndex& index) {
        const int row = m_table->toModel(index).row();
        if (row >= 0 && row < m_model->rowCount()) {
            const project::FoundFrame& frame = m_model->frames()[static_cast<std::size_t>(row)];
            Q_EMIT placeWanted(static_cast<int>(frame.video), frame.frame);
        }
    };
    connect(m_table, &QAbstractItemView::clicked, this, go);
    connect(m_table, &QAbstractItemView::activated, this, go);

    m_delay->setSingleShot(true);
    m_delay->setInterval(kDelayMs);
    connect(m_delay, &QTimer::timeout, this, &FindBar::search);
    const auto soon = [this] {
        if (isOpen())
            m_delay->start();
    };
    connect(m_scope, &QComboBox::currentIndexChanged, this, soon);
    connect(document, &Document::changed, this, soon);
    connect(document, &Document::opened, this, [this] {
        m_drawingFor = nullptr;
        m_stop.request_stop();
        setFound(std::make_shared<std::vector<project::FoundFrame>>());
        if (isOpen())
            m_delay->start();
    });
    connect(view, &ViewState::videoChanged, this, [this, soon] {
        if (m_scope->currentIndex() == ThisVideo)
            soon();
    });
    connect(view, &ViewState::frameChanged, this, &FindBar::showCurrent);
    describe();
}

FindBar::~FindBar() {
    m_stop.request_stop();
}

QToolButton* FindBar::addTool(QLayout* row, const char* id, const QString& words, const QString& tip) {
    auto* button = new QToolButton(this);
    button->setObjectName(QLatin1String(id));
    button->setText(words);
    button->setAccessibleName(words);
    button->setToolTip(tip);
    button->setToolButtonStyle(Qt::ToolButtonTextOnly);
    button->setFocusPolicy(Qt::TabFocus);
    row->addWidget(button);
    return button;
}

void FindBar::setActions(QAction* previous, QAction* next) {
    for (QAction* action : {previous, next}) {
        auto* button = new QToolButton(this);
        button->setObjectName(action->objectName() + QStringLiteral("Button"));
        button->setDefaultAction(action);
        button->setToolButtonStyle(Qt::ToolButtonIconOnly);
        button->setAccessibleName(action->text().remove(QLatin1Char('&')));
        button->setFocusPolicy(Qt::TabFocus);
        m_tools->addWidget(button);
    }
    QToolButton* done = addTool(m_tools, "findClose", tr("Close"), tr("Close the search (Esc)."));
    done->setIcon(icon(QStringLiteral("close")));
    done->setToolButtonStyle(Qt::ToolButtonIconOnly);
    connect(done, &QToolButton::clicked, this, &FindBar::close);
}

void FindBar::setFirstFrameNumber(int number) {
    m_firstNumber = number;
    m_model->setFrames(m_found, number);
}

void FindBar::open() {
    const bool first = !isOpen();
    show();
    m_add->setFocus(Qt::ShortcutFocusReason);
    if (first && !m_chips.empty())
        m_delay->start();
}

void FindBar::close() {
    m_stop.request_stop();
    m_delay->stop();
    m_drawingFor = nullptr;
    hide();
    setFound(std::make_shared<std::vector<project::FoundFrame>>());
}

void FindBar::clear() {
    for (FindChip* chip : m_chips)
        chip->deleteLater();
    m_chips.clear();
    m_drawingFor = nullptr;
}

void FindBar::addCondition(FindCondition condition) {
    auto* chip = new FindChip(std::move(condition), m_document->labels(), this);
    // Before the button that adds the next one.
    m_chipsRow->removeWidget(m_add);
    m_chipsRow->addWidget(chip);
    m_chipsRow->addWidget(m_add);
    m_chips.push_back(chip);
    chip->show();
    connect(chip, &FindChip::changed, m_delay, qOverload<>(&QTimer::start));
    connect(chip, &FindChip::removed, this, [this, chip] {
        std::erase(m_chips, chip);
        if (m_drawingFor == chip)
            m_drawingFor = nullptr;
        m_chipsRow->removeWidget(chip);
        chip->deleteLater();
        m_add->setFocus();
        m_delay->start();
    });
    connect(chip, &FindChip::regionWanted, this, [this, chip] {
        m_drawingFor = chip;
        Q_EMIT regionWanted();
    });
    m_delay->start();
    if (chip->condition().by == FindBy::Inside && chip->condition().region.width() <= 0)
        Q_EMIT chip->regionWanted();
}

std::vector<FindCondition> FindBar::conditions() const {
    std::vector<FindCondition> all;
    for (const FindChip* chip : m_chips)
        all.push_back(chip->condition());
    return all;
}

bool FindBar::takeRegion(const QRectF& scene) {
    FindChip* chip = std::exchange(m_drawingFor, nullptr);
    if (chip == nullptr)
        return false;
    chip->setRegion({scene.left(), scene.top(), scene.right(), scene.bottom()});
    return true;
}

void FindBar::search() {
    if (m_searching) {
        m_again = true;
        m_stop.request_stop();
        return;
    }
    m_stop = {};
    m_searching = true;
    describe();
    std::optional<std::uint32_t> video;
    if (m_scope->currentIndex() == ThisVideo && m_view->video() >= 0)
        video = static_cast<std::uint32_t>(m_view->video());
    inBackground(
        this,
        [labels = m_document->snapshot(), conditions = conditions(), video,
         stop = m_stop.get_token()]() -> Result<std::vector<project::FoundFrame>> {
            return project::findFrames(labels, conditions, video, stop);
        },
        [this](Result<std::vector<project::FoundFrame>> found) {
            m_searching = false;
            if (std::exchange(m_again, false)) {
                search();
                return;
            }
            m_problem.clear();
            if (found && isOpen())
                setFound(std::make_shared<const std::vector<project::FoundFrame>>(std::move(*found)));
            else if (!found && found.error().code() != ErrorCode::Cancelled)
                m_problem = QString::fromStdString(found.error().message());
            describe();
        });
}

void FindBar::setFound(FoundFrames found) {
    m_found = std::move(found);
    m_model->setFrames(m_found, m_firstNumber);
    describe();
    showCurrent();
    Q_EMIT foundChanged();
}

void FindBar::describe() {
    m_count->setText(!m_problem.isEmpty() ? m_problem
                     : m_searching        ? tr("Searching...")
                     : m_chips.empty()    ? tr("Add a condition to find frames.")
                     : m_found->empty()
                         ? tr("No frame is like this.")
                         : text::count(static_cast<std::int64_t>(m_found->size()), tr("frame"), tr("frames")));
}

std::optional<FindBar::Neighbour> FindBar::neighbour(int video, std::int64_t frame, int direction) const {
    const std::vector<project::FoundFrame>& all = *m_found;
    if (all.empty())
        return std::nullopt;
    const std::pair wanted(video, direction > 0 ? frame + 1 : frame);
    auto it = std::lower_bound(all.begin(), all.end(), wanted, [](const project::FoundFrame& f, const auto& place) {
        return std::pair(static_cast<int>(f.video), f.frame) < place;
    });
    bool wrapped = false;
    if (direction > 0) {
        if (wrapped = it == all.end(); wrapped)
            it = all.begin();
    } else {
        if (wrapped = it == all.begin(); wrapped)
            it = all.end();
        --it;
    }
    return Neighbour{static_cast<int>(it->video), it->frame, wrapped};
}

void FindBar::showCurrent() {
    if (!m_table->isVisible())
        return;
    const int row = m_model->rowOf(m_view->video(), m_view->frame());
    m_table->selectModelRow(row);
    if (row >= 0)
        m_table->scrollTo(m_table->fromModel(m_model->index(row, 0)));
}

void FindBar::fillSaved() {
    QMenu* menu = m_saved->menu();
    menu->clear();
    const QVariantMap saved = m_settings->get(Setting::FindFilters).toMap();
    for (auto it = saved.begin(); it != saved.end(); ++it) {
        QString name = it.key();
        menu->addAction(name.replace(QLatin1Char('&'), QStringLiteral("&&")), this, [this, text = it->toString()] {
            clear();
            for (FindCondition& condition : filterFromText(text))
                addCondition(std::move(condition));
            m_delay->start();
        });
    }
    if (!saved.isEmpty()) {
        auto* forget = menu->addMenu(tr("Forget"));
        for (auto it = saved.begin(); it != saved.end(); ++it) {
            QString name = it.key();
            forget->addAction(name.replace(QLatin1Char('&'), QStringLiteral("&&")), this, [this, key = it.key()] {
                QVariantMap rest = m_settings->get(Setting::FindFilters).toMap();
                rest.remove(key);
                m_settings->set(Setting::FindFilters, rest);
            });
        }
        menu->addSeparator();
    }
    QAction* save = menu->addAction(tr("Save This Filter..."), this, &FindBar::saveFilter);
    save->setObjectName(QStringLiteral("findSaveFilter"));
    save->setEnabled(!m_chips.empty());
}

void FindBar::saveFilter() {
    dialogs().askText(this, tr("Save Filter"), tr("Name of the filter:"), QString(),
                      [this](const std::optional<QString>& name) {
                          if (!name)
                              return;
                          QVariantMap saved = m_settings->get(Setting::FindFilters).toMap();
                          saved[*name] = filterText(conditions());
                          m_settings->set(Setting::FindFilters, saved);
                      });
}

bool FindBar::event(QEvent* event) {
    // Esc in here closes the search, whatever the window has it for.
    if (event->type() == QEvent::ShortcutOverride && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
        event->accept();
        return true;
    }
    return QWidget::event(event);
}

void FindBar::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape) {
        close();
        event->accept();
        return;
    }
    QWidget::keyPressEvent(event);
}

void FindBar::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), theme::tokens().surface2);
    painter.fillRect(0, 0, width(), 1, theme::tokens().line);
}

}  // namespace skein::ui
