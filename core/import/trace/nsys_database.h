// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include "core/base/error.h"
#include "core/base/progress.h"
#include "core/model/profile.h"

namespace roofwalk {

[[nodiscard]] bool starts_sqlite(std::string_view text);

/// Reads what `nsys export --type sqlite` wrote: of each kernel its times, geometry and GPU, and the NVTX
/// ranges (push and pop) in which its thread was when it called. The database is read where it lies in
/// memory: no file is opened, nothing written, no view, trigger, virtual table or function of it is run, and
/// no table gives more rows or texts than its bytes can hold.
[[nodiscard]] Result<Profile> read_nsys_database(std::string_view text, const std::string& name,
                                                 const Progress& progress);

}  // namespace roofwalk
