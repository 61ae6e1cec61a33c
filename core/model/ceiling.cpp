// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/ceiling.h"

#include <algorithm>

#include "core/base/text.h"

namespace roofwalk {

namespace {

constexpr EnumArray<CeilingSource, std::string_view, 5> source_labels{"measured by micro-benchmark",
                                                                      "device counters", "device attributes",
                                                                      "built-in table", "given by the user"};

}  // namespace

const ComputeCeiling* CeilingSet::find(Pipe pipe) const {
    const auto it = std::ranges::find(compute, pipe, &ComputeCeiling::pipe);
    return it == compute.end() ? nullptr : &*it;
}

const BandwidthCeiling* CeilingSet::find(Boundary boundary) const {
    const auto it = std::ranges::find(bandwidth, boundary, &BandwidthCeiling::boundary);
    return it == bandwidth.end() ? nullptr : &*it;
}

std::optional<Hertz> CeilingSet::sm_clock() const {
    for (const ComputeCeiling& ceiling : compute)
        if (ceiling.provenance.clock) return ceiling.provenance.clock;
    const BandwidthCeiling* shared = find(Boundary::smem_wavefronts);
    return shared ? shared->provenance.clock : std::nullopt;
}

std::string id_of(const CeilingTarget& target) {
    return std::visit([](auto limit) { return std::string(id_of(limit)); }, target);
}

std::optional<FoundCeiling> CeilingSet::find(const CeilingTarget& target) const {
    return std::visit(
        [this](auto limit) -> std::optional<FoundCeiling> {
            const auto* ceiling = find(limit);
            if (!ceiling) return std::nullopt;
            return FoundCeiling{ceiling->rate.value(), &ceiling->provenance};
        },
        target);
}

std::string describe(const Provenance& provenance) {
    std::string line(source_labels[provenance.source]);
    if (provenance.clock) {
        line += provenance.basis == ClockBasis::measured ? " at the measured clock " : " at ";
        line += format(*provenance.clock);
    }
    for (const std::string& part : {provenance.mix, provenance.date, provenance.detail})
        if (!part.empty()) line += ", " + part;
    return line;
}

}  // namespace roofwalk
