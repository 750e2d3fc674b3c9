// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/queue/cluster_dialog.h"

#include <QComboBox>
#include <QDateTime>
#include <QFileInfo>
#include <QFontDatabase>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPointer>
#include <QPushButton>
#include <QSettings>
#include <QSpinBox>
#include <QStandardPaths>
#include <QToolButton>
#include <QVBoxLayout>
#include <utility>

#include "engine/batch/cluster_run.h"
#include "ui/bridge/background.h"
#include "ui/dialogs/dialog_service.h"
#include "ui/dialogs/option_editors.h"
#include "ui/icons.h"
#include "ui/queue/queue_controller.h"
#include "ui/run_text.h"
#include "ui/theme.h"

namespace skein::ui {
namespace {

constexpr int kIcon = 16;
constexpr int kWidth = 980, kHeight = 520;
constexpr int kFormWidth = 340;
const QString kPresetFolder = QStringLiteral("cluster/presetFolder");

}  // namespace

ClusterDialog::ClusterDialog(QueueController* queue, std::vector<batch::Entry> entries, QSettings* settings,
                             DialogService* dialogs, QWidget* parent)
    : QDialog(parent),
      m_queue(queue),
      m_entries(std::move(entries)),
      m_file(settings),
      m_dialogs(dialogs),
      m_name(QStringLiteral("skein-") + QDateTime::currentDateTime().toString(QStringLiteral("yyyyMMdd-HHmmss"))),
      m_hasSlurm(!QStandardPaths::findExecutable(QStringLiteral("sbatch")).isEmpty()) {
    setObjectName(QStringLiteral("clusterDialog"));
    setWindowTitle(tr("Send to Cluster"));
    setAttribute(Qt::WA_DeleteOnClose);
    setSizeGripEnabled(true);

    m_script = new QPlainTextEdit(this);
    m_script->setObjectName(QStringLiteral("clusterScript"));
    m_script->setAccessibleName(tr("The script"));
    m_script->setReadOnly(true);
    m_script->setFrameShape(QFrame::NoFrame);
    m_script->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_script->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    auto* right = new QWidget(this);
    auto* rightColumn = new QVBoxLayout(right);
    rightColumn->setContentsMargins(0, 0, 0, 0);
    rightColumn->setSpacing(theme::kMargin);
    auto* heading = new QLabel(tr("The script of each task"), right);
    heading->setFont(theme::headingFont());
    rightColumn->addWidget(heading);
    rightColumn->addWidget(m_script, 1);

    auto* columns = new QHBoxLayout;
    columns->setSpacing(2 * theme::kGap);
    columns->addWidget(makeForm());
    columns->addWidget(right, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(theme::kGap, theme::kGap, theme::kGap, theme::kGap);
    layout->setSpacing(theme::kGap);
    layout->addLayout(columns, 1);
    layout->addWidget(makeFoot());
    resize(kWidth, kHeight);
    refresh();
}

QWidget* ClusterDialog::makeForm() {
    auto* box = new QWidget(this);
    box->setFixedWidth(kFormWidth);
    auto* form = new QFormLayout(box);
    form->setContentsMargins(0, 0, 0, 0);
    form->setHorizontalSpacing(theme::kGap);
    form->setLabelAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    form->setVerticalSpacing(theme::kGrid);
    const batch::SlurmPreset usual;
    const auto text = [&](const char* name, const QString& title, const QString& help, const std::string& byDefault,
                          const QString& hint = {}) {
        auto* line = new QLineEdit(
            m_file->value(QStringLiteral("cluster/") + QLatin1String(name), QString::fromStdString(byDefault))
                .toString(),
            box);
        line->setObjectName(QStringLiteral("cluster_") + QLatin1String(name));
        line->setAccessibleName(title);
        line->setToolTip(help);
        line->setPlaceholderText(hint);
        connect(line, &QLineEdit::textChanged, this, &ClusterDialog::refresh);
        form->addRow(title, line);
        return line;
    };
    const auto number = [&](const char* name, const QString& title, const QString& help, int byDefault, int least,
                            int most) {
        auto* spin = new QSpinBox(box);
        spin->setObjectName(QStringLiteral("cluster_") + QLatin1String(name));
        spin->setAccessibleName(title);
        spin->setToolTip(help);
        spin->setRange(least, most);
        spin->setValue(m_file->value(QStringLiteral("cluster/") + QLatin1String(name), byDefault).toInt());
        guardWheel(spin);
        connect(spin, &QSpinBox::valueChanged, this, &ClusterDialog::refresh);
        form->addRow(title, spin);
        return spin;
    };
    auto* where = new QWidget(box);
    auto* whereLine = new QHBoxLayout(where);
    whereLine->setContentsMargins(0, 0, 0, 0);
    whereLine->setSpacing(theme::kGrid);
    m_folder = new QLineEdit(m_file->value(QStringLiteral("cluster/folder")).toString(), where);
    m_folder->setObjectName(QStringLiteral("cluster_folder"));
    m_folder->setAccessibleName(tr("Shared folder"));
    m_folder->setToolTip(
        tr("A folder that the cluster's nodes and this machine both see under the same path. What the "
           "tasks find is written there; videos and models must be shared likewise."));
    connect(m_folder, &QLineEdit::textChanged, this, &ClusterDialog::refresh);
    auto* browse = new QToolButton(where);
    browse->setIcon(icon(QStringLiteral("open")));
    browse->setAccessibleName(tr("Choose the shared folder"));
    browse->setToolTip(browse->accessibleName());
    connect(browse, &QToolButton::clicked, this, [this] {
        m_dialogs->chooseFolder(this, tr("Shared folder"), m_folder->text(), [this](const QString& path) {
            if (!path.isEmpty())
                m_folder->setText(path);
        });
    });
    whereLine->addWidget(m_folder, 1);
    whereLine->addWidget(browse);
    form->addRow(tr("Shared folder"), where);
    m_shards = number("shards", tr("Tasks per video"),
                      tr("Each video is cut into so many tasks, which run at the same time."), 1, 1, 10000);
    m_most =
        number("most", tr("At most at once"), tr("Tasks that may run at the same time; 0: no limit."), 0, 0, 10000);
    m_preset = new QComboBox(box);
    m_preset->setObjectName(QStringLiteral("cluster_preset"));
    m_preset->setAccessibleName(tr("Preset"));
    m_preset->setToolTip(
        tr("Fills in what follows: usual values, or those of a .json file as \u201cskein batch --slurm_preset\u201d "
           "takes it."));
    // A name that readSlurmPreset() knows, or none for a file that is asked for.
    m_preset->addItem(tr("As below"));
    m_preset->addItem(tr("Processor"), QStringLiteral("cpu"));
    m_preset->addItem(tr("GPU"), QStringLiteral("gpu"));
    m_preset->addItem(tr("From a file…"));
    guardWheel(m_preset);
    connect(m_preset, &QComboBox::activated, this, &ClusterDialog::choosePreset);
    form->addRow(tr("Preset"), m_preset);
    m_partition = text("partition", tr("Partition"), tr("Where the tasks run; empty: the cluster's default."),
                       usual.partition, tr("default"));
    m_account = text("account", tr("Account"), tr("Whom it is charged to; empty: the usual one."), usual.account,
                     tr("default"));
    m_time = text("time", tr("Time"), tr("The longest that a task may take: hours:minutes:seconds."), usual.time);
    m_memory = text("memory", tr("Memory"), tr("Of each task, as \u201c16G\u201d."), usual.memory);
    m_cpus = number("cpus", tr("Processor cores"), tr("Of each task."), usual.cpus, 1, 1024);
    m_gpus =
        text("gpus", tr("GPUs"), tr("Of each task: a number, or kind and number as \u201ca100:1\u201d; empty: none."),
             usual.gpus, tr("none"));
    m_setup = text("setup", tr("Before it"), tr("A shell line before Skein starts, as \u201cmodule load cuda\u201d."),
                   usual.setup);
    return box;
}

QWidget* ClusterDialog::makeFoot() {
    auto* foot = new QWidget(this);
    m_wordsIcon = new QLabel(foot);
    m_wordsIcon->setFixedSize(kIcon, kIcon);
    m_words = new QLabel(foot);
    m_words->setObjectName(QStringLiteral("clusterWords"));
    m_words->setWordWrap(true);
    m_words->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_words->setMinimumHeight(m_words->fontMetrics().height() * 2);
    const auto button = [foot](const char* name, const QString& title, const QString& help) {
        auto* result = new QPushButton(title, foot);
        result->setObjectName(QLatin1String(name));
        result->setAccessibleName(title);
        result->setToolTip(help);
        result->setAutoDefault(false);
        return result;
    };
    auto* close = button("clusterClose", tr("Close"), tr("Closes without sending anything."));
    m_save = button("clusterSave", tr("Save the Script"),
                    tr("Writes the script and what its tasks need to the shared folder, and sends nothing."));
    m_submit = button("clusterSubmit", QString(), QString());
    m_submit->setDefault(m_hasSlurm);
    m_save->setDefault(!m_hasSlurm);
    connect(close, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_save, &QPushButton::clicked, this, [this] { send(false); });
    connect(m_submit, &QPushButton::clicked, this, [this] { send(true); });
    auto* layout = new QHBoxLayout(foot);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(theme::kMargin);
    layout->addWidget(m_wordsIcon, 0, Qt::AlignVCenter);
    layout->addWidget(m_words, 1);
    layout->addWidget(close);
    layout->addWidget(m_save);
    layout->addWidget(m_submit);
    return foot;
}

void ClusterDialog::choosePreset(int index) {
    const auto read = [this](const QString& nameOrFile) {
        inBackground(
            this, [name = nameOrFile.toStdString()] { return batch::readSlurmPreset(name); },
            [this](const Result<batch::SlurmPreset>& preset) {
                m_presetProblem = preset ? QString() : QString::fromStdString(preset.error().message());
                if (preset)
                    takePreset(*preset);
                else
                    m_preset->setCurrentIndex(0);
                refresh();
            });
    };
    const QString known = m_preset->itemData(index).toString();
    if (index == 0)
        return refresh();
    if (!known.isEmpty())
        return read(known);
    m_dialogs->chooseFiles(this, tr("Preset of resources"), m_file->value(kPresetFolder).toString(),
                           tr("Presets (*.json)"), [this, read](const QStringList& files) {
                               if (files.isEmpty())
                                   return m_preset->setCurrentIndex(0);
                               m_file->setValue(kPresetFolder, QFileInfo(files.first()).absolutePath());
                               read(files.first());
                           });
}

void ClusterDialog::takePreset(const batch::SlurmPreset& preset) {
    const int chosen = m_preset->currentIndex();
    const std::pair<QLineEdit*, const std::string*> texts[] = {{m_partition, &preset.partition},
                                                               {m_account, &preset.account},
                                                               {m_time, &preset.time},
                                                               {m_memory, &preset.memory},
                                                               {m_gpus, &preset.gpus}};
    for (const auto& [line, value] : texts)
        line->setText(QString::fromStdString(*value));
    // The field is one line.
    m_setup->setText(QString::fromStdString(preset.setup).trimmed().replace(QLatin1Char('\n'), QStringLiteral("; ")));
    m_cpus->setValue(preset.cpus);
    m_most->setValue(preset.mostAtOnce);
    m_further = preset;
    m_preset->setCurrentIndex(chosen);
}

batch::SlurmPreset ClusterDialog::preset() const {
    const auto of = [](const QLineEdit* line) { return line->text().trimmed().toStdString(); };
    batch::SlurmPreset preset = m_further;
    preset.partition = of(m_partition);
    preset.account = of(m_account);
    preset.time = of(m_time);
    preset.memory = of(m_memory);
    preset.gpus = of(m_gpus);
    preset.setup = of(m_setup);
    preset.cpus = m_cpus->value();
    preset.mostAtOnce = m_most->value();
    return preset;
}

/// Where "skein batch --slurm --resume" looks for it, should a person go on by hand.
QString ClusterDialog::runFolder() const {
    return QFileInfo(m_folder->text()).absoluteFilePath() + QLatin1Char('/') + m_name + QStringLiteral("/cluster");
}

void ClusterDialog::say(const QString& iconName, const QString& sentence) {
    const theme::Tokens& t = theme::tokens();
    const QColor color = iconName == QLatin1String("error")   ? t.bad
                         : iconName == QLatin1String("check") ? t.good
                                                              : t.text2;
    m_wordsIcon->setPixmap(icon(iconName, color).pixmap(QSize(kIcon, kIcon), devicePixelRatioF()));
    m_words->setText(sentence);
}

void ClusterDialog::refresh() {
    if (m_submit == nullptr)
        return;
    const QString count = text::count(static_cast<std::int64_t>(m_entries.size()), tr("Row"), tr("Rows"));
    m_submit->setText(tr("Send %1").arg(count));
    m_submit->setAccessibleName(m_submit->text());
    const bool hasFolder = !m_folder->text().trimmed().isEmpty();
    const auto script = batch::ClusterRun::scriptFor(
        text::toPath(hasFolder ? runFolder() : QStringLiteral("/shared/") + m_name + QStringLiteral("/cluster")),
        preset(), text::toPath(m_queue->program()));
    m_script->setPlainText(script ? QString::fromStdString(*script) : QString());
    QString why;
    if (!script)
        why = QString::fromStdString(script.error().message());
    else if (!hasFolder)
        why = tr("Choose a folder that the cluster's nodes share with this machine.");
    m_save->setEnabled(why.isEmpty() && !m_busy);
    m_submit->setEnabled(why.isEmpty() && m_hasSlurm && !m_busy);
    const QString noSlurm =
        tr("Slurm is not installed here: there is no sbatch, so nothing can be sent from this "
           "machine. Save the script, and start it on a login node of the cluster.");
    m_submit->setToolTip(!m_hasSlurm     ? noSlurm
                         : why.isEmpty() ? tr("Sends the job, which the dock Jobs follows.")
                                         : why);
    if (m_busy)
        return;
    // Said once; what stands in the fields is as good as before.
    if (const QString problem = std::exchange(m_presetProblem, {}); !problem.isEmpty())
        say(QStringLiteral("error"), problem);
    else if (!why.isEmpty())
        say(QStringLiteral("info"), why);
    else if (!m_hasSlurm)
        say(QStringLiteral("warning"), noSlurm);
    else
        say(QStringLiteral("info"),
            tr("%1 of the queue, each in %2; results are tracked and saved here once all tasks of one are done.")
                .arg(text::count(static_cast<std::int64_t>(m_entries.size()), tr("row"), tr("rows")),
                     text::count(m_shards->value(), tr("task"), tr("tasks"))));
}

void ClusterDialog::store() {
    for (const QLineEdit* line : {m_folder, m_partition, m_account, m_time, m_memory, m_gpus, m_setup})
        m_file->setValue(line->objectName().replace(QLatin1Char('_'), QLatin1Char('/')), line->text());
    for (const QSpinBox* spin : {m_cpus, m_shards, m_most})
        m_file->setValue(spin->objectName().replace(QLatin1Char('_'), QLatin1Char('/')), spin->value());
}

void ClusterDialog::send(bool submit) {
    store();
    m_busy = true;
    refresh();
    say(QStringLiteral("info"), tr("Opening the videos and cutting them into tasks..."));
    const QString folder = runFolder();
    m_queue->sendToCluster(folder, m_entries, m_shards->value(), preset(), submit,
                           [this, guard = QPointer<ClusterDialog>(this), submit, folder](std::optional<UiError> error) {
                               if (!guard)
                                   return;
                               m_busy = false;
                               refresh();
                               if (error)
                                   return say(QStringLiteral("error"), error->message);
                               if (submit)
                                   return accept();
                               const QString home = QFileInfo(folder).absolutePath();
                               say(QStringLiteral("check"),
                                   tr("Saved as %1/job.sh. On a login node, this sends, follows and gathers it:\n"
                                      "skein batch %1/entries.json -o %2 --slurm --resume")
                                       .arg(folder, home));
                           });
}

}  // namespace skein::ui
