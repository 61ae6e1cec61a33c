// SPDX-License-Identifier: GPL-3.0-or-later
// The counters of the false CUPTI, as a program that is profiled has them. It minds the order of the calls.
#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
#include <cupti_target.h>
#include <cupti_version.h>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <thread>

#include "tests/profiler/fake_cuda/fake_cupti.h"
#include "tests/profiler/fake_cuda/fake_images.h"
#include "tests/profiler/fake_cuda/fake_metrics.h"

using namespace roofwalk;

struct CUpti_RangeProfiler_Object {
    CUcontext context = nullptr;
    fake::CounterImage* image = nullptr;
    std::uint32_t passes = 1;
    std::string config;          ///< that it counts by
    bool is_configured = false;  ///< for good: CUPTI 13.0 has no values for another set, and no error
    bool has_values = true;
    std::vector<fake::Kernel> counted;
    bool is_started = false;
    bool has_company = false;     ///< kernels that were not over when it was started
    bool is_out_of_step = false;  ///< until it is configured anew
    int hardware = -1;            ///< descriptor of the lock
};

namespace {

std::mutex mutex;
std::map<CUcontext, CUpti_RangeProfiler_Object> profilers;
std::atomic<int> started = 0;  ///< profilers; launches are cheap while there is none

/// FAKE_CUPTI_LOCK names files, one for each device, that whoever counts on it holds; -1 where another does.
[[maybe_unused]] int lock_hardware(CUcontext context) {
    const char* const path = std::getenv("FAKE_CUPTI_LOCK");
    fake::ContextFacts facts;
    if (path == nullptr || !fake::find_context(context, facts))
        return open("/dev/null", O_RDONLY | O_CLOEXEC);
    const int file = open((path + std::to_string(facts.device)).c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (flock(file, LOCK_EX | LOCK_NB) == 0) return file;
    close(file);
    return -1;
}

}  // namespace

void fake::count_kernel(const Kernel& kernel) {
    if (started == 0 || !kernel.can_be_counted) return;
    const std::lock_guard lock(mutex);
    const auto found = profilers.find(kernel.context);
    if (found != profilers.end() && found->second.is_started) found->second.counted.push_back(kernel);
}

bool fake::is_counting(CUcontext context) {
    const std::lock_guard lock(mutex);
    const auto found = profilers.find(context);
    return found != profilers.end() && found->second.is_started;
}

extern "C" {

CUptiResult cuptiProfilerInitialize(CUpti_Profiler_Initialize_Params*) {
    ROOFWALK_FAKE_CALL();
    if (!fake::has_helper()) return CUPTI_ERROR_NOT_INITIALIZED;
    fake::use_object_of([] {});
    return CUPTI_SUCCESS;
}

CUptiResult cuptiProfilerDeviceSupported(CUpti_Profiler_DeviceSupported_Params* params) {
    ROOFWALK_FAKE_CALL();
    params->isSupported = CUPTI_PROFILER_CONFIGURATION_SUPPORTED;
    // What a test wants to fail with 1 is unsupported, with 2 disabled.
    const auto level_of = [&](const char* situation) {
        const int wanted = fake::wanted_failure(situation);
        if (wanted == CUPTI_SUCCESS) return CUPTI_PROFILER_CONFIGURATION_SUPPORTED;
        params->isSupported = CUPTI_PROFILER_CONFIGURATION_UNSUPPORTED;
        return static_cast<CUpti_Profiler_Support_Level>(wanted);
    };
    params->architecture = level_of("support.architecture");
    params->sli = level_of("support.sli");
    params->vGpu = level_of("support.vGpu");
    params->confidentialCompute = level_of("support.confidentialCompute");
    params->cmp = level_of("support.cmp");
    params->wsl = level_of("support.wsl");
    return CUPTI_SUCCESS;
}

CUptiResult cuptiDeviceGetChipName(CUpti_Device_GetChipName_Params* params) {
    ROOFWALK_FAKE_CALL();
    params->pChipName = fake::chip;
    return CUPTI_SUCCESS;
}

CUptiResult cuptiProfilerGetCounterAvailability(CUpti_Profiler_GetCounterAvailability_Params* params) {
    ROOFWALK_FAKE_CALL();
    const std::lock_guard lock(mutex);
    if (profilers.count(params->ctx) > 0) return CUPTI_ERROR_INVALID_OPERATION;
    if (params->pCounterAvailabilityImage != nullptr)
        std::memcpy(params->pCounterAvailabilityImage, fake::availability_image.data(),
                    fake::availability_image.size());
    params->counterAvailabilityImageSize = fake::availability_image.size();
    return CUPTI_SUCCESS;
}

// The first that has them is that of CUDA 12.6.
#if ROOFWALK_FAKE_API >= 24
CUptiResult cuptiRangeProfilerEnable(CUpti_RangeProfiler_Enable_Params* params) {
    ROOFWALK_FAKE_CALL();
    fake::use_object_of([] {});
    const std::lock_guard lock(mutex);
    if (profilers.count(params->ctx) > 0) return CUPTI_ERROR_INVALID_OPERATION;
    const int hardware = lock_hardware(params->ctx);
    if (hardware < 0) return CUPTI_ERROR_HARDWARE_BUSY;
    const auto place = profilers.try_emplace(params->ctx).first;
    place->second.context = params->ctx;
    place->second.hardware = hardware;
    params->pRangeProfilerObject = &place->second;
    return CUPTI_SUCCESS;
}

CUptiResult cuptiRangeProfilerDisable(CUpti_RangeProfiler_Disable_Params* params) {
    fake::use_object_of([] {});
    const std::lock_guard lock(mutex);
    const CUpti_RangeProfiler_Object& profiler = *params->pRangeProfilerObject;
    if (profiler.is_started) --started;
    close(profiler.hardware);
    const CUcontext context = profiler.context;
    profilers.erase(context);
    return CUPTI_SUCCESS;
}

CUptiResult cuptiRangeProfilerGetCounterDataSize(CUpti_RangeProfiler_GetCounterDataSize_Params* params) {
    ROOFWALK_FAKE_CALL();
    if (params->numMetrics == 0 || params->maxNumRangeTreeNodes < params->maxNumOfRanges)
        return CUPTI_ERROR_INVALID_PARAMETER;
    // FAKE_CUPTI_MOST_RANGES: kernels of a graph that have room.
    const char* const most = std::getenv("FAKE_CUPTI_MOST_RANGES");
    if (most != nullptr && params->maxNumOfRanges > std::strtoul(most, nullptr, 10))
        return CUPTI_ERROR_MAX_LIMIT_REACHED;
    params->counterDataSize = fake::CounterImage::size_for(params->maxNumOfRanges);
    return CUPTI_SUCCESS;
}

CUptiResult cuptiRangeProfilerCounterDataImageInitialize(
    CUpti_RangeProfiler_CounterDataImage_Initialize_Params* params) {
    ROOFWALK_FAKE_CALL();
    if (params->pRangeProfilerObject->is_started) return CUPTI_ERROR_INVALID_OPERATION;
    auto* const image = reinterpret_cast<fake::CounterImage*>(params->pCounterData);
    *image = {};
    image->most_ranges = static_cast<std::uint32_t>((params->counterDataSize - sizeof(fake::CounterImage)) /
                                                    sizeof(fake::Kernel));
    return CUPTI_SUCCESS;
}

CUptiResult cuptiRangeProfilerSetConfig(CUpti_RangeProfiler_SetConfig_Params* params) {
    ROOFWALK_FAKE_CALL();
    auto& profiler = *params->pRangeProfilerObject;
    const std::string_view config(reinterpret_cast<const char*>(params->pConfig), params->configSize);
    if (profiler.is_started || params->range != CUPTI_AutoRange || params->replayMode != CUPTI_KernelReplay ||
        params->numNestingLevels != 1 || !config.starts_with(fake::config_magic))
        return CUPTI_ERROR_INVALID_PARAMETER;
    profiler.image = reinterpret_cast<fake::CounterImage*>(params->pCounterDataImage);
    profiler.is_out_of_step = false;
    profiler.has_values = !profiler.is_configured || profiler.config == config;
    if (!profiler.is_configured) profiler.config = config;
    profiler.passes = static_cast<std::uint32_t>(fake::passes_of(config));
    // A test may want that nothing is replayed.
    if (profiler.passes > 1)
        if (const CUptiResult failure = fake::wanted_failure("aLaunchIsReplayed"); failure != CUPTI_SUCCESS)
            return failure;
    if (profiler.image->magic != fake::CounterImage::right_magic ||
        profiler.image->most_ranges < params->maxRangesPerPass)
        return CUPTI_ERROR_INVALID_PARAMETER;
    return CUPTI_SUCCESS;
}

CUptiResult cuptiRangeProfilerStart(CUpti_RangeProfiler_Start_Params* params) {
    ROOFWALK_FAKE_CALL();
    fake::use_object_of([] {});
    const std::lock_guard lock(mutex);
    auto& profiler = *params->pRangeProfilerObject;
    if (profiler.is_started || profiler.image == nullptr) return CUPTI_ERROR_INVALID_OPERATION;
    profiler.has_company = fake::is_busy(profiler.context);
    profiler.is_started = profiler.is_configured = true;
    ++started;
    profiler.counted.clear();
    return CUPTI_SUCCESS;
}

CUptiResult cuptiRangeProfilerStop(CUpti_RangeProfiler_Stop_Params* params) {
    fake::synchronize(params->pRangeProfilerObject->context);
    ROOFWALK_FAKE_CALL();
    const std::lock_guard lock(mutex);
    auto& profiler = *params->pRangeProfilerObject;
    if (!profiler.is_started) return CUPTI_ERROR_INVALID_OPERATION;
    // A kernel of this name takes its time, as one that waits for another does.
    if (!profiler.counted.empty() && std::strstr(profiler.counted.front().name, "waiting") != nullptr)
        std::this_thread::sleep_for(std::chrono::milliseconds(2500));
    profiler.is_started = false;
    --started;
    params->isAllPassSubmitted = 1;
    return CUPTI_SUCCESS;
}

CUptiResult cuptiRangeProfilerDecodeData(CUpti_RangeProfiler_DecodeData_Params* params) {
    ROOFWALK_FAKE_CALL();
    fake::use_object_of([] {});
    const std::lock_guard lock(mutex);
    auto& profiler = *params->pRangeProfilerObject;
    if (profiler.has_company && !profiler.counted.empty())
        std::strncat(profiler.counted.front().name, " and others", 16);
    // Where a range was lost, what follows does not stand where it should.
    if (fake::wanted_failure("aRangeComes") != CUPTI_SUCCESS) profiler.is_out_of_step = true;
    if (profiler.is_out_of_step && !profiler.counted.empty()) profiler.counted.pop_back();
    const std::size_t kept = std::min<std::size_t>(profiler.counted.size(), profiler.image->most_ranges);
    std::copy_n(profiler.counted.begin(), kept, profiler.image->kernels());
    profiler.image->ranges = static_cast<std::uint32_t>(kept);
    profiler.image->passes = profiler.passes;
    profiler.image->has_values = profiler.has_values ? 1 : 0;
    params->numOfRangeDropped = profiler.counted.size() - kept;
    return CUPTI_SUCCESS;
}

CUptiResult cuptiRangeProfilerGetCounterDataInfo(CUpti_RangeProfiler_GetCounterDataInfo_Params* params) {
    params->numTotalRanges = reinterpret_cast<const fake::CounterImage*>(params->pCounterDataImage)->ranges;
    return CUPTI_SUCCESS;
}
#endif

}  // extern "C"
