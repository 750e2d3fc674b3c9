# SPDX-License-Identifier: GPL-3.0-or-later
# Sources of the run side of the window, for ui/CMakeLists.txt.
set(SKEIN_UI_RUN_SOURCES)
