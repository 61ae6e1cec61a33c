// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/markdown_text.h"

#include "core/base/text.h"

namespace roofwalk {

std::string escape_markdown(std::string_view text) {
    constexpr std::string_view markup = "\\`*_[]<>|~&#@";
    std::string safe;
    for (const char c : one_line(text)) {
        if (markup.find(c) != std::string_view::npos) safe += '\\';
        safe += c;
    }
    return safe;
}

}  // namespace roofwalk
