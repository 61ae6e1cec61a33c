// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "profiler/plan/cupti_host.h"

namespace roofwalk {

/// The libcupti that plans counters here.
struct CuptiChoice {
    std::filesystem::path library;     ///< empty: none does
    std::uint32_t version = 0;         ///< CUPTI_API_VERSION; 0: not asked
    std::vector<std::string> chips;    ///< that it counts on
    std::vector<Error> passed_over{};  ///< those before it that do not plan here, and why
};

/// What is answered by the CUPTI of a file, in a process of its own: of some releases it ends without a
/// driver. One that this process has loaded is asked here.
[[nodiscard]] Result<std::string> ask_cupti(
    const std::filesystem::path& library,
    const std::function<Result<std::string>(const CuptiHost&)>& question);

/// The first of `libraries` that plans, each tried by ask_cupti().
[[nodiscard]] CuptiChoice choose_cupti(const std::vector<std::filesystem::path>& libraries);

/// Why `choice` is empty, with the remedy.
[[nodiscard]] Error why_no_cupti(const CuptiChoice& choice);

/// "13.0" of CUPTI_API_VERSION 130001; before CUDA 13 the number says less.
[[nodiscard]] std::string words_for_cupti(std::uint32_t version);

}  // namespace roofwalk
