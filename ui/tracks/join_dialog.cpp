// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tracks/join_dialog.h"

#include <QCheckBox>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QTimer>

#include "ui/bridge/background.h"
#include "ui/text.h"
#include "ui/tracks/stop_walk.h"

namespace skein::ui {

namespace {
constexpr int kCountAfterMs = 150;
constexpr int kLongest = 100000;  ///< frames
constexpr int kMostAnimals = 1000;
constexpr int kSummaryLines = 5;
}  // namespace

JoinDialog::JoinDialog(const Document* document, QWidget* parent)
    : TrackDialog("joinDialog", tr("Join broken tracks"), document, parent),
      m_document(document),
      m_longest(new QSpinBox(this)),
      m_animals(new QSpinBox(this)),
      m_walk(new StopWalk(QStringLiteral("join"), tr("Go to the join before."), tr("Go to the next join."), this)),
      m_delay(new QTimer(this)) {
    const proofread::JoinOptions usual;
    m_longest->setRange(1, kLongest);
    m_longest->setValue(static_cast<int>(usual.longestGap));
    m_longest->setSuffix(QStringLiteral("\u2009") + tr("frames"));
    m_animals->setRange(0, kMostAnimals);
    m_animals->setSpecialValueText(tr("not known"));
    addRow("joinLongest", tr("Pauses of at most"), tr("A track that stays away longer continues nobody."), m_longest);
    addRow("joinAnimals", tr("Animals at a time"),
           tr("If it is known: a join is safe only where no more tracks than that go on beside it."), m_animals);
    m_safe = addCheck("joinSafe", tr("Safe joins alone"),
                      tr("Those to which every other choice is clearly worse. What is left stands among the issues."));
    m_safe->setChecked(true);
    m_summary = addWords("joinSummary", kSummaryLines);
    add(m_walk);
    QPushButton* cancel = addButton("joinCancel", tr("Cancel"), tr("Leave the project as it is."), Button::Plain);
    m_join =
        addButton("joinJoin", tr("Join Tracks"), tr("Join them, as one step that can be undone."), Button::Primary);

    m_delay->setSingleShot(true);
    m_delay->setInterval(kCountAfterMs);
    connect(m_delay, &QTimer::timeout, this, &JoinDialog::count);
    for (QSpinBox* box : {m_longest, m_animals})
        connect(box, &QSpinBox::valueChanged, this, &JoinDialog::look);
    connect(m_safe, &QCheckBox::toggled, this, &JoinDialog::look);
    connect(document, &Document::changed, this, &JoinDialog::look);
    m_walk->words = [this](int stop) { return wordsOf(m_made[static_cast<std::size_t>(stop)]); };
    connect(m_walk, &StopWalk::stopWanted, this, [this](int stop) {
        const proofread::JoinMade& made = m_made[static_cast<std::size_t>(stop)];
        Q_EMIT placeWanted(static_cast<int>(made.join.video), made.join.lastFrame, made.join.firstFrame,
                           {QString::fromStdString(made.from), QString::fromStdString(made.to)});
    });
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_join, &QPushButton::clicked, this, [this] {
        const proofread::JoinOptions chosen = options();
        const bool all = !m_safe->isChecked();
        accept();
        Q_EMIT joinWanted(chosen, all);
    });
    connect(this, &QDialog::finished, this, [this] { m_stop.request_stop(); });
    look();
}

proofread::JoinOptions JoinDialog::options() const {
    proofread::JoinOptions options;
    options.longestGap = m_longest->value();
    if (m_animals->value() > 0)
        options.animals = m_animals->value();
    return options;
}

void JoinDialog::look() {
    ++m_asked;
    m_stop.request_stop();
    m_join->setEnabled(false);
    m_summary->setText(tr("Looking for tracks that go on as others..."));
    m_delay->start();
}

void JoinDialog::count() {
    m_stop = std::stop_source();
    inBackground(
        this,
        [labels = m_document->snapshot(), chosen = options(), all = !m_safe->isChecked(),
         stop = m_stop.get_token()]() -> Result<Counted> {
            auto joined = proofread::joinUntilNone(labels, chosen, all, stop);
            if (!joined)
                return fail(std::move(joined.error()));
            Counted counted{proofread::summaryOf(labels), proofread::summaryOf(joined->labels), {}};
            counted.joined = std::move(*joined);
            return counted;
        },
        [this, asked = m_asked](Result<Counted> result) {
            if (asked != m_asked)
                return;
            m_answered = asked;
            if (result)
                showCounted(std::move(*result));
            else
                m_summary->setText(QString::fromStdString(result.error().message()));
        });
}

void JoinDialog::showCounted(Counted counted) {
    m_made = std::move(counted.joined.made);
    const auto n = [](std::size_t count, const QString& one, const QString& many) {
        return text::count(static_cast<std::int64_t>(count), one, many);
    };
    const auto change = [](const QString& what, std::int64_t before, std::int64_t after) {
        return tr("%1: %2 \u2192 %3").arg(what, text::number(before), text::number(after));
    };
    QStringList lines;
    if (m_made.empty())
        lines << tr("No track goes on as another one.");
    else
        lines << tr("%1 would be made.").arg(n(m_made.size(), tr("join"), tr("joins")))
              << change(tr("Tracks"), static_cast<std::int64_t>(counted.before.tracks),
                        static_cast<std::int64_t>(counted.after.tracks))
              << change(tr("Parts without a pause"), static_cast<std::int64_t>(counted.before.fragments),
                        static_cast<std::int64_t>(counted.after.fragments))
              << change(tr("Frames of the longest track"), counted.before.longest, counted.after.longest);
    if (counted.joined.left > 0)
        lines << tr("%1 not sure enough.").arg(n(counted.joined.left, tr("join is"), tr("joins are")));
    m_summary->setText(lines.join(QLatin1Char('\n')));
    m_join->setEnabled(!m_made.empty());
    m_walk->setCount(static_cast<int>(m_made.size()));
}

QString JoinDialog::wordsOf(const proofread::JoinMade& made) const {
    return tr("%1 up to frame %2, %3 from frame %4")
        .arg(QString::fromStdString(made.from), frameNumber(made.join.lastFrame), QString::fromStdString(made.to),
             frameNumber(made.join.firstFrame));
}

}  // namespace skein::ui
