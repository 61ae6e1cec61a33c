// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/missing_hint.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>

#include "app/cli/console.h"
#include "core/roofline/missing.h"
#include "core/roofline/summary.h"

namespace roofwalk::cli {

namespace {

void say_integer_work(const Analysis& analysis) {
    const auto kernels =
        static_cast<std::size_t>(std::ranges::count_if(analysis.points, &KernelPoint::mostly_integer));
    if (kernels == 0) return;
    say(fmt::format("The work of {} is integer operations: --operations integer counts them.",
                    rows_among(kernels, analysis.points.size(), analysis.options.group_by)));
}

}  // namespace

bool say_missing_quantities(const Profile& profile, const Analysis& analysis) {
    say_integer_work(analysis);
    for (const Notice& device : devices_without_ceilings(profile, analysis))
        say_warning(to_line(device));
    std::map<std::string, std::size_t> kernels_without;
    std::map<std::string, std::string> elsewhere;
    for (const KernelPoint& point : analysis.points)
        for (const MissingQuantity& missing : missing_quantities(profile, point, analysis)) {
            ++kernels_without[missing.quantity];
            if (std::string counted = counted_elsewhere(missing); !counted.empty())
                elsewhere[missing.quantity] = "; " + std::move(counted);
        }
    for (const auto& [quantity, kernels] : kernels_without)
        say(fmt::format("Not measured: {}, for {}{}.", quantity,
                        rows_among(kernels, analysis.points.size(), analysis.options.group_by),
                        elsewhere[quantity]));
    return !kernels_without.empty();
}

void say_missing(const Profile& profile, const Analysis& analysis) {
    if (!say_missing_quantities(profile, analysis)) return;
    const CollectCommand collect = collect_command(profile, nullptr, analysis);
    for (const std::string& words : collect.before)
        say(words);
    if (collect.command.empty()) return;
    say("To collect it:");
    say("  " + collect.command);
}

}  // namespace roofwalk::cli
