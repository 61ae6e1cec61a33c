// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/devices/uuid_for_file.h"

namespace roofwalk {

std::string uuid_for_file(std::string_view uuid) {
    std::string name;
    for (const char letter : uuid) {
        const bool plain = (letter >= '0' && letter <= '9') || (letter >= 'a' && letter <= 'z') ||
                           (letter >= 'A' && letter <= 'Z') || letter == '-';
        name += plain ? letter : '_';
    }
    return name;
}

}  // namespace roofwalk
