// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/base/error.h"

namespace roofwalk {
struct Scene;
}

namespace roofwalk::cli {

struct ChartLook;

/// What a chart is written as: as its file is called, SVG unless its suffix is one of the others.
enum class ChartFormat { svg, pdf, png, html };
[[nodiscard]] ChartFormat chart_format(const std::string& file);

/// What is wrong with the name of a file that gets a chart; empty where nothing is.
[[nodiscard]] std::string chart_file_check(const std::string& file);

/// An SVG of ours in another format, by librsvg, which is loaded for it: a PDF with its text and the fonts of
/// it, or a PNG. The same SVG gives the same bytes. Fails where there is no librsvg, or no memory.
[[nodiscard]] Result<std::string> chart_as(ChartFormat format, std::string svg, const ChartLook& look);

/// Scene::key as a tabular as wide as a line that needs no package; names are text.
[[nodiscard]] std::string key_as_latex(const Scene& scene);

}  // namespace roofwalk::cli
