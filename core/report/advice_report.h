// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/advice/guide.h"
#include "core/report/text_page.h"
#include "core/roofline/ncu_command.h"

namespace roofwalk {

/// Everything that is said of one kernel, ready to be written.
struct AdvisedKernel {
    std::uint32_t point = 0;  ///< index into Analysis::points
    KernelAdvice advice;
    std::string first;                    ///< first_step()
    std::string unsized;                  ///< unsized_words() of a kernel without an operation
    std::vector<std::string> above_roof;  ///< above_roof_causes()
};

/// What advice is written from.
struct AdviceReport {
    AdviceThresholds thresholds;
    std::vector<AdvisedKernel> kernels;
    CollectCommand collect;    ///< of what was not measured; empty where nothing is missing
    std::string partial = {};  ///< what of the files could not be read, a sentence; empty: nothing
    std::string clock = {};    ///< clock_sentences()
};

/// Advice on the first `most` of ranked_points(); on every kernel where `most` is 0.
[[nodiscard]] AdviceReport advise_ranked(const Profile& profile, const Analysis& analysis,
                                         const AdviceThresholds& thresholds, std::size_t most);

/// "Below the memory roof (L1)", "At the peak throughput of SM (45.0 % of its HBM roof)": with the level,
/// pipe or unit that is nearest.
[[nodiscard]] std::string place_words(RoofPosition position, const KernelPoint& point);

/// What a step is worth as pages tell it: with what is to the practical roof, and behind the range of
/// gain_of(), where it is one, what reaches its second figure.
[[nodiscard]] StepWorth told_worth(StepWorth worth, const KernelPoint& point, const AnalysisOptions& options);

/// How far the figures are to be trusted, what the counters indicate, what may also be, with the command that
/// collects what would tell, and what is ruled out. Figures in the words that the page has `told` before are
/// left out.
void add_advice(TextPage& page, const KernelAdvice& advice, const CollectCommand& collect = {},
                std::string_view told = {});

/// For a terminal of `width` columns; lines are broken at 100 columns where the width is 0 or larger.
[[nodiscard]] std::string to_text(const AdviceReport& report, const Analysis& analysis, std::size_t width);
/// One section for each kernel; nothing in a name acts as markup.
[[nodiscard]] std::string to_markdown(const AdviceReport& report, const Analysis& analysis);
/// For scripts (`resources/schema/advice.schema.json`).
[[nodiscard]] std::string to_json(const AdviceReport& report, const Profile& profile,
                                  const Analysis& analysis);

}  // namespace roofwalk
