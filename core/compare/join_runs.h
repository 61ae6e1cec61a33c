// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/model/profile.h"

/// Several runs of one program, each of which counted something else: time, then bytes, then FLOP. A run is a
/// report, or a process of a report whose processes counted different things.
namespace roofwalk {

/// Whether reports hold different counters of the same kernels, beside such that hold them all.
[[nodiscard]] bool are_separate_runs(std::span<const Profile* const> profiles);

struct JoinedRuns {
    Profile profile;
    /// Which runs were joined, with how many of their launches, and which were not; empty where none was.
    std::vector<std::string> sentences;
    /// Why none was, to stand behind a colon: other kernels and GPUs, or the same counters.
    std::string why_none = {};
};

/// Makes one run of them, launch by launch: those of the same name, grid, block and NVTX ranges in their
/// order. Its launches are those of the run that counted least beside the time, and the time is that run's;
/// what it did not count is taken from the others, in their order, and the source of every figure names its
/// run. Of a run with fewer launches, which are as the first of the other, each is of its number there. What
/// does not match stays, and a warning lists it: without a time, which is that of a counting pass, unless its
/// report is complete or none of its launches matches. Runs that counted the same are not joined with each
/// other: of several of each kind the first ones are joined, the second ones and so on, of parallel runs
/// those of the same rank. A report of other kernels, and a complete one that adds nothing, stands beside as
/// it is.
[[nodiscard]] JoinedRuns join_runs(std::span<const Profile* const> profiles);

}  // namespace roofwalk
