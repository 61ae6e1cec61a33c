// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include "core/import/json/json_reader_check.h"

namespace roofwalk {

/// A header or a kernel longer than this is no profile; it bounds what the parser allocates. [byte]
inline constexpr std::size_t longest_json_element = std::size_t{64} << 20;

/// Parses one value after the other; each lives until the next.
class JsonParser {
  public:
    /// False where the text is no JSON; the checker then has the fault.
    bool parse(std::string_view text, JsonChecker& check, JsonElement& target);

  private:
    simdjson::dom::parser parser_{longest_json_element};
    std::string padded_;
};

}  // namespace roofwalk
