// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

#include "core/base/error.h"

/// What a person and the shell are told: lines on stderr, the exit code.
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

/// On stderr, as it is. A stderr that takes nothing loses it and ends nothing.
void write_error_text(std::string_view text);
/// One line, printable().
void say(std::string_view line);
/// "roofwalk-cli: error: what (where). hint"
void say_error(const Error& error);
/// Says an error; the exit code that tells it.
[[nodiscard]] int fail(const Error& error);
void say_warning(std::string_view line);

/// Empties the line of a terminal for another.
inline constexpr std::string_view wiped_line = "\r\x1B[K";

/// Columns of the terminal on stdout; 0 when stdout is no terminal.
[[nodiscard]] std::size_t terminal_width();

/// One line on stderr that rewrites itself while a file is read; nothing when stderr is no terminal or the
/// reading is over before anybody could wonder.
class ProgressLine {
  public:
    explicit ProgressLine(std::string what);
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;
    ~ProgressLine();  ///< wipes the line

    void show(double share);

  private:
    std::string what_;
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
    int shown_percent_ = -1;
};

}  // namespace roofwalk::cli
