// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/device_name.h"

#include <fmt/format.h>

#include "app/cli/console.h"
#include "core/roofline/device_ceilings.h"

namespace roofwalk::cli {

namespace {

/// "A, B or C", from the entry `first` on.
std::string alternatives(const std::vector<const Device*>& devices, std::size_t first) {
    std::string list;
    for (std::size_t i = first; i < devices.size(); ++i)
        list += fmt::format("{}{}",
                            i == first                ? ""
                            : i + 1 == devices.size() ? " or "
                                                      : ", ",
                            devices[i]->name);
    return list;
}

}  // namespace

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
    const bool variants = meant.devices.size() > 1;
    if (variants || meant.by_part)
        say(printable(fmt::format(
            "'{}' is taken for the {}{}.", name, meant.devices.front()->name,
            variants ? "; it may also be the " + alternatives(meant.devices, 1) : std::string())));
    return meant.devices.front();
}

}  // namespace roofwalk::cli
