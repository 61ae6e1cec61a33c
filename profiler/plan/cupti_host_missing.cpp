// SPDX-License-Identifier: GPL-3.0-or-later
// In the place of cupti_host.cpp where CUPTI's headers were missing.
#include "profiler/plan/cupti_host.h"

namespace roofwalk {

bool built_with_cupti() {
    return false;
}

Result<std::unique_ptr<CuptiHost>> CuptiHost::load(const std::filesystem::path& /*library*/) {
    return unexpected(ErrorCode::unsupported_version, "This program was built without CUPTI", "",
                      "Build it where the headers of CUDA 13.0 or later are installed.");
}

}  // namespace roofwalk
