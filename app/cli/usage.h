// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace roofwalk::cli {

/// What is wrong with a command line, and what is allowed, in one line: for CLI::App::failure_message.
[[nodiscard]] std::string usage_error(const CLI::App* app, const CLI::Error& error);

}  // namespace roofwalk::cli
