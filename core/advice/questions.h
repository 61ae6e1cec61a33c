// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "core/roofline/analysis.h"

namespace roofwalk {

/// A number that an answer rests on, in base units.
struct AnswerFigure {
    std::string_view id;  ///< "intensity", "ridge", "vertical_gap"
    double value = 0;
    std::string unit;  ///< "FLOP/byte", "x"
};

/// One of the questions that place a kernel, and what the numbers say.
struct Answer {
    std::string_view id;        ///< "side", "below_roof", "left_of_algorithm"
    std::string_view question;  ///< "Left or right of the ridge?"
    std::string answer;         ///< one sentence
    std::vector<AnswerFigure> figures;
};

/// Left or right of the ridge? Below the roof? More bytes than its algorithm needs?
[[nodiscard]] std::array<Answer, 3> reading_questions(const KernelPoint& point,
                                                      const AnalysisOptions& options);

}  // namespace roofwalk
