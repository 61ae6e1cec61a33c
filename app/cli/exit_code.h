// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"

namespace roofwalk::cli {

/// What roofwalk-cli tells the shell.
enum ExitCode : int {
    exit_done = 0,
    exit_gate_failed = 1,
    exit_usage = 2,
    exit_unreadable = 3,    ///< a file could not be read or written, or memory does not hold it
    exit_no_profiling = 4,  ///< kernels cannot be profiled on this machine
};

[[nodiscard]] constexpr ExitCode exit_code_of(ErrorCode code) {
    if (code == ErrorCode::not_profiled) return exit_no_profiling;
    return code == ErrorCode::bad_argument ? exit_usage : exit_unreadable;
}

}  // namespace roofwalk::cli
