// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace roofwalk {

/// A long C++ kernel name in at most `max_chars` characters (UTF-8 code points) that a person still
/// recognises: the return type, the parameter list and the enclosing namespaces go first, then template
/// arguments become "<…>", then the middle is cut with "…". Names that fit after dropping the parameter list
/// keep their template arguments.
[[nodiscard]] std::string shorten_kernel_name(std::string_view demangled, std::size_t max_chars);

}  // namespace roofwalk
