// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/run_options_form.h"

#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QScrollArea>
#include <QTimer>
#include <QVBoxLayout>

#include "ui/dialogs/option_editors.h"
#include "ui/dialogs/run_settings.h"
#include "ui/theme.h"
#include "ui/widgets/fold_button.h"

namespace skein::ui {

namespace {

QGridLayout* makeGrid(QWidget* box) {
    auto* grid = new QGridLayout(box);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(theme::kGap);
    grid->setVerticalSpacing(theme::kGrid);
    grid->setColumnStretch(1, 1);
    // One width for the labels of all groups, so that their editors stand in one column.
    grid->setColumnMinimumWidth(0, box->fontMetrics().horizontalAdvance(RunOptionsForm::tr("Nodes to be compared")));
    return grid;
}

void addFold(QGridLayout* grid, const QString& name, const QString& title, QWidget* contents, QWidget* box) {
    const int row = grid->rowCount();
    grid->addWidget(new FoldButton(name, title, contents, box), row, 0, 1, 2, Qt::AlignLeft);
    grid->addWidget(contents, row + 1, 0, 1, 2);
}

QComboBox* addChoice(QGridLayout* grid, QWidget* box, const QString& name, const QString& title, const QString& tip) {
    auto* choice = new QComboBox(box);
    choice->setObjectName(name);
    choice->setAccessibleName(title);
    choice->setToolTip(tip);
    choice->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    choice->setMinimumContentsLength(10);
    guardWheel(choice);
    auto* label = new QLabel(title, box);
    label->setBuddy(choice);
    const int row = grid->rowCount();
    grid->addWidget(label, row, 0);
    grid->addWidget(choice, row, 1);
    return choice;
}

}  // namespace

RunOptionsForm::RunOptionsForm(RunSettings* settings, const QString& prefix, QWidget* parent, const AboveTracker& above)
    : QWidget(parent), m_settings(settings), m_editors(new OptionEditors(settings, this)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(theme::kGap);
    layout->addWidget(m_networkBox = makeNetwork(prefix));
    layout->addWidget(makeTracking(prefix, above));
    layout->addStretch();

    connect(m_device, &QComboBox::activated, this, [this] {
        m_settings->inference.device = m_device->currentData().toString().toStdString();
        Q_EMIT edited();
    });
    connect(m_tracker, &QComboBox::activated, this, [this] {
        chooseTracker(*m_settings, static_cast<TrackerChoice>(m_tracker->currentData().toInt()));
        settle();
        Q_EMIT edited();
    });
    connect(m_editors, &OptionEditors::edited, this, &RunOptionsForm::chosen);
}

QWidget* RunOptionsForm::makeNetwork(const QString& prefix) {
    auto* box = new QWidget(this);
    auto* grid = makeGrid(box);
    m_device = addChoice(grid, box, prefix + QStringLiteral("Device"), tr("Device"),
                         tr("<p>What computes the network. Automatic takes a GPU if there is one.</p>"
                            "<p>Default: Automatic<br><code>--device</code></p>"));
    m_device->addItem(tr("Automatic"), QStringLiteral("auto"));
    m_device->addItem(tr("CPU"), QStringLiteral("cpu"));
    m_editors->addGroup(grid, OptionGroup::Basic, box);
    auto* more = new QWidget(box);
    auto* moreGrid = makeGrid(more);
    m_editors->addGroup(moreGrid, OptionGroup::Peaks, more, tr("Peaks"));
    m_editors->addGroup(moreGrid, OptionGroup::Filters, more, tr("Filters"));
    m_editors->addGroup(moreGrid, OptionGroup::Grouping, more, tr("Grouping by part affinity fields"));
    m_editors->addGroup(moreGrid, OptionGroup::Input, more, tr("Input"));
    addFold(grid, prefix + QStringLiteral("MoreFold"), tr("More options"), more, box);
    return box;
}

QWidget* RunOptionsForm::makeTracking(const QString& prefix, const AboveTracker& above) {
    auto* box = new QWidget(this);
    auto* grid = makeGrid(box);
    auto* heading = new QLabel(tr("Tracking"), box);
    heading->setFont(theme::headingFont());
    grid->addWidget(heading, 0, 0, 1, 2);
    if (above)
        above(grid, box);
    m_tracker =
        addChoice(grid, box, prefix + QStringLiteral("Tracker"), tr("Tracker"),
                  tr("<p>Gives each animal an identity from frame to frame: a track.</p>"
                     "<p>Default: None<br><code>--tracking</code>, <code>--use_flow</code>, <code>--use_kalman</code>, "
                     "<code>--tracker</code></p>"));
    const auto addTracker = [this](const QString& title, TrackerChoice choice, const QString& help) {
        m_tracker->addItem(title, static_cast<int>(choice));
        m_tracker->setItemData(m_tracker->count() - 1, help, Qt::ToolTipRole);
    };
    addTracker(tr("None"), TrackerChoice::None, tr("Instances have no identity."));
    addTracker(tr("Classic"), TrackerChoice::Classic, tr("Compares poses with those of the last frames."));
    addTracker(tr("Flow"), TrackerChoice::Flow, tr("As Classic, with earlier poses moved by the optical flow."));
    addTracker(tr("Kalman"), TrackerChoice::Kalman,
               tr("As Classic, with earlier poses moved as each animal has moved. Needs the number of animals."));
    addTracker(tr("SORT"), TrackerChoice::Sort, tr("Follows boxes; the simplest of the three."));
    addTracker(tr("ByteTrack"), TrackerChoice::ByteTrack,
               tr("Follows boxes, and gives doubtful instances to tracks that are left over."));
    addTracker(tr("OC-SORT"), TrackerChoice::OcSort,
               tr("Follows boxes, and corrects what was expected when a lost animal is found again."));
    addTracker(tr("Skein"), TrackerChoice::Skein,
               tr("Follows whole poses, makes no match where none is likely, and links tracks at the end. Best with "
                  "the number of animals."));
    m_editors->addGroup(grid, OptionGroup::Tracker, box);
    m_note = new QLabel(box);
    m_note->setObjectName(prefix + QStringLiteral("TrackerNote"));
    m_note->setWordWrap(true);
    m_note->setForegroundRole(QPalette::PlaceholderText);
    grid->addWidget(m_note, grid->rowCount(), 0, 1, 2);
    auto* details = new QWidget(box);
    auto* detailsGrid = makeGrid(details);
    m_editors->addGroup(detailsGrid, OptionGroup::TrackerDetails, details, tr("Matching"));
    m_editors->addGroup(detailsGrid, OptionGroup::Motion, details, tr("Motion"));
    m_editors->addGroup(detailsGrid, OptionGroup::Counts, details, tr("Numbers and repair"));
    addFold(grid, prefix + QStringLiteral("TrackerFold"), tr("Tracker options"), details, box);
    return box;
}

void RunOptionsForm::showOption(const RunOption& option) {
    auto* editor = findChild<QWidget*>(OptionEditors::objectNameOf(option));
    for (FoldButton* fold : findChildren<FoldButton*>())
        if (fold->contents()->isAncestorOf(editor))
            fold->setChecked(true);
    editor->setFocus(Qt::OtherFocusReason);
    // Where it lies is known once what was unfolded has its place.
    QTimer::singleShot(0, editor, [editor] {
        for (QWidget* above = editor->parentWidget(); above != nullptr; above = above->parentWidget())
            if (auto* area = qobject_cast<QScrollArea*>(above))
                area->ensureWidgetVisible(editor);
    });
}

void RunOptionsForm::setDevices(const inference::DeviceInfo& info) {
    m_device->clear();
    m_device->addItem(tr("Automatic"), QStringLiteral("auto"));
    for (const std::string& device : info.devices) {
        // "cuda:0 (name, memory)": the first word is what the engine takes.
        const QString words = QString::fromStdString(device);
        m_device->addItem(words == QLatin1String("cpu") ? tr("CPU") : words, words.section(QLatin1Char(' '), 0, 0));
    }
    if (const std::size_t gpus = info.devices.empty() ? 0 : info.devices.size() - 1; gpus > 1)
        m_device->addItem(tr("All %1 GPUs in turn").arg(gpus), QStringLiteral("cuda:all"));
}

void RunOptionsForm::setNodeCount(int nodes) {
    if (m_nodeCount == nodes)
        return;
    m_nodeCount = nodes;
    settle();
}

void RunOptionsForm::settle() {
    m_reconciled = reconcile(*m_settings, m_nodeCount);
}

void RunOptionsForm::chosen(const RunOption& option) {
    m_settings->chosen.feature = m_settings->chosen.feature || option.name == std::string_view("features");
    m_settings->chosen.scoring = m_settings->chosen.scoring || option.name == std::string_view("scoring_method");
    settle();
    Q_EMIT optionEdited(option);
    Q_EMIT edited();
}

void RunOptionsForm::refresh(ModelUse use, const QStringList& nodes) {
    m_editors->refresh(use, nodes);
    m_tracker->setCurrentIndex(m_tracker->findData(static_cast<int>(trackerChoice(*m_settings))));
    const QString device = QString::fromStdString(m_settings->inference.device);
    if (m_device->findData(device) < 0)
        m_device->addItem(device, device);  // of the last run: one of several GPUs
    m_device->setCurrentIndex(m_device->findData(device));
    const QString note = m_reconciled.isEmpty() ? animalsNote(*m_settings) : m_reconciled;
    m_note->setText(note);
    m_note->setVisible(m_settings->tracking && !note.isEmpty());
}

}  // namespace skein::ui
