// SPDX-License-Identifier: GPL-3.0-or-later
// The planner of the false CUPTI, as a collector has it.
#include <cupti_profiler_host.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <limits>

#include "tests/profiler/fake_cuda/fake_cupti.h"
#include "tests/profiler/fake_cuda/fake_images.h"
#include "tests/profiler/fake_cuda/fake_metrics.h"

using namespace roofwalk;

struct CUpti_Profiler_Host_Object {
    std::vector<std::string> metrics;
};

namespace {

/// FAKE_CUPTI_UNKNOWN names a metric that this release does not have.
bool is_known(const char* metric) {
    const char* const unknown = std::getenv("FAKE_CUPTI_UNKNOWN");
    return std::strstr(metric, "__") != nullptr && (unknown == nullptr || std::strcmp(metric, unknown) != 0);
}

}  // namespace

extern "C" {

CUptiResult cuptiProfilerHostGetSupportedChips(CUpti_Profiler_Host_GetSupportedChips_Params* params) {
    ROOFWALK_FAKE_CALL();
    if (!fake::has_helper()) return CUPTI_ERROR_NOT_INITIALIZED;
    static const char* const chips[] = {fake::chip};
    params->numChips = 1;
    params->ppChipNames = chips;
    return CUPTI_SUCCESS;
}

CUptiResult cuptiProfilerHostInitialize(CUpti_Profiler_Host_Initialize_Params* params) {
    ROOFWALK_FAKE_CALL();
    if (!fake::has_helper()) return CUPTI_ERROR_NOT_INITIALIZED;
    if (std::strcmp(params->pChipName, fake::chip) != 0) return CUPTI_ERROR_INVALID_CHIP_NAME;
    params->pHostObject = new CUpti_Profiler_Host_Object;
    return CUPTI_SUCCESS;
}

CUptiResult cuptiProfilerHostDeinitialize(CUpti_Profiler_Host_Deinitialize_Params* params) {
    delete params->pHostObject;
    return CUPTI_SUCCESS;
}

CUptiResult cuptiProfilerHostGetMetricProperties(CUpti_Profiler_Host_GetMetricProperties_Params* params) {
    ROOFWALK_FAKE_CALL();
    return is_known(params->pMetricName) ? CUPTI_SUCCESS : CUPTI_ERROR_INVALID_METRIC_NAME;
}

CUptiResult cuptiProfilerHostConfigAddMetrics(CUpti_Profiler_Host_ConfigAddMetrics_Params* params) {
    ROOFWALK_FAKE_CALL();
    for (std::size_t at = 0; at < params->numMetrics; ++at)
        if (!is_known(params->ppMetricNames[at])) return CUPTI_ERROR_INVALID_METRIC_NAME;
    for (std::size_t at = 0; at < params->numMetrics; ++at)
        params->pHostObject->metrics.emplace_back(params->ppMetricNames[at]);
    return CUPTI_SUCCESS;
}

CUptiResult cuptiProfilerHostGetConfigImageSize(CUpti_Profiler_Host_GetConfigImageSize_Params* params) {
    ROOFWALK_FAKE_CALL();
    params->configImageSize = fake::config_image(params->pHostObject->metrics).size();
    return CUPTI_SUCCESS;
}

CUptiResult cuptiProfilerHostGetConfigImage(CUpti_Profiler_Host_GetConfigImage_Params* params) {
    ROOFWALK_FAKE_CALL();
    const std::string image = fake::config_image(params->pHostObject->metrics);
    if (params->configImageSize < image.size()) return CUPTI_ERROR_PARAMETER_SIZE_NOT_SUFFICIENT;
    std::memcpy(params->pConfigImage, image.data(), image.size());
    return CUPTI_SUCCESS;
}

CUptiResult cuptiProfilerHostGetNumOfPasses(CUpti_Profiler_Host_GetNumOfPasses_Params* params) {
    ROOFWALK_FAKE_CALL();
    params->numOfPasses =
        fake::passes_of({reinterpret_cast<const char*>(params->pConfigImage), params->configImageSize});
    return CUPTI_SUCCESS;
}

CUptiResult cuptiProfilerHostEvaluateToGpuValues(CUpti_Profiler_Host_EvaluateToGpuValues_Params* params) {
    ROOFWALK_FAKE_CALL();
    const auto* const image = reinterpret_cast<const fake::CounterImage*>(params->pCounterDataImage);
    if (params->counterDataImageSize < sizeof(*image) || image->magic != fake::CounterImage::right_magic ||
        params->rangeIndex >= image->ranges)
        return CUPTI_ERROR_INVALID_PARAMETER;
    const fake::Kernel& kernel = image->kernels()[params->rangeIndex];
    const auto product = [](const std::uint32_t(&extent)[3]) {
        return static_cast<double>(extent[0]) * extent[1] * extent[2];
    };
    for (std::size_t at = 0; at < params->numMetrics; ++at)
        params->pMetricValues[at] = image->has_values == 0
                                        ? std::numeric_limits<double>::quiet_NaN()
                                        : fake::metric_value(params->ppMetricNames[at], kernel.name,
                                                             product(kernel.grid), product(kernel.block));
    return CUPTI_SUCCESS;
}

}  // extern "C"
