// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/devices/match_device.h"

namespace roofwalk {

/// "A100 SXM 40 GB, A100 PCIe 40 GB or A100 PCIe 80 GB": the devices from the entry `first` on.
[[nodiscard]] std::string alternatives(const std::vector<const Device*>& devices, std::size_t first);

/// "'A100' is taken for the A100 SXM 80 GB; it may also be the A100 SXM 40 GB or ...": a typed name that is a
/// part of an entry's, or fits several. Empty of one that names its entry, or none.
[[nodiscard]] std::string ambiguous_device_note(std::string_view name, const MeantDevices& meant);

/// The same of a device of a profile, where its memory roof is that of the built-in table: forms of one model
/// differ in it. Empty where the profile itself tells the forms apart, or brings its own roof.
[[nodiscard]] std::string ambiguous_device_note(const Device& device);

/// The table's entry whose figures stand for such a device; empty as above.
[[nodiscard]] std::string matched_entry(const Device& device);

}  // namespace roofwalk
