// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/import/recording_backend.h"
#include "profiler/recording/capability_check.h"
#include "profiler/recording/profile_session.h"

namespace roofwalk {

/// Passes on the chips of `gpus` (names of models), by CUPTI's scheduler; on all chips where no model is
/// known, or `cupti` is empty or does not plan, from what was counted when this was written.
[[nodiscard]] CostByReplay recording_cost(const std::vector<std::string>& gpus,
                                          const std::filesystem::path& cupti,
                                          const std::stop_token& stop = {});

/// What a person may choose beside the request.
struct RecordingOptions {
    std::filesystem::path agent;    ///< empty: the one installed with this program
    std::filesystem::path cupti;    ///< empty: looked for
    bool despite_findings = false;  ///< start even where the check says that nothing can be measured
    std::vector<Error> warnings{};  ///< known before the start, told with the problems of a LiveSource
};

/// What is installed with this program under a name, or stands beside it where it was built; empty when
/// there is none.
[[nodiscard]] std::filesystem::path installed(std::string_view name);
[[nodiscard]] std::filesystem::path installed_agent();
/// How a Python program is brought to write the NVTX ranges of PyTorch with the sizes of inputs.
struct PytorchRanges {
    std::string path;               ///< PYTHONPATH: our folder before those that it would have
    std::optional<Error> kept_off;  ///< where Python reads none by an option of its command
};
/// Sets the variable. An error where the folder is not installed.
[[nodiscard]] Result<PytorchRanges> switch_pytorch_ranges_on(ProgramStart& launch);
/// What brings the agent where it is not installed, as a sentence: this program itself only where it was
/// built with one.
[[nodiscard]] std::string how_to_get_agent();
/// Where that is no file: an error with the remedy.
[[nodiscard]] Result<void> refuse_missing_agent(const std::filesystem::path& agent);

/// Why nothing can be recorded here, or only with what `request` does not ask for: an error with the remedy.
/// `findings` are of this machine.
[[nodiscard]] Result<void> refuse_by_findings(const std::vector<CapabilityFinding>& findings, bool counters);

/// The same for recordings by our agent, which needs a driver that CUPTI works with.
[[nodiscard]] Result<void> refuse_agent_by_findings(const std::vector<CapabilityFinding>& findings,
                                                    bool counters);

/// An error where a pattern of `filter` is no expression of RE2, or has what an agent cannot look for.
[[nodiscard]] Result<void> refuse_patterns(const LaunchFilter& filter);

/// The findings of this machine. `cupti` is not needed for what does not count.
[[nodiscard]] std::vector<CapabilityFinding> findings_here(const CuptiChoice& cupti = {});

/// Looks for what a session needs, and a CUPTI that plans where counters are wanted: the one that the
/// person named, or that is installed here or in the Python that is run, never one that a process has loaded.
/// A session that calls an agent needs less than one that starts a program; that of another user is refused.
/// Soon after `stop` that is the error.
[[nodiscard]] Result<RecordingSetup> prepare_session(const ProfileRequest& request,
                                                     const RecordingOptions& choices, std::string tool,
                                                     const RecordingLog& log = {},
                                                     const std::stop_token& stop = {});

}  // namespace roofwalk
