// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/base/enum_array.h"
#include "core/base/units.h"
#include "core/model/memory_level.h"
#include "core/model/pipe.h"

namespace roofwalk {

/// Who says how high a ceiling is, best first.
enum class CeilingSource : std::uint8_t {
    benchmark,   ///< measured on this device by our micro-benchmarks
    counters,    ///< `.peak_sustained` of a counter times the clock of its unit
    attributes,  ///< derived from device attributes (clock, bus width, SM count)
    table,       ///< built-in table of GPUs
    user,        ///< typed in, or given by a JSON profile
};
template <>
inline constexpr EnumIds<CeilingSource, 5> enum_ids<CeilingSource>{"benchmark", "counters", "attributes",
                                                                   "table", "user"};

/// At which clock a ceiling holds.
enum class ClockBasis : std::uint8_t {
    measured,  ///< the clock seen while the kernel ran
    boost,     ///< the highest clock the device advertises
};
template <>
inline constexpr EnumIds<ClockBasis, 2> enum_ids<ClockBasis>{"measured", "boost"};

/// Where a ceiling comes from; every ceiling carries one.
struct Provenance {
    CeilingSource source = CeilingSource::user;
    ClockBasis basis = ClockBasis::boost;
    std::optional<Hertz> clock;  ///< the clock used, where one entered the figure
    std::string detail;          ///< formula, metric names or table row
    std::string mix{};           ///< read/write mix of a measured bandwidth, else empty
    std::string date{};          ///< ISO date of a measurement, else empty
    bool mean = false;           ///< over launches: `detail` says so

    /// Measured on the board itself.
    [[nodiscard]] bool is_benchmarked() const { return source == CeilingSource::benchmark; }

    friend bool operator==(const Provenance&, const Provenance&) = default;
};

/// The most work one pipe can do in a second.
struct ComputeCeiling {
    Pipe pipe;
    FlopRate rate;
    Provenance provenance;

    friend bool operator==(const ComputeCeiling&, const ComputeCeiling&) = default;
};

/// The most bytes that can cross one boundary in a second.
struct BandwidthCeiling {
    Boundary boundary = Boundary::hbm_dram_rw;
    ByteRate rate;
    Provenance provenance;

    friend bool operator==(const BandwidthCeiling&, const BandwidthCeiling&) = default;
};

/// A hardware limit: a pipe or a boundary.
using CeilingTarget = std::variant<Pipe, Boundary>;
/// "tensor_fp16", "hbm/dram-rw": the id of the pipe or the boundary.
[[nodiscard]] std::string id_of(const CeilingTarget& target);

/// What is known of a limit, whichever kind it is.
struct FoundCeiling {
    double rate = 0;  ///< [FLOP/s], [OP/s] or [byte/s], as the target counts
    const Provenance* provenance = nullptr;
};

/// Ceilings of one device. Several may name the same pipe or boundary with different provenance.
struct CeilingSet {
    std::vector<ComputeCeiling> compute;
    std::vector<BandwidthCeiling> bandwidth;
    std::optional<Seconds> launch_floor = {};  ///< what any launch takes; of those that were measured

    /// The first ceiling of that pipe or boundary, or null.
    [[nodiscard]] const ComputeCeiling* find(Pipe pipe) const;
    [[nodiscard]] const BandwidthCeiling* find(Boundary boundary) const;
    [[nodiscard]] std::optional<FoundCeiling> find(const CeilingTarget& target) const;
    /// The SM clock that they hold at, as those of the SMs tell it; absent when none does.
    [[nodiscard]] std::optional<Hertz> sm_clock() const;
    [[nodiscard]] bool empty() const { return compute.empty() && bandwidth.empty() && !launch_floor; }

    friend bool operator==(const CeilingSet&, const CeilingSet&) = default;
};

/// One line for people: "device counters at the measured clock 1.095 GHz, dram__bytes.sum.peak_sustained *
/// ...".
[[nodiscard]] std::string describe(const Provenance& provenance);

}  // namespace roofwalk
