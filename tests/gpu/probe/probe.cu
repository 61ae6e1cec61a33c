// SPDX-License-Identifier: GPL-3.0-or-later
// What the agent rests on, call by call: every call of CUPTI with its code and its time in µs, one line each.
// Usage: probe LIBCUPTI [GIB]; with GIB also how replay gets on beside that much memory in use.
#include <string>
#include <vector>

#include "tests/gpu/probe/cuda_calls.h"

namespace {

__global__ void short_kernel(float* numbers) {
    numbers[blockIdx.x * blockDim.x + threadIdx.x] += 1;
}

__global__ void long_kernel(float* numbers, long long cycles) {
    const long long start = clock64();
    while (clock64() - start < cycles)
        numbers[threadIdx.x] += 1;
}

struct Plan {
    std::vector<const char*> metrics;
    std::vector<std::uint8_t> configuration;
    CUpti_Profiler_Host_Object* host = nullptr;
};

/// What callbacks do, and what they found.
struct State {
    std::string chip;
    std::vector<std::uint8_t> availability;
    CUcontext context = nullptr;
    CUpti_RangeProfiler_Object* profiler = nullptr;
    std::vector<std::uint8_t> image;
    Plan* plan = nullptr;
    bool counts = false;  ///< each launch is counted
    bool drains = false;  ///< ... alone: after cuCtxSynchronize
    bool says_values = true;
    bool starts_timing = false;  ///< in the next launch
    bool knows_handle = false;
    long long launched = 0;  ///< [us]
    unsigned correlation = 0;
    std::size_t timed = 0;
};
State state;

int initialize_image() {
    PARAMETERS(CUpti_RangeProfiler_CounterDataImage_Initialize_Params);
    parameters.pRangeProfilerObject = state.profiler;
    parameters.counterDataSize = state.image.size();
    parameters.pCounterData = state.image.data();
    return CALL(cuptiRangeProfilerCounterDataImageInitialize)(&parameters);
}

bool start_host(Plan& plan, bool with_availability) {
    PARAMETERS(CUpti_Profiler_Host_Initialize_Params);
    parameters.profilerType = CUPTI_PROFILER_TYPE_RANGE_PROFILER;
    parameters.pChipName = state.chip.c_str();
    if (with_availability && !state.availability.empty())
        parameters.pCounterAvailabilityImage = state.availability.data();
    const long long start = now_us();
    const int code = CALL(cuptiProfilerHostInitialize)(&parameters);
    say("host.initialize availability=%d code=%d us=%lld", with_availability, code, now_us() - start);
    plan.host = parameters.pHostObject;
    return code == 0;
}

bool add_metrics(Plan& plan) {
    PARAMETERS(CUpti_Profiler_Host_ConfigAddMetrics_Params);
    parameters.pHostObject = plan.host;
    parameters.ppMetricNames = plan.metrics.data();
    parameters.numMetrics = plan.metrics.size();
    const int code = CALL(cuptiProfilerHostConfigAddMetrics)(&parameters);
    if (code != 0) say("host.add_metrics code=%d", code);
    return code == 0;
}

bool make(Plan& plan, bool with_availability = true) {
    if (!start_host(plan, with_availability) || !add_metrics(plan)) return false;
    {
        PARAMETERS(CUpti_Profiler_Host_GetConfigImageSize_Params);
        parameters.pHostObject = plan.host;
        CALL(cuptiProfilerHostGetConfigImageSize)(&parameters);
        plan.configuration.resize(parameters.configImageSize);
    }
    {
        PARAMETERS(CUpti_Profiler_Host_GetConfigImage_Params);
        parameters.pHostObject = plan.host;
        parameters.configImageSize = plan.configuration.size();
        parameters.pConfigImage = plan.configuration.data();
        CALL(cuptiProfilerHostGetConfigImage)(&parameters);
    }
    PARAMETERS(CUpti_Profiler_Host_GetNumOfPasses_Params);
    parameters.configImageSize = plan.configuration.size();
    parameters.pConfigImage = plan.configuration.data();
    CALL(cuptiProfilerHostGetNumOfPasses)(&parameters);
    say("plan metrics=%zu bytes=%zu passes=%zu", plan.metrics.size(), plan.configuration.size(),
        parameters.numOfPasses);
    return true;
}

int enable(CUcontext context, CUpti_RangeProfiler_Object*& profiler) {
    PARAMETERS(CUpti_RangeProfiler_Enable_Params);
    parameters.ctx = context;
    const long long start = now_us();
    const int code = CALL(cuptiRangeProfilerEnable)(&parameters);
    say("range.enable code=%d us=%lld", code, now_us() - start);
    profiler = parameters.pRangeProfilerObject;
    return code;
}

int disable(CUpti_RangeProfiler_Object* profiler) {
    PARAMETERS(CUpti_RangeProfiler_Disable_Params);
    parameters.pRangeProfilerObject = profiler;
    const long long start = now_us();
    const int code = CALL(cuptiRangeProfilerDisable)(&parameters);
    say("range.disable code=%d us=%lld", code, now_us() - start);
    return code;
}

/// A range profiler counts what it is first configured for.
void configure(Plan& plan, std::size_t ranges, std::size_t ranges_per_pass) {
    if (state.plan != nullptr) {
        disable(state.profiler);
        enable(state.context, state.profiler);
    }
    state.plan = &plan;
    {
        PARAMETERS(CUpti_RangeProfiler_GetCounterDataSize_Params);
        parameters.pRangeProfilerObject = state.profiler;
        parameters.pMetricNames = plan.metrics.data();
        parameters.numMetrics = plan.metrics.size();
        parameters.maxNumOfRanges = ranges;
        parameters.maxNumRangeTreeNodes = static_cast<std::uint32_t>(ranges);
        if (const int code = CALL(cuptiRangeProfilerGetCounterDataSize)(&parameters))
            say("range.size code=%d", code);
        state.image.assign(parameters.counterDataSize, 0);
    }
    const int initialized = initialize_image();
    PARAMETERS(CUpti_RangeProfiler_SetConfig_Params);
    parameters.pRangeProfilerObject = state.profiler;
    parameters.configSize = plan.configuration.size();
    parameters.pConfig = plan.configuration.data();
    parameters.counterDataImageSize = state.image.size();
    parameters.pCounterDataImage = state.image.data();
    parameters.range = CUPTI_AutoRange;
    parameters.replayMode = CUPTI_KernelReplay;
    parameters.maxRangesPerPass = ranges_per_pass;
    parameters.numNestingLevels = 1;
    parameters.minNestingLevel = 1;
    const long long start = now_us();
    const int code = CALL(cuptiRangeProfilerSetConfig)(&parameters);
    say("range.configure ranges=%zu per_pass=%zu image_bytes=%zu initialize=%d code=%d us=%lld", ranges,
        ranges_per_pass, state.image.size(), initialized, code, now_us() - start);
}

void before_launch(const CUpti_CallbackData& call) {
    state.correlation = call.correlationId;
    if (state.starts_timing) {
        state.starts_timing = false;
        say("activity.enable inside of a launch code=%d",
            CALL(cuptiActivityEnable)(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL));
    }
    if (!state.counts) return;
    const long long before = now_us();
    if (state.drains) CALL(cuCtxSynchronize)();
    const long long start = now_us();
    const int initialized = initialize_image();
    PARAMETERS(CUpti_RangeProfiler_Start_Params);
    parameters.pRangeProfilerObject = state.profiler;
    const int code = CALL(cuptiRangeProfilerStart)(&parameters);
    state.launched = now_us();
    if (state.says_values || initialized != 0 || code != 0)
        say("  before %s drain_us=%lld initialize=%d start=%d us=%lld",
            call.symbolName ? call.symbolName : "?", start - before, initialized, code,
            state.launched - start);
}

std::string values(std::size_t range) {
    std::vector<double> found(state.plan->metrics.size(), -1);
    PARAMETERS(CUpti_Profiler_Host_EvaluateToGpuValues_Params);
    parameters.pHostObject = state.plan->host;
    parameters.pCounterDataImage = state.image.data();
    parameters.counterDataImageSize = state.image.size();
    parameters.rangeIndex = range;
    parameters.ppMetricNames = state.plan->metrics.data();
    parameters.numMetrics = found.size();
    parameters.pMetricValues = found.data();
    std::string text =
        " | evaluate=" + std::to_string(CALL(cuptiProfilerHostEvaluateToGpuValues)(&parameters));
    for (const double value : found)
        text += " " + std::to_string(static_cast<long long>(value));
    return text;
}

void after_launch() {
    if (!state.counts) return;
    const long long start = now_us();
    PARAMETERS(CUpti_RangeProfiler_Stop_Params);
    parameters.pRangeProfilerObject = state.profiler;
    const int stopped = CALL(cuptiRangeProfilerStop)(&parameters);
    const long long stop = now_us();
    auto decode = SIZED(CUpti_RangeProfiler_DecodeData_Params);
    decode.pRangeProfilerObject = state.profiler;
    const int decoded = CALL(cuptiRangeProfilerDecodeData)(&decode);
    const long long end = now_us();
    auto info = SIZED(CUpti_RangeProfiler_GetCounterDataInfo_Params);
    info.pCounterDataImage = state.image.data();
    info.counterDataImageSize = state.image.size();
    CALL(cuptiRangeProfilerGetCounterDataInfo)(&info);
    std::string found;
    for (std::size_t range = 0; state.says_values && range < info.numTotalRanges && range < 3; ++range)
        found += values(range);
    say("  after launch_us=%lld stop=%d us=%lld decode=%d us=%lld dropped=%zu ranges=%zu%s",
        start - state.launched, stopped, stop - start, decoded, end - stop, decode.numOfRangeDropped,
        info.numTotalRanges, found.c_str());
}

/// A launch may name a CUfunction or a CUkernel: which calls take what it names.
void look_at_handle(CUfunction handle) {
    if (state.knows_handle) return;
    state.knows_handle = true;
    int of_function = -1;
    int of_kernel = -1;
    const char* name = nullptr;
    const int function = CALL(cuFuncGetAttribute)(&of_function, CU_FUNC_ATTRIBUTE_NUM_REGS, handle);
    auto* kernel_handle = reinterpret_cast<CUkernel>(handle);
    const int kernel = CALL(cuKernelGetAttribute)(&of_kernel, CU_FUNC_ATTRIBUTE_NUM_REGS, kernel_handle, 0);
    const int function_name = CALL(cuFuncGetName)(&name, handle);
    const int kernel_name = CALL(cuKernelGetName)(&name, kernel_handle);
    say("handle of a launch: cuFuncGetAttribute=%d registers=%d cuKernelGetAttribute=%d registers=%d cuFuncGetName=%d "
        "cuKernelGetName=%d",
        function, of_function, kernel, of_kernel, function_name, kernel_name);
}

void CUPTIAPI called(void*, CUpti_CallbackDomain domain, CUpti_CallbackId id, const void* data) {
    if (domain != CUPTI_CB_DOMAIN_DRIVER_API) return;
    const auto& call = *static_cast<const CUpti_CallbackData*>(data);
    if (call.callbackSite == CUPTI_API_ENTER) return before_launch(call);
    after_launch();
    if (id == CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel)
        look_at_handle(static_cast<const cuLaunchKernel_params*>(call.functionParams)->f);
    else if (id == CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx)
        look_at_handle(static_cast<const cuLaunchKernelEx_params*>(call.functionParams)->f);
}

void CUPTIAPI give_buffer(std::uint8_t** buffer, std::size_t* size, std::size_t* most_records) {
    *size = std::size_t{1} << 20U;
    *buffer = static_cast<std::uint8_t*>(std::aligned_alloc(64, *size));
    *most_records = 0;
}

void CUPTIAPI take_buffer(CUcontext, std::uint32_t, std::uint8_t* buffer, std::size_t, std::size_t size) {
    CUpti_Activity* record = nullptr;
    while (CALL(cuptiActivityGetNextRecord)(buffer, size, &record) == CUPTI_SUCCESS) {
        if (record->kind != CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL &&
            record->kind != CUPTI_ACTIVITY_KIND_KERNEL)
            continue;
        // Later ones have more at their end.
        const auto& kernel = *reinterpret_cast<const CUpti_ActivityKernel9*>(record);
        ++state.timed;
        say("  record correlation=%u ns=%llu registers=%u %s", kernel.correlationId,
            static_cast<unsigned long long>(kernel.end - kernel.start), kernel.registersPerThread,
            kernel.name ? kernel.name : "?");
    }
    std::free(buffer);
}

void count(const char* what, float* numbers, int launches) {
    say("== %s", what);
    state.counts = true;
    for (int launch = 0; launch < launches; ++launch)
        short_kernel<<<256, 256>>>(numbers);
    state.counts = false;
    say("synchronize=%d", cudaDeviceSynchronize());
}

bool load(const char* cupti) {
    const std::string folder = std::strrchr(cupti, '/') ? std::string(cupti, std::strrchr(cupti, '/')) : ".";
    for (const char* helper : {"/libnvperf_host.so", "/libnvperf_target.so"}) {
        const bool loaded = dlopen((folder + helper).c_str(), RTLD_NOW) != nullptr;
        say("load %s: %s", helper + 1, loaded ? "yes" : dlerror());
    }
    libraries[0] = dlopen(cupti, RTLD_NOW | RTLD_LOCAL);
    if (libraries[0] == nullptr) say("There is no CUPTI: %s", dlerror());
    libraries[1] = dlopen("libcuda.so.1", RTLD_NOW);
    if (libraries[1] == nullptr) say("There is no driver: %s", dlerror());
    return libraries[0] != nullptr && libraries[1] != nullptr;
}

bool subscribe() {
    CUpti_SubscriberHandle subscriber = nullptr;
    std::uint32_t version = 0;
    CALL(cuptiGetVersion)(&version);
    int code = -1;
    char other[64] = "";
#if CUPTI_API_VERSION >= 130000
    if (version >= 130000) {
        PARAMETERS(CUpti_SubscriberParams);
        parameters.subscriberName = "probe";
        parameters.oldSubscriberName = other;
        parameters.oldSubscriberSize = sizeof other;
        code = CALL(cuptiSubscribe_v2)(&subscriber, called, nullptr, &parameters);
    }
#endif
    if (version < 130000) code = CALL(cuptiSubscribe)(&subscriber, called, nullptr);
    say("cupti %u subscribe=%d other='%s'", version, code, other);
    for (const auto call : {CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel, CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx,
                            CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch})
        CALL(cuptiEnableCallback)(1, subscriber, CUPTI_CB_DOMAIN_DRIVER_API, call);
    return code == 0;
}

void find_chip() {
    {
        PARAMETERS(CUpti_Profiler_Initialize_Params);
        say("profiler.initialize=%d", CALL(cuptiProfilerInitialize)(&parameters));
    }
    {
        PARAMETERS(CUpti_Profiler_DeviceSupported_Params);
        parameters.cuDevice = 0;
        parameters.api = CUPTI_PROFILER_RANGE_PROFILING;
        const int code = CALL(cuptiProfilerDeviceSupported)(&parameters);
        say("supported code=%d level=%d", code, parameters.isSupported);
    }
    PARAMETERS(CUpti_Device_GetChipName_Params);
    const int code = CALL(cuptiDeviceGetChipName)(&parameters);
    if (parameters.pChipName != nullptr) state.chip = parameters.pChipName;
    say("chip code=%d %s", code, state.chip.c_str());
}

int availability_of(CUcontext context, std::vector<std::uint8_t>& image) {
    PARAMETERS(CUpti_Profiler_GetCounterAvailability_Params);
    parameters.ctx = context;
    const long long start = now_us();
    const int size = CALL(cuptiProfilerGetCounterAvailability)(&parameters);
    image.resize(parameters.counterAvailabilityImageSize);
    parameters.pCounterAvailabilityImage = image.data();
    const int code = CALL(cuptiProfilerGetCounterAvailability)(&parameters);
    say("availability codes=%d,%d bytes=%zu us=%lld", size, code, image.size(), now_us() - start);
    if (code != 0) image.clear();
    return code;
}

void count_beside_memory(const char* gib, float* numbers, Plan& replayed, Plan& single) {
    void* memory = nullptr;
    const std::size_t bytes = static_cast<std::size_t>(std::atoi(gib)) << 30U;
    say("hold %s GiB: %d", gib, cudaMalloc(&memory, bytes));
    cudaMemset(memory, 1, bytes);
    cudaDeviceSynchronize();
    configure(replayed, 1, 1);
    count("two passes beside that memory", numbers, 2);
    configure(single, 1, 1);
    count("one pass beside that memory", numbers, 2);
    cudaFree(memory);
}

void count_beside_a_kernel(float* numbers) {
    cudaStream_t busy = nullptr;
    cudaStream_t own = nullptr;
    cudaStreamCreateWithFlags(&busy, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
    for (const bool drains : {false, true}) {
        say("== a counted launch while another kernel runs for about 50 ms, drained first: %d", drains);
        long_kernel<<<1, 32, 0, busy>>>(numbers, 90'000'000);
        state.drains = drains;
        state.counts = true;
        short_kernel<<<256, 256, 0, own>>>(numbers);
        state.counts = state.drains = false;
        cudaDeviceSynchronize();
    }
}

void count_graph(float* numbers, Plan& plan) {
    say("== a graph of two kernels, instantiated while a profiler is enabled");
    configure(plan, 2, 2);
    cudaStream_t stream = nullptr;
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t executable = nullptr;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    short_kernel<<<64, 256, 0, stream>>>(numbers);
    short_kernel<<<128, 256, 0, stream>>>(numbers);
    const int captured = cudaStreamEndCapture(stream, &graph);
    say("capture=%d instantiate=%d", captured, cudaGraphInstantiate(&executable, graph, 0));
    state.counts = true;
    say("launch=%d", cudaGraphLaunch(executable, stream));
    state.counts = false;
    cudaDeviceSynchronize();
}

void use_second_context(CUcontext first) {
    say("== a second context beside one that is enabled");
    CUcontext second = nullptr;
#if CUDA_VERSION >= 13000
    say("context=%d", CALL(cuCtxCreate)(&second, nullptr, 0, 0));
#else
    say("context=%d", CALL(cuCtxCreate)(&second, 0, 0));
#endif
    std::vector<std::uint8_t> image;
    availability_of(second, image);
    CUpti_RangeProfiler_Object* profiler = nullptr;
    if (enable(second, profiler) == 0) disable(profiler);
    CALL(cuCtxDestroy)(second);
    CALL(cuCtxSetCurrent)(first);
}

void time_launches(float* numbers) {
    say("== times, enabled inside of the first launch");
    CALL(cuptiActivityRegisterCallbacks)(give_buffer, take_buffer);
    state.starts_timing = true;
    std::string seen;
    for (int launch = 0; launch < 4; ++launch) {
        short_kernel<<<256, 256>>>(numbers);
        seen += " " + std::to_string(state.correlation);
    }
    cudaDeviceSynchronize();
    CALL(cuptiActivityFlushAll)(1);
    say("callbacks saw%s; %zu records of 4", seen.c_str(), state.timed);
    const long long start = now_us();
    const int code = CALL(cuptiActivityDisable)(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
    say("activity.disable=%d us=%lld", code, now_us() - start);
}

/// The counters of one pass; those of FLOP, which are counted by patched instructions; both, by replay.
Plan bytes_plan{
    {"gpu__time_duration.sum", "sm__cycles_elapsed.max", "dram__bytes_read.sum", "dram__bytes_write.sum",
     "lts__t_sectors_srcunit_tex.sum", "sm__inst_executed_pipe_tensor.sum",
     "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum", "dram__bytes.sum.peak_sustained"},
    {}};
Plan flop_plan{{"smsp__sass_thread_inst_executed_op_fadd_pred_on.sum",
                "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum"},
               {}};

void count_all(CUcontext context, float* numbers, const char* gib) {
    Plan both{bytes_plan.metrics, {}};
    both.metrics.insert(both.metrics.end(), flop_plan.metrics.begin(), flop_plan.metrics.end());
    Plan without{bytes_plan.metrics, {}};
    if (!make(bytes_plan) || !make(flop_plan) || !make(both)) return;
    if (make(without, false))
        say("plans with and without availability are alike: %d",
            without.configuration == bytes_plan.configuration);
    state.context = context;
    if (enable(context, state.profiler) != 0) return;
    configure(bytes_plan, 1, 1);
    count("one pass, no SetConfig between launches", numbers, 6);
    configure(bytes_plan, 1, 64);
    count("64 ranges per pass", numbers, 6);
    state.says_values = false;
    count("50 launches", numbers, 50);
    state.says_values = true;
    configure(flop_plan, 1, 1);
    count("FLOP: the first launch patches", numbers, 4);
    configure(both, 1, 1);
    count("bytes and FLOP by replay", numbers, 4);
    if (gib != nullptr) count_beside_memory(gib, numbers, both, bytes_plan);
    configure(bytes_plan, 1, 1);
    count_beside_a_kernel(numbers);
    count_graph(numbers, bytes_plan);
    use_second_context(context);
    disable(state.profiler);
    state.plan = nullptr;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) {
        std::fprintf(stderr, "usage: probe LIBCUPTI [GIB]\n");
        return 2;
    }
    if (!load(argv[1]) || !subscribe()) return 1;
    float* numbers = nullptr;
    say("malloc=%d", cudaMalloc(&numbers, std::size_t{1} << 24U));
    CUcontext context = nullptr;
    CALL(cuCtxGetCurrent)(&context);
    if (context == nullptr) {
        say("There is no context: no GPU can be used here.");
        return 1;
    }
    find_chip();
    availability_of(context, state.availability);
    count_all(context, numbers, argc > 2 ? argv[2] : nullptr);
    time_launches(numbers);
    say("== counters again after times");
    if (enable(context, state.profiler) == 0) {
        configure(bytes_plan, 1, 1);
        count("one pass", numbers, 3);
    }
    say("end");
    return 0;
}
