// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/plan/cupti_codes.h"

#include <cupti_result.h>

namespace roofwalk::cupti_code {

static_assert(invalid_device == CUPTI_ERROR_INVALID_DEVICE);
static_assert(not_compatible == CUPTI_ERROR_NOT_COMPATIBLE);
static_assert(not_initialized == CUPTI_ERROR_NOT_INITIALIZED);
static_assert(invalid_metric_name == CUPTI_ERROR_INVALID_METRIC_NAME);
static_assert(hardware_busy == CUPTI_ERROR_HARDWARE_BUSY);
static_assert(not_supported == CUPTI_ERROR_NOT_SUPPORTED);
static_assert(virtualized_device_not_supported == CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED);
static_assert(insufficient_privileges == CUPTI_ERROR_INSUFFICIENT_PRIVILEGES);
static_assert(multiple_subscribers_not_supported == CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED);
static_assert(virtualized_device_insufficient_privileges ==
              CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES);
static_assert(confidential_computing_not_supported == CUPTI_ERROR_CONFIDENTIAL_COMPUTING_NOT_SUPPORTED);
static_assert(cmp_device_not_supported == CUPTI_ERROR_CMP_DEVICE_NOT_SUPPORTED);
static_assert(mig_device_not_supported == CUPTI_ERROR_MIG_DEVICE_NOT_SUPPORTED);
static_assert(sli_device_not_supported == CUPTI_ERROR_SLI_DEVICE_NOT_SUPPORTED);
static_assert(wsl_device_not_supported == CUPTI_ERROR_WSL_DEVICE_NOT_SUPPORTED);
static_assert(invalid_chip_name == CUPTI_ERROR_INVALID_CHIP_NAME);
static_assert(unknown == CUPTI_ERROR_UNKNOWN);

}  // namespace roofwalk::cupti_code
