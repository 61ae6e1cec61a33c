// SPDX-License-Identifier: GPL-3.0-or-later
// Two reports of 10^5 launches: which is which, and what became of each.
#include <fmt/format.h>

#include "core/base/text.h"
#include "core/chart/scene/scene_comparison.h"
#include "core/compare/comparison.h"
#include "tests/bench/bench.h"
#include "tests/bench/made_profile.h"

using namespace roofwalk;
using namespace roofwalk::bench;

namespace {

constexpr std::uint32_t launches = 100'000;

void compare_by(GroupBy group_by, const char* what) {
    const Profile old_profile = made_profile(1000, launches);
    const Profile new_profile = made_profile(1000, launches);
    AnalysisOptions options;
    options.group_by = group_by;
    const Analysis old_analysis = analyse(old_profile, options);
    const Analysis new_analysis = analyse(new_profile, options);
    const AnalysedProfile before{&old_profile, &old_analysis};
    const AnalysedProfile after{&new_profile, &new_analysis};
    const double matching = median_seconds(5, [&] { keep(match_kernels(before, after)); });
    print_row(fmt::format("match two reports of 10^5 launches{}", what), format(Seconds(matching)), "");
    const std::vector<AnalysedProfile> runs{before, after};
    const double comparing = median_seconds(5, [&] { keep(compare_runs(runs)); });
    print_row(fmt::format("match and compare them{}", what), format(Seconds(comparing)), "");
    const Comparison comparison = compare_runs(runs);
    const Scene scene = build_scene(new_profile, new_analysis, {});
    const double drawing = median_seconds(5, [&] {
        Scene walked = scene;
        add_comparison(walked, comparison);
        keep(walked);
    });
    print_row(fmt::format("arrows of the comparison{}, with a copy of the scene", what),
              format(Seconds(drawing)), "");
}

/// Instances of one function, all of them in another spelling.
void match_spellings(std::uint32_t kernels) {
    Profile old_profile = made_profile(kernels, kernels);
    Profile new_profile = old_profile;
    for (std::uint32_t i = 0; i < kernels; ++i) {
        old_profile.kernels[i].name = fmt::format("void gemm<{}>(float*)", i);
        new_profile.kernels[i].name = fmt::format("void ns::gemm<(int){}>(float*)", i);
    }
    const Analysis old_analysis = analyse(old_profile, {});
    const Analysis new_analysis = analyse(new_profile, {});
    const double matching = median_seconds(5, [&] {
        keep(match_kernels({&old_profile, &old_analysis}, {&new_profile, &new_analysis}));
    });
    print_row(fmt::format("match {} instances of one function in another spelling", kernels),
              format(Seconds(matching)), "");
}

}  // namespace

int main() {
    compare_by(GroupBy::launch, ", each a point");
    compare_by(GroupBy::kernel, " of 1,000 kernels");
    match_spellings(20'000);
    match_spellings(100'000);
}
