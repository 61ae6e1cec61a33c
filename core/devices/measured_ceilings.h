// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/model/device.h"
#include "core/model/profile.h"

namespace roofwalk {

/// A device as it was when it was measured. Its own `uuid` says which board it is.
struct MeasuredDevice {
    Device device;
    std::string driver;                      ///< "580.95.05"; empty: not told
    std::optional<double> power_limit;       ///< [W] that was enforced
    std::optional<Hertz> highest_clock;      ///< that the SMs may reach, as the driver says
    std::optional<Hertz> application_clock;  ///< that was set for programs
    /// Of the SMs, that a setting held them at while they worked: an application clock or a locked one.
    std::optional<Hertz> set_clock;
    std::optional<Hertz> present_clock;     ///< of the SMs, of a device as it is now; kept in no file
    std::optional<double> temperature;      ///< [degree Celsius] before the first benchmark
    std::optional<double> other_processes;  ///< that computed on the device at the start
    std::optional<bool> error_correction;   ///< ECC was on
    /// From the start of a kernel that does nothing to that of the next, in a graph of many.
    std::optional<Seconds> launch_floor;

    friend bool operator==(const MeasuredDevice&, const MeasuredDevice&) = default;
};

/// What a benchmark counts.
enum class RateUnit : std::uint8_t { byte_per_second, flop_per_second, op_per_second };

/// What one benchmark found. Of its repetitions the best.
struct MeasuredRate {
    std::string id;  ///< "hbm.read", "wgmma.bf16"
    std::optional<CeilingTarget>
        target;  ///< what it is a measure of; absent where a profile has no such pipe
    RateUnit unit = RateUnit::byte_per_second;
    double rate = 0;  ///< in `unit`
    std::optional<double>
        rate_per_cycle_and_sm;   ///< the same without the second: what a clock does not change
    std::optional<Hertz> clock;  ///< that the SMs held in that repetition
    double spread = 0;           ///< (highest - lowest) / highest rate
    std::uint32_t repetitions = 0;
    std::string mix;                     ///< "read", "1 read : 1 write"; empty for pipes
    std::string shape;                   ///< in a few words
    std::string operands;                ///< "random normal"
    std::optional<Bytes> footprint;      ///< of memory that was used
    std::vector<std::string> throttled;  ///< why the clock was held down; empty: it was not

    friend bool operator==(const MeasuredRate&, const MeasuredRate&) = default;
};

/// One point of the measured roof: FP32 work on what streams from HBM.
struct SweepPoint {
    Intensity intensity;
    FlopRate rate;
    std::optional<Hertz> clock;
    double spread = 0;
    std::vector<std::string> throttled = {};  ///< as of a rate

    friend bool operator==(const SweepPoint&, const SweepPoint&) = default;
};

/// What our benchmarks found on one device at one time.
struct MeasuredCeilings {
    MeasuredDevice device;
    std::uint32_t benchmark_version = 0;
    std::string date;       ///< ISO date, UTC
    bool complete = false;  ///< false: cut, and what was measured until then is here
    std::vector<MeasuredRate> rates;
    std::vector<SweepPoint> sweep;  ///< by rising intensity
    std::vector<Error> problems;    ///< what could not be measured

    friend bool operator==(const MeasuredCeilings&, const MeasuredCeilings&) = default;
};

/// The benchmarks of this Roofwalk; older measurements are stale.
inline constexpr std::uint32_t current_benchmarks = 4;

/// "B/s", "FLOP/s", "OP/s".
[[nodiscard]] std::string_view label_of(RateUnit unit);
/// "3.2 TB/s", "812 TFLOP/s".
[[nodiscard]] std::string rate_text(const MeasuredRate& rate);

/// Whether a rate is the roof of its target on that architecture: reads of HBM, the plateau of L2, and for
/// tensor pipes the instruction that reaches their peak. mma.sync does not on Hopper, whose wgmma does, nor
/// on data-centre Blackwell, whose tcgen05 is not measured; FP64 has mma.sync only.
[[nodiscard]] bool is_roof(const MeasuredRate& rate, std::optional<ComputeCapability> capability);

/// The rates that are roofs: of several of a target the highest.
[[nodiscard]] std::vector<const MeasuredRate*> roofs_of(const MeasuredCeilings& measured);

/// The roofs as ceilings. The provenance names date, board, driver,
/// power limit, clock, version and spread.
[[nodiscard]] CeilingSet ceilings_from(const MeasuredCeilings& measured);

/// Why the clock was held down in some of the benchmarks, each reason once; empty: in none.
[[nodiscard]] std::vector<std::string> throttle_reasons(const MeasuredCeilings& measured);

/// Why a measurement no longer holds for the device as it is `now`, as sentences; empty: nothing that is
/// known says so. not_compared() tells what is not.
[[nodiscard]] std::vector<std::string> why_stale(const MeasuredCeilings& kept, const MeasuredDevice& now);

/// What a measurement rests on and cannot be held against the device as it is `now`, since one of the two
/// does not tell: "driver", "power limit", "ECC", "locked clocks".
[[nodiscard]] std::vector<std::string> not_compared(const MeasuredCeilings& kept, const MeasuredDevice& now);

/// Which devices get ceilings that were measured apart from their report.
struct MeasuredChoice {
    bool own_board = true;  ///< a device gets what was measured on that very board, found by its UUID
    /// UUID of a measured board: devices that name no UUID get what was measured on it where they may be of
    /// its model. Somebody has to ask for that: another board reaches other rates. Empty: none.
    std::string for_model;

    friend bool operator==(const MeasuredChoice&, const MeasuredChoice&) = default;
};

/// "own", "none", or the UUID of the board whose ceilings devices of its model get: what files hold.
[[nodiscard]] std::string text_of(const MeasuredChoice& choice);
[[nodiscard]] MeasuredChoice measured_choice_from(const std::string& text);

/// The measurements that hold today, and which devices get them.
struct MeasuredUse {
    std::vector<std::shared_ptr<const MeasuredCeilings>> known;  ///< of several of a board the last holds
    MeasuredChoice choice;

    friend bool operator==(const MeasuredUse&, const MeasuredUse&) = default;
};

/// What a device gets; null: nothing.
[[nodiscard]] const MeasuredCeilings* measured_for(const Device& device, const MeasuredUse& use);

/// AnalysisOptions::measured of a profile.
[[nodiscard]] std::map<std::string, CeilingSet> measured_sets(const Profile& profile, const MeasuredUse& use);

/// Puts what was measured before the other ceilings of the devices that get it, so that a profile that is
/// written carries it; what benchmarks found of the same targets before goes.
void merge_measured(Profile& profile, const MeasuredUse& use);

}  // namespace roofwalk
