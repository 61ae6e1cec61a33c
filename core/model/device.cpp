// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/device.h"

namespace roofwalk {

namespace {

constexpr EnumArray<Vendor, std::string_view> vendor_names{"", "NVIDIA", "AMD", "Intel"};

}  // namespace

std::string_view label_of(Vendor vendor) {
    return vendor_names[vendor];
}

Vendor vendor_in_name(std::string_view name) {
    return from_id(vendor_names, name.substr(0, name.find_first_of(" (-"))).value_or(Vendor::unknown);
}

Vendor likely_vendor(const Device& device) {
    return device.compute_capability ? Vendor::nvidia : vendor_in_name(device.name);
}

}  // namespace roofwalk
