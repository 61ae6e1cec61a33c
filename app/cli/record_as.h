// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <sys/types.h>

#include <functional>

#include "app/cli/record_options.h"
#include "profiler/recording/processes.h"

namespace roofwalk::cli {

/// Of root: runs `record`, which records `process`, in a child that has the rights of the owner of that
/// process and no more. Root itself keeps the file of the recording and reads nothing of it; where the file
/// is to stand in a folder that others than root can change, the child writes it, with the rights of the
/// owner. The exit code is that of `record`.
[[nodiscard]] int record_as(const ProcessOwner& owner, pid_t process, const RecordOptions& options,
                            const std::function<int(const RecordOptions&)>& record);

}  // namespace roofwalk::cli
