// SPDX-License-Identifier: GPL-3.0-or-later
// A driver that runs nothing: enough of libcuda.so.1 for programs that load an agent, make contexts, and
// launch.
#include <cuda.h>
#include <cupti.h>
#include <dlfcn.h>
#include <poll.h>
#include <pthread.h>

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "tests/profiler/fake_cuda/fake_interface.h"

using namespace roofwalk;

struct CUctx_st {
    fake::ContextFacts facts;
};
struct CUfunc_st {
    std::string name;
    bool is_kernel = false;  ///< the handle is a CUkernel, which what takes a function does not all know
};
struct CUstream_st {
    std::uint32_t id = 0;
    CUgraph captures_into = nullptr;
    CUgraphNode last = nullptr;
    std::vector<CUgraphNode> recaptured{};  ///< nodes that are still to be captured anew
};
struct CUgraphNode_st {
    std::uint64_t id = 0;
    fake::Kernel kernel;
    CUgraph child = nullptr;  ///< runs its nodes instead
    bool is_enabled = true;
};
struct CUgraph_st {
    std::vector<CUgraphNode> nodes;
};
struct CUgraphExec_st {
    std::vector<CUgraphNode> nodes;
    bool can_be_counted = false;
};

namespace {

/// The driver has a thread that waits in poll() as long as the program runs, and takes no signal.
void start_event_thread() {
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    std::thread([] {
        while (true)
            poll(nullptr, 0, -1);
    }).detach();
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

const fake::Watcher* watcher = nullptr;
std::mutex mutex;
std::map<CUcontext, fake::ContextFacts> contexts;
std::set<CUcontext> lingering;  ///< contexts with a kernel that runs until somebody waits for it
thread_local CUcontext current = nullptr;
bool is_initialized = false;
std::uint32_t last_context = 0;
std::uint32_t last_stream = 7;
std::atomic<std::uint32_t> last_correlation = 0;
std::uint64_t last_node = 0;
int captures = 0;
int graphics_captures = 0;
bool capture_is_broken = false;

constexpr int device_count = 2;

/// Runs `body` between the two callbacks of an API call.
template <class Params, class Body>
CUresult call_api(std::uint32_t id, const char* function, const Params& params, const char* symbol,
                  const Body& body) {
    fake::ApiCall call;
    call.id = id;
    call.function = function;
    call.params = &params;
    call.symbol = symbol;
    call.context = current;
    call.context_id = current != nullptr ? current->facts.id : 0;
    call.correlation = ++last_correlation;
    if (watcher != nullptr) watcher->api(true, call);
    call.result = body(call);
    if (watcher != nullptr) watcher->api(false, call);
    return call.result;
}

void tell(const fake::GraphEvent& event) {
    if (watcher != nullptr) watcher->graph(event);
}

void tell_made(CUgraph graph, CUgraphNode node) {
    fake::GraphEvent event{CUPTI_CBID_RESOURCE_GRAPHNODE_CREATE_STARTING, graph, node};
    if (node->child != nullptr) event.type = CU_GRAPH_NODE_TYPE_GRAPH;
    tell(event);
}

CUgraph copy_of(CUgraph graph);

/// Runs a copy of the child that is told.
CUgraphNode add_node(CUgraph graph, CUgraphNode_st made, const CUgraphNode* dependencies, std::size_t count) {
    auto* const node = new CUgraphNode_st(made);
    node->id = node->kernel.node = ++last_node;
    graph->nodes.push_back(node);
    // In the order of CUPTI 13.0, which tells the type of a node at first alone.
    tell_made(graph, node);
    fake::GraphEvent event{CUPTI_CBID_RESOURCE_GRAPHNODE_DEPENDENCY_CREATED, graph, node};
    for (std::size_t at = 0; at < count; ++at) {
        event.dependency = dependencies[at];
        tell(event);
    }
    if (node->child != nullptr) node->child = copy_of(node->child);
    tell({CUPTI_CBID_RESOURCE_GRAPHNODE_CREATED, graph, node});
    return node;
}

/// The nodes of a copy are others, and so are the graphs in them. CUPTI 13.0 tells of each that it was made,
/// then of what it was copied from, and not of the graphs.
CUgraph copy_of(CUgraph graph) {
    auto* const copy = new CUgraph_st;
    for (const CUgraphNode node : graph->nodes) {
        auto* const made = new CUgraphNode_st(*node);
        made->id = made->kernel.node = ++last_node;
        if (node->child != nullptr) made->child = copy_of(node->child);
        copy->nodes.push_back(made);
        tell_made(copy, made);
        tell({CUPTI_CBID_RESOURCE_GRAPHNODE_CREATED, copy, made});
        tell({CUPTI_CBID_RESOURCE_GRAPHNODE_CLONED, copy, made, nullptr, nullptr, node});
    }
    return copy;
}

void run(fake::Kernel kernel, CUstream stream, const fake::ApiCall& call) {
    kernel.context = call.context;
    kernel.context_id = call.context_id;
    kernel.device = call.context != nullptr ? call.context->facts.device : 0;
    kernel.stream = stream != nullptr ? stream->id : 7;
    kernel.correlation = call.correlation;
    if (std::strstr(kernel.name, "lingering") != nullptr) {
        const std::lock_guard lock(mutex);
        lingering.insert(call.context);
    }
    if (watcher != nullptr) watcher->ran(kernel);
}

void run_all(const std::vector<CUgraphNode>& nodes, bool can_be_counted, CUstream stream,
             const fake::ApiCall& call) {
    for (const CUgraphNode node : nodes) {
        if (node->child != nullptr) {
            run_all(node->child->nodes, can_be_counted, stream, call);
        } else if (node->is_enabled) {
            fake::Kernel kernel = node->kernel;
            kernel.can_be_counted = can_be_counted;
            run(kernel, stream, call);
        }
    }
}

template <class Geometry>
fake::Kernel kernel_of(CUfunction function, const Geometry& geometry) {
    fake::Kernel kernel;
    std::strncpy(kernel.name, function->name.c_str(), sizeof(kernel.name) - 1);
    kernel.grid[0] = geometry.gridDimX;
    kernel.grid[1] = geometry.gridDimY;
    kernel.grid[2] = geometry.gridDimZ;
    kernel.block[0] = geometry.blockDimX;
    kernel.block[1] = geometry.blockDimY;
    kernel.block[2] = geometry.blockDimZ;
    kernel.shared = geometry.sharedMemBytes;
    return kernel;
}

/// Of a launch: the real one may not know it where the handle is that of a kernel.
const char* symbol_of(CUfunction function) {
    return function->is_kernel ? nullptr : function->name.c_str();
}

/// Of a node, which names one of the two.
template <class Params>
CUfunction handle_of(const Params& params) {
    return params.func != nullptr ? params.func : reinterpret_cast<CUfunction>(params.kern);
}

/// As CUPTI of CUDA 13.4 calls what the headers at hand may not have.
constexpr std::uint32_t begin_recapture = 846;
constexpr std::uint32_t add_node_v3 = 863;

CUresult launch(const fake::Kernel& kernel, CUstream stream, const fake::ApiCall& call) {
    if (kernel.grid[0] == 0) return CUDA_ERROR_INVALID_VALUE;
    if (stream != nullptr && !stream->recaptured.empty()) {
        CUgraphNode_st& node = *stream->recaptured.front();
        node.kernel = kernel;
        node.kernel.node = node.id;
        stream->recaptured.erase(stream->recaptured.begin());
        return CUDA_SUCCESS;
    }
    if (stream != nullptr && stream->captures_into != nullptr)
        stream->last =
            add_node(stream->captures_into, {0, kernel}, &stream->last, stream->last != nullptr ? 1 : 0);
    else
        run(kernel, stream, call);
    return CUDA_SUCCESS;
}

}  // namespace

extern "C" {

void roofwalk_fake_watch(const fake::Watcher* new_watcher) {
    watcher = new_watcher;
}

bool roofwalk_fake_context(CUcontext context, fake::ContextFacts* facts) {
    const std::lock_guard lock(mutex);
    const auto found = contexts.find(context);
    if (found == contexts.end()) return false;
    *facts = found->second;
    return true;
}

void roofwalk_fake_synchronized(CUcontext context) {
    if (captures > 0 || graphics_captures > 0) capture_is_broken = true;
    const std::lock_guard lock(mutex);
    lingering.erase(context);
}

bool roofwalk_fake_is_busy(CUcontext context) {
    const std::lock_guard lock(mutex);
    return lingering.count(context) > 0;
}

CUresult cuInit(unsigned) {
    if (is_initialized) return CUDA_SUCCESS;
    is_initialized = true;
    if (std::getenv("FAKE_CUDA_WITHOUT_THREAD") == nullptr) start_event_thread();
    if (const char* const path = std::getenv("CUDA_INJECTION64_PATH"); path != nullptr && *path != '\0') {
        void* const library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
        if (library == nullptr) return CUDA_SUCCESS;
        if (auto* const entry = reinterpret_cast<int (*)()>(dlsym(library, "InitializeInjection"))) entry();
    }
    return CUDA_SUCCESS;
}

CUresult cuDriverGetVersion(int* version) {
    const char* const wanted = std::getenv("FAKE_CUDA_VERSION");
    *version = wanted == nullptr ? 13000 : std::atoi(wanted);
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetCount(int* count) {
    *count = device_count;
    return CUDA_SUCCESS;
}

CUresult cuDeviceGet(CUdevice* device, int ordinal) {
    *device = ordinal;
    return ordinal >= 0 && ordinal < device_count ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

CUresult cuDeviceGetName(char* name, int length, CUdevice) {
    std::strncpy(name, "False H100", static_cast<std::size_t>(length));
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetUuid_v2(CUuuid* uuid, CUdevice device) {
    std::memset(uuid->bytes, 0xA0 + device, sizeof(uuid->bytes));
    return CUDA_SUCCESS;
}

CUresult cuDeviceTotalMem_v2(std::size_t* bytes, CUdevice) {
    *bytes = std::size_t{80} << 30U;
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute attribute, CUdevice) {
    switch (attribute) {
        case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR:
            *value = 9;
            return CUDA_SUCCESS;
        case CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT:
            *value = 132;
            return CUDA_SUCCESS;
        case CU_DEVICE_ATTRIBUTE_CLOCK_RATE:
            *value = 1'980'000;
            return CUDA_SUCCESS;
        case CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE:
            *value = 2'619'000;
            return CUDA_SUCCESS;
        case CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH:
            *value = 5120;
            return CUDA_SUCCESS;
        default:
            *value = 0;
            return CUDA_SUCCESS;
    }
}

CUresult cuCtxCreate_v4(CUcontext* context, CUctxCreateParams*, unsigned, CUdevice device) {
    if (!is_initialized) return CUDA_ERROR_NOT_INITIALIZED;
    auto* const made = new CUctx_st{{++last_context, static_cast<std::uint32_t>(device)}};
    {
        const std::lock_guard lock(mutex);
        contexts[made] = made->facts;
    }
    *context = current = made;
    if (watcher != nullptr) watcher->context(true, made);
    return CUDA_SUCCESS;
}

CUresult cuCtxSetCurrent(CUcontext context) {
    current = context;
    return CUDA_SUCCESS;
}

CUresult cuCtxDestroy_v2(CUcontext context) {
    if (watcher != nullptr) watcher->context(false, context);
    const std::lock_guard lock(mutex);
    contexts.erase(context);
    if (current == context) current = nullptr;
    return CUDA_SUCCESS;
}

/// FAKE_CUDA_USED_MIB: memory in use, of FAKE_CUDA_MIB.
CUresult cuMemGetInfo_v2(std::size_t* free, std::size_t* total) {
    const char* const used = std::getenv("FAKE_CUDA_USED_MIB");
    const char* const all = std::getenv("FAKE_CUDA_MIB");
    cuDeviceTotalMem_v2(total, 0);
    if (all != nullptr) *total = std::strtoul(all, nullptr, 10) << 20U;
    *free = *total - ((used != nullptr ? std::strtoul(used, nullptr, 10) : 600) << 20U);
    return CUDA_SUCCESS;
}

CUresult cuCtxSynchronize() {
    return cuCtxSynchronize_v2(current);
}

CUresult cuCtxSynchronize_v2(CUcontext context) {
    roofwalk_fake_synchronized(context);
    return CUDA_SUCCESS;
}

CUresult cuModuleGetFunction(CUfunction* function, CUmodule, const char* name) {
    // Programs launch kernels while they end.
    static auto& functions = *new std::map<std::string, CUfunc_st>;
    const std::lock_guard lock(mutex);
    *function = &functions.try_emplace(name, CUfunc_st{name}).first->second;
    return CUDA_SUCCESS;
}

CUresult cuLibraryGetKernel(CUkernel* kernel, CUlibrary, const char* name) {
    static auto& kernels = *new std::map<std::string, CUfunc_st>;
    const std::lock_guard lock(mutex);
    *kernel = reinterpret_cast<CUkernel>(&kernels.try_emplace(name, CUfunc_st{name, true}).first->second);
    return CUDA_SUCCESS;
}

CUresult cuFuncGetName(const char** name, CUfunction function) {
    if (function->is_kernel) return CUDA_ERROR_INVALID_HANDLE;
    *name = function->name.c_str();
    return CUDA_SUCCESS;
}

CUresult cuKernelGetName(const char** name, CUkernel kernel) {
    *name = reinterpret_cast<CUfunction>(kernel)->name.c_str();
    return CUDA_SUCCESS;
}

CUresult cuCtxGetDevice(CUdevice* device) {
    if (current == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
    *device = static_cast<CUdevice>(current->facts.device);
    return CUDA_SUCCESS;
}

CUresult cuFuncGetAttribute(int* value, CUfunction_attribute attribute, CUfunction function) {
    if (function->is_kernel) return CUDA_ERROR_INVALID_HANDLE;
    *value = attribute == CU_FUNC_ATTRIBUTE_NUM_REGS ? 40 : 1024;
    if (attribute == CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH)
        *value = function->name.starts_with("cluster") ? 2 : 0;
    return CUDA_SUCCESS;
}

CUresult cuKernelGetAttribute(int* value, CUfunction_attribute attribute, CUkernel, CUdevice device) {
    if (device < 0 || device >= device_count) return CUDA_ERROR_INVALID_DEVICE;
    *value = attribute == CU_FUNC_ATTRIBUTE_NUM_REGS ? 48 + device : 2048;
    if (attribute == CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH) *value = 0;
    return CUDA_SUCCESS;
}

CUresult cuStreamCreate(CUstream* stream, unsigned) {
    *stream = new CUstream_st{++last_stream};
    return CUDA_SUCCESS;
}

CUresult cuStreamDestroy_v2(CUstream stream) {
    if (watcher != nullptr) watcher->stream_ends(current, stream);
    if (stream->captures_into != nullptr) --captures;
    delete stream;
    return CUDA_SUCCESS;
}

/// All streams are of the kind that the legacy stream, which is none here, waits for.
CUresult cuStreamIsCapturing(CUstream stream, CUstreamCaptureStatus* status) {
    const bool legacy = stream == nullptr || stream == CU_STREAM_LEGACY;
    if (legacy && captures > 0) return CUDA_ERROR_STREAM_CAPTURE_IMPLICIT;
    *status = !legacy && stream->captures_into != nullptr ? CU_STREAM_CAPTURE_STATUS_ACTIVE
                                                          : CU_STREAM_CAPTURE_STATUS_NONE;
    return CUDA_SUCCESS;
}

CUresult cuLaunchKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                        unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
                        CUstream stream, void** arguments, void** extra) {
    const cuLaunchKernel_params params{function, grid_x, grid_y, grid_z,    block_x, block_y,
                                       block_z,  shared, stream, arguments, extra};
    return call_api(
        CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel, "cuLaunchKernel", params, symbol_of(function),
        [&](const fake::ApiCall& call) { return launch(kernel_of(function, params), stream, call); });
}

CUresult cuLaunchKernelEx(const CUlaunchConfig* config, CUfunction function, void** arguments, void** extra) {
    const cuLaunchKernelEx_params params{config, function, arguments, extra};
    return call_api(CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx, "cuLaunchKernelEx", params, symbol_of(function),
                    [&](const fake::ApiCall& call) {
                        return launch(kernel_of(function, *config), config->hStream, call);
                    });
}

CUresult cuStreamBeginCapture_v2(CUstream stream, CUstreamCaptureMode mode) {
    const cuStreamBeginCapture_v2_params params{stream, mode};
    return call_api(CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCapture_v2, "cuStreamBeginCapture_v2", params,
                    nullptr, [&](const fake::ApiCall&) {
                        stream->captures_into = new CUgraph_st;
                        stream->last = nullptr;
                        ++captures;
                        capture_is_broken = false;
                        return CUDA_SUCCESS;
                    });
}

/// cuStreamBeginRecaptureToGraph without its callback, under a name that newer headers do not declare.
CUresult roofwalk_fake_recapture(CUstream stream, CUstreamCaptureMode mode, CUgraph graph) {
    struct {
        CUstream stream;
        CUstreamCaptureMode mode;
        CUgraph graph;
        void* callback;
        void* user_data;
    } const params{stream, mode, graph, nullptr, nullptr};
    return call_api(begin_recapture, "cuStreamBeginRecaptureToGraph", params, nullptr,
                    [&](const fake::ApiCall&) {
                        stream->captures_into = graph;
                        stream->recaptured = graph->nodes;
                        ++captures;
                        capture_is_broken = false;
                        return CUDA_SUCCESS;
                    });
}

/// cuStreamBeginCaptureToCig and cuStreamEndCaptureToCig of CUDA 13.2.
CUresult roofwalk_fake_graphics_capture(CUstream stream, bool begins) {
    struct {
        CUstream stream;
        void* params;
    } const params{stream, nullptr};
    return call_api(begins ? 783 : 815, "cuStreamCaptureToCig", params, nullptr, [&](const fake::ApiCall&) {
        graphics_captures += begins ? 1 : -1;
        if (begins) capture_is_broken = false;
        return capture_is_broken ? CUDA_ERROR_STREAM_CAPTURE_INVALIDATED : CUDA_SUCCESS;
    });
}

CUresult cuStreamEndCapture(CUstream stream, CUgraph* graph) {
    const cuStreamEndCapture_params params{stream, graph};
    return call_api(CUPTI_DRIVER_TRACE_CBID_cuStreamEndCapture, "cuStreamEndCapture", params, nullptr,
                    [&](const fake::ApiCall&) {
                        *graph = stream->captures_into;
                        stream->captures_into = nullptr;
                        --captures;
                        return capture_is_broken ? CUDA_ERROR_STREAM_CAPTURE_INVALIDATED : CUDA_SUCCESS;
                    });
}

CUresult cuGraphCreate(CUgraph* graph, unsigned) {
    *graph = new CUgraph_st;
    return CUDA_SUCCESS;
}

CUresult cuGraphAddKernelNode_v2(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                                 std::size_t count, const CUDA_KERNEL_NODE_PARAMS* kernel) {
    const cuGraphAddKernelNode_v2_params params{node, graph, dependencies, count, kernel};
    return call_api(
        CUPTI_DRIVER_TRACE_CBID_cuGraphAddKernelNode_v2, "cuGraphAddKernelNode_v2", params, nullptr,
        [&](const fake::ApiCall&) {
            *node = add_node(graph, {0, kernel_of(handle_of(*kernel), *kernel)}, dependencies, count);
            return CUDA_SUCCESS;
        });
}

/// Of kernels alone.
CUresult cuGraphAddNode_v3(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                           const CUgraphEdgeData* edges, std::size_t count, CUgraphNodeParams* made) {
    const cuGraphAddNode_v2_params params{node, graph, dependencies, edges, count, made};
    return call_api(add_node_v3, "cuGraphAddNode_v3", params, nullptr, [&](const fake::ApiCall&) {
        *node = add_node(graph, {0, kernel_of(handle_of(made->kernel), made->kernel)}, dependencies, count);
        return CUDA_SUCCESS;
    });
}

CUresult cuGraphAddChildGraphNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                                  std::size_t count, CUgraph child) {
    const cuGraphAddChildGraphNode_params params{node, graph, dependencies, count, child};
    return call_api(CUPTI_DRIVER_TRACE_CBID_cuGraphAddChildGraphNode, "cuGraphAddChildGraphNode", params,
                    nullptr, [&](const fake::ApiCall&) {
                        *node = add_node(graph, {0, {}, child}, dependencies, count);
                        return CUDA_SUCCESS;
                    });
}

/// Of a CUDA before 12, as programs that were built with that still call it.
#undef cuGraphExecKernelNodeSetParams
CUresult cuGraphExecKernelNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                        const CUDA_KERNEL_NODE_PARAMS_v1* kernel) {
    const cuGraphExecKernelNodeSetParams_params params{exec, node, kernel};
    return call_api(CUPTI_DRIVER_TRACE_CBID_cuGraphExecKernelNodeSetParams, "cuGraphExecKernelNodeSetParams",
                    params, nullptr, [&](const fake::ApiCall&) {
                        node->kernel = kernel_of(kernel->func, *kernel);
                        node->kernel.node = node->id;
                        return CUDA_SUCCESS;
                    });
}

CUresult cuGraphKernelNodeSetAttribute(CUgraphNode node, CUkernelNodeAttrID attribute,
                                       const CUkernelNodeAttrValue* value) {
    const cuGraphKernelNodeSetAttribute_params params{node, attribute, value};
    return call_api(CUPTI_DRIVER_TRACE_CBID_cuGraphKernelNodeSetAttribute, "cuGraphKernelNodeSetAttribute",
                    params, nullptr, [](const fake::ApiCall&) { return CUDA_SUCCESS; });
}

CUresult cuGraphNodeSetEnabled(CUgraphExec exec, CUgraphNode node, unsigned enabled) {
    const cuGraphNodeSetEnabled_params params{exec, node, enabled};
    return call_api(CUPTI_DRIVER_TRACE_CBID_cuGraphNodeSetEnabled, "cuGraphNodeSetEnabled", params, nullptr,
                    [&](const fake::ApiCall&) {
                        node->is_enabled = enabled != 0;
                        return CUDA_SUCCESS;
                    });
}

CUresult cuGraphDestroy(CUgraph graph) {
    tell({CUPTI_CBID_RESOURCE_GRAPH_DESTROY_STARTING, graph});
    return CUDA_SUCCESS;
}

/// What becomes executable is a copy, and then another, of whose nodes nobody is told.
CUresult cuGraphInstantiateWithFlags(CUgraphExec* exec, CUgraph graph, unsigned long long flags) {
    const cuGraphInstantiateWithFlags_params params{exec, graph, flags};
    return call_api(
        CUPTI_DRIVER_TRACE_CBID_cuGraphInstantiateWithFlags, "cuGraphInstantiateWithFlags", params, nullptr,
        [&](const fake::ApiCall&) {
            copy_of(graph);
            *exec = new CUgraphExec_st{graph->nodes, watcher != nullptr && watcher->is_counting(current)};
            tell({CUPTI_CBID_RESOURCE_GRAPHEXEC_CREATED, new CUgraph_st, nullptr, nullptr, *exec});
            return CUDA_SUCCESS;
        });
}

CUresult cuGraphLaunch(CUgraphExec exec, CUstream stream) {
    const cuGraphLaunch_params params{exec, stream};
    return call_api(CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch, "cuGraphLaunch", params, nullptr,
                    [&](const fake::ApiCall& call) {
                        if (stream != nullptr && stream->captures_into != nullptr) {
                            CUgraph_st graph{exec->nodes};
                            stream->last = add_node(stream->captures_into, {0, {}, &graph}, &stream->last,
                                                    stream->last != nullptr ? 1 : 0);
                        } else {
                            run_all(exec->nodes, exec->can_be_counted, stream, call);
                        }
                        return CUDA_SUCCESS;
                    });
}

/// For the false CUPTI, which is asked for the number that the real one gives.
std::uint32_t roofwalk_fake_stream(CUstream stream) {
    return stream != nullptr ? stream->id : 7;
}

}  // extern "C"
