// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/base/units.h"
#include "core/import/ncu/ncu_metrics.h"
#include "core/model/device.h"

namespace roofwalk {

/// A number and the metrics and arithmetic it comes from.
struct NcuAmount {
    double value = 0;
    std::string formula;
};

/// The metrics of one launch as the rules of this folder read them: no NaN, no infinity, totals recovered
/// from rates, clocks by unit.
class NcuValues {
  public:
    /// By opcode: what threads executed while their predicates were true.
    static constexpr std::string_view thread_opcodes = "sass__thread_inst_executed_true_per_opcode";

    NcuValues(const NcuMetrics& metrics, const Device& device);

    [[nodiscard]] const NcuMetrics& metrics() const { return metrics_; }
    [[nodiscard]] const Device& device() const { return device_; }

    [[nodiscard]] std::optional<double> value(std::string_view name) const;
    /// Sum over the instances of a source counter, else its single value.
    [[nodiscard]] std::optional<double> source_counter(std::string_view name) const;
    /// Executed warp instructions of an opcode; 0 when opcodes were counted and this one never ran.
    [[nodiscard]] std::optional<double> opcode(std::string_view name) const;
    /// Executed warp instructions by opcode with all modifiers, "HMMA.16816.F32": the shape in such a name
    /// makes tensor work exact where no operation counter was collected. Calls nothing when not stored.
    void for_each_opcode_form(const std::function<void(std::string_view form, double count)>& visit) const;
    /// Instructions of an opcode that threads executed with true predicates; 0 when these were counted and
    /// this one never ran. For every opcode of FLOP that is what the counter of its operation holds.
    [[nodiscard]] std::optional<double> thread_opcode(std::string_view name) const;
    /// True when opcodes were counted and none of these ran.
    [[nodiscard]] bool never_ran(std::span<const std::string_view> opcodes) const;

    /// Duration of the launch: `gpu__time_duration.sum`, the name without suffix of 2019, else cycles over
    /// clock.
    [[nodiscard]] const std::optional<NcuAmount>& duration() const { return duration_; }
    /// Whether it is cycles over clock.
    [[nodiscard]] bool derives_duration() const { return derives_duration_; }
    /// What is stored where duration() is absent because no launch can take that long.
    [[nodiscard]] const std::optional<Seconds>& impossible_duration() const { return impossible_duration_; }
    /// `UNIT__cycles_elapsed.avg.per_second` [Hz].
    [[nodiscard]] std::optional<NcuAmount> clock(std::string_view unit) const;
    /// The SM clock: of sm, else smsp, else gpc, which older sets store instead.
    [[nodiscard]] std::optional<NcuAmount> sm_clock() const;

    /// Total of a counter over the launch: `X.sum`; else `X.sum.per_second` times the duration; else
    /// `X.sum.per_cycle_elapsed` times the clock of its unit times the duration. The products give whole
    /// numbers up to rounding, and are rounded to them.
    [[nodiscard]] std::optional<NcuAmount> total(std::string_view counter) const;
    /// The most a counter can count in a second: `X.sum.peak_sustained` times the clock of `unit`; else what
    /// its rate and its per cent of peak say.
    [[nodiscard]] std::optional<NcuAmount> peak_rate(std::string_view counter, std::string_view unit) const;
    /// Rate over per cent of peak; absent when either is missing or the rate is 0.
    [[nodiscard]] std::optional<NcuAmount> peak_rate_from_percent(std::string_view counter) const;

  private:
    const NcuMetrics& metrics_;
    const Device& device_;
    std::map<std::string, double, std::less<>> thread_opcodes_;  ///< empty: not counted
    std::optional<NcuAmount> duration_;
    bool derives_duration_ = false;
    std::optional<Seconds> impossible_duration_;
};

}  // namespace roofwalk
