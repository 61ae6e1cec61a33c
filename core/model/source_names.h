// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/profile.h"

namespace roofwalk {

/// What people call the reports of a profile, by SourceIndex: the name of the file, with as many folders
/// before it as tell it from the others, or with all where that takes more than seven; where several share a
/// file, with their process or rank, else their number. One that others were joined with has the names of all
/// their files, of more than three the first two: "a + b and 3 more".
[[nodiscard]] std::vector<std::string> source_names(const Profile& profile);
/// What the rows of launches of one report are called: the same, but of the joined ones those only that gave
/// them a figure. `own` is own_source_names().
[[nodiscard]] std::string source_name(const Profile& profile, const std::vector<std::string>& own,
                                      std::span<const SourceIndex> sources);
/// The report of launches, then those joined with it that gave one of them a figure.
[[nodiscard]] std::vector<SourceIndex> sources_of(const Profile& profile,
                                                  std::span<const LaunchIndex> launches);
/// The same, each by the name of its own file only.
[[nodiscard]] std::vector<std::string> own_source_names(const Profile& profile);

/// The last part of a path, "run.ncu-rep" of "C:\data\run.ncu-rep" too: folders may name their owner.
[[nodiscard]] std::string_view file_name_of(std::string_view path);

/// "run.ncu-rep is incomplete, lost.json could not be read", a clause for captions: what was damaged,
/// recorded only in part, or could not be read at all lacks kernels and their time. Of paths the last part;
/// empty where everything was read.
[[nodiscard]] std::string partial_words(const Profile& profile);

/// "run.ncu-rep is incomplete; kernels and their time may be missing."; empty like the clause.
[[nodiscard]] std::string partial_sentence(const Profile& profile);

}  // namespace roofwalk
