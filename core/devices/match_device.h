// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/device.h"

/// Which GPU is meant, and which are the same.
namespace roofwalk {

/// The built-in entry for a device name as drivers spell it ("NVIDIA A100-SXM4-80GB") or as people type it
/// ("A100 80GB SXM", "H100"). `hint` tells memory size, SM count and bus width apart where names do not. Null
/// when unknown.
[[nodiscard]] const Device* find_known_device(std::string_view name, const Device* hint = nullptr);

/// What its memory is called: by its architecture, else by the built-in entry for its name.
[[nodiscard]] MemoryName memory_of(const Device& device);
/// Of several in one view; DRAM without any.
[[nodiscard]] MemoryName memory_of(std::span<const Device> devices);

/// Every entry that fits, the one above first: more than one where `device` does not tell variants apart.
[[nodiscard]] std::vector<const Device*> devices_that_fit(const Device& device);

/// The entries of the built-in table that a person may mean.
struct MeantDevices {
    std::vector<const Device*> devices;  ///< the usual one first; empty when nothing fits
    bool one_model = false;              ///< they are variants of one model, such as forms of the A100
    bool by_part = false;                ///< the name is a part of theirs: "4090"
};

/// What a name that was typed fits: a whole name, else a part of one that holds the number of the model
/// ("4090", "a6000"; never a family as "ada" alone), the shortest name of several ("4070"). A word that says
/// nothing of any entry ("4090 Ti") fits none.
[[nodiscard]] MeantDevices devices_meant(std::string_view name);

/// The names of the built-in table as a list for a sentence: where it has any, those of the compute
/// capability and SM count of `like` alone, else of its compute capability. Beyond `most` they are counted.
[[nodiscard]] std::string known_device_names(Device like = {}, std::size_t most = SIZE_MAX);

/// Whether two devices may be one model. Slices of a GPU and boards of other sizes may share a name; what a
/// driver keeps of the memory differs by less than a tenth, and what is not known differs from nothing.
[[nodiscard]] bool may_be_one_model(const Device& a, const Device& b);

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
