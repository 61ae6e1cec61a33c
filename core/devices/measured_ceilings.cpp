// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/devices/measured_ceilings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/text.h"
#include "core/devices/match_device.h"
#include "core/roofline/analysis.h"

namespace roofwalk {

namespace {

constexpr EnumArray<RateUnit, std::string_view, 3> unit_labels{"B/s", "FLOP/s", "OP/s"};

std::string throttle_text(const MeasuredRate& rate) {
    std::string text;
    for (const std::string& reason : rate.throttled)
        text += (text.empty() ? ", clock held down by: " : ", ") + reason;
    return text;
}

Provenance provenance_of(const MeasuredRate& rate, const MeasuredCeilings& measured) {
    const MeasuredDevice& device = measured.device;
    std::string detail = rate.id + " (" + rate.shape + ")";
    detail += fmt::format(", best of {}, spread {}", rate.repetitions, format_percent(rate.spread));
    if (is_tensor(rate.target && std::holds_alternative<Pipe>(*rate.target) ? std::get<Pipe>(*rate.target)
                                                                            : Pipe{}))
        detail += ", dense, operands " + rate.operands;
    detail += throttle_text(rate);
    if (!device.device.uuid.empty()) detail += ", " + device.device.uuid;
    if (!device.driver.empty()) detail += ", driver " + device.driver;
    if (device.power_limit) detail += fmt::format(", power limit {:.0f} W", *device.power_limit);
    if (device.set_clock) detail += ", SM clock set to " + format(*device.set_clock);
    if (device.error_correction) detail += *device.error_correction ? ", ECC on" : ", ECC off";
    detail += fmt::format(", benchmarks {}", measured.benchmark_version);
    return {.source = CeilingSource::benchmark,
            .basis = ClockBasis::measured,
            .clock = rate.clock,
            .detail = std::move(detail),
            .mix = rate.mix,
            .date = measured.date};
}

/// The driver tells limits in whole watts and clocks in whole megahertz; what differs less is the same.
constexpr double same_setting = 0.005;
/// Two looks at a clock that is held differ by a step of the driver or two.
constexpr double same_held_clock = 0.03;

bool differ(std::optional<double> before, std::optional<double> now) {
    return before && now && std::abs(*before - *now) > same_setting * *before;
}

std::optional<double> value_of(std::optional<Hertz> clock) {
    return clock ? std::optional(clock->value()) : std::nullopt;
}

std::string clock_change(std::string_view which, Hertz before, Hertz now) {
    return fmt::format("The {} was {} and is {} now.", which, format(before), format(now));
}

bool is_above(Hertz clock, Hertz limit) {
    return clock > limit * (1 + same_held_clock);
}

std::optional<Hertz> highest_held(const MeasuredCeilings& measured) {
    std::optional<Hertz> highest;
    for (const MeasuredRate& rate : measured.rates)
        if (rate.clock && (!highest || *rate.clock > *highest)) highest = rate.clock;
    return highest;
}

/// What a clock that a person has set changed. The driver does not tell such a clock, only that one holds the
/// SMs while they work: so a clock beyond it is what proves that it was not there, or is not any more.
std::string set_clock_change(const MeasuredCeilings& kept, const MeasuredDevice& now) {
    const std::optional<Hertz> reached = highest_held(kept);
    if (now.set_clock && reached && is_above(*reached, *now.set_clock))
        return fmt::format(
            "A clock that was set holds the SMs at {} now; they reached {} when it was measured.",
            format(*now.set_clock), format(*reached));
    const std::optional<Hertz>& then = kept.device.set_clock;
    if (then && now.present_clock && is_above(*now.present_clock, *then))
        return fmt::format(
            "A clock that was set held the SMs at {} when it was measured; they run at {} now.",
            format(*then), format(*now.present_clock));
    return {};
}

const char* on_or_off(bool on) {
    return on ? "on" : "off";
}

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

std::string_view label_of(RateUnit unit) {
    return unit_labels[unit];
}

std::string rate_text(const MeasuredRate& rate) {
    return format_si(rate.rate, label_of(rate.unit));
}

bool is_roof(const MeasuredRate& rate, std::optional<ComputeCapability> capability) {
    if (!rate.target || rate.rate <= 0) return false;
    if (std::holds_alternative<Boundary>(*rate.target)) return rate.mix == "read";
    const Pipe pipe = std::get<Pipe>(*rate.target);
    if (!is_tensor(pipe) || pipe.kind == PipeKind::tensor_fp64 || !rate.id.starts_with("mma.")) return true;
    return capability && (capability->major < 9 || capability->major == 12);
}

std::vector<const MeasuredRate*> roofs_of(const MeasuredCeilings& measured) {
    std::vector<const MeasuredRate*> roofs;
    for (const MeasuredRate& rate : measured.rates) {
        if (!is_roof(rate, measured.device.device.compute_capability)) continue;
        const auto known = std::ranges::find(roofs, rate.target, &MeasuredRate::target);
        if (known == roofs.end())
            roofs.push_back(&rate);
        else if ((*known)->rate < rate.rate)
            *known = &rate;
    }
    return roofs;
}

CeilingSet ceilings_from(const MeasuredCeilings& measured) {
    CeilingSet set;
    set.launch_floor = measured.device.launch_floor;
    for (const MeasuredRate* rate : roofs_of(measured)) {
        const Provenance provenance = provenance_of(*rate, measured);
        if (const auto* pipe = std::get_if<Pipe>(&*rate->target))
            set.compute.push_back({*pipe, FlopRate(rate->rate), provenance});
        else
            set.bandwidth.push_back({std::get<Boundary>(*rate->target), ByteRate(rate->rate), provenance});
    }
    return set;
}

std::vector<std::string> throttle_reasons(const MeasuredCeilings& measured) {
    std::vector<std::string> reasons;
    const auto add = [&](const std::vector<std::string>& more) {
        for (const std::string& reason : more)
            if (std::ranges::find(reasons, reason) == reasons.end()) reasons.push_back(reason);
    };
    for (const MeasuredRate& rate : measured.rates)
        add(rate.throttled);
    for (const SweepPoint& point : measured.sweep)
        add(point.throttled);
    return reasons;
}

// Whether a measurement still holds for its device.

std::vector<std::string> why_stale(const MeasuredCeilings& kept, const MeasuredDevice& now) {
    const MeasuredDevice& then = kept.device;
    std::vector<std::string> reasons;
    if (!now.device.uuid.empty() && then.device.uuid != now.device.uuid)
        reasons.push_back("It was measured on another GPU, " + then.device.uuid + ".");
    if (kept.benchmark_version != current_benchmarks)
        reasons.push_back(fmt::format("It was measured with benchmarks of version {}; these are version {}.",
                                      kept.benchmark_version, current_benchmarks));
    if (!then.driver.empty() && !now.driver.empty() && then.driver != now.driver)
        reasons.push_back("The driver was " + then.driver + " and is " + now.driver + " now.");
    if (differ(then.power_limit, now.power_limit))
        reasons.push_back(fmt::format("The power limit was {:.0f} W and is {:.0f} W now.", *then.power_limit,
                                      *now.power_limit));
    if (differ(value_of(then.highest_clock), value_of(now.highest_clock)))
        reasons.push_back(clock_change("highest SM clock", *then.highest_clock, *now.highest_clock));
    if (differ(value_of(then.application_clock), value_of(now.application_clock)))
        reasons.push_back(
            clock_change("clock set for programs", *then.application_clock, *now.application_clock));
    if (std::string change = set_clock_change(kept, now); !change.empty())
        reasons.push_back(std::move(change));
    if (then.error_correction && now.error_correction && *then.error_correction != *now.error_correction)
        reasons.push_back(fmt::format("ECC was {} and is {} now.", on_or_off(*then.error_correction),
                                      on_or_off(*now.error_correction)));
    return reasons;
}

std::vector<std::string> not_compared(const MeasuredCeilings& kept, const MeasuredDevice& now) {
    const MeasuredDevice& then = kept.device;
    std::vector<std::string> names;
    const auto add = [&](const char* name, bool then_known, bool now_known) {
        if (!then_known || !now_known) names.emplace_back(name);
    };
    add("driver", !then.driver.empty(), !now.driver.empty());
    add("power limit", then.power_limit.has_value(), now.power_limit.has_value());
    add("highest SM clock", then.highest_clock.has_value(), now.highest_clock.has_value());
    add("clock set for programs", then.application_clock.has_value(), now.application_clock.has_value());
    add("locked clocks", highest_held(kept).has_value(), now.set_clock.has_value());
    add("ECC", then.error_correction.has_value(), now.error_correction.has_value());
    return names;
}

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
