// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/advice/advice.h"
#include "core/advice/level_words.h"
#include "core/advice/questions.h"

namespace roofwalk {

/// Everything that is said of one kernel, ready to be written.
struct AdvisedKernel {
    std::uint32_t point = 0;  ///< index into Analysis::points
    KernelAdvice advice;
    std::array<Answer, 3> answers;
    std::vector<LevelReuse> reuse;
};

/// What advice is written from.
struct AdviceReport {
    AdviceThresholds thresholds;
    std::vector<AdvisedKernel> kernels;
    /// What to know before collecting what was not measured, a sentence each.
    std::vector<std::string> before_collecting;
    /// The one command that collects all of it, to be run as it stands; empty where nothing is missing or no
    /// command collects it.
    std::string command;
    std::string partial = {};  ///< what of the files could not be read, a sentence; empty: nothing
};

/// Advice on the `most` longest kernels; on every kernel where `most` is 0.
[[nodiscard]] AdviceReport advise_longest(const Profile& profile, const Analysis& analysis,
                                          const AdviceThresholds& thresholds, std::size_t most);

/// For a terminal of `width` columns; lines are broken at 100 columns where the width is 0 or larger.
[[nodiscard]] std::string to_text(const AdviceReport& report, const Analysis& analysis, std::size_t width);
/// One section for each kernel; nothing in a name acts as markup.
[[nodiscard]] std::string to_markdown(const AdviceReport& report, const Analysis& analysis);
/// For scripts (`resources/schema/advice.schema.json`).
[[nodiscard]] std::string to_json(const AdviceReport& report, const Profile& profile,
                                  const Analysis& analysis);

}  // namespace roofwalk
