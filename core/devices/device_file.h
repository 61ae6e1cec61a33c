// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "core/base/error.h"
#include "core/model/profile.h"

namespace roofwalk {

/// A GPU that a person describes, as JSON: {"name": "our board", "bandwidth": 9e11, "peak": 4e13}, in byte/s
/// and FLOP/s; one without a name has that of its file. One bandwidth is that of HBM, one peak that of every
/// floating-point pipe; instead of a number each may be an object by level or boundary ("hbm", "l2") and by
/// pipe ("fp64", "tensor.fp16"). Its ceilings are typed by the user. `where` stands for the file in messages.
/// Errors: bad_schema, too_large beyond 1 MiB.
[[nodiscard]] Result<Device> read_device(std::string_view text, const std::string& where);

/// A GPU by its name, and where a person described it with the ceilings, compute capability and SMs of that.
[[nodiscard]] Device described_part(const Device& device);
/// The GPU that such a part names: itself where it was described, else that of the built-in table; null where
/// the table has none of that name.
[[nodiscard]] const Device* known_or_described(const Device& part);

/// Makes it the GPU of the launches that name none: its described_part(), but for what the profile itself
/// says of compute capability and SMs. Bytes of DRAM that a file tells as a share of the peak alone are then
/// estimated. False when every device of the profile has a name.
bool name_unnamed_devices(Profile& profile, const Device& named);

/// Whether launches of a profile ran on a GPU that it does not name.
[[nodiscard]] const Device* unnamed_device(const Profile& profile);

}  // namespace roofwalk
