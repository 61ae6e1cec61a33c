// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/chart/page.h"

namespace roofwalk {

/// The chart as SVG 1.1: clip paths, real text, `<title>` and `<desc>` on chart and dots, stable ids, and the
/// numbers of every dot as metadata. The same scene gives the same bytes. Every name is escaped.
[[nodiscard]] std::string to_svg(const Scene& scene, const Analysis& analysis, const PageSize& size = {});

}  // namespace roofwalk
