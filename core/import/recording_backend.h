// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/enum_array.h"
#include "core/base/error.h"
#include "core/import/live_profile_source.h"
#include "core/import/profile_request.h"

namespace roofwalk {

/// A process that holds a GPU.
struct RunningProgram {
    std::uint32_t process = 0;
    std::string name;
    std::string command;            ///< for people; empty where it cannot be read
    std::optional<Error> obstacle;  ///< why nothing can be recorded of it; absent when it can
    /// Why no agent can be loaded into it as it runs; absent where that can be tried.
    std::optional<Error> no_injection{};
    ProgramStart again{};  ///< starts the same program anew; no command where that is not known
};

/// Passes and what they cost, as sentences.
struct RecordingCost {
    std::string sampled;
    std::string every;  ///< where no launch is left out
};

using CostByReplay = EnumArray<ReplayPolicy, RecordingCost, 3>;

/// What can be recorded on this machine at the moment.
struct RecordingOffer {
    std::optional<Error> obstacle;     ///< why nothing can be recorded at all
    std::optional<Error> no_counters;  ///< why kernels can only be timed
    CostByReplay cost{};
    std::string cost_elsewhere;   ///< on another machine, of which nothing is known yet
    std::optional<Error> no_ncu;  ///< why Nsight Compute cannot record
    std::string cost_of_ncu;      ///< its passes, as sentences
    std::vector<RunningProgram> programs;
};

/// How a window records: all may take a while, and run on a worker thread.
struct RecordingBackend {
    std::function<RecordingOffer(const std::stop_token&)> look;
    StartRecording start;
    /// Loads an agent into a process of its own, to see whether that can work on this machine.
    std::function<Result<void>()> try_injection{};
};

}  // namespace roofwalk
