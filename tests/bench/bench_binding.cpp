// SPDX-License-Identifier: GPL-3.0-or-later
// Binding launches to operations, by what the profile states and by rules.
#include "core/base/text.h"
#include "core/operations/op_binding.h"
#include "tests/bench/bench.h"
#include "tests/bench/made_profile.h"

using namespace roofwalk;
using namespace roofwalk::bench;

namespace {

const Bindings rules{{},
                     {{"nothing_is_called_so_(\\d+)", "copy n=$1", RuleSubject::kernel_name},
                      {"(\\d+)", "gemm m=4096 n=4096 k=1$1", RuleSubject::kernel_name}}};

void by_rules(const char* what, const Profile& profile, const char* to_hold) {
    const double seconds = median_seconds(5, [&] { keep(bind_operations(profile, rules)); });
    print_row(what, format(Seconds(seconds)), to_hold);
}

/// Every launch with an operation of its own, as in decoding, where the context grows by a token a step.
Profile with_operations_of_their_own(std::uint32_t launches) {
    Profile profile = made_profile(1, launches);
    std::uint32_t context = 0;
    for (Launch& launch : profile.launches)
        launch.algorithm =
            profile.texts.intern("attention_decode head_dim=128 context=" + std::to_string(++context));
    return profile;
}

}  // namespace

int main() {
    by_rules("bind 10^4 launches of 1,000 kernels by rules", made_profile(1000, 10'000), "one step");
    by_rules("bind 10^6 launches of 1,000 kernels by rules", made_profile(1000, 1'000'000), "");
    const Profile profile = with_operations_of_their_own(10'000);
    const double seconds = median_seconds(5, [&] { keep(bind_operations(profile, {})); });
    print_row("bind 10^4 launches, each with an operation of its own", format(Seconds(seconds)), "one step");
}
