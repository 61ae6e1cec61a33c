// SPDX-License-Identifier: Apache-2.0
#include "profiler/agent/cupti_range_profiler.h"

#include <cupti_range_profiler.h>

#include "profiler/agent/cupti_sized.h"

namespace roofwalk::agent {

struct RangeProfiler::Functions {
    explicit Functions(const CuptiLibrary& library) {
        library.find(enable, "cuptiRangeProfilerEnable");
        library.find(disable, "cuptiRangeProfilerDisable");
        library.find(get_size, "cuptiRangeProfilerGetCounterDataSize");
        library.find(initialize, "cuptiRangeProfilerCounterDataImageInitialize");
        library.find(set_config, "cuptiRangeProfilerSetConfig");
        library.find(start, "cuptiRangeProfilerStart");
        library.find(stop, "cuptiRangeProfilerStop");
        library.find(decode, "cuptiRangeProfilerDecodeData");
        library.find(get_info, "cuptiRangeProfilerGetCounterDataInfo");
    }

    [[nodiscard]] bool all() const {
        return enable != nullptr && disable != nullptr && get_size != nullptr && initialize != nullptr &&
               set_config != nullptr && start != nullptr && stop != nullptr && decode != nullptr &&
               get_info != nullptr;
    }

    decltype(&::cuptiRangeProfilerEnable) enable = nullptr;
    decltype(&::cuptiRangeProfilerDisable) disable = nullptr;
    decltype(&::cuptiRangeProfilerGetCounterDataSize) get_size = nullptr;
    decltype(&::cuptiRangeProfilerCounterDataImageInitialize) initialize = nullptr;
    decltype(&::cuptiRangeProfilerSetConfig) set_config = nullptr;
    decltype(&::cuptiRangeProfilerStart) start = nullptr;
    decltype(&::cuptiRangeProfilerStop) stop = nullptr;
    decltype(&::cuptiRangeProfilerDecodeData) decode = nullptr;
    decltype(&::cuptiRangeProfilerGetCounterDataInfo) get_info = nullptr;
    CUpti_RangeProfiler_Object* object = nullptr;
};

namespace {

std::optional<CuptiFailure> failure(CUptiResult code, const char* call) {
    if (code == CUPTI_SUCCESS) return std::nullopt;
    return CuptiFailure{code, call};
}

std::uint8_t* bytes_of(std::vector<std::byte>& image) {
    return reinterpret_cast<std::uint8_t*>(image.data());
}

}  // namespace

CounterSet::CounterSet(const wire::CounterPlan& from)
    : plan(from.plan),
      table(from.table),
      passes(from.passes),
      metrics(from.metrics.begin(), from.metrics.end()),
      config(from.config.begin(), from.config.end()) {}

RangeProfiler::RangeProfiler(std::unique_ptr<Functions> functions) : functions_(std::move(functions)) {}

std::unique_ptr<RangeProfiler> RangeProfiler::enable(const CuptiLibrary& library, void* context,
                                                     CuptiFailure& why) {
    auto functions = std::make_unique<Functions>(library);
    why = {CUPTI_ERROR_NOT_COMPATIBLE, "cuptiRangeProfilerEnable"};
    if (!functions->all()) return nullptr;
    auto params = sized<CUpti_RangeProfiler_Enable_Params>(CUpti_RangeProfiler_Enable_Params_STRUCT_SIZE);
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

std::optional<CuptiFailure> RangeProfiler::configure(const CounterSet& set, std::size_t kernels) {
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
    const bool anew = set_ != set || kernels_ != kernels;
    set_.reset();
    if (anew)
        if (auto failed = configure(*set, kernels)) return failed;

    auto image = sized<CUpti_RangeProfiler_CounterDataImage_Initialize_Params>(
        CUpti_RangeProfiler_CounterDataImage_Initialize_Params_STRUCT_SIZE);
    image.pRangeProfilerObject = functions_->object;
    image.counterDataSize = image_.size();
    image.pCounterData = bytes_of(image_);
    if (auto failed = failure(functions_->initialize(&image), "cuptiRangeProfilerCounterDataImageInitialize"))
        return failed;

    if (anew) {
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
    auto failed = stop_and_decode(data);
    if (failed) set_.reset();
    return failed;
}

std::optional<CuptiFailure> RangeProfiler::stop_and_decode(CounterData& data) {
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

}  // namespace roofwalk::agent
