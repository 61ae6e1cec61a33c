// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/enum_array.h"

namespace roofwalk {

/// Which launches of a program are recorded. Names are regular expressions of RE2 that are found anywhere in
/// the demangled name of a kernel, in that name without its arguments, or in the name of a range.
struct LaunchFilter {
    std::vector<std::string> kernels;  ///< names; none: all
    /// Kernels that wait for those of other devices would wait for ever when they run one by one.
    std::vector<std::string> except{"^nccl", "^nvshmem"};
    std::vector<std::string> nvtx_ranges;  ///< only inside of these; none: everywhere
    std::uint64_t skip = 0;                ///< launches that pass the filter and are left alone first
    std::optional<std::uint64_t> count;    ///< launches recorded after those; absent: all
};

/// Which launches are run in several passes, so that FLOP are counted on the launch that bytes are counted
/// on.
enum class ReplayPolicy {
    never,   ///< FLOP are those of another launch
    once,    ///< the first launch of a kernel and geometry, where little memory is in use
    always,  ///< each that is measured
};

/// "never", "once", "always".
[[nodiscard]] constexpr std::string_view name_of(ReplayPolicy replay) {
    return EnumArray<ReplayPolicy, std::string_view, 3>{"never", "once", "always"}[replay];
}

/// What is measured of a program.
struct CaptureOptions {
    bool counters = true;       ///< false: time only
    bool every_launch = false;  ///< false: launches that repeat are sampled
    ReplayPolicy replay = ReplayPolicy::once;
    LaunchFilter filter;
};

/// A program to start.
struct ProgramStart {
    std::vector<std::string> command;                              ///< program and arguments
    std::filesystem::path directory;                               ///< empty: the current one
    std::vector<std::pair<std::string, std::string>> environment;  ///< variables to set
    /// Command that starts it on another machine, as in {"ssh", "node"}; none: it runs on this one.
    std::vector<std::string> through{};
    bool pytorch_ranges = false;  ///< Python programs switch them on: see switch_pytorch_ranges_on()
};

/// What a person asks for: a program to start, or a process whose agent waits.
struct ProfileRequest {
    ProgramStart launch;
    std::optional<std::uint32_t> attach_to;  ///< process; then nothing is started
    bool inject = false;    ///< where no agent waits in that process, have a debugger load one
    bool with_ncu = false;  ///< Nsight Compute records into a report of its own, not our agent
    CaptureOptions measuring;
    /// File of the recording: %h stands for the host, %p for the process, %q{NAME} for a variable, %% for a
    /// per cent sign. Empty: none.
    std::string output;
};

}  // namespace roofwalk
