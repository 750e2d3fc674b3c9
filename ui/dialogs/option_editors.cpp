// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/option_editors.h"

#include <QCheckBox>
#include <QComboBox>
#include <QCoreApplication>
#include <QDoubleSpinBox>
#include <QEvent>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QRegularExpressionValidator>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QStandardItemModel>
#include <algorithm>

#include "ui/dialogs/run_settings.h"
#include "ui/theme.h"

namespace skein::ui {
namespace {

QString optionText(const char* text) {
    return QCoreApplication::translate("RunOption", text);
}

class WheelGuard : public QObject {
public:
    using QObject::QObject;
    bool eventFilter(QObject* watched, QEvent* event) override {
        const auto* widget = qobject_cast<QWidget*>(watched);
        if (event->type() == QEvent::Wheel && widget != nullptr && !widget->hasFocus()) {
            event->ignore();
            return true;
        }
        return QObject::eventFilter(watched, event);
    }
};

/// Decimals as many as the value needs: 0.2 rather than 0.200.
class NumberBox : public QDoubleSpinBox {
public:
    explicit NumberBox(QWidget* parent) : QDoubleSpinBox(parent) {
        setLocale(QLocale(QLocale::English, QLocale::UnitedStates));
    }
    QString textFromValue(double value) const override {
        QString text = locale().toString(value, 'f', decimals());
        while (text.endsWith(QLatin1Char('0')))
            text.chop(1);
        if (text.endsWith(QLatin1Char('.')))
            text.chop(1);
        return text;
    }
};

/// A size that can only be odd: a typed even number goes up by one.
class SteppedBox : public QSpinBox {
public:
    using QSpinBox::QSpinBox;
    int valueFromText(const QString& text) const override {
        const int value = QSpinBox::valueFromText(text);
        const int over = (value - minimum()) % std::max(1, singleStep());
        return m_onSteps && over > 0 ? value + singleStep() - over : value;
    }
    void keepOnSteps() { m_onSteps = true; }

private:
    bool m_onSteps = false;
};

}  // namespace

void guardWheel(QWidget* editor) {
    editor->setFocusPolicy(Qt::StrongFocus);
    editor->installEventFilter(new WheelGuard(editor));
}

OptionEditors::OptionEditors(RunSettings* settings, QObject* parent) : QObject(parent), m_settings(settings) {}

QString OptionEditors::objectNameOf(const RunOption& option) {
    QString name = QStringLiteral("inference");
    for (const QString& word : QString::fromLatin1(option.name).split(QLatin1Char('_')))
        name += word.left(1).toUpper() + word.mid(1);
    return name;
}

void OptionEditors::addGroup(QGridLayout* grid, OptionGroup group, QWidget* parent, const QString& heading) {
    if (!heading.isEmpty()) {
        auto* label = new QLabel(heading, parent);
        label->setForegroundRole(QPalette::PlaceholderText);
        label->setContentsMargins(0, theme::kMargin, 0, 0);
        grid->addWidget(label, grid->rowCount(), 0, 1, 2);
        m_headings.push_back({group, label});
    }
    for (const RunOption& option : runOptions()) {
        if (option.group != group)
            continue;
        const int row = grid->rowCount();
        QWidget* editor = makeEditor(option, parent);
        editor->setObjectName(objectNameOf(option));
        editor->setAccessibleName(optionText(option.label));
        guardWheel(editor);
        QLabel* label = nullptr;
        if (option.kind == OptionKind::Flag) {
            grid->addWidget(editor, row, 0, 1, 2);
        } else {
            label = new QLabel(optionText(option.label), parent);
            label->setBuddy(editor);
            grid->addWidget(label, row, 0);
            grid->addWidget(editor, row, 1);
        }
        m_rows.push_back({&option, label, editor});
    }
}

QWidget* OptionEditors::makeEditor(const RunOption& option, QWidget* parent) {
    switch (option.kind) {
        case OptionKind::Flag: {
            auto* box = new QCheckBox(optionText(option.label), parent);
            connect(box, &QCheckBox::toggled, this, [this, &option](bool on) { change(option, on); });
            return box;
        }
        case OptionKind::Integer: {
            auto* box = new SteppedBox(parent);
            box->setRange(static_cast<int>(option.minimum), static_cast<int>(option.maximum));
            box->setSingleStep(static_cast<int>(option.step));
            if (option.name == std::string_view("integral_patch_size"))
                box->keepOnSteps();
            if (option.noneText != nullptr)
                box->setSpecialValueText(optionText(option.noneText));
            connect(box, &QSpinBox::valueChanged, this, [this, &option](int value) {
                const bool none = option.noneText != nullptr && value == static_cast<int>(option.minimum);
                change(option, none ? QVariant() : QVariant(value));
            });
            return box;
        }
        case OptionKind::Number: {
            auto* box = new NumberBox(parent);
            box->setDecimals(option.decimals);
            box->setRange(option.minimum, option.maximum);
            box->setSingleStep(option.step);
            if (option.noneText != nullptr)
                box->setSpecialValueText(optionText(option.noneText));
            connect(box, &QDoubleSpinBox::valueChanged, this, [this, &option](double value) {
                const bool none = option.noneText != nullptr && value <= option.minimum;
                change(option, none ? QVariant() : QVariant(value));
            });
            return box;
        }
        case OptionKind::Choice: {
            auto* box = new QComboBox(parent);
            box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
            box->setMinimumContentsLength(10);
            for (const RunOption::Value& value : option.values)
                box->addItem(optionText(value.title), QString::fromLatin1(value.name));
            connect(box, &QComboBox::currentIndexChanged, this,
                    [this, &option, box] { change(option, box->currentData()); });
            return box;
        }
        case OptionKind::Node: {
            auto* box = new QComboBox(parent);
            box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
            box->setMinimumContentsLength(10);
            box->addItem(optionText(option.noneText));
            connect(box, &QComboBox::activated, this, [this, &option, box] { change(option, box->currentData()); });
            return box;
        }
        case OptionKind::Text: {
            auto* line = new QLineEdit(parent);
            line->setPlaceholderText(optionText(option.noneText));
            line->setValidator(
                new QRegularExpressionValidator(QRegularExpression(QStringLiteral("[0-9]+(,[0-9]+)*")), line));
            connect(line, &QLineEdit::textEdited, this, [this, &option, line] {
                if (line->hasAcceptableInput() || line->text().isEmpty())
                    change(option, line->text());
            });
            return line;
        }
    }
    return nullptr;
}

void OptionEditors::change(const RunOption& option, const QVariant& value) {
    if (m_refreshing)
        return;
    option.set(*m_settings, value);
    Q_EMIT edited(option);
}

void OptionEditors::refresh(ModelUse use, const QStringList& nodes) {
    m_refreshing = true;
    const TrackerChoice tracker = trackerChoice(*m_settings);
    for (const Heading& heading : m_headings)
        heading.label->setVisible(std::any_of(m_rows.begin(), m_rows.end(), [&](const Row& row) {
            return row.option->group == heading.group && concerns(*row.option, use, tracker);
        }));
    for (const Row& row : m_rows) {
        const bool shown = concerns(*row.option, use, tracker);
        row.editor->setVisible(shown);
        if (row.label != nullptr)
            row.label->setVisible(shown);
        if (row.option->kind == OptionKind::Node)
            showNodes(qobject_cast<QComboBox*>(row.editor), nodes);
        showValue(row);
        const QString idle = withoutEffectBecause(*m_settings, *row.option);
        row.editor->setEnabled(idle.isEmpty());
        const QString help = helpText(*row.option);
        row.editor->setToolTip(idle.isEmpty() ? help : QStringLiteral("<p>%1</p>%2").arg(idle.toHtmlEscaped(), help));
        if (row.label != nullptr) {
            row.label->setEnabled(idle.isEmpty());
            row.label->setToolTip(row.editor->toolTip());
        }
        if (row.option->kind == OptionKind::Choice)
            showChoices(row);
    }
    m_refreshing = false;
}

void OptionEditors::showValue(const Row& row) const {
    QVariant value = row.option->get(*m_settings);
    // What the tracker will really do is shown, whatever was chosen before the number of animals was set.
    if (row.option->name == std::string_view("candidates_method") && m_settings->tracker.maxTracks)
        value = QStringLiteral("local_queues");
    if (auto* flag = qobject_cast<QCheckBox*>(row.editor))
        flag->setChecked(value.toBool());
    else if (auto* integer = qobject_cast<QSpinBox*>(row.editor))
        integer->setValue(value.isValid() ? value.toInt() : static_cast<int>(row.option->minimum));
    else if (auto* number = qobject_cast<QDoubleSpinBox*>(row.editor))
        number->setValue(value.isValid() ? value.toDouble() : row.option->minimum);
    else if (auto* choice = qobject_cast<QComboBox*>(row.editor))
        choice->setCurrentIndex(value.isValid() ? choice->findData(value) : 0);
    else if (auto* line = qobject_cast<QLineEdit*>(row.editor); line != nullptr && !line->hasFocus())
        line->setText(value.toString());
}

void OptionEditors::showNodes(QComboBox* box, const QStringList& nodes) const {
    while (box->count() > 1)
        box->removeItem(1);
    for (const QString& node : nodes)
        box->addItem(node, node);
    // A choice for another model stays to be seen: the run then says what is wrong with it.
    if (const auto& chosen = m_settings->inference.anchorPart) {
        const QString name = QString::fromStdString(*chosen);
        if (!nodes.contains(name))
            box->addItem(name, name);
    }
}

void OptionEditors::showChoices(const Row& row) const {
    auto* box = qobject_cast<QComboBox*>(row.editor);
    auto* items = qobject_cast<QStandardItemModel*>(box->model());
    for (int i = 0; i < box->count(); ++i) {
        const QString why = impossibleBecause(*m_settings, *row.option, box->itemData(i).toString().toStdString());
        QStandardItem* item = items->item(i);
        item->setEnabled(why.isEmpty());
        item->setToolTip(why);
        item->setData(why, Qt::AccessibleDescriptionRole);
    }
}

}  // namespace skein::ui
