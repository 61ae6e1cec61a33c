// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/warning_place.h"

#include <fmt/format.h>

namespace roofwalk {

void name_file(Profile& profile, std::string_view file) {
    for (Warning& warning : profile.warnings) {
        std::string& where = warning.message.where;
        where = where.empty() ? std::string(file) : fmt::format("{}, {}", file, where);
    }
}

}  // namespace roofwalk
