// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/gate.h"

#include <fmt/format.h>

#include "app/cli/console.h"
#include "core/model/kernel_name.h"
#include "core/text.h"

namespace roofwalk::cli {

namespace {

constexpr std::size_t kernels_said = 20;
constexpr std::size_t name_length = 80;

std::string failure(const KernelPoint& point, double percent) {
    const std::string roof = point.binding ? label_of(*point.binding) + " roof" : "roof";
    return fmt::format("gate: {} reaches {} of its {}, less than {} %",
                       printable(shorten_kernel_name(point.name, name_length)),
                       format_percent(point.gap->efficiency()), roof, format_number(percent));
}

}  // namespace

bool passes_gate(const Analysis& analysis, double percent) {
    std::size_t judged = 0;
    std::size_t below = 0;
    for (const KernelPoint& point : analysis.points) {
        if (!point.gap) continue;
        ++judged;
        if (point.gap->efficiency() * 100 >= percent) continue;
        if (++below <= kernels_said) say(failure(point, percent));
    }
    if (below > kernels_said) say(fmt::format("gate: and {} kernels more", below - kernels_said));
    if (const std::size_t unknown = analysis.points.size() - judged; unknown > 0)
        say(fmt::format("gate: {} of {} kernels have no known gap and were not judged", unknown,
                        analysis.points.size()));
    if (judged == 0) say("gate: failed, because no kernel could be judged");
    return judged > 0 && below == 0;
}

}  // namespace roofwalk::cli
