// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "tests/support/patience.h"
#include "tests/ui/run/run_fakes.h"
#include "ui/dialogs/inference_dialog.h"
#include "ui/dialogs/model_picker.h"
#include "ui/dialogs/option_editors.h"
#include "ui/dialogs/run_options.h"
#include "ui/text.h"

namespace skein::test {

/// A bottom-up model of a chain of nodes, known without a file.
inline std::shared_ptr<models::ModelSpec> plainModel(int nodes = 2) {
    auto spec = std::make_shared<models::ModelSpec>();
    spec->type = models::ModelType::BottomUp;
    for (int i = 0; i < nodes; ++i) {
        spec->skeleton.nodes.push_back("node" + std::to_string(i));
        if (i > 0)
            spec->skeleton.edges.push_back({i - 1, i});
    }
    return spec;
}

/// The dialog with a window behind it that holds a video of `frames` frames; 0: no
/// video yet.
struct DialogFixture {
    QTemporaryDir folder;
    QSettings settings{folder.filePath("skein.ini"), QSettings::IniFormat};
    FakeDialogs dialogs;
    FakeHost host;
    ui::InferenceDialog dialog{&settings, &dialogs, nullptr};

    explicit DialogFixture(std::int64_t frames = 0) {
        if (frames > 0)
            host.open(frames);
    }
    void show() {
        tell();
        dialog.show();
    }
    void tell() { dialog.setWindow(host.video, host.frame, host.range, host.fromZero, host.project); }
    ui::ModelPicker* picker() { return dialog.modelPicker(); }
    bool settled() {
        return await([this] { return !picker()->isReading(); });
    }
    bool pick(const std::filesystem::path& path) {
        picker()->setPath(ui::text::fromPath(path));
        return settled();
    }
    bool partner(const std::filesystem::path& path) {
        picker()->setPartner(ui::text::fromPath(path));
        return settled();
    }
    template <class T>
    T* find(const char* name) {
        return dialog.findChild<T*>(QLatin1String(name));
    }
    template <class T>
    T* option(const char* name) {
        return dialog.findChild<T*>(ui::OptionEditors::objectNameOf(ui::runOption(name)));
    }
    QString summary() { return find<QLabel>("inferenceSummary")->text(); }
    QPushButton* run() { return find<QPushButton>("inferenceRun"); }
    void track(ui::TrackerChoice choice) {
        auto* box = find<QComboBox>("inferenceTracker");
        box->setCurrentIndex(box->findData(static_cast<int>(choice)));
        Q_EMIT box->activated(box->currentIndex());
    }
    /// The rows that a person sees once the folds are open.
    QStringList shownOptions() {
        QStringList names;
        for (const ui::RunOption& option : ui::runOptions())
            if (!dialog.findChild<QWidget*>(ui::OptionEditors::objectNameOf(option))->isHidden())
                names << QLatin1String(option.name);
        return names;
    }
};

}  // namespace skein::test
