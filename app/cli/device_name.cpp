// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/device_name.h"

#include "core/roofline/device_ceilings.h"

namespace roofwalk::cli {

Result<const Device*> named_device(const std::string& name, const char* option) {
    if (const Device* device = find_known_device(name)) return device;
    return tl::unexpected(Error{ErrorCode::bad_argument,
                                "There is no device '" + name + "' in the built-in table", option,
                                "Known are " + known_device_names() + "."});
}

}  // namespace roofwalk::cli
