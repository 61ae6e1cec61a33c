// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include "core/chart/layout/page.h"

namespace roofwalk {

/// A chart as an element of a page.
struct SvgPart {
    bool in_page = false;    ///< without the declaration of a file
    std::string_view ids{};  ///< that its ids begin with; of a further one, which has no numbers of its own
};

/// The chart as SVG 1.1: clip paths, real text, `<title>` and `<desc>` on chart and dots, stable ids, and the
/// numbers of every dot as metadata. The same scene gives the same bytes. Every name is escaped. `moves` is
/// the JSON of the scenario that is drawn, kept in the metadata.
[[nodiscard]] std::string to_svg(const Scene& scene, const Analysis& analysis, const PageSpec& size = {},
                                 const std::string& moves = {}, const SvgPart& part = {});
/// Of a page that is laid out.
[[nodiscard]] std::string to_svg(const PagePlacement& laid, const Scene& scene, const Analysis& analysis,
                                 const std::string& moves = {}, const SvgPart& part = {});

}  // namespace roofwalk
