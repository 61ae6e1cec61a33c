// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/model/kernel_name.h"
#include "core/scenario/scenario_effect.h"

/// Moves and what they bring, in words for a person.
namespace roofwalk {

/// Its name, else the label of its preset, else "by hand".
[[nodiscard]] std::string title_of(const Move& move);
/// "HBM roof", "L1TEX limit".
[[nodiscard]] std::string limit_named(const NearestLimit& limit, MemoryName memory);

/// What it changes: "HBM 0.50x, L2 0.50x bytes, keeps its efficiency"; "time 0.80x".
[[nodiscard]] std::string change_of(const Move& move, MemoryName memory);

/// "per input (a launch takes 24.0 ms)": what the time of a state is that serves several; empty
/// of one, and of no launch of its own.
[[nodiscard]] std::string per_input_words(const KernelState& state, const KernelModel& model);
/// What became of it: "made", "made, stopped at the HBM roof", "made, beyond the model", "made, promises
/// nothing", "made, per input (a launch takes 24.0 ms)", "off", "not made: the report has no kernel like it".
[[nodiscard]] std::string state_of(const ScenarioRow& row);
/// What stopped a move, what it passed, or why it promises nothing, in a sentence each; empty where it did
/// all it says.
[[nodiscard]] std::string move_limit_words(const ScenarioRow& row);

/// What the moves of a kernel bring, and the same in brief: "tile by 64: 2.00x faster" and "2.00x faster", of
/// a few "fuse (2.10x) + tile by 64 (1.95x): 4.10x faster", of many and in brief "5 moves: 4.10x faster";
/// empty where none changed it.
[[nodiscard]] std::pair<std::string, std::string> moves_words(const Scenario& scenario,
                                                              const ScenarioEffect& effect,
                                                              std::uint32_t point);
/// "1.70x": how many times as fast, with as many digits as it takes to tell it from 1.
[[nodiscard]] std::string pace_factor(double times_as_fast);
/// "1.70x faster", "1.02x slower", "unchanged".
[[nodiscard]] std::string pace_words(double times_as_fast);
/// "2.49x faster per input": what is told of a batch.
[[nodiscard]] std::string per_input_if(bool of_a_batch, const std::string& figure);
/// "4.00 GB → 1.00 GB (0.25x)".
[[nodiscard]] std::string changed_words(const std::string& before, const std::string& after,
                                        const std::string& how);
/// "6.00 ms → ~3.00 ms (~2.00x faster)", of a time before and one after that may be in doubt; without the
/// pace where one of them is 0.
[[nodiscard]] std::string changed_time_words(Seconds before, Seconds after, bool doubted = false,
                                             bool approximate = false);

/// "memory-bound, 1.28x below HBM (78.0 %)": its class and how far from its roof it is; the class alone while
/// no roof is known.
[[nodiscard]] std::string verdict_words(const KernelState& state, const KernelModel& model,
                                        const VerdictThresholds& thresholds);

/// What a kernel gains by a move, in lines: levels whose bytes change, its time, its class and share of the
/// roof, and where that is no promise, why.
[[nodiscard]] std::vector<std::string> gain_words(const Move& move, const KernelModel& model,
                                                  const KernelState& before, const KernelState& after,
                                                  const VerdictThresholds& thresholds);

/// One bar of a waterfall: time of the program, from where to where.
struct WaterfallBar {
    std::string title;   ///< "as measured", what a move is called, "after 2 moves"
    std::string kernel;  ///< whole name; of a step only
    Seconds from;        ///< 0 for a whole program
    Seconds to;          ///< less than `from` where a step saves time
    bool promises_nothing = false;
    bool per_input = false;  ///< of a batch

    [[nodiscard]] bool is_step() const { return !kernel.empty(); }
};

/// The program as measured, a step for each move made, the program after them. Empty when no move was made.
[[nodiscard]] std::vector<WaterfallBar> waterfall(const Scenario& scenario, const ScenarioEffect& effect);

/// What stands before a bar: "as measured", "sgemm: Tile", with so much of the kernel's name.
[[nodiscard]] std::string bar_label(const WaterfallBar& bar, const SimilarNames& names,
                                    std::size_t name_chars);

/// What stands at a bar: "10.0 ms", "−3.00 ms → 7.00 ms", "promises nothing".
[[nodiscard]] std::string amount_words(const WaterfallBar& bar);

/// All of it for who cannot see it: "as measured: 10.0 ms; Tile of sgemm: −3.00 ms → 7.00 ms; ...".
[[nodiscard]] std::string waterfall_words(const std::vector<WaterfallBar>& bars);

}  // namespace roofwalk
