// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/ceiling_edits.h"

#include <algorithm>

namespace roofwalk {

namespace {

Provenance typed() {
    Provenance provenance;
    provenance.source = CeilingSource::user;
    provenance.detail = "typed in the ceilings panel";
    return provenance;
}

}  // namespace

void set_override(CeilingSet& overrides, const CeilingTarget& target, const std::optional<double>& rate) {
    if (const auto* pipe = std::get_if<Pipe>(&target)) {
        std::erase_if(overrides.compute,
                      [&](const ComputeCeiling& ceiling) { return ceiling.pipe == *pipe; });
        if (rate) overrides.compute.push_back({*pipe, FlopRate(*rate), typed()});
        return;
    }
    const Boundary boundary = std::get<Boundary>(target);
    std::erase_if(overrides.bandwidth,
                  [&](const BandwidthCeiling& ceiling) { return ceiling.boundary == boundary; });
    if (rate) overrides.bandwidth.push_back({boundary, ByteRate(*rate), typed()});
}

std::optional<double> override_of(const CeilingSet& overrides, const CeilingTarget& target) {
    if (const auto* pipe = std::get_if<Pipe>(&target)) {
        const ComputeCeiling* ceiling = overrides.find(*pipe);
        return ceiling != nullptr ? std::optional(ceiling->rate.value()) : std::nullopt;
    }
    const BandwidthCeiling* ceiling = overrides.find(std::get<Boundary>(target));
    return ceiling != nullptr ? std::optional(ceiling->rate.value()) : std::nullopt;
}

void show_pipe(SceneOptions& options, Pipe pipe, bool shown) {
    std::erase(options.hidden_pipes, pipe);
    std::erase(options.extra_pipes, pipe);
    (shown ? options.extra_pipes : options.hidden_pipes).push_back(pipe);
}

bool shows_pipe(const Scene& scene, Pipe pipe) {
    return std::ranges::any_of(scene.roofs, [&](const Roof& roof) {
        return !roof.is_beside() && roof.target == CeilingTarget(pipe);
    });
}

}  // namespace roofwalk
