// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

/// Errors of CUPTI that a person can do something about: the numbers of `cupti_result.h`, which are the same
/// in all releases.
namespace roofwalk::cupti_code {

inline constexpr std::int32_t invalid_device = 2;
inline constexpr std::int32_t not_compatible = 14;
inline constexpr std::int32_t not_initialized = 15;
inline constexpr std::int32_t invalid_metric_name = 17;
inline constexpr std::int32_t hardware_busy = 26;
inline constexpr std::int32_t not_supported = 27;
inline constexpr std::int32_t virtualized_device_not_supported = 33;
inline constexpr std::int32_t insufficient_privileges = 35;
inline constexpr std::int32_t multiple_subscribers_not_supported = 39;
inline constexpr std::int32_t virtualized_device_insufficient_privileges = 40;
inline constexpr std::int32_t confidential_computing_not_supported = 41;
inline constexpr std::int32_t cmp_device_not_supported = 42;
inline constexpr std::int32_t mig_device_not_supported = 43;
inline constexpr std::int32_t sli_device_not_supported = 44;
inline constexpr std::int32_t wsl_device_not_supported = 45;
inline constexpr std::int32_t invalid_chip_name = 46;
inline constexpr std::int32_t unknown = 999;

}  // namespace roofwalk::cupti_code
