// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/chart/layout/page.h"
#include "core/workspace/workspace_result.h"

namespace roofwalk {

/// The rows that a page has at most; its note counts the others.
inline constexpr std::size_t most_html_rows = 2'000;

/// The chart, for light and dark screens, and the table of its kernels in the columns of the report, as one
/// HTML file that loads nothing: readable without scripts, which let a dot be pointed at and isolated and the
/// table be sorted. Every name is escaped. Arguments as of scene_of() and to_svg(); the theme is both.
[[nodiscard]] std::string to_html(const WorkspaceResult& result, SceneOptions options,
                                  const std::vector<ProjectedDevice>& more, const PageSpec& size,
                                  const std::string& moves = {});

/// `resources/report/page.html`: what stands between `<!--` and `-->` is a name of what goes there.
[[nodiscard]] std::string_view html_template();

}  // namespace roofwalk
