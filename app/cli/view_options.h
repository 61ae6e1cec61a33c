// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/cli/session_file.h"
#include "core/base/error.h"
#include "core/devices/measured_use.h"
#include "core/roofline/analysis.h"

namespace CLI {
class App;
}

namespace roofwalk::cli {

/// What `report`, `advise` and `chart` have in common: which files, and how their launches become points.
struct ViewOptions {
    std::vector<std::string> files;
    std::string group;  ///< empty as all below: as a session says, else what is usual
    std::string clock;
    std::string operations;
    std::string view;  ///< "nsight", "nersc", or empty for our own boundaries
    std::vector<std::string> levels;
    std::optional<std::string> filter;
    std::string ceilings;           ///< file of measured ceilings, or "none"
    std::vector<std::string> bind;  ///< "[nvtx:]PATTERN=OPERATION"
};

void add_view_options(CLI::App& verb, ViewOptions& options);

/// How launches become points: as the options say, else as the session does, with its ceilings.
[[nodiscard]] AnalysisOptions analysis_options(const ViewOptions& options, const Session& session);

/// A profile and what the options make of it.
struct Viewed {
    Profile profile;
    Analysis analysis;
    NamedFiles files;
    MeasuredUse measured = {};
};

/// Reports that a session has lost stand in the profile as files of which nothing was read: what is written
/// says so, and no gate is passed without them.
void add_lost(Profile& profile, const std::vector<LostReport>& lost);

/// Reads, analyses and filters. Shares of time stay shares of the whole run when a filter is given.
[[nodiscard]] Result<Viewed> read_and_analyse(const ViewOptions& options);
/// The same of files that are looked at in a given way, but for their operations.
[[nodiscard]] Result<Viewed> read_and_analyse(const ViewOptions& options, NamedFiles files,
                                              AnalysisOptions how);

}  // namespace roofwalk::cli
