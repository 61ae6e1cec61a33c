// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/session/session.h"

namespace roofwalk::cli {

/// What is read, and what a session among the files says of it.
struct NamedFiles {
    std::vector<std::string> reports;
    Session session;
    std::string session_file;  ///< empty without one
};

/// Puts the reports of a session in its place; a session is known by its content. Reports that are not what
/// they were when the session was saved are named on stderr. More than one session is an error.
[[nodiscard]] Result<NamedFiles> open_sessions(const std::vector<std::string>& files);

/// The older reports of the session, oldest first, named and looked at as its reports are. They are taken out
/// of it.
[[nodiscard]] Result<std::vector<std::string>> take_baselines(NamedFiles& files);

}  // namespace roofwalk::cli
