// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/cli/view_options.h"
#include "core/compare/comparison.h"

namespace roofwalk::cli {

/// Adds `--noise PCT`.
void add_noise_option(CLI::App& verb, std::optional<double>& percent);

/// Reads and analyses each file by itself, all in one way: as the options say, else as the last session among
/// the files does. What a session chose for the others is said on stderr.
[[nodiscard]] Result<std::vector<AnalysedReport>> read_each(const ViewOptions& options,
                                                            const std::vector<std::string>& files);
/// The older reports of a session and then its own, looked at as the options or else the session say. Older
/// ones that cannot be read are told, and stand in the newest as files of which nothing was read; an error
/// where there is no other. Without older reports there is its own alone.
[[nodiscard]] Result<std::vector<AnalysedReport>> read_with_baselines(const ViewOptions& options,
                                                                      NamedFiles files);
/// They refer to `reports`.
[[nodiscard]] std::vector<RunView> views_of(const std::vector<AnalysedReport>& reports);

}  // namespace roofwalk::cli
