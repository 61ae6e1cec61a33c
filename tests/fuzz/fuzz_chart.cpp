// SPDX-License-Identifier: GPL-3.0-or-later
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "core/chart/layout/layout.h"
#include "core/chart/layout/page.h"
#include "core/chart/svg/svg_writer.h"
#include "core/import/open_profile.h"
#include "core/roofline/verdict_words.h"

using namespace roofwalk;

namespace {

void check(PointF point) {
    if (!std::isfinite(point.x) || !std::isfinite(point.y)) std::abort();
}

void check(const std::vector<PlacedLine>& lines) {
    for (const PlacedLine& line : lines) {
        check(line.from);
        check(line.to);
    }
}

void check(const std::vector<PlacedText>& texts) {
    for (const PlacedText& text : texts)
        check(text.at);
}

void check(const Layout& layout) {
    for (const auto* lines :
         {&layout.roofs, &layout.ridge_ticks, &layout.joins, &layout.whiskers, &layout.gaps, &layout.targets,
          &layout.useful_parts, &layout.target_ticks, &layout.kernel_ceilings})
        check(*lines);
    for (const auto* texts :
         {&layout.roof_labels, &layout.ridge_labels, &layout.gap_labels, &layout.target_labels,
          &layout.target_tick_labels, &layout.kernel_ceiling_labels, &layout.names})
        check(*texts);
}

void check_words(const KernelPoint& point, const AnalysisOptions& options) {
    if (verdict_sentences(point).text().empty() || rule_text(point, options.thresholds).empty()) std::abort();
    for (const std::string& cause : above_roof_causes(point))
        if (cause.empty()) std::abort();
}

void check_svg(const std::string& svg) {
    if (!svg.starts_with("<?xml") || !svg.ends_with("</svg>\n")) std::abort();
    for (const char* no_number : {"=\"nan", "=\"-nan", "=\"inf", "=\"-inf"})
        if (svg.find(no_number) != std::string::npos) std::abort();
}

void draw(const Profile& profile, GroupBy group_by, bool select) {
    AnalysisOptions options;
    options.group_by = group_by;
    const Analysis analysis = analyse(profile, options);
    for (const KernelPoint& point : analysis.points)
        check_words(point, options);
    SceneOptions shown;
    shown.practical_roofs = select;
    shown.gaps = 3;
    if (select && !analysis.points.empty()) shown.selected = 0;
    const Scene scene = build_scene(profile, analysis, shown);
    View view = plan_page(scene, {}).view;
    check(lay_out(scene, view));
    view.x.hi = std::sqrt(view.x.lo * view.x.hi);  // zoomed in
    check(lay_out(scene, view));
    check_svg(to_svg(scene, analysis));
}

}  // namespace

/// The whole way from a file of any format to a picture: every place on it is a number, and the file is
/// whole.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto profile = read_profile(std::as_bytes(std::span(data, size)), "fuzz");
    if (!profile) return 0;
    draw(*profile, GroupBy::kernel, true);
    draw(*profile, GroupBy::launch, false);
    return 0;
}
