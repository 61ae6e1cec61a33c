// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/roofline/practical.h"

#include <fmt/format.h>

#include <array>

#include "core/roofline/analysis.h"
#include "core/text.h"

namespace roofwalk {

namespace {

constexpr std::array<std::string_view, 3> labels{"excellent", "some room", "much room"};
constexpr std::array<std::string_view, 3> ids{"excellent", "some_room", "much_room"};

}  // namespace

std::string_view label_of(PracticalBand band) {
    return labels[static_cast<std::size_t>(band)];
}

std::string_view id_of(PracticalBand band) {
    return ids[static_cast<std::size_t>(band)];
}

double practical_share(const Provenance& provenance, double factor) {
    return provenance.source == CeilingSource::benchmark ? 1 : factor;
}

std::optional<PracticalBand> practical_band(const KernelPoint& point, const PracticalLimits& limits) {
    if (!point.practical_efficiency || point.verdict.kernel_class == KernelClass::above_roof)
        return std::nullopt;
    if (*point.practical_efficiency >= limits.excellent) return PracticalBand::excellent;
    return *point.practical_efficiency >= limits.some_room ? PracticalBand::some_room
                                                           : PracticalBand::much_room;
}

std::string practical_text(const KernelPoint& point, const PracticalLimits& limits) {
    const auto band = practical_band(point, limits);
    if (!band) return {};
    const double limit = *band == PracticalBand::much_room ? limits.some_room : limits.excellent;
    return fmt::format("{} of the practical roof: {} ({} {}).", format_percent(*point.practical_efficiency),
                       label_of(*band), *band == PracticalBand::excellent ? "at least" : "below",
                       format_percent(limit));
}

}  // namespace roofwalk
