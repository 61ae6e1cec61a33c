// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/advice/advice.h"

namespace roofwalk {

/// What of a kernel a step leaves as it is.
enum class StepKeeps : std::uint8_t { nothing, bytes_and_work, instructions_too };

/// What a step changes, and how much is known of what that gains.
struct StepEffect {
    StepKeeps keeps = StepKeeps::nothing;
    bool changes_launches = false;
    double worth = 1;  ///< times as fast by it; 1: not known
};

/// What a position means for one kernel, with its figures, and where to begin.
struct KernelGuide {
    std::string_view title;
    std::string symptom;
    std::string meaning;
    std::string primary;    ///< what to do first
    std::string numbers;    ///< of the kernel, that `primary` rests on, or that none of them was collected
    std::string secondary;  ///< what to do then
    /// The rules whose remedies `primary` and `secondary` name; rules that are ruled out are not among them.
    std::vector<std::string_view> remedies;
    StepEffect first;                ///< of `primary`
    std::optional<StepEffect> then;  ///< of `secondary`; absent where that names no remedy
    bool finds_out = false;          ///< `primary` measures: nothing is gained by it yet
};

/// The guide of a kernel whose position is known. What to do first is about the level or the pipe that binds,
/// and near the practical roof about fewer bytes rather than more of them under way; where the class rests on
/// a unit that the profiler found busy, it is about that unit. Farther below, causes that the numbers
/// indicate come first, of these what saves most. What is indicated with a worth is named in any case. No
/// remedy is named against a cause that they rule out.
[[nodiscard]] KernelGuide kernel_guide(const KernelAdvice& advice, const KernelPoint& point,
                                       const AnalysisOptions& options);

/// What a step saves, where a figure tells it.
struct StepSaving {
    std::string words;
    std::optional<Seconds> time = {};
    bool at_stake = false;  ///< all above the next limit, of which nobody knows how much it saves
};
[[nodiscard]] StepSaving saving_of(const StepEffect& step, const KernelPoint& point, Seconds program);

/// What a step saves and what can be recovered, as one answer.
struct StepWorth {
    std::string words;
    std::string recoverable;  ///< recoverable_words(), told against it; empty where `words` are these
    std::optional<Seconds> most = {};  ///< the largest that `words` tell
};
/// What `primary` saves of the time of all kernels at most: what removing its causes is worth where
/// that is known, else recoverable_words() where it keeps what these rest on, else what fewer bytes save, or
/// what is at stake until something else binds, else which data are missing. Where fewer bytes would save
/// more, it says why they do not come first.
[[nodiscard]] StepWorth first_step_worth(const KernelGuide& guide, const KernelPoint& point, Seconds program);
/// The same of first_step() without a position: what can be recovered, where that is known all the same.
[[nodiscard]] StepWorth worth_without_position(const std::string& first, const KernelPoint& point,
                                               Seconds program);
/// " To the practical roof (88.0 % of HBM, assumed): 120 µs.": what of recoverable_time() good kernels reach;
/// empty where that is not of the roof, or the roof was measured.
[[nodiscard]] std::string practical_part_words(const KernelPoint& point, const AnalysisOptions& options);

/// What to do first: what the guide says; of a kernel without a position, what to measure where a command
/// collects it, else to bind its operation or to name ceilings. Empty above a roof, and where none of these
/// helps.
[[nodiscard]] std::string first_step(const Profile& profile, const KernelPoint& point,
                                     const Analysis& analysis, const KernelAdvice& advice);

}  // namespace roofwalk
