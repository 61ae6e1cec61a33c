// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/roofline/practical_roof.h"

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/roofline/analysis.h"
#include "core/roofline/point_bounds.h"
#include "core/roofline/utilisation.h"

namespace roofwalk {

namespace {

constexpr EnumArray<PracticalBand, std::string_view, 4> practical_labels{"little room", "some room",
                                                                         "much room", "above what is usual"};

/// Up to here four digits show 100 %.
constexpr double on_the_practical_roof = 1.0005;

/// What was taken for practical.
std::string assumption(const PracticalRoof& roof, MemoryName memory) {
    const std::string name = label_of(roof.target, memory);
    if (roof.measured) return fmt::format("the most that was measured of {} on this device", name);
    return fmt::format("{} of the {} roof, assumed to be what good kernels reach", format_percent(roof.share),
                       name);
}

}  // namespace

std::string_view label_of(PracticalBand band) {
    return practical_labels[band];
}

double practical_share(const Provenance& provenance, double factor) {
    return provenance.is_benchmarked() ? 1 : factor;
}

std::optional<PracticalBand> practical_band(const KernelPoint& point, const PracticalLimits& limits) {
    if (!point.practical_efficiency || point.contradicted ||
        point.verdict.kernel_class == KernelClass::above_roof)
        return std::nullopt;
    if (*point.practical_efficiency > on_the_practical_roof) return PracticalBand::exceeded;
    if (*point.practical_efficiency >= limits.little_room) return PracticalBand::little_room;
    return *point.practical_efficiency >= limits.some_room ? PracticalBand::some_room
                                                           : PracticalBand::much_room;
}

std::string practical_text(const KernelPoint& point, const AnalysisOptions& options) {
    const auto band = practical_band(point, options.practical_limits);
    if (!band) return {};
    const std::string reached = marked_gap(point, format_percent(*point.practical_efficiency));
    const std::string practical = assumption(*practical_roof(point, options.practical), point.memory);
    return fmt::format("{} of the practical roof ({}){}.", reached, practical,
                       *band == PracticalBand::exceeded ? ", which is no limit"
                                                        : fmt::format(": {} is left", label_of(*band)));
}

}  // namespace roofwalk
