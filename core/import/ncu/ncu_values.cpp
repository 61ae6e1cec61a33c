// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/ncu/ncu_values.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/import/impossible_figures.h"

namespace roofwalk {

namespace {

constexpr double seconds_per_nanosecond = 1e-9;

std::string concatenated(std::string_view a, std::string_view b) {
    std::string name;
    name.reserve(a.size() + b.size());
    name += a;
    name += b;
    return name;
}

/// "sm" of "sm__inst_executed".
std::string_view unit_of(std::string_view counter) {
    return counter.substr(0, counter.find("__"));
}

std::optional<NcuAmount> timed_duration(const NcuValues& values) {
    for (const std::string_view name : {"gpu__time_duration.sum", "gpu__time_duration"})
        if (const auto nanoseconds = values.value(name))
            return NcuAmount{*nanoseconds * seconds_per_nanosecond, std::string(name)};
    return std::nullopt;
}

std::optional<NcuAmount> derived_duration(const NcuValues& values) {
    constexpr std::array<std::array<std::string_view, 2>, 3> cycles_and_clocks{{
        {"sm__cycles_elapsed.avg", "sm__cycles_elapsed.avg.per_second"},
        {"sm__cycles_elapsed.max", "sm__cycles_elapsed.avg.per_second"},
        {"gpc__cycles_elapsed.max", "gpc__cycles_elapsed.avg.per_second"},
    }};
    for (const auto& [cycles_name, clock_name] : cycles_and_clocks) {
        const auto cycles = values.value(cycles_name);
        const auto clock = values.value(clock_name);
        if (cycles && clock && *clock > 0)
            return NcuAmount{*cycles / *clock, concatenated(cycles_name, " / ").append(clock_name)};
    }
    return std::nullopt;
}

}  // namespace

NcuValues::NcuValues(const NcuMetrics& metrics, const Device& device) : metrics_(metrics), device_(device) {
    duration_ = timed_duration(*this);
    if (!duration_) {
        duration_ = derived_duration(*this);
        derives_duration_ = duration_.has_value();
    }
    if (duration_ && !is_possible_duration(Seconds(duration_->value))) {
        if (duration_->value != 0) impossible_duration_ = Seconds(duration_->value);
        duration_.reset();
    }
    if (!metrics.for_each_instance) return;
    constexpr double threads_of_a_warp = 32;
    bool possible = true;
    metrics.for_each_instance(thread_opcodes, [&](std::string_view name, double executed) {
        const auto warps = opcode(name);
        possible = possible && executed >= 0 && (!warps || executed <= threads_of_a_warp * *warps);
        thread_opcodes_[std::string(name)] += executed;
    });
    if (!possible) thread_opcodes_.clear();
}

std::optional<double> NcuValues::value(std::string_view name) const {
    if (!metrics_.value) return std::nullopt;
    const auto found = metrics_.value(name);
    return found && std::isfinite(*found) ? found : std::nullopt;
}

std::optional<double> NcuValues::source_counter(std::string_view name) const {
    if (metrics_.instance_sum)
        if (const auto sum = metrics_.instance_sum(name); sum && std::isfinite(*sum)) return sum;
    return value(name);
}

std::optional<double> NcuValues::opcode(std::string_view name) const {
    return metrics_.opcode_count ? metrics_.opcode_count(name) : std::nullopt;
}

void NcuValues::for_each_opcode_form(
    const std::function<void(std::string_view form, double count)>& visit) const {
    if (metrics_.for_each_instance)
        metrics_.for_each_instance("sass__inst_executed_per_opcode_with_modifier_all", visit);
}

std::optional<double> NcuValues::thread_opcode(std::string_view name) const {
    if (thread_opcodes_.empty()) return std::nullopt;
    const auto found = thread_opcodes_.find(name);
    return found == thread_opcodes_.end() ? 0 : found->second;
}

bool NcuValues::never_ran(std::span<const std::string_view> opcodes) const {
    return std::ranges::all_of(opcodes, [&](std::string_view name) { return opcode(name) == 0.0; });
}

std::optional<NcuAmount> NcuValues::clock(std::string_view unit) const {
    std::string name = concatenated(unit, "__cycles_elapsed.avg.per_second");
    const auto hertz = value(name);
    if (!hertz || *hertz <= 0) return std::nullopt;
    return NcuAmount{*hertz, std::move(name)};
}

std::optional<NcuAmount> NcuValues::sm_clock() const {
    for (const std::string_view unit : {"sm", "smsp", "gpc"})
        if (auto found = clock(unit)) return found;
    return std::nullopt;
}

std::optional<NcuAmount> NcuValues::total(std::string_view counter) const {
    std::string name = concatenated(counter, ".sum");
    if (const auto sum = value(name)) return NcuAmount{*sum, std::move(name)};
    if (!duration_) return std::nullopt;

    const std::string rate_name = concatenated(name, ".per_second");
    if (const auto rate = value(rate_name))
        return NcuAmount{std::round(*rate * duration_->value), rate_name + " * " + duration_->formula};

    const std::string cycle_name = concatenated(name, ".per_cycle_elapsed");
    const auto per_cycle = value(cycle_name);
    if (!per_cycle) return std::nullopt;
    auto unit_clock = clock(unit_of(counter));
    if (!unit_clock && unit_of(counter).starts_with("sm")) unit_clock = sm_clock();
    if (!unit_clock) return std::nullopt;
    return NcuAmount{std::round(*per_cycle * unit_clock->value * duration_->value),
                     cycle_name + " * " + unit_clock->formula + " * " + duration_->formula};
}

std::optional<NcuAmount> NcuValues::peak_rate(std::string_view counter, std::string_view unit) const {
    const std::string name = concatenated(counter, ".sum.peak_sustained");
    const auto peak = value(name);
    const auto unit_clock = clock(unit);
    if (peak && unit_clock && *peak > 0)
        return NcuAmount{*peak * unit_clock->value, name + " * " + unit_clock->formula};
    return peak_rate_from_percent(counter);
}

std::optional<NcuAmount> NcuValues::peak_rate_from_percent(std::string_view counter) const {
    std::string percent_name;
    std::optional<double> percent;
    for (const std::string_view rollup :
         {".sum.pct_of_peak_sustained_elapsed", ".avg.pct_of_peak_sustained_elapsed"}) {
        percent_name = concatenated(counter, rollup);
        percent = value(percent_name);
        if (percent) break;
    }
    if (!percent || *percent <= 0) return std::nullopt;

    const std::string rate_name = concatenated(counter, ".sum.per_second");
    if (const auto rate = value(rate_name); rate && *rate > 0)
        return NcuAmount{*rate / (*percent / 100), rate_name + " / " + percent_name};
    const std::string sum_name = concatenated(counter, ".sum");
    const auto sum = value(sum_name);
    if (!sum || *sum <= 0 || !duration_) return std::nullopt;
    return NcuAmount{*sum / duration_->value / (*percent / 100),
                     sum_name + " / " + duration_->formula + " / " + percent_name};
}

}  // namespace roofwalk
