// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/enum_array.h"
#include "core/base/progress.h"
#include "core/scenario/kernel_state.h"
#include "core/scenario/move.h"
#include "core/scenario/promise.h"
#include "core/scenario/scenario.h"

namespace roofwalk {

/// Bytes of a kernel that hold elements of one width.
struct StoredPart {
    int bits = 0;
    double share = 0;  ///< of all its bytes
};

/// What the moves of presets did to a kernel, so that none of them takes away the same bytes twice.
class AppliedPresets {
  public:
    void add(const Move& move);

    /// The factor of the bytes at a level by all moves of a preset; 1 where it made none.
    [[nodiscard]] double left_by(std::string_view preset, MemoryLevel level) const;
    /// How wide they left the data; empty: as measured.
    [[nodiscard]] const std::vector<StoredPart>& stored() const { return stored_; }

  private:
    struct PresetFactors {
        std::string preset;
        EnumArray<MemoryLevel, double> bytes;
    };

    std::vector<PresetFactors> factors_;
    std::vector<StoredPart> stored_;
};

/// Sums over a whole program.
struct ProgramTotals {
    Seconds time;               ///< of every launch whose time is known
    bool time_doubted = false;  ///< some of these may be far too long
    /// By MemoryLevel, of the rows whose bytes are known there; absent where none are.
    EnumArray<MemoryLevel, std::optional<Bytes>> bytes{};
    double calls = 0;  ///< of the host to launch
    /// Without any kernel, before the launches of which it is known: the least that is left, as calls that
    /// are saved may be those with the longest before them. Absent where it is known of none.
    std::optional<Seconds> idle;
    std::uint32_t rows = 0;
    std::uint32_t rows_without_time = 0;
    EnumArray<MemoryLevel, std::uint32_t> rows_without_bytes{};
};

/// As measured.
[[nodiscard]] ProgramTotals measured_totals(const Analysis& analysis);

/// The totals after one kernel changed and saved some time, whatever their number: what each frame of a drag
/// needs. Start every frame from the same totals, so that rounding does not add up.
[[nodiscard]] ProgramTotals with_change(ProgramTotals totals, const KernelState& from, const KernelState& to,
                                        Seconds saved);

/// How much faster the program gets: Amdahl's law, as the times of all other kernels stay. Absent when one of
/// the times is 0.
[[nodiscard]] std::optional<double> speed_up(const ProgramTotals& before, const ProgramTotals& after);

/// One move that was made: a step of the waterfall. What it gains depends on the moves before it.
struct ScenarioStep {
    std::uint32_t move = 0;   ///< index into Scenario::moves
    std::uint32_t point = 0;  ///< index into Analysis::points
    KernelState before;       ///< of the kernel
    KernelState after;
    ProgramTotals program;  ///< after this step
    std::optional<UnpromisedReason> unpromised;
    CountedTime counted_before;  ///< of the kernel, in the program
    CountedTime counted;         ///< the same after this step

    /// As they are told: in the time that the program counts, which what promises nothing leaves as it was.
    [[nodiscard]] KernelState before_in_program() const { return in_counted_time(before, counted_before); }
    [[nodiscard]] KernelState after_in_program() const { return in_counted_time(after, counted); }

    /// The kernel has what the move asks for, or that was never measured.
    [[nodiscard]] bool left_as_it_was() const { return before == after; }
};

/// A kernel that moves changed.
struct MovedKernel {
    std::uint32_t point = 0;  ///< index into Analysis::points
    KernelModel model;        ///< as measured
    KernelState state;        ///< after all its moves
    CountedTime counted;      ///< in the program
    AppliedPresets applied;
    std::optional<Intensity> algorithmic;  ///< at HBM, as measured; absent without an operation

    /// As it is told and drawn: in the time that the program counts.
    [[nodiscard]] KernelState in_program() const { return in_counted_time(state, counted); }
};

/// A move that is on and could not be made.
struct UnusedMove {
    std::uint32_t move = 0;
    KeyMatch match = KeyMatch::unknown;  ///< never found
    std::string why;                     ///< "the report has no kernel of this name"
};

/// What a scenario makes of a program.
struct ScenarioEffect {
    ProgramTotals before;
    ProgramTotals after;
    std::vector<ScenarioStep> steps;   ///< in the order of the moves
    std::vector<MovedKernel> kernels;  ///< by point
    std::vector<UnusedMove> unused;

    /// Null of a kernel that no move changed.
    [[nodiscard]] const MovedKernel* moved_kernel(std::uint32_t point) const;
};

/// Makes the moves that are on, in their order. When it is cancelled, the moves that were not made yet are in
/// neither list.
[[nodiscard]] ScenarioEffect effect_of(const Scenario& scenario, const Profile& profile,
                                       const Analysis& analysis, const Progress& progress = {});

/// What kept a move from doing all it says.
enum class StoppedAt : std::uint8_t {
    roof,       ///< its time is that of the roof or a busier unit, or as far above the roof as it was
    algorithm,  ///< its HBM bytes are those that its operation needs
    launch,     ///< its launches take no less time
};
template <>
inline constexpr EnumIds<StoppedAt, 3> enum_ids<StoppedAt>{"roof", "algorithm", "launch"};

/// A move and what became of it.
struct ScenarioRow {
    const Move* move = nullptr;
    const ScenarioStep* step = nullptr;     ///< null when it was not made
    const MovedKernel* kernel = nullptr;    ///< null when it was not made
    const ProgramTotals* before = nullptr;  ///< the program before this step; null when it was not made
    std::string why;                        ///< "off", or why it could not be made; empty when it was
    std::optional<StoppedAt> stopped_at{};  ///< of a move that was made
    bool past_algorithm = false;            ///< it left fewer HBM bytes than its operation needs
};

/// One for each move of the scenario, in its order.
[[nodiscard]] std::vector<ScenarioRow> scenario_rows(const Scenario& scenario, const ScenarioEffect& effect);

/// A kernel as the moves leave it, with every bound, gap and verdict found anew. The units that the profiler
/// found busy are taken to be busy for as long as they were; what was a spread over launches is left out.
[[nodiscard]] KernelPoint moved_point(const KernelPoint& measured, const KernelState& state,
                                      const AnalysisOptions& options);

/// The analysis of the program that a scenario makes: same rows in the same order, other numbers. Shares of
/// time are of the new total. What promises nothing leaves the time, and a dot as high, as it was. When it is
/// cancelled, kernels that were not moved yet stay as measured.
[[nodiscard]] Analysis moved_analysis(const Analysis& measured, const ScenarioEffect& effect,
                                      const Progress& progress = {});

}  // namespace roofwalk
