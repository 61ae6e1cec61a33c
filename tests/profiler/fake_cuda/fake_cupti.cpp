// SPDX-License-Identifier: GPL-3.0-or-later
// The callbacks and records of activity of a libcupti.so.13 or 12 that belongs to the false driver.
#include "tests/profiler/fake_cuda/fake_cupti.h"

#include <cupti.h>
#include <dlfcn.h>
#include <link.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <climits>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

using namespace roofwalk;

struct CUpti_Subscriber_st {
    CUpti_CallbackFunc callback = nullptr;
    void* user_data = nullptr;
};

namespace {

CUpti_Subscriber_st subscriber;
std::mutex mutex;
std::array<std::array<std::atomic<bool>, 1024>, CUPTI_CB_DOMAIN_SIZE> enabled;
auto& calls = *new std::map<std::string, int>;  // other threads may launch while one ends the program
CUpti_BuffersCallbackRequestFunc request_buffer = nullptr;
CUpti_BuffersCallbackCompleteFunc complete_buffer = nullptr;
std::atomic<bool> keeps_times = false;
std::vector<fake::Kernel> ran;

template <class Function>
Function* of_driver(const char* name) {
    return reinterpret_cast<Function*>(dlsym(RTLD_DEFAULT, name));
}

bool is_enabled(CUpti_CallbackDomain domain, CUpti_CallbackId id) {
    return enabled[domain][id];
}

/// Whether kernels that the calling thread is about to launch are timed.
thread_local bool is_timed = true;

void on_api(bool entering, fake::ApiCall& call) {
    // Where a test wants "aCallUnderWayIsTimed" to fail, times that are asked for in the callback of a launch
    // begin with the next one.
    // The environment is not searched at each launch: tests/bench measures what is above.
    static const bool may_fail = std::getenv("FAKE_CUPTI_FAIL") != nullptr;
    if (entering && may_fail && !keeps_times && fake::wanted_failure("aCallUnderWayIsTimed") != CUPTI_SUCCESS)
        is_timed = false;
    if (!entering) is_timed = true;
    const CUptiResult fatal = entering && may_fail ? fake::wanted_failure("noErrorIsFatal") : CUPTI_SUCCESS;
    if (fatal != CUPTI_SUCCESS && is_enabled(CUPTI_CB_DOMAIN_STATE, CUPTI_CBID_STATE_FATAL_ERROR)) {
        CUpti_StateData state{};
        state.notification.result = fatal;
        subscriber.callback(subscriber.user_data, CUPTI_CB_DOMAIN_STATE, CUPTI_CBID_STATE_FATAL_ERROR,
                            &state);
    }
    // Callbacks that are enabled in the midst of a call are told of its end alone.
    if (entering && may_fail && fake::wanted_failure("anEnterIsTold") != CUPTI_SUCCESS) return;
    if (!is_enabled(CUPTI_CB_DOMAIN_DRIVER_API, call.id)) return;
    CUpti_CallbackData data{};
    std::uint64_t correlation_data = 0;
    data.callbackSite = entering ? CUPTI_API_ENTER : CUPTI_API_EXIT;
    data.functionName = call.function;
    data.functionParams = call.params;
    data.functionReturnValue = entering ? nullptr : &call.result;
    data.symbolName = call.symbol;
    data.context = call.context;
    data.contextUid = call.context_id;
    data.correlationData = &correlation_data;
    data.correlationId = call.correlation;
    subscriber.callback(subscriber.user_data, CUPTI_CB_DOMAIN_DRIVER_API, call.id, &data);
}

void on_context(bool made, CUcontext context) {
    const CUpti_CallbackId id =
        made ? CUPTI_CBID_RESOURCE_CONTEXT_CREATED : CUPTI_CBID_RESOURCE_CONTEXT_DESTROY_STARTING;
    if (!is_enabled(CUPTI_CB_DOMAIN_RESOURCE, id)) return;
    CUpti_ResourceData data{};
    data.context = context;
    subscriber.callback(subscriber.user_data, CUPTI_CB_DOMAIN_RESOURCE, id, &data);
}

void on_stream_end(CUcontext context, CUstream stream) {
    constexpr CUpti_CallbackId id = CUPTI_CBID_RESOURCE_STREAM_DESTROY_STARTING;
    if (!is_enabled(CUPTI_CB_DOMAIN_RESOURCE, id)) return;
    CUpti_ResourceData data{};
    data.context = context;
    data.resourceHandle.stream = stream;
    subscriber.callback(subscriber.user_data, CUPTI_CB_DOMAIN_RESOURCE, id, &data);
}

void on_graph(const fake::GraphEvent& event) {
    if (!is_enabled(CUPTI_CB_DOMAIN_RESOURCE, event.id)) return;
    CUpti_GraphData graph{};
    graph.graph = event.graph;
    graph.node = event.node;
    graph.originalNode = event.original_node;
    graph.nodeType = event.type;
    graph.dependency = event.dependency;
    graph.graphExec = event.exec;
    CUpti_ResourceData data{};
    data.resourceDescriptor = &graph;
    subscriber.callback(subscriber.user_data, CUPTI_CB_DOMAIN_RESOURCE, event.id, &data);
}

void on_kernel(const fake::Kernel& kernel) {
    fake::count_kernel(kernel);
    if (!keeps_times || !is_timed) return;
    const std::lock_guard lock(mutex);
    ran.push_back(kernel);
}

constexpr bool is_of_cuda_12 = ROOFWALK_FAKE_API < 130000;
using Record = std::conditional_t<is_of_cuda_12, CUpti_ActivityKernel9, CUpti_ActivityKernel10>;

constexpr fake::Watcher watcher{&on_api,   &on_context, &on_stream_end,
                                &on_graph, &on_kernel,  &fake::is_counting};

Record record_of(const fake::Kernel& kernel, const std::string& name, std::uint64_t start) {
    fake::use_object_of([] {});
    if (kernel.node != 0) fake::use_object_of([] {});
    const auto number = [](std::uint32_t value) { return static_cast<std::int32_t>(value); };
    Record record{};
    record.kind = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL;
    record.registersPerThread = 40;
    record.start = start;
    record.end = start + 1000U * kernel.grid[0];
    record.deviceId = kernel.device;
    record.contextId = kernel.context_id;
    record.streamId = kernel.stream;
    record.gridX = number(kernel.grid[0]);
    record.gridY = number(kernel.grid[1]);
    record.gridZ = number(kernel.grid[2]);
    record.blockX = number(kernel.block[0]);
    record.blockY = number(kernel.block[1]);
    record.blockZ = number(kernel.block[2]);
    record.staticSharedMemory = 1024;
    record.dynamicSharedMemory = number(kernel.shared);
    record.correlationId = kernel.correlation;
    static std::set<std::string> names;
    record.name = names.insert(name).first->c_str();
    return record;
}

}  // namespace

namespace roofwalk::fake {

/// FAKE_CUPTI_SLOW="cuptiRangeProfilerEnable:3000": so many milliseconds for each call.
void take_wanted_time(const char* function) {
    const char* const wanted = std::getenv("FAKE_CUPTI_SLOW");
    const std::size_t length = std::strlen(function);
    if (wanted == nullptr || std::strncmp(wanted, function, length) != 0 || wanted[length] != ':') return;
    std::this_thread::sleep_for(std::chrono::milliseconds(std::strtol(wanted + length + 1, nullptr, 10)));
}

CUptiResult wanted_failure(const char* function) {
    take_wanted_time(function);
    const char* const wanted = std::getenv("FAKE_CUPTI_FAIL");
    if (wanted == nullptr) return CUPTI_SUCCESS;
    const std::lock_guard lock(mutex);
    const int call = ++calls[function];
    const std::size_t length = std::strlen(function);
    for (const char* at = wanted; at != nullptr; at = std::strchr(at, ',')) {
        if (*at == ',') ++at;
        if (std::strncmp(at, function, length) != 0 || at[length] != ':') continue;
        char* rest = nullptr;
        const long code = std::strtol(at + length + 1, &rest, 10);
        const long first = *rest == ':' ? std::strtol(rest + 1, &rest, 10) : 1;
        const long last = *rest == ':' ? std::strtol(rest + 1, nullptr, 10) : call;
        if (code < 0 && call >= first && call <= last) std::raise(static_cast<int>(-code));
        if (call >= first && call <= last) return static_cast<CUptiResult>(code);
    }
    return CUPTI_SUCCESS;
}

bool has_driver() {
    static const pid_t process = getpid();
    // The real one does not survive a child of fork() that uses it either.
    if (process != getpid()) std::abort();
    return of_driver<void(const Watcher*)>("roofwalk_fake_watch") != nullptr;
}

bool has_helper() {
    void* const helper = dlopen("libnvperf_host.so", RTLD_NOW);
    Dl_info own{};
    std::string folder(PATH_MAX, '\0');
    std::string real(PATH_MAX, '\0');
    if (helper == nullptr || dlinfo(helper, RTLD_DI_ORIGIN, folder.data()) != 0 ||
        dladdr(reinterpret_cast<const void*>(&has_helper), &own) == 0 ||
        realpath(own.dli_fname, real.data()) == nullptr)
        return false;
    real.resize(real.rfind('/', std::strlen(real.c_str())));
    return real == folder.c_str();
}

bool find_context(CUcontext context, ContextFacts& facts) {
    auto* const find = of_driver<bool(CUcontext, ContextFacts*)>("roofwalk_fake_context");
    return find != nullptr && find(context, &facts);
}

void synchronize(CUcontext context) {
    if (auto* const synchronized = of_driver<void(CUcontext)>("roofwalk_fake_synchronized"))
        synchronized(context);
}

bool is_busy(CUcontext context) {
    auto* const busy = of_driver<bool(CUcontext)>("roofwalk_fake_is_busy");
    return busy != nullptr && busy(context);
}

}  // namespace roofwalk::fake

extern "C" {

/// FAKE_CUPTI_DIES names a file: the library that is this file ends the process, as that of CUDA 13.2 does
/// without a driver. That of FAKE_CUPTI_HANGS does not come back.
CUptiResult cuptiGetVersion(std::uint32_t* version) {
    ROOFWALK_FAKE_CALL();
    const auto is_ours = [](const char* variable) {
        Dl_info own{};
        const char* const file = std::getenv(variable);
        return file != nullptr && dladdr(reinterpret_cast<const void*>(&cuptiGetVersion), &own) != 0 &&
               std::strcmp(own.dli_fname, file) == 0;
    };
    if (is_ours("FAKE_CUPTI_DIES")) raise(SIGSEGV);
    while (is_ours("FAKE_CUPTI_HANGS"))
        pause();
    const char* const wanted = std::getenv("FAKE_CUPTI_VERSION");
    *version = wanted == nullptr ? ROOFWALK_FAKE_API : static_cast<std::uint32_t>(std::atoi(wanted));
    return CUPTI_SUCCESS;
}

CUptiResult cuptiGetResultString(CUptiResult, const char** text) {
    *text = "CUPTI_ERROR_OF_THE_FALSE_LIBRARY";
    return CUPTI_SUCCESS;
}

#if ROOFWALK_FAKE_API < 130000
CUptiResult cuptiSubscribe(CUpti_SubscriberHandle* handle, CUpti_CallbackFunc callback, void* user_data) {
    ROOFWALK_FAKE_CALL();
#else
CUptiResult cuptiSubscribe_v2(CUpti_SubscriberHandle* handle, CUpti_CallbackFunc callback, void* user_data,
                              CUpti_SubscriberParams* params) {
    if (const CUptiResult failure = fake::wanted_failure(__func__); failure != CUPTI_SUCCESS) {
        if (failure == CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED)
            std::strncpy(params->oldSubscriberName, "Other Profiler", params->oldSubscriberSize);
        return failure;
    }
#endif
    if (!fake::has_driver()) return CUPTI_ERROR_UNKNOWN;
    if (subscriber.callback != nullptr) return CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED;
    fake::use_object_of([] {});
    subscriber = {callback, user_data};
    *handle = &subscriber;
    of_driver<void(const fake::Watcher*)>("roofwalk_fake_watch")(&watcher);
    return CUPTI_SUCCESS;
}

CUptiResult cuptiEnableCallback(std::uint32_t on, CUpti_SubscriberHandle, CUpti_CallbackDomain domain,
                                CUpti_CallbackId id) {
    fake::use_object_of([] {});
    enabled[domain][id] = on != 0;
    return CUPTI_SUCCESS;
}

CUptiResult cuptiGetDeviceId(CUcontext context, std::uint32_t* device) {
    ROOFWALK_FAKE_CALL();
    fake::ContextFacts facts;
    if (!fake::find_context(context, facts)) return CUPTI_ERROR_INVALID_CONTEXT;
    *device = facts.device;
    return CUPTI_SUCCESS;
}

CUptiResult cuptiGetContextId(CUcontext context, std::uint32_t* id) {
    fake::ContextFacts facts;
    if (!fake::find_context(context, facts)) return CUPTI_ERROR_INVALID_CONTEXT;
    *id = facts.id;
    return CUPTI_SUCCESS;
}

CUptiResult cuptiGetStreamIdEx(CUcontext, CUstream stream, std::uint8_t, std::uint32_t* id) {
    *id = of_driver<std::uint32_t(CUstream)>("roofwalk_fake_stream")(stream);
    return CUPTI_SUCCESS;
}

/// A clock of its own, an hour behind that of the system.
CUptiResult cuptiGetTimestamp(std::uint64_t* stamp) {
    timespec now{};
    clock_gettime(CLOCK_REALTIME, &now);
    *stamp = static_cast<std::uint64_t>(now.tv_sec - 3600) * 1'000'000'000U +
             static_cast<std::uint64_t>(now.tv_nsec);
    return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityRegisterCallbacks(CUpti_BuffersCallbackRequestFunc request,
                                           CUpti_BuffersCallbackCompleteFunc complete) {
    ROOFWALK_FAKE_CALL();
    request_buffer = request;
    complete_buffer = complete;
    return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityEnable(CUpti_ActivityKind) {
    ROOFWALK_FAKE_CALL();
    fake::use_object_of([] {});
    keeps_times = true;
    return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityDisable(CUpti_ActivityKind) {
    keeps_times = false;
    return CUPTI_SUCCESS;
}

/// Where a test wants "timesAreToldAtOnce" to fail, kernels end when timing has been stopped, or a flush is
/// forced.
CUptiResult cuptiActivityFlushAll(std::uint32_t flags) {
    ROOFWALK_FAKE_CALL();
    if (flags == 0 && keeps_times && fake::wanted_failure("timesAreToldAtOnce") != CUPTI_SUCCESS)
        return CUPTI_SUCCESS;
    std::vector<fake::Kernel> kernels;
    {
        const std::lock_guard lock(mutex);
        kernels.swap(ran);
    }
    std::uint64_t now = 0;
    cuptiGetTimestamp(&now);
    for (std::size_t at = 0; at < kernels.size();) {
        std::uint8_t* buffer = nullptr;
        std::size_t size = 0;
        std::size_t most = 0;
        request_buffer(&buffer, &size, &most);
        std::size_t used = 0;
        for (; at < kernels.size() && used + sizeof(Record) <= size; ++at) {
            const Record record = record_of(kernels[at], kernels[at].name, now);
            std::memcpy(buffer + used, &record, sizeof(record));
            used += sizeof(record);
        }
        fake::take_wanted_time("bufferCompleted");
        complete_buffer(nullptr, 0, buffer, size, used);
    }
    return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityGetNextRecord(std::uint8_t* buffer, std::size_t valid, CUpti_Activity** record) {
    auto* const at = reinterpret_cast<std::uint8_t*>(*record);
    std::uint8_t* const next = at == nullptr ? buffer : at + sizeof(Record);
    if (next >= buffer + valid) return CUPTI_ERROR_MAX_LIMIT_REACHED;
    *record = reinterpret_cast<CUpti_Activity*>(next);
    return CUPTI_SUCCESS;
}

}  // extern "C"
