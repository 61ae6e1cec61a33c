// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QPalette>

#include "core/chart/scene/palette.h"
#include "ui/shell/settings.h"

class QApplication;

namespace roofwalk {

/// Colours of the window that QPalette has no role for.
struct WindowColours {
    QColor faint_text;
    QColor disabled;  ///< words of what cannot be used
    QColor border;
    QColor raised;   ///< headers, toolbars, bars
    QColor accent;   ///< links, focus, share bars
    QColor error;    ///< edge and icon of an error
    QColor warning;  ///< edge and icon of a warning
    QColor hover;    ///< ground of a button under the pointer
    QColor checked;  ///< ground of a button that is on
};

[[nodiscard]] const WindowColours& window_colours(Theme theme);
[[nodiscard]] QPalette window_palette(Theme theme);

[[nodiscard]] inline QColor to_qt(Colour colour) {
    return {colour.r, colour.g, colour.b};
}

/// The theme behind an appearance; `desktop` is the palette the desktop came with.
[[nodiscard]] Theme theme_for(Appearance appearance, const QPalette& desktop);

/// The theme the program wears now.
[[nodiscard]] Theme current_theme();

/// Dresses the whole program.
void apply_theme(QApplication& application, Theme theme);

}  // namespace roofwalk
