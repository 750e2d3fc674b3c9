// SPDX-License-Identifier: GPL-3.0-or-later
// What the settings change while the window is open, the arrangements of docks, and the pages of help.
#include <QApplication>
#include <QDockWidget>
#include <QSplitter>

#include "ui/actions/shortcuts.h"
#include "ui/dialogs/help_page.h"
#include "ui/dialogs/shortcut_sheet.h"
#include "ui/main_window.h"
#include "ui/preferences/preferences_dialog.h"
#include "ui/text.h"
#include "ui/tracks/proofreading.h"

namespace skein::ui {

namespace {
constexpr int kUsualTimeline = 112, kTallTimeline = 260;
constexpr int kRoomForPicture = 1000;  // more than there is: the splitter gives the picture the rest
}  // namespace

void MainWindow::connectPreferences() {
    m_shortcuts = new Shortcuts(m_actions, m_settings.get(), this);
    connect(m_settings.get(), &Settings::changed, this, &MainWindow::applySetting);
    m_document->setDecoder(decoderOf(*m_settings));
    const auto open = [this] {
        if (m_preferences == nullptr)
            m_preferences = new PreferencesDialog(m_settings.get(), m_shortcuts, &m_session->dialogs(), this);
        m_preferences->show();
        m_preferences->raise();
        m_preferences->activateWindow();
    };
    ActionTable& a = *m_actions;
    a.on("filePreferences", open);
    a.on("helpShortcuts", [this, open] {
        auto* sheet = new ShortcutSheet(m_shortcuts, this);
        connect(sheet, &ShortcutSheet::changeWanted, this, [this, open] {
            open();
            m_preferences->showShortcuts();
        });
        sheet->show();
    });
    a.on("helpDocs", [this] { showHelpPage(this, QStringLiteral(":/guide/for_sleap_users.md")); });
    a.on("windowLabel", [this] {
        arrange({m_instancesDock, m_inspectorDock, m_skeletonDock, m_suggestionsDock}, {}, kUsualTimeline);
        m_instancesDock->raise();
    });
    a.on("windowProofread", [this] {
        arrange({m_tracksDock, m_issuesDock, m_proofreading->reviewDock(), m_instancesDock},
                {m_plotDock, m_historyDock}, std::min(kTallTimeline, m_splitter->height() * 2 / 5));
        resizeDocks({m_issuesDock, m_plotDock}, {3, 2}, Qt::Vertical);
        m_issuesDock->raise();
        m_plotDock->raise();
    });
    a.on("windowPredict", [this] {
        arrange({m_videosDock, m_instancesDock}, {m_jobsDock, m_profilingDock}, kUsualTimeline);
        m_videosDock->raise();
        m_jobsDock->raise();
    });
    a.on("windowNextPart", [this] { goToNextPart(); });
    nameSteps();
}

void MainWindow::applySetting(Setting setting) {
    const auto check = [this, setting](const char* id) {
        m_actions->get(id)->setChecked(m_settings->get(setting).toBool());
    };
    switch (setting) {
        case Setting::CountFramesFromZero:
            return check("viewCountFromZero");
        case Setting::PropagateTracks:
            return check("trackPropagate");
        case Setting::GhostDrag:
            return check("labelGhostDrag");
        case Setting::EveryFrame:
            return check("goEveryFrame");
        case Setting::Theme: {
            const int mode = std::clamp(m_settings->get(setting).toInt(), 0, 2);
            static const char* const kIds[] = {"viewThemeSystem", "viewThemeLight", "viewThemeDark"};
            m_actions->get(kIds[mode])->setChecked(true);
            return applyTheme(static_cast<theme::Mode>(mode));
        }
        case Setting::Decoder:
            return m_document->setDecoder(decoderOf(*m_settings));
        case Setting::MediumStep:
        case Setting::LargeStep:
            return nameSteps();
        default:
            m_proofreading->applySetting(setting);
            return applyStyleSetting(setting);  // or read by whoever needs it when it is needed
    }
}

std::int64_t MainWindow::stepLength(Setting setting) const {
    return std::max<std::int64_t>(1, m_settings->get(setting).toLongLong());
}

/// The commands say how far they go.
void MainWindow::nameSteps() {
    const struct {
        const char* id;
        Setting length;
        QString text;
    } steps[] = {
        {"goNextMedium", Setting::MediumStep, tr("Forward %1 Frames")},
        {"goPrevMedium", Setting::MediumStep, tr("Back %1 Frames")},
        {"goNextLarge", Setting::LargeStep, tr("Forward %1 Frames")},
        {"goPrevLarge", Setting::LargeStep, tr("Back %1 Frames")},
        {"goNextMediumSelect", Setting::MediumStep, tr("Forward %1 Frames, Extending the Selection")},
        {"goPrevMediumSelect", Setting::MediumStep, tr("Back %1 Frames, Extending the Selection")},
        {"goNextLargeSelect", Setting::LargeStep, tr("Forward %1 Frames, Extending the Selection")},
        {"goPrevLargeSelect", Setting::LargeStep, tr("Back %1 Frames, Extending the Selection")},
    };
    for (const auto& step : steps)
        m_actions->get(step.id)->setText(step.text.arg(text::number(stepLength(step.length))));
}

/// Shows these docks, `upper` as tabs above `lower`, and hides the others. What is selected and shown stays.
void MainWindow::arrange(const std::vector<QDockWidget*>& upper, const std::vector<QDockWidget*>& lower,
                         int timelineHeight) {
    for (QDockWidget* dock : findChildren<QDockWidget*>(QString(), Qt::FindDirectChildrenOnly)) {
        removeDockWidget(dock);
        dock->setFloating(false);
        dock->hide();
        addDockWidget(Qt::RightDockWidgetArea, dock);
    }
    if (!lower.empty())
        splitDockWidget(upper.front(), lower.front(), Qt::Vertical);
    for (const auto* group : {&upper, &lower})
        for (std::size_t i = 0; i < group->size(); ++i) {
            (*group)[i]->show();
            if (i > 0)
                tabifyDockWidget((*group)[i - 1], (*group)[i]);
        }
    m_splitter->setSizes({kRoomForPicture, timelineHeight});
}

/// View, timeline, then every dock that can be seen.
void MainWindow::goToNextPart() {
    std::vector<QWidget*> parts{m_canvas, m_timeline};
    for (QDockWidget* dock : findChildren<QDockWidget*>(QString(), Qt::FindDirectChildrenOnly))
        if (dock->isVisible() && !dock->visibleRegion().isEmpty())
            parts.push_back(dock->widget());
    const auto holdsFocus = [](const QWidget* part) {
        const QWidget* focus = QApplication::focusWidget();
        return focus != nullptr && (focus == part || part->isAncestorOf(focus));
    };
    const auto now = std::find_if(parts.begin(), parts.end(), holdsFocus);
    QWidget* next = now == parts.end() || now + 1 == parts.end() ? parts.front() : *(now + 1);
    // A dock's contents hand the keyboard to the first part of theirs that takes it.
    QWidget* target = next;
    if (next->focusPolicy() == Qt::NoFocus)
        for (QWidget* inner = next->nextInFocusChain(); inner != next; inner = inner->nextInFocusChain())
            if (next->isAncestorOf(inner) && (inner->focusPolicy() & Qt::TabFocus) != 0 && inner->isVisible() &&
                inner->isEnabled()) {
                target = inner;
                break;
            }
    target->setFocus(Qt::TabFocusReason);
}

}  // namespace skein::ui
