// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/device_name.h"

#include <fmt/format.h>

#include "app/cli/console.h"
#include "core/base/nearest_names.h"
#include "core/devices/taken_for.h"

namespace roofwalk::cli {

namespace {

/// Those alike, else all.
std::string nearest_devices(const std::string& name) {
    std::vector<std::string_view> names;
    for (const Device& device : known_devices())
        names.push_back(device.name);
    const std::vector<std::string_view> nearest = nearest_names(name, names);
    return nearest.empty() ? "Known are " + known_device_names() + "."
                           : "Did you mean " + joined(nearest, " or ") + "?";
}

}  // namespace

Result<const Device*> named_device(const std::string& name, const char* option) {
    const MeantDevices meant = devices_meant(name);
    if (meant.devices.empty())
        return tl::unexpected(Error{ErrorCode::bad_argument,
                                    "There is no device '" + name + "' in the built-in table", option,
                                    nearest_devices(name)});
    if (!meant.one_model)
        return tl::unexpected(Error{ErrorCode::bad_argument,
                                    "The name '" + name + "' fits more than one device of the built-in table",
                                    option, "Name one of them: " + alternatives(meant.devices, 0) + "."});
    if (const std::string words = taken_for_words(name, meant); !words.empty()) say(words);
    return meant.devices.front();
}

}  // namespace roofwalk::cli
