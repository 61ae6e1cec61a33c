// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace roofwalk {

/// A UUID as a part of a file's name: one from a file may hold anything, names of files may not.
[[nodiscard]] std::string uuid_for_file(std::string_view uuid);

}  // namespace roofwalk
