// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/device_name.h"

#include <fmt/format.h>

#include "app/cli/console.h"
#include "core/roofline/taken_for.h"

namespace roofwalk::cli {

Result<const Device*> named_device(const std::string& name, const char* option) {
    const MeantDevices meant = devices_meant(name);
    if (meant.devices.empty())
        return tl::unexpected(Error{ErrorCode::bad_argument,
                                    "There is no device '" + name + "' in the built-in table", option,
                                    "Known are " + known_device_names() + "."});
    if (!meant.one_model)
        return tl::unexpected(Error{ErrorCode::bad_argument,
                                    "The name '" + name + "' fits more than one device of the built-in table",
                                    option, "Name one of them: " + alternatives(meant.devices, 0) + "."});
    if (const std::string words = taken_for_words(name, meant); !words.empty()) say(printable(words));
    return meant.devices.front();
}

}  // namespace roofwalk::cli
