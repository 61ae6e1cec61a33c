// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/devices/measured_use.h"

#include <algorithm>

#include "core/devices/match_device.h"
#include "core/roofline/analysis.h"

namespace roofwalk {

namespace {

constexpr const char* own = "own";
constexpr const char* none = "none";

const MeasuredCeilings* of_board(const std::string& uuid, const MeasuredUse& use) {
    const auto last = std::find_if(use.known.rbegin(), use.known.rend(), [&](const auto& measured) {
        return !uuid.empty() && measured->device.device.uuid == uuid;
    });
    return last == use.known.rend() ? nullptr : last->get();
}

/// Of the same name, or the row of the built-in table that the name of the board means.
bool may_be(const Device& device, const Device& board) {
    const Device* row = find_known_device(board.name, &board);
    return may_be_one_model(device, board) || (row != nullptr && row->name == device.name);
}

template <class Ceiling>
void put_first(std::vector<Ceiling>& list, const std::vector<Ceiling>& measured, auto target) {
    std::erase_if(list, [&](const Ceiling& ceiling) {
        return ceiling.provenance.is_benchmarked() &&
               std::ranges::find(measured, ceiling.*target, target) != measured.end();
    });
    list.insert(list.begin(), measured.begin(), measured.end());
}

}  // namespace

std::string text_of(const MeasuredChoice& choice) {
    if (!choice.for_model.empty()) return choice.for_model;
    return choice.own_board ? own : none;
}

MeasuredChoice measured_choice_from(const std::string& text) {
    if (text.empty() || text == own) return {};
    if (text == none) return {.own_board = false, .for_model = {}};
    return {.own_board = true, .for_model = text};
}

const MeasuredCeilings* measured_for(const Device& device, const MeasuredUse& use) {
    if (!device.uuid.empty()) return use.choice.own_board ? of_board(device.uuid, use) : nullptr;
    const MeasuredCeilings* asked_for = of_board(use.choice.for_model, use);
    const bool fits = asked_for != nullptr && may_be(device, asked_for->device.device);
    return fits ? asked_for : nullptr;
}

std::map<std::string, CeilingSet> measured_sets(const Profile& profile, const MeasuredUse& use) {
    std::map<std::string, CeilingSet> sets;
    for (const Device& device : profile.devices)
        if (const MeasuredCeilings* measured = measured_for(device, use))
            if (CeilingSet set = ceilings_from(*measured); !set.empty())
                sets.insert_or_assign(measured_key(profile, device), std::move(set));
    return sets;
}

void merge_measured(Profile& profile, const MeasuredUse& use) {
    for (Device& device : profile.devices) {
        const MeasuredCeilings* measured = measured_for(device, use);
        if (measured == nullptr) continue;
        const CeilingSet set = ceilings_from(*measured);
        put_first(device.ceilings.compute, set.compute, &ComputeCeiling::pipe);
        put_first(device.ceilings.bandwidth, set.bandwidth, &BandwidthCeiling::boundary);
    }
}

}  // namespace roofwalk
