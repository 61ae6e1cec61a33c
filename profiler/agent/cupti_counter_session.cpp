// SPDX-License-Identifier: Apache-2.0
#include "profiler/agent/cupti_counter_session.h"

#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
#include <cupti_result.h>
#include <cupti_target.h>

#include "profiler/agent/clock.h"
#include "profiler/agent/driver_library.h"

namespace roofwalk::agent {

namespace {

// Sizes as CUDA 12.6 has them: newer headers have fields behind those, which an older library does not know.
constexpr std::size_t device_supported_size =
    CUPTI_PROFILER_STRUCT_SIZE(CUpti_Profiler_DeviceSupported_Params, api);
constexpr std::size_t availability_size =
    CUPTI_PROFILER_STRUCT_SIZE(CUpti_Profiler_GetCounterAvailability_Params, pCounterAvailabilityImage);
constexpr std::size_t enable_size =
    CUPTI_PROFILER_STRUCT_SIZE(CUpti_RangeProfiler_Enable_Params, pRangeProfilerObject);

/// Parameters of a call as CUPTI wants them: with their size, and nothing else set.
template <class Params>
[[nodiscard]] Params sized(std::size_t size) noexcept {
    Params params{};
    params.structSize = size;
    return params;
}

struct SupportFunctions {
    explicit SupportFunctions(const CuptiLibrary& from) : library(from) {}

    CuptiLibrary library;
    decltype(&::cuptiProfilerInitialize) initialize = library.find("cuptiProfilerInitialize");
    decltype(&::cuptiProfilerDeviceSupported) device_supported = library.find("cuptiProfilerDeviceSupported");
    decltype(&::cuptiDeviceGetChipName) get_chip_name = library.find("cuptiDeviceGetChipName");
    decltype(&::cuptiProfilerGetCounterAvailability) get_availability =
        library.find("cuptiProfilerGetCounterAvailability");
    decltype(&::cuptiRangeProfilerEnable) range_profiler =
        library.find("cuptiRangeProfilerEnable");  ///< since CUDA 12.6
};

bool lacks_privileges(CUptiResult code) {
    return code == CUPTI_ERROR_INSUFFICIENT_PRIVILEGES ||
           code == CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES;
}

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

std::optional<CuptiFailure> failure(CUptiResult code, const char* call) {
    if (code == CUPTI_SUCCESS) return std::nullopt;
    return CuptiFailure{code, call};
}

std::uint8_t* bytes_of(std::vector<std::byte>& image) {
    return reinterpret_cast<std::uint8_t*>(image.data());
}

}  // namespace

CounterSupport counter_support(const CuptiLibrary& library, std::uint32_t device, void* context) {
    const SupportFunctions functions(library);
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
    support.failure = library.load_helper();
    if (support.failure) return support;
    auto chip = sized<CUpti_Device_GetChipName_Params>(CUpti_Device_GetChipName_Params_STRUCT_SIZE);
    auto start = sized<CUpti_Profiler_Initialize_Params>(CUpti_Profiler_Initialize_Params_STRUCT_SIZE);
    if (fails(functions.initialize(&start), "cuptiProfilerInitialize")) return support;
    chip.deviceIndex = device;
    if (!fails(functions.get_chip_name(&chip), "cuptiDeviceGetChipName") && chip.pChipName != nullptr)
        support.chip = chip.pChipName;
    if (functions.range_profiler == nullptr) {
        support.failure =
            CuptiFailure{CUPTI_ERROR_NOT_COMPATIBLE, "cuptiRangeProfilerEnable", CuptiFailure::At::too_old};
        return support;
    }

    auto question = sized<CUpti_Profiler_DeviceSupported_Params>(device_supported_size);
    question.cuDevice = static_cast<CUdevice>(device);
    question.api = CUPTI_PROFILER_RANGE_PROFILING;
    if (fails(functions.device_supported(&question), "cuptiProfilerDeviceSupported")) return support;
    if (question.isSupported != CUPTI_PROFILER_CONFIGURATION_SUPPORTED) {
        fails(reason(question), "cuptiProfilerDeviceSupported");
        return support;
    }

    auto image = sized<CUpti_Profiler_GetCounterAvailability_Params>(availability_size);
    image.ctx = static_cast<CUcontext>(context);
    CUptiResult code = functions.get_availability(&image);
    if (code == CUPTI_SUCCESS) {
        support.availability.resize(image.counterAvailabilityImageSize);
        image.pCounterAvailabilityImage = reinterpret_cast<std::uint8_t*>(support.availability.data());
        code = functions.get_availability(&image);
    }
    support.availability.resize(code == CUPTI_SUCCESS ? image.counterAvailabilityImageSize : 0);
    // Without it the plans are those of the chip.
    if (lacks_privileges(code)) fails(code, "cuptiProfilerGetCounterAvailability");
    return support;
}

struct RangeProfiler::Functions {
    explicit Functions(const CuptiLibrary& from) : library(from) {}

    [[nodiscard]] bool all() const {
        return enable != nullptr && disable != nullptr && get_size != nullptr && initialize != nullptr &&
               set_config != nullptr && start != nullptr && stop != nullptr && decode != nullptr &&
               get_info != nullptr;
    }

    CuptiLibrary library;
    decltype(&::cuptiRangeProfilerEnable) enable = library.find("cuptiRangeProfilerEnable");
    decltype(&::cuptiRangeProfilerDisable) disable = library.find("cuptiRangeProfilerDisable");
    decltype(&::cuptiRangeProfilerGetCounterDataSize) get_size =
        library.find("cuptiRangeProfilerGetCounterDataSize");
    decltype(&::cuptiRangeProfilerCounterDataImageInitialize) initialize =
        library.find("cuptiRangeProfilerCounterDataImageInitialize");
    decltype(&::cuptiRangeProfilerSetConfig) set_config = library.find("cuptiRangeProfilerSetConfig");
    decltype(&::cuptiRangeProfilerStart) start = library.find("cuptiRangeProfilerStart");
    decltype(&::cuptiRangeProfilerStop) stop = library.find("cuptiRangeProfilerStop");
    decltype(&::cuptiRangeProfilerDecodeData) decode = library.find("cuptiRangeProfilerDecodeData");
    decltype(&::cuptiRangeProfilerGetCounterDataInfo) get_info =
        library.find("cuptiRangeProfilerGetCounterDataInfo");
    CUpti_RangeProfiler_Object* object = nullptr;
};

RangeProfiler::RangeProfiler(std::unique_ptr<Functions> functions) : functions_(std::move(functions)) {}

std::unique_ptr<RangeProfiler> RangeProfiler::enable(const CuptiLibrary& library, void* context,
                                                     CuptiFailure& why) {
    auto functions = std::make_unique<Functions>(library);
    why = {CUPTI_ERROR_NOT_COMPATIBLE, "cuptiRangeProfilerEnable"};
    if (!functions->all()) return nullptr;
    auto params = sized<CUpti_RangeProfiler_Enable_Params>(enable_size);
    params.ctx = static_cast<CUcontext>(context);
    if (const auto failed = failure(functions->enable(&params), "cuptiRangeProfilerEnable")) {
        why = *failed;
        return nullptr;
    }
    functions->object = params.pRangeProfilerObject;
    return std::unique_ptr<RangeProfiler>(new RangeProfiler(std::move(functions)));
}

RangeProfiler::~RangeProfiler() {
    auto params = sized<CUpti_RangeProfiler_Disable_Params>(CUpti_RangeProfiler_Disable_Params_STRUCT_SIZE);
    params.pRangeProfilerObject = functions_->object;
    functions_->disable(&params);
}

std::optional<CuptiFailure> RangeProfiler::make_image(const CounterSet& set, std::size_t kernels) {
    std::vector<const char*> names;
    for (const std::string& metric : set.metrics)
        names.push_back(metric.c_str());
    auto size = sized<CUpti_RangeProfiler_GetCounterDataSize_Params>(
        CUpti_RangeProfiler_GetCounterDataSize_Params_STRUCT_SIZE);
    size.pRangeProfilerObject = functions_->object;
    size.pMetricNames = names.data();
    size.numMetrics = names.size();
    size.maxNumOfRanges = kernels;
    size.maxNumRangeTreeNodes = static_cast<std::uint32_t>(kernels);
    if (auto failed = failure(functions_->get_size(&size), "cuptiRangeProfilerGetCounterDataSize"))
        return failed;
    image_.assign(size.counterDataSize, std::byte{0});
    return std::nullopt;
}

std::optional<CuptiFailure> RangeProfiler::start(const std::shared_ptr<const CounterSet>& set,
                                                 std::size_t kernels) {
    const bool is_new = set_ == nullptr;
    if (is_new)
        if (auto failed = make_image(*set, kernels)) return failed;

    auto image = sized<CUpti_RangeProfiler_CounterDataImage_Initialize_Params>(
        CUpti_RangeProfiler_CounterDataImage_Initialize_Params_STRUCT_SIZE);
    image.pRangeProfilerObject = functions_->object;
    image.counterDataSize = image_.size();
    image.pCounterData = bytes_of(image_);
    if (auto failed = failure(functions_->initialize(&image), "cuptiRangeProfilerCounterDataImageInitialize"))
        return failed;

    if (is_new) {
        auto config =
            sized<CUpti_RangeProfiler_SetConfig_Params>(CUpti_RangeProfiler_SetConfig_Params_STRUCT_SIZE);
        config.pRangeProfilerObject = functions_->object;
        config.configSize = set->config.size();
        config.pConfig = reinterpret_cast<const std::uint8_t*>(set->config.data());
        config.counterDataImageSize = image_.size();
        config.pCounterDataImage = bytes_of(image_);
        config.range = CUPTI_AutoRange;
        config.replayMode = CUPTI_KernelReplay;
        config.maxRangesPerPass = kernels;
        config.numNestingLevels = 1;
        config.minNestingLevel = 1;
        if (auto failed = failure(functions_->set_config(&config), "cuptiRangeProfilerSetConfig"))
            return failed;
    }
    set_ = set;
    kernels_ = kernels;

    auto params = sized<CUpti_RangeProfiler_Start_Params>(CUpti_RangeProfiler_Start_Params_STRUCT_SIZE);
    params.pRangeProfilerObject = functions_->object;
    return failure(functions_->start(&params), "cuptiRangeProfilerStart");
}

std::optional<CuptiFailure> RangeProfiler::stop(CounterData& data) {
    auto params = sized<CUpti_RangeProfiler_Stop_Params>(CUpti_RangeProfiler_Stop_Params_STRUCT_SIZE);
    params.pRangeProfilerObject = functions_->object;
    if (auto failed = failure(functions_->stop(&params), "cuptiRangeProfilerStop")) return failed;
    auto decoding =
        sized<CUpti_RangeProfiler_DecodeData_Params>(CUpti_RangeProfiler_DecodeData_Params_STRUCT_SIZE);
    decoding.pRangeProfilerObject = functions_->object;
    if (auto failed = failure(functions_->decode(&decoding), "cuptiRangeProfilerDecodeData")) return failed;
    auto info = sized<CUpti_RangeProfiler_GetCounterDataInfo_Params>(
        CUpti_RangeProfiler_GetCounterDataInfo_Params_STRUCT_SIZE);
    info.pCounterDataImage = bytes_of(image_);
    info.counterDataImageSize = image_.size();
    if (auto failed = failure(functions_->get_info(&info), "cuptiRangeProfilerGetCounterDataInfo"))
        return failed;
    data.image = image_;
    data.ranges = decoding.numOfRangeDropped > 0 ? 0 : info.numTotalRanges;
    return std::nullopt;
}

bool CounterSession::take_turn() {
    std::unique_lock lock(mutex_);
    if (!turn_ended_.wait_for(lock, turn_timeout, [&] { return !turn_taken_; })) return false;
    turn_taken_ = true;
    turn_of_ = std::this_thread::get_id();
    return true;
}

void CounterSession::end_turn() {
    const std::lock_guard lock(mutex_);
    turn_taken_ = false;
    disturbed_ = false;
    running_.reset();
    turn_ended_.notify_all();
}

void CounterSession::wait_for_turn() {
    std::unique_lock lock(mutex_);
    if (!turn_ended_.wait_for(lock, turn_timeout, [&] { return !turn_taken_; })) disturbed_ = true;
}

bool CounterSession::is_at_rest() {
    return try_lock_for(mutex_).owns_lock();
}

void CounterSession::wait_for_others() {
    std::unique_lock lock(mutex_);
    // The handler of a signal may have called exit() in the midst of a launch.
    if (turn_taken_ && turn_of_ == std::this_thread::get_id()) return;
    turn_ended_.wait_for(lock, turn_timeout, [&] { return !turn_taken_; });
}

bool CounterSession::is_disturbed() {
    const std::lock_guard lock(mutex_);
    return disturbed_;
}

bool CounterSession::begin(void* context, const ObservedLaunch& launch) {
    {
        const std::lock_guard lock(mutex_);
        running_ = {launch.kernels.front().call.name, steady_ns()};
    }
    return drain_context(context);
}

std::optional<CuptiFailure> CounterSession::start(const CuptiLibrary& library, void* context,
                                                  const ObservedLaunch& launch) {
    device_ = launch.device;
    ContextProfiler& enabled = enabled_[device_];
    const bool fits =
        enabled.profiler && enabled.profiler->is_configured_for(launch.set, launch.kernels.size());
    if (enabled.context != context || !fits) enabled = {context, nullptr, 0};
    CuptiFailure why;
    if (!enabled.profiler) enabled.profiler = RangeProfiler::enable(library, context, why);
    if (!enabled.profiler) return why;
    if (auto failure = enabled.profiler->start(launch.set, launch.kernels.size())) {
        enabled_.erase(device_);
        return failure;
    }
    started_ns_ = steady_ns();
    return std::nullopt;
}

std::optional<CuptiFailure> CounterSession::stop(CounterData& data, bool may_lack) {
    ContextProfiler& enabled = enabled_[device_];
    auto failure = enabled.profiler->stop(data);
    enabled.used_ns = steady_ns();
    took_ns_ = enabled.used_ns - started_ns_;
    // Where a range was lost, those that follow do not stand where they should.
    if (failure || (!may_lack && !enabled.profiler->has_all(data))) enabled_.erase(device_);
    return failure;
}

std::optional<CounterSession::Running> CounterSession::running() const {
    const std::lock_guard lock(mutex_);
    return running_;
}

bool CounterSession::is_in_use() const {
    const std::lock_guard lock(mutex_);
    return turn_taken_;
}

std::optional<std::size_t> CounterSession::release_if(
    const std::function<bool(const ContextProfiler&)>& goes) {
    if (!take_turn()) return std::nullopt;
    const auto gone = std::erase_if(enabled_, [&](const auto& enabled) { return goes(enabled.second); });
    end_turn();
    return gone;
}

void CounterSession::release(void* context) {
    release_if([&](const ContextProfiler& enabled) { return enabled.context == context; });
}

bool CounterSession::release_all() {
    return release_if([](const ContextProfiler&) { return true; }).has_value();
}

bool CounterSession::release_idle() {
    if (is_in_use()) return false;
    const std::uint64_t now = steady_ns();
    return release_if([&](const ContextProfiler& enabled) {
               return now - enabled.used_ns > idle_ns;
           }).value_or(0) > 0;
}

}  // namespace roofwalk::agent
