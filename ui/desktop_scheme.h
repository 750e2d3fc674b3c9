// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QObject>

namespace skein::ui {

/// Whether the desktop asks for dark windows: from the desktop portal's setting "color-scheme", live, and until that
/// has answered (or where there is none) from the palette that the platform gave Qt at start. GUI thread only.
class DesktopScheme : public QObject {
    Q_OBJECT
public:
    /// Made at the first call, which must come before a palette is set.
    [[nodiscard]] static DesktopScheme& instance();

    [[nodiscard]] bool isDark() const { return m_dark; }

Q_SIGNALS:
    void changed();

private:
    DesktopScheme();
    void take(unsigned scheme);

    bool m_dark = false;
};

}  // namespace skein::ui
