// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/chart/scene/scene_projected_roofs.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "core/base/text.h"
#include "core/chart/scene/scene_parts.h"

namespace roofwalk {

namespace {

bool is_bandwidth(const Roof& roof) {
    return std::holds_alternative<Boundary>(roof.target);
}

bool binds_a_kernel(const Roof& roof, const Analysis& analysis) {
    return std::ranges::any_of(analysis.points,
                               [&](const KernelPoint& point) { return point.binding == roof.target; });
}

/// The roofs of the scene's own device that another device gets too: of the memory levels the farthest, and
/// those that bind a kernel.
std::vector<Roof> counterparts(const Scene& scene, const Analysis& analysis) {
    std::vector<Roof> list;
    for (const Roof& roof : scene.roofs) {
        if (roof.is_beside()) continue;
        if (is_bandwidth(roof) && std::ranges::any_of(list, is_bandwidth) && !binds_a_kernel(roof, analysis))
            continue;
        list.push_back(roof);
    }
    return list;
}

std::optional<Roof> on_other_device(const Roof& own, const ProjectedDevice& device, std::size_t number,
                                    const std::string& rate_unit) {
    const auto ceiling = device.ceilings.find(own.target);
    if (!ceiling || !(ceiling->rate > 0)) return std::nullopt;
    Roof roof = own;
    roof.id = "other" + std::to_string(number) + "-" + own.id;
    roof.name = own.name + " of " + device.name;
    roof.rate = ceiling->rate;
    roof.value = is_bandwidth(own) ? format(ByteRate(roof.rate)) : format(FlopRate(roof.rate), rate_unit);
    roof.note = roof.name + " " + roof.value + ": " + describe(*ceiling->provenance);
    roof.highlighted = false;
    roof.line = RoofLine::other_device;
    roof.of_theory.clear();
    return roof;
}

/// ", boost clock", of a compute roof.
std::string clock_of(const CeilingSet& ceilings, const Roof& roof) {
    const auto ceiling = ceilings.find(roof.target);
    if (!ceiling || !ceiling->provenance->clock) return {};
    return ", " + std::string(id_of(ceiling->provenance->basis)) + " clock";
}

/// The ridge of the two roofs that the first ridge of the scene is of.
void add_ridge(Scene& scene, const std::vector<Roof>& roofs, const ProjectedDevice& device,
               const Analysis& analysis) {
    if (scene.ridges.empty()) return;
    const RidgeMark& first = scene.ridges.front();
    const auto slope = std::ranges::find_if(roofs, is_bandwidth);
    const auto compute = std::ranges::find(roofs, first.compute, &Roof::target);
    if (slope == roofs.end() || compute == roofs.end()) return;
    const double ridge = compute->rate / slope->rate;
    RidgeMark mark;
    mark.x = ridge;
    mark.name = label_of(slope->target, analysis.options.memory);
    mark.number = format_number(ridge);
    mark.whose = " of " + device.name + clock_of(device.ceilings, *compute);
    mark.pipe = first.pipe;
    mark.note = "ridge of " + slope->name + " and " + mark.pipe + ": " +
                format(Intensity(ridge), std::string(work_unit(analysis.options.operations)) + "/byte");
    mark.compute = first.compute;
    scene.ridges.push_back(std::move(mark));
}

/// " at the boost clock 1.98 GHz", of the compute roofs.
std::string clock_words(const std::vector<Roof>& roofs, const ProjectedDevice& device) {
    for (const Roof& roof : roofs) {
        const Pipe* pipe = std::get_if<Pipe>(&roof.target);
        const ComputeCeiling* ceiling = pipe ? device.ceilings.find(*pipe) : nullptr;
        if (!ceiling || !ceiling->provenance.clock) continue;
        const bool measured = ceiling->provenance.basis == ClockBasis::measured;
        return std::string(" at the ") + (measured ? "measured" : "boost") + " clock " +
               format(*ceiling->provenance.clock);
    }
    return {};
}

void grow(Scene& scene, const std::vector<Roof>& roofs) {
    for (const Roof& roof : roofs) {
        if (is_bandwidth(roof) && std::isfinite(roof.ends_at))
            scene.x.hi = std::max(scene.x.hi, padded({roof.ends_at, roof.ends_at}, 0).hi);
        if (!is_bandwidth(roof)) scene.y.hi = std::max(scene.y.hi, padded({roof.rate, roof.rate}, 0).hi);
    }
}

}  // namespace

void add_projected_roofs(Scene& scene, const Analysis& analysis, std::span<const ProjectedDevice> devices) {
    const std::string unit(work_unit(analysis.options.operations));
    const std::vector<Roof> own = counterparts(scene, analysis);
    const std::size_t own_ridges = scene.ridges.size();
    std::string names;
    for (const ProjectedDevice& device : devices) {
        std::vector<Roof> roofs;
        std::string rates;  // a small chart has no room for all their labels
        for (const Roof& roof : own) {
            auto other = on_other_device(roof, device, static_cast<std::size_t>(&device - devices.data()) + 1,
                                         unit + "/s");
            rates += (rates.empty() ? "" : ", ") + roof.name + ' ' + (other ? other->value : "not known");
            if (other) roofs.push_back(std::move(*other));
        }
        join_ends(roofs);
        add_ridge(scene, roofs, device, analysis);
        grow(scene, roofs);
        scene.roofs.insert(scene.roofs.end(), roofs.begin(), roofs.end());
        names += (names.empty() ? "" : ", ") + device.name + clock_words(roofs, device) + " (" + rates + ')';
    }
    if (names.empty()) return;
    if (scene.ridges.size() > own_ridges)
        if (const auto roof = std::ranges::find(own, scene.ridges.front().compute, &Roof::target);
            roof != own.end())
            scene.ridges.front().whose = clock_of(ceilings_in_use(analysis, scene.options), *roof);
    lead_caption(scene, "dash-dotted: roofs of " + names);
}

}  // namespace roofwalk
