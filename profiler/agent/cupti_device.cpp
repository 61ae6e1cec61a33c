// SPDX-License-Identifier: Apache-2.0
#include "profiler/agent/cupti_device.h"

#include <cupti_profiler_target.h>
#include <cupti_result.h>
#include <cupti_target.h>

#include "profiler/agent/cupti_sized.h"

namespace roofwalk::agent {

namespace {

struct Functions {
    explicit Functions(const CuptiLibrary& library) {
        library.find(initialize, "cuptiProfilerInitialize");
        library.find(device_supported, "cuptiProfilerDeviceSupported");
        library.find(get_chip_name, "cuptiDeviceGetChipName");
        library.find(get_availability, "cuptiProfilerGetCounterAvailability");
    }

    decltype(&::cuptiProfilerInitialize) initialize = nullptr;
    decltype(&::cuptiProfilerDeviceSupported) device_supported = nullptr;
    decltype(&::cuptiDeviceGetChipName) get_chip_name = nullptr;
    decltype(&::cuptiProfilerGetCounterAvailability) get_availability = nullptr;
};

/// Why the device has no counters, as far as CUPTI tells.
int reason(const CUpti_Profiler_DeviceSupported_Params& answer) {
    const auto refuses = [](CUpti_Profiler_Support_Level level) {
        return level == CUPTI_PROFILER_CONFIGURATION_UNSUPPORTED ||
               level == CUPTI_PROFILER_CONFIGURATION_DISABLED;
    };
    if (answer.vGpu == CUPTI_PROFILER_CONFIGURATION_DISABLED)
        return CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES;
    if (refuses(answer.vGpu)) return CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED;
    if (refuses(answer.confidentialCompute)) return CUPTI_ERROR_CONFIDENTIAL_COMPUTING_NOT_SUPPORTED;
    if (refuses(answer.cmp)) return CUPTI_ERROR_CMP_DEVICE_NOT_SUPPORTED;
    if (refuses(answer.sli)) return CUPTI_ERROR_SLI_DEVICE_NOT_SUPPORTED;
    if (refuses(answer.wsl)) return CUPTI_ERROR_WSL_DEVICE_NOT_SUPPORTED;
    return CUPTI_ERROR_NOT_SUPPORTED;
}

}  // namespace

CounterSupport counter_support(const CuptiLibrary& library, std::uint32_t device, void* context) {
    const Functions functions(library);
    CounterSupport support;
    const auto fails = [&](int code, const char* call) {
        if (code != CUPTI_SUCCESS && !support.failure) support.failure = CuptiFailure{code, call};
        return support.failure.has_value();
    };
    if (functions.initialize == nullptr || functions.device_supported == nullptr ||
        functions.get_chip_name == nullptr || functions.get_availability == nullptr) {
        support.failure = CuptiFailure{CUPTI_ERROR_NOT_COMPATIBLE, "cuptiProfilerInitialize"};
        return support;
    }
    auto chip = sized<CUpti_Device_GetChipName_Params>(CUpti_Device_GetChipName_Params_STRUCT_SIZE);
    auto start = sized<CUpti_Profiler_Initialize_Params>(CUpti_Profiler_Initialize_Params_STRUCT_SIZE);
    if (fails(functions.initialize(&start), "cuptiProfilerInitialize")) return support;
    chip.deviceIndex = device;
    if (!fails(functions.get_chip_name(&chip), "cuptiDeviceGetChipName") && chip.pChipName != nullptr)
        support.chip = chip.pChipName;

    auto question =
        sized<CUpti_Profiler_DeviceSupported_Params>(CUpti_Profiler_DeviceSupported_Params_STRUCT_SIZE);
    question.cuDevice = static_cast<CUdevice>(device);
    question.api = CUPTI_PROFILER_RANGE_PROFILING;
    if (fails(functions.device_supported(&question), "cuptiProfilerDeviceSupported")) return support;
    if (question.isSupported != CUPTI_PROFILER_CONFIGURATION_SUPPORTED) {
        fails(reason(question), "cuptiProfilerDeviceSupported");
        return support;
    }

    auto image = sized<CUpti_Profiler_GetCounterAvailability_Params>(
        CUpti_Profiler_GetCounterAvailability_Params_STRUCT_SIZE);
    image.ctx = static_cast<CUcontext>(context);
    if (fails(functions.get_availability(&image), "cuptiProfilerGetCounterAvailability")) return support;
    support.availability.resize(image.counterAvailabilityImageSize);
    image.pCounterAvailabilityImage = reinterpret_cast<std::uint8_t*>(support.availability.data());
    if (fails(functions.get_availability(&image), "cuptiProfilerGetCounterAvailability"))
        support.availability.clear();
    else
        support.availability.resize(image.counterAvailabilityImageSize);
    return support;
}

}  // namespace roofwalk::agent
