// SPDX-License-Identifier: GPL-3.0-or-later
// Analysis, nearest dot and SVG, from profiles in memory.
#include <fmt/format.h>

#include "core/base/text.h"
#include "core/chart/layout/dot_index.h"
#include "core/chart/scene/scene.h"
#include "core/chart/svg/svg_writer.h"
#include "core/roofline/analysis.h"
#include "tests/bench/bench.h"
#include "tests/bench/made_profile.h"

using namespace roofwalk;
using namespace roofwalk::bench;

namespace {

Analysis by(GroupBy group_by, const Profile& profile) {
    AnalysisOptions options;
    options.group_by = group_by;
    return analyse(profile, options);
}

void svg_of_1000_dots() {
    const Profile profile = made_profile(334, 334);
    const Analysis analysis = by(GroupBy::launch, profile);
    SceneOptions options;
    options.theme = Theme::print;
    const Scene scene = build_scene(profile, analysis, options);
    const double writing = median_seconds(21, [&] { keep(to_svg(scene, analysis)); });
    const std::size_t size = to_svg(scene, analysis).size();
    print_row(fmt::format("SVG of {} dots", scene.dots.size()),
              fmt::format("{}, {} KB", format(Seconds(writing)), size / 1000), "≤ 10 ms, ≤ 150 KB");
    const double building = median_seconds(21, [&] { keep(build_scene(profile, analysis, options)); });
    print_row("scene of the same", format(Seconds(building)), "");
}

void svg_of_a_million(const Profile& profile) {
    const Analysis analysis = by(GroupBy::launch, profile);
    SceneOptions options;
    options.theme = Theme::print;
    const Scene scene = build_scene(profile, analysis, options);
    std::string svg;
    const double writing = median_seconds(3, [&] { svg = to_svg(scene, analysis); });
    print_row(fmt::format("SVG of {:.1f} million dots", static_cast<double>(scene.dots.size()) / 1e6),
              fmt::format("{}, {} KB", format(Seconds(writing)), svg.size() / 1000), "≤ 2 MB");
}

void analyse_a_million(const Profile& profile) {
    const double by_kernel = median_seconds(3, [&] { keep(by(GroupBy::kernel, profile)); });
    print_row("analyse 10^6 launches of 1,000 kernels", format(Seconds(by_kernel)), "");
    const double by_launch = median_seconds(3, [&] { keep(by(GroupBy::launch, profile)); });
    print_row("analyse 10^6 launches, each a point", format(Seconds(by_launch)), "");
}

void nearest_dot() {
    const Profile profile = made_profile(1000, 333'334);
    const Analysis analysis = by(GroupBy::launch, profile);
    const Scene scene = build_scene(profile, analysis, {});
    DotIndex index;
    const double building = seconds_of([&] { index = DotIndex(scene.dots); });
    const View view{{0, 0, 1000, 700}, scene.x, scene.y};
    constexpr int lookups = 10'000;
    const double all = median_seconds(5, [&] {
        for (int i = 0; i < lookups; ++i)
            keep(index.nearest(view, {i * 37 % 1000 * 1.0, i * 53 % 700 * 1.0}, 8));
    });
    print_row(fmt::format("nearest of {:.1f} million dots", static_cast<double>(scene.dots.size()) / 1e6),
              format(Seconds(all / lookups)), "≤ 10 µs");
    print_row("build its index", format(Seconds(building)), "");
}

}  // namespace

int main() {
    svg_of_1000_dots();
    const Profile million = made_profile(1000, 1'000'000);
    svg_of_a_million(million);
    analyse_a_million(million);
    nearest_dot();
}
