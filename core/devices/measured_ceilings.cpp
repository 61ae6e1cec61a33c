// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/devices/measured_ceilings.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/text.h"
#include "core/roofline/analysis.h"

namespace roofwalk {

namespace {

constexpr std::array<std::string_view, 3> unit_labels{"byte/s", "FLOP/s", "OP/s"};

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

}  // namespace

std::string_view label_of(RateUnit unit) {
    return unit_labels[static_cast<std::size_t>(unit)];
}

std::string rate_text(const MeasuredRate& rate) {
    return format_si(rate.rate, rate.unit == RateUnit::byte_per_second ? "B/s" : label_of(rate.unit));
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

}  // namespace roofwalk
