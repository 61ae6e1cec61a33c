// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace roofwalk {

/// A text from a stranger on one line, in which nothing acts as Markdown.
[[nodiscard]] std::string escape_markdown(std::string_view text);

}  // namespace roofwalk
