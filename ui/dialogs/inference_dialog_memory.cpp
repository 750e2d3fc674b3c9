// SPDX-License-Identifier: GPL-3.0-or-later
#include <QCryptographicHash>
#include <QDateTime>
#include <QSettings>
#include <algorithm>

#include "ui/dialogs/inference_dialog.h"
#include "ui/dialogs/model_picker.h"
#include "ui/dialogs/preset_bar.h"
#include "ui/dialogs/run_settings.h"

// What the dialog remembers: the last settings, those of each project, and the model.
namespace skein::ui {
namespace {

const char* const kLastModelKey = "inference/model";
const char* const kProjectGroup = "inference_projects";
constexpr qsizetype kMostProjects = 100;

/// What the settings of a project are remembered under: its file, or its first video while there is none.
QString projectGroup(const project::Labels& labels) {
    std::string path = labels.origin().path;
    if (path.empty() && !labels.videos().empty())
        path = labels.videos().front().filename;
    if (path.empty())
        return {};
    const QByteArray hash = QCryptographicHash::hash(QByteArray::fromStdString(path), QCryptographicHash::Md5).toHex();
    return QLatin1String(kProjectGroup) + QLatin1Char('/') + QString::fromLatin1(hash);
}

/// The settings of projects that were not run for the longest time go.
void forgetOldProjects(QSettings& file) {
    file.beginGroup(QLatin1String(kProjectGroup));
    QStringList groups = file.childGroups();
    std::sort(groups.begin(), groups.end(), [&file](const QString& a, const QString& b) {
        const auto when = [&file](const QString& group) {
            return file.value(group + QStringLiteral("/when")).toLongLong();
        };
        return when(a) > when(b);
    });
    for (qsizetype i = kMostProjects; i < groups.size(); ++i)
        file.remove(groups[i]);
    file.endGroup();
}

}  // namespace

/// What was chosen when this project was run last. A project that never was goes on with what is chosen now.
void InferenceDialog::restoreProject(const project::Labels& before) {
    const QString group = projectGroup(m_labels);
    if (group == projectGroup(before) || group.isEmpty() || !m_file->contains(group + QStringLiteral("/when")))
        return;
    m_settings = loadRunSettings(*m_file, group);
    m_presets->setCurrent(m_file->value(group + QStringLiteral("/preset")).toString());
    if (const QString model = m_file->value(group + QStringLiteral("/model")).toString(); !model.isEmpty())
        m_model->setPath(model);
}

void InferenceDialog::restoreModel() {
    if (m_model->path().isEmpty())
        m_model->setPath(m_file->value(QLatin1String(kLastModelKey)).toString());
}

void InferenceDialog::store() {
    saveRunSettings(*m_file, m_settings);
    PresetStore(m_file).setLast(m_presets->current());
    if (const QString group = projectGroup(m_labels); !group.isEmpty()) {
        saveRunSettings(*m_file, m_settings, group);
        m_file->setValue(group + QStringLiteral("/preset"), m_presets->current());
        m_file->setValue(group + QStringLiteral("/model"), m_model->path());
        m_file->setValue(group + QStringLiteral("/when"), QDateTime::currentSecsSinceEpoch());
        forgetOldProjects(*m_file);
    }
    m_file->setValue(QLatin1String(kLastModelKey), m_model->path());
    m_model->rememberCurrent();
}

}  // namespace skein::ui
