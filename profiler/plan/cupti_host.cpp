// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/plan/cupti_host.h"

#include <cupti_profiler_host.h>
#include <cupti_result.h>
#include <cupti_version.h>
#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "profiler/wire/cupti_folders.h"

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

namespace roofwalk {

namespace {

struct Functions {
    explicit Functions(void* handle) : library(handle) {}

    /// A function as the pointer that it initialises; null where the library has none.
    struct Symbol {
        void* address = nullptr;

        template <class Function>
        operator Function*() const {
            return reinterpret_cast<Function*>(address);
        }
    };
    Symbol find(const char* name) {
        void* const address = dlsym(library, name);
        if (address == nullptr && missing.empty()) missing = name;
        return {address};
    }

    void* library;
    std::string missing;  ///< the first that is not there
    decltype(&::cuptiGetVersion) get_version = find("cuptiGetVersion");
    decltype(&::cuptiGetResultString) get_result_string = find("cuptiGetResultString");
    decltype(&::cuptiProfilerHostGetSupportedChips) get_supported_chips =
        find("cuptiProfilerHostGetSupportedChips");
    decltype(&::cuptiProfilerHostInitialize) initialize = find("cuptiProfilerHostInitialize");
    decltype(&::cuptiProfilerHostDeinitialize) deinitialize = find("cuptiProfilerHostDeinitialize");
    decltype(&::cuptiProfilerHostGetMetricProperties) get_metric_properties =
        find("cuptiProfilerHostGetMetricProperties");
    decltype(&::cuptiProfilerHostConfigAddMetrics) add_metrics = find("cuptiProfilerHostConfigAddMetrics");
    decltype(&::cuptiProfilerHostGetConfigImageSize) get_config_image_size =
        find("cuptiProfilerHostGetConfigImageSize");
    decltype(&::cuptiProfilerHostGetConfigImage) get_config_image = find("cuptiProfilerHostGetConfigImage");
    decltype(&::cuptiProfilerHostGetNumOfPasses) get_num_of_passes = find("cuptiProfilerHostGetNumOfPasses");
    decltype(&::cuptiProfilerHostEvaluateToGpuValues) evaluate = find("cuptiProfilerHostEvaluateToGpuValues");
    std::uint32_t version = 0;

    [[nodiscard]] Error failure(CUptiResult code, std::string_view call, const std::string& where) const {
        const char* name = nullptr;
        if (get_result_string(code, &name) != CUPTI_SUCCESS || name == nullptr) name = "an unknown error";
        const std::string how = fmt::format("{} ends with {} ({})", call, name, static_cast<int>(code));
        const auto error = [&](std::string what, std::string hint) {
            return Error{ErrorCode::unsupported_version, std::move(what), where, std::move(hint)};
        };
        if (code == CUPTI_ERROR_INVALID_CHIP_NAME || code == CUPTI_ERROR_NOT_SUPPORTED)
            return error(
                "CUPTI has no counters for this chip: " + how,
                "The chip is newer or older than this CUPTI: install the CUDA toolkit that belongs to it.");
        if (code == CUPTI_ERROR_INVALID_METRIC_NAME)
            return error("CUPTI does not know a metric of the plan: " + how,
                         "Use the CUPTI of a newer CUDA; --cupti names it.");
        return error(how, "");
    }
};

// As CUDA 12.6 has them: newer headers have fields behind those, which an older library does not know.
constexpr std::size_t initialize_size =
    CUPTI_PROFILER_STRUCT_SIZE(CUpti_Profiler_Host_Initialize_Params, pHostObject);
constexpr std::size_t properties_size =
    CUPTI_PROFILER_STRUCT_SIZE(CUpti_Profiler_Host_GetMetricProperties_Params, metricType);

/// Parameters of a call, zero but for their size.
template <class Params>
Params sized(std::size_t size) {
    Params params{};
    params.structSize = size;
    return params;
}

using HostObject =
    std::unique_ptr<CUpti_Profiler_Host_Object, std::function<void(CUpti_Profiler_Host_Object*)>>;

std::vector<const char*> pointers_to(std::span<const std::string> names) {
    std::vector<const char*> pointers;
    for (const std::string& name : names)
        pointers.push_back(name.c_str());
    return pointers;
}

Result<HostObject> open_chip(const Functions& functions, const std::string& chip,
                             std::span<const std::uint8_t> availability) {
    auto params = sized<CUpti_Profiler_Host_Initialize_Params>(initialize_size);
    params.profilerType = CUPTI_PROFILER_TYPE_RANGE_PROFILER;
    params.pChipName = chip.c_str();
    params.pCounterAvailabilityImage = availability.empty() ? nullptr : availability.data();
    if (const auto code = functions.initialize(&params); code != CUPTI_SUCCESS)
        return tl::unexpected(functions.failure(code, "cuptiProfilerHostInitialize", "chip " + chip));
    return HostObject(params.pHostObject,
                      [close = functions.deinitialize](CUpti_Profiler_Host_Object* object) {
                          auto closing = sized<CUpti_Profiler_Host_Deinitialize_Params>(
                              CUpti_Profiler_Host_Deinitialize_Params_STRUCT_SIZE);
                          closing.pHostObject = object;
                          close(&closing);
                      });
}

/// What evaluates counter data of one device; opening it costs more than evaluating.
struct Evaluator {
    std::string chip;
    std::vector<std::uint8_t> availability;
    std::shared_ptr<CUpti_Profiler_Host_Object> object;
};

class LoadedHost final : public CuptiHost {
  public:
    explicit LoadedHost(const Functions& functions) : functions_(functions) {}

    std::uint32_t version() const override { return functions_.version; }

    Result<std::vector<std::string>> chips() const override {
        auto params = sized<CUpti_Profiler_Host_GetSupportedChips_Params>(
            CUpti_Profiler_Host_GetSupportedChips_Params_STRUCT_SIZE);
        if (const auto code = functions_.get_supported_chips(&params); code != CUPTI_SUCCESS)
            return tl::unexpected(functions_.failure(code, "cuptiProfilerHostGetSupportedChips", ""));
        const std::span<const char* const> names(params.ppChipNames, params.numChips);
        return std::vector<std::string>(names.begin(), names.end());
    }

    Result<std::vector<std::string>> unknown_metrics(const std::string& chip,
                                                     std::span<const std::string> metrics) const override {
        const auto object = open_chip(functions_, chip, {});
        if (!object) return tl::unexpected(object.error());
        std::vector<std::string> unknown;
        for (const std::string& metric : metrics) {
            auto params = sized<CUpti_Profiler_Host_GetMetricProperties_Params>(properties_size);
            params.pHostObject = object->get();
            params.pMetricName = metric.c_str();
            const auto code = functions_.get_metric_properties(&params);
            if (code == CUPTI_ERROR_INVALID_METRIC_NAME)
                unknown.push_back(metric);
            else if (code != CUPTI_SUCCESS)
                return tl::unexpected(
                    functions_.failure(code, "cuptiProfilerHostGetMetricProperties", metric));
        }
        return unknown;
    }

    Result<ConfigImage> config_image(const std::string& chip, std::span<const std::string> metrics,
                                     std::span<const std::uint8_t> availability) const override {
        const auto object = open_chip(functions_, chip, availability);
        if (!object) return tl::unexpected(object.error());
        const std::string where = "chip " + chip;
        // All in one call: metrics of another call are put into passes of their own.
        auto names = pointers_to(metrics);
        auto adding = sized<CUpti_Profiler_Host_ConfigAddMetrics_Params>(
            CUpti_Profiler_Host_ConfigAddMetrics_Params_STRUCT_SIZE);
        adding.pHostObject = object->get();
        adding.ppMetricNames = names.data();
        adding.numMetrics = names.size();
        if (const auto code = functions_.add_metrics(&adding); code != CUPTI_SUCCESS)
            return tl::unexpected(functions_.failure(code, "cuptiProfilerHostConfigAddMetrics", where));
        auto sizing = sized<CUpti_Profiler_Host_GetConfigImageSize_Params>(
            CUpti_Profiler_Host_GetConfigImageSize_Params_STRUCT_SIZE);
        sizing.pHostObject = object->get();
        if (const auto code = functions_.get_config_image_size(&sizing); code != CUPTI_SUCCESS)
            return tl::unexpected(functions_.failure(code, "cuptiProfilerHostGetConfigImageSize", where));
        ConfigImage image(sizing.configImageSize);
        auto getting = sized<CUpti_Profiler_Host_GetConfigImage_Params>(
            CUpti_Profiler_Host_GetConfigImage_Params_STRUCT_SIZE);
        getting.pHostObject = object->get();
        getting.configImageSize = image.size();
        getting.pConfigImage = image.data();
        if (const auto code = functions_.get_config_image(&getting); code != CUPTI_SUCCESS)
            return tl::unexpected(functions_.failure(code, "cuptiProfilerHostGetConfigImage", where));
        return image;
    }

    Result<std::size_t> pass_count(std::span<const std::uint8_t> image) const override {
        ConfigImage copy(image.begin(), image.end());
        auto params = sized<CUpti_Profiler_Host_GetNumOfPasses_Params>(
            CUpti_Profiler_Host_GetNumOfPasses_Params_STRUCT_SIZE);
        params.configImageSize = copy.size();
        params.pConfigImage = copy.data();
        if (const auto code = functions_.get_num_of_passes(&params); code != CUPTI_SUCCESS)
            return tl::unexpected(functions_.failure(code, "cuptiProfilerHostGetNumOfPasses", ""));
        return params.numOfPasses;
    }

    Result<std::map<std::string, double>> evaluate(const std::string& chip,
                                                   std::span<const std::uint8_t> availability,
                                                   std::span<const std::uint8_t> counter_data,
                                                   std::size_t range,
                                                   std::span<const std::string> metrics) const override {
        if (!last_.object || last_.chip != chip || !std::ranges::equal(last_.availability, availability)) {
            auto object = open_chip(functions_, chip, availability);
            if (!object) return tl::unexpected(object.error());
            last_ = {chip, {availability.begin(), availability.end()}, *std::move(object)};
        }
        auto names = pointers_to(metrics);
        std::vector<double> values(metrics.size(), std::numeric_limits<double>::quiet_NaN());
        auto params = sized<CUpti_Profiler_Host_EvaluateToGpuValues_Params>(
            CUpti_Profiler_Host_EvaluateToGpuValues_Params_STRUCT_SIZE);
        params.pHostObject = last_.object.get();
        params.pCounterDataImage = counter_data.data();
        params.counterDataImageSize = counter_data.size();
        params.rangeIndex = range;
        params.ppMetricNames = names.data();
        params.numMetrics = names.size();
        params.pMetricValues = values.data();
        if (const auto code = functions_.evaluate(&params); code != CUPTI_SUCCESS)
            return tl::unexpected(
                functions_.failure(code, "cuptiProfilerHostEvaluateToGpuValues", "chip " + chip));
        std::map<std::string, double> counted;
        for (std::size_t i = 0; i < metrics.size(); ++i)
            if (std::isfinite(values[i])) counted.emplace(metrics[i], values[i]);
        return counted;
    }

  private:
    Functions functions_;
    mutable Evaluator last_;
};

}  // namespace

bool built_with_cupti() {
    return true;
}

Result<std::unique_ptr<CuptiHost>> CuptiHost::load(const std::filesystem::path& library) {
    void* handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) {
        const char* why = dlerror();
        std::error_code failed;
        return unexpected(ErrorCode::file_not_readable,
                          fmt::format("CUPTI cannot be loaded: {}", why == nullptr ? "no reason given" : why),
                          library.string(),
                          std::filesystem::exists(library, failed) ? "Install the CUDA toolkit 12.6 or later."
                                                                   : "Name one that is there with --cupti.");
    }
    Functions functions(handle);
    if (!functions.missing.empty())
        return unexpected(ErrorCode::unsupported_version, "CUPTI is too old: it has no " + functions.missing,
                          library.string(), "Install the CUDA toolkit 12.6 or later.");
    const auto beside = wire::load_helper_of(handle);
    if (beside != wire::Helper::loaded)
        return unexpected(
            ErrorCode::unsupported_version,
            beside == wire::Helper::missing
                ? fmt::format("CUPTI cannot plan: there is no {} beside it", wire::cupti_helper)
                : fmt::format("This program has loaded {} of another CUPTI", wire::cupti_helper),
            library.string(),
            beside == wire::Helper::missing ? "Name that of a whole CUDA toolkit with --cupti."
                                            : "Start Roofwalk anew.");
    if (const auto code = functions.get_version(&functions.version); code != CUPTI_SUCCESS)
        return tl::unexpected(functions.failure(code, "cuptiGetVersion", library.string()));
    return std::make_unique<LoadedHost>(functions);
}

}  // namespace roofwalk
