// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/notice.h"

namespace roofwalk {

Notice notice_of(const Error& error, Severity severity) {
    return {severity, error.what, error.where, error.hint};
}

std::string to_line(const Notice& notice) {
    std::string line = notice.text;
    if (!notice.where.empty()) {
        if (line.ends_with('.')) line.pop_back();
        line += " (" + notice.where + ")";
    }
    if (!line.empty() && line.back() != '.') line += '.';
    if (!notice.hint.empty()) line += " " + notice.hint;
    return line;
}

}  // namespace roofwalk
