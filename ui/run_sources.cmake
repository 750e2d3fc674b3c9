# SPDX-License-Identifier: GPL-3.0-or-later
# Sources of the run side of the window, for ui/CMakeLists.txt.
set(SKEIN_UI_RUN_SOURCES
    bridge/checked_model.cpp
    bridge/job_bridge.cpp
    bridge/run_results.cpp
    bridge/run_snapshot.cpp
    bridge/running_job.cpp
    dialogs/inference_dialog.cpp
    dialogs/model_picker.cpp
    dialogs/option_editors.cpp
    dialogs/run_options.cpp
    dialogs/run_plan.cpp
    dialogs/run_settings.cpp
    dialogs/target_picker.cpp
    models/profile_table_model.cpp
    models/run_history_model.cpp
    panels/bottleneck.cpp
    panels/jobs_panel.cpp
    panels/profiling_panel.cpp
    run_controller.cpp
    run_text.cpp
    widgets/fold_button.cpp
    widgets/metric_card.cpp
    widgets/progress_line.cpp
    widgets/rate_strip.cpp
    widgets/share_delegate.cpp)
