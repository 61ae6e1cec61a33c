// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace roofwalk {

/// A metric as articles, nvprof or former releases of Nsight Compute call it.
struct FormerMetric {
    std::string_view name;  ///< without a suffix, unless that is what changed
    std::string_view
        today;  ///< that or those of Nsight Compute today, by commas; a remark may follow in brackets
};

/// Those that somebody means who typed `word`: by their whole name, with or without a suffix, else those with
/// the word inside, those of articles before those of nvprof, but none who typed the name of today or its
/// start. At most five; a word of less than four characters means none.
[[nodiscard]] std::vector<FormerMetric> former_metrics_in(std::string_view word);

/// "l2__throughput_percentage is lts__throughput.avg.pct_of_peak_sustained_elapsed today."; a sentence for
/// each that may be meant, empty where none is.
[[nodiscard]] std::string today_sentence(std::string_view word);

}  // namespace roofwalk
