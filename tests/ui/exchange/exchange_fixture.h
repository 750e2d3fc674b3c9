// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QLabel>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>
#include <filesystem>

#include "engine/project/labels.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/widgets/job_bar.h"

// The real window, and what its exports and imports leave behind.
namespace skein::test {

class ExchangeWindow : public Window {
public:
    [[nodiscard]] QString path(const QString& name) const { return m_folder.filePath(name); }
    [[nodiscard]] std::filesystem::path file(const QString& name) const { return path(name).toStdString(); }
    /// Files in the folder, hidden ones too.
    [[nodiscard]] QStringList files() const {
        return QDir(m_folder.path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot, QDir::Name);
    }

    /// The newest word about a file: in the window, or in the dialog that stands before it.
    [[nodiscard]] const ui::Banner* word() const {
        for (const ui::MessageBar* bar : window->findChildren<ui::MessageBar*>())
            if (const ui::Banner* banner = bar->find(QStringLiteral("exchange")))
                return banner;
        return nullptr;
    }
    /// What is said about the last file; empty while nothing is.
    [[nodiscard]] QString said() const {
        const ui::Banner* banner = word();
        return banner == nullptr ? QString() : banner->sentence() + QLatin1Char('\n') + banner->details();
    }
    [[nodiscard]] bool waitForWord() {
        return await([this] { return !said().isEmpty(); });
    }
    [[nodiscard]] QStringList offers() const {
        QStringList words;
        if (const ui::Banner* banner = word())
            for (const QPushButton* button : banner->findChildren<QPushButton*>(QStringLiteral("bannerAction")))
                words << button->text();
        return words;
    }
    [[nodiscard]] ui::JobBar& bar() const { return *window->findChild<ui::JobBar*>(); }

    template <class T>
    [[nodiscard]] T* part(const char* name) const {
        return window->findChild<T*>(QLatin1String(name));
    }

private:
    QTemporaryDir m_folder;
};

inline QByteArray bytesOf(const std::filesystem::path& path) {
    QFile file(QString::fromStdString(path.string()));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

}  // namespace skein::test
