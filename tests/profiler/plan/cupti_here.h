// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>

#include "profiler/plan/cupti_host.h"
#include "profiler/recording/capability_check.h"

namespace roofwalk::test {

/// CUPTI of this machine, or why a test has to do without.
struct CuptiHere {
    std::optional<CuptiHost> host;
    std::string reason;
};

inline CuptiHere cupti_here() {
    if (!built_with_cupti()) return {std::nullopt, "built without the headers of CUPTI"};
    const auto library = find_cupti_here();
    if (!library) return {std::nullopt, "libcupti.so.13 is not installed"};
    auto loaded = CuptiHost::load(*library);
    if (!loaded) return {std::nullopt, loaded.error().what};
    return {*std::move(loaded), ""};
}

}  // namespace roofwalk::test
