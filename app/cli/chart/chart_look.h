// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "core/chart/layout/page.h"
#include "core/chart/scene/palette.h"
#include "core/workspace/workspace_spec.h"

namespace CLI {
class App;
}

namespace roofwalk::cli {

/// The page that a chart is drawn on.
struct ChartLook {
    std::string theme = "print";
    std::string made_for;             ///< id of one of figure_uses; empty: by size or theme
    std::string size;                 ///< empty: by what it is made for
    std::optional<double> font_size;  ///< [pt]
    std::optional<double> dpi;        ///< of a PNG; absent: by the size
    std::string legend = "above";
    std::string caption = "on";
    std::string key;      ///< "numbers" or "latex"; empty: kernels have names
    std::string x_range;  ///< "0.1:1000"; "all": what the kernels need; empty: as the session has it, or all
    std::string y_range;
    std::string title;

    [[nodiscard]] Theme colours() const;
    /// With the part of the axes that a session shows, where none is typed.
    [[nodiscard]] PageSpec page(const std::optional<ChartView>& of_session = {}) const;
    [[nodiscard]] double dots_per_inch() const;  ///< of a PNG
};
/// What a person asked for and the figure has not.
void say_changed(const PageSpec& asked, const PagePlacement& laid);
/// `is_png`: whether what the options before these name is written as a PNG.
void add_look_options(CLI::App& verb, ChartLook& look, const std::function<bool()>& is_png);

}  // namespace roofwalk::cli
