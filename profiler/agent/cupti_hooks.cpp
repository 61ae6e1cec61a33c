// SPDX-License-Identifier: Apache-2.0
#include "profiler/agent/cupti_hooks.h"

#include <cupti.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <exception>
#include <utility>
#include <vector>

#include "profiler/agent/driver_library.h"
#include "profiler/agent/per_thread.h"

namespace roofwalk::agent {

namespace {

using Id = CUpti_CallbackId;

// Newer than the oldest headers that build this; a CUPTI before them refuses to tell of them.
constexpr Id begin_recapture = 846;  // cuStreamBeginRecaptureToGraph, CUDA 13.3
constexpr Id begin_recapture_ptsz = 847;
constexpr Id add_node_v3 = 863;         // cuGraphAddNode_v3, CUDA 13.4: as cuGraphAddNode_v2
constexpr Id node_set_params_v2 = 864;  // cuGraphNodeSetParams_v2, CUDA 13.4: as cuGraphNodeSetParams

// cuStreamBeginCaptureToCig and cuStreamEndCaptureToCig, CUDA 13.2; the first number had another meaning
// before.
constexpr std::uint32_t first_with_graphics_captures = 130200;
constexpr std::array<Id, 2> begin_graphics_capture{783, 814};
constexpr std::array<Id, 2> end_graphics_capture{815, 816};

struct RecaptureParams {
    CUstream stream;
    CUstreamCaptureMode mode;
    CUgraph graph;
};

constexpr std::array<Id, 11> launch_ids{CUPTI_DRIVER_TRACE_CBID_cuLaunch,
                                        CUPTI_DRIVER_TRACE_CBID_cuLaunchGrid,
                                        CUPTI_DRIVER_TRACE_CBID_cuLaunchGridAsync,
                                        CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel,
                                        CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz,
                                        CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx,
                                        CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz,
                                        CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel,
                                        CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel_ptsz,
                                        CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch,
                                        CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch_ptsz};

constexpr std::array<Id, 10> capture_ids{begin_recapture,
                                         begin_recapture_ptsz,
                                         CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCapture,
                                         CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCapture_ptsz,
                                         CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCapture_v2,
                                         CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCapture_v2_ptsz,
                                         CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCaptureToGraph,
                                         CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCaptureToGraph_ptsz,
                                         CUPTI_DRIVER_TRACE_CBID_cuStreamEndCapture,
                                         CUPTI_DRIVER_TRACE_CBID_cuStreamEndCapture_ptsz};

constexpr std::array<Id, 19> node_ids{add_node_v3,
                                      node_set_params_v2,
                                      CUPTI_DRIVER_TRACE_CBID_cuGraphKernelNodeSetAttribute,
                                      CUPTI_DRIVER_TRACE_CBID_cuGraphKernelNodeCopyAttributes,
                                      CUPTI_DRIVER_TRACE_CBID_cuGraphAddKernelNode,
                                      CUPTI_DRIVER_TRACE_CBID_cuGraphAddKernelNode_v2,
                                      CUPTI_DRIVER_TRACE_CBID_cuGraphAddChildGraphNode,
                                      CUPTI_DRIVER_TRACE_CBID_cuGraphAddNode,
                                      CUPTI_DRIVER_TRACE_CBID_cuGraphAddNode_v2,
                                      CUPTI_DRIVER_TRACE_CBID_cuGraphKernelNodeSetParams,
                                      CUPTI_DRIVER_TRACE_CBID_cuGraphKernelNodeSetParams_v2,
                                      CUPTI_DRIVER_TRACE_CBID_cuGraphNodeSetParams,
                                      CUPTI_DRIVER_TRACE_CBID_cuGraphExecKernelNodeSetParams,
                                      CUPTI_DRIVER_TRACE_CBID_cuGraphExecKernelNodeSetParams_v2,
                                      CUPTI_DRIVER_TRACE_CBID_cuGraphNodeSetEnabled,
                                      CUPTI_DRIVER_TRACE_CBID_cuGraphExecNodeSetParams,
                                      CUPTI_DRIVER_TRACE_CBID_cuGraphExecChildGraphNodeSetParams,
                                      CUPTI_DRIVER_TRACE_CBID_cuGraphExecUpdate,
                                      CUPTI_DRIVER_TRACE_CBID_cuGraphExecUpdate_v2};

constexpr std::array<Id, 5> instantiate_ids{
    CUPTI_DRIVER_TRACE_CBID_cuGraphInstantiate, CUPTI_DRIVER_TRACE_CBID_cuGraphInstantiate_v2,
    CUPTI_DRIVER_TRACE_CBID_cuGraphInstantiateWithFlags, CUPTI_DRIVER_TRACE_CBID_cuGraphInstantiateWithParams,
    CUPTI_DRIVER_TRACE_CBID_cuGraphInstantiateWithParams_ptsz};

constexpr std::array<Id, 11> resource_ids{CUPTI_CBID_RESOURCE_CONTEXT_CREATED,
                                          CUPTI_CBID_RESOURCE_CONTEXT_DESTROY_STARTING,
                                          CUPTI_CBID_RESOURCE_STREAM_DESTROY_STARTING,
                                          CUPTI_CBID_RESOURCE_GRAPHNODE_CREATE_STARTING,
                                          CUPTI_CBID_RESOURCE_GRAPHNODE_DESTROY_STARTING,
                                          CUPTI_CBID_RESOURCE_GRAPH_DESTROY_STARTING,
                                          CUPTI_CBID_RESOURCE_GRAPHNODE_CREATED,
                                          CUPTI_CBID_RESOURCE_GRAPHNODE_CLONED,
                                          CUPTI_CBID_RESOURCE_GRAPHNODE_DEPENDENCY_CREATED,
                                          CUPTI_CBID_RESOURCE_GRAPHEXEC_CREATED,
                                          CUPTI_CBID_RESOURCE_GRAPHEXEC_DESTROY_STARTING};

template <class Params>
const Params& params_of(const CUpti_CallbackData& data) {
    return *static_cast<const Params*>(data.functionParams);
}

/// What cuLaunchKernel, cuLaunchCooperativeKernel and the nodes of graphs call alike.
template <class Params>
void take_geometry(const Params& params, KernelCall& kernel) {
    kernel.grid = {params.gridDimX, params.gridDimY, params.gridDimZ};
    kernel.block = {params.blockDimX, params.blockDimY, params.blockDimZ};
    kernel.dynamic_shared = params.sharedMemBytes;
}

template <class Params>
std::optional<KernelCall> kernel_of_node(const Params* params) {
    if (params == nullptr) return std::nullopt;
    KernelCall kernel;
    take_geometry(*params, kernel);
    kernel.function = params->func;
    if constexpr (requires { params->kern; })
        if (params->func == nullptr) kernel.function = params->kern;
    kernel.name = function_name(kernel.function);
    kernel.has_attributes = function_has_cluster(kernel.function);
    return kernel;
}

std::optional<KernelCall> kernel_of_node(const CUgraphNodeParams* params) {
    if (params == nullptr || params->type != CU_GRAPH_NODE_TYPE_KERNEL) return std::nullopt;
    return kernel_of_node(&params->kernel);
}

void* child_of_node(const CUgraphNodeParams* params) {
    return params != nullptr && params->type == CU_GRAPH_NODE_TYPE_GRAPH ? params->graph.graph : nullptr;
}

/// The graph that a call makes or changes a node to run; null when it is no such call.
void* graph_in_call(Id id, const CUpti_CallbackData& data) {
    switch (id) {
        case CUPTI_DRIVER_TRACE_CBID_cuGraphAddChildGraphNode:
            return params_of<cuGraphAddChildGraphNode_params>(data).childGraph;
        case CUPTI_DRIVER_TRACE_CBID_cuGraphExecChildGraphNodeSetParams:
            return params_of<cuGraphExecChildGraphNodeSetParams_params>(data).childGraph;
        case CUPTI_DRIVER_TRACE_CBID_cuGraphAddNode:
            return child_of_node(params_of<cuGraphAddNode_params>(data).nodeParams);
        case add_node_v3:
        case CUPTI_DRIVER_TRACE_CBID_cuGraphAddNode_v2:
            return child_of_node(params_of<cuGraphAddNode_v2_params>(data).nodeParams);
        case CUPTI_DRIVER_TRACE_CBID_cuGraphExecNodeSetParams:
            return child_of_node(params_of<cuGraphExecNodeSetParams_params>(data).nodeParams);
        default:
            return nullptr;
    }
}

/// What a call of the driver launches: `id` is that of the call.
LaunchCall launch_in_call(Id id, const CUpti_CallbackData& data) {
    LaunchCall call;
    call.context = data.context;
    call.context_id = data.contextUid;
    call.correlation = data.correlationId;
    if (data.symbolName != nullptr) call.kernel.name = data.symbolName;
    switch (id) {
        case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz:
            call.stream_of_thread = true;
            [[fallthrough]];
        case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel: {
            const auto& params = params_of<cuLaunchKernel_params>(data);
            take_geometry(params, call.kernel);
            call.kernel.function = params.f;
            call.stream = params.hStream;
            break;
        }
        case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz:
            call.stream_of_thread = true;
            [[fallthrough]];
        case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx: {
            const auto& params = params_of<cuLaunchKernelEx_params>(data);
            call.kernel.function = params.f;
            if (params.config != nullptr) {
                take_geometry(*params.config, call.kernel);
                call.kernel.has_attributes = params.config->numAttrs > 0;
                call.stream = params.config->hStream;
            }
            break;
        }
        case CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel_ptsz:
            call.stream_of_thread = true;
            [[fallthrough]];
        case CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel: {
            const auto& params = params_of<cuLaunchCooperativeKernel_params>(data);
            take_geometry(params, call.kernel);
            call.kernel.has_attributes = true;
            call.kernel.function = params.f;
            call.stream = params.hStream;
            break;
        }
        case CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch_ptsz:
            call.stream_of_thread = true;
            [[fallthrough]];
        case CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch: {
            const auto& params = params_of<cuGraphLaunch_params>(data);
            call.graph_exec = params.hGraph;
            call.stream = params.hStream;
            break;
        }
        default:
            break;
    }
    if (call.kernel.name.empty()) call.kernel.name = function_name(call.kernel.function);
    return call;
}

/// The kernel that a call puts into the node of a graph; absent when it is no such call.
std::optional<KernelCall> node_in_call(Id id, const CUpti_CallbackData& data) {
    switch (id) {
        case CUPTI_DRIVER_TRACE_CBID_cuGraphAddKernelNode:
            return kernel_of_node(params_of<cuGraphAddKernelNode_params>(data).nodeParams);
        case CUPTI_DRIVER_TRACE_CBID_cuGraphKernelNodeSetParams:
            return kernel_of_node(params_of<cuGraphKernelNodeSetParams_params>(data).nodeParams);
        case CUPTI_DRIVER_TRACE_CBID_cuGraphExecKernelNodeSetParams:
            return kernel_of_node(params_of<cuGraphExecKernelNodeSetParams_params>(data).nodeParams);
        case CUPTI_DRIVER_TRACE_CBID_cuGraphAddKernelNode_v2:
            return kernel_of_node(params_of<cuGraphAddKernelNode_v2_params>(data).nodeParams);
        case CUPTI_DRIVER_TRACE_CBID_cuGraphAddNode:
            return kernel_of_node(params_of<cuGraphAddNode_params>(data).nodeParams);
        case add_node_v3:
        case CUPTI_DRIVER_TRACE_CBID_cuGraphAddNode_v2:
            return kernel_of_node(params_of<cuGraphAddNode_v2_params>(data).nodeParams);
        case CUPTI_DRIVER_TRACE_CBID_cuGraphKernelNodeSetParams_v2:
            return kernel_of_node(params_of<cuGraphKernelNodeSetParams_v2_params>(data).nodeParams);
        case CUPTI_DRIVER_TRACE_CBID_cuGraphExecKernelNodeSetParams_v2:
            return kernel_of_node(params_of<cuGraphExecKernelNodeSetParams_v2_params>(data).nodeParams);
        case node_set_params_v2:
        case CUPTI_DRIVER_TRACE_CBID_cuGraphNodeSetParams:
            return kernel_of_node(params_of<cuGraphNodeSetParams_params>(data).nodeParams);
        case CUPTI_DRIVER_TRACE_CBID_cuGraphExecNodeSetParams:
            return kernel_of_node(params_of<cuGraphExecNodeSetParams_params>(data).nodeParams);
        default:
            return std::nullopt;
    }
}

/// What the calling thread is in the middle of.
struct CallOfThread {
    std::optional<KernelCall> node;              ///< a kernel node that is being made
    void* child = nullptr;                       ///< the graph that a node is made to run
    void* child_copy = nullptr;                  ///< what that node got of it
    void* exec = nullptr;                        ///< the launch of a graph that may become a node
    void* instantiated = nullptr;                ///< the graph that an executable one is made of
    bool is_counted = false;                     ///< ... while kernels are counted
    void* made = nullptr;                        ///< the node
    bool captured = false;                       ///< the launch became one
    std::map<void*, NodeKind> kinds;             ///< of nodes that are being made
    std::vector<std::pair<void*, void*>> early;  ///< nodes that were not made yet, and what they wait for
};

NodeKind kind_of(CUgraphNodeType type) {
    if (type == CU_GRAPH_NODE_TYPE_KERNEL) return NodeKind::kernel;
    // How often the graphs of a conditional node run is known when they have run.
    const bool holds = type == CU_GRAPH_NODE_TYPE_GRAPH || type == CU_GRAPH_NODE_TYPE_CONDITIONAL;
    return holds ? NodeKind::graph : NodeKind::other;
}

CallOfThread& call_of_thread() {
    return PerThread<CallOfThread>::get();
}

}  // namespace

struct CuptiHooks::Functions {
    explicit Functions(const CuptiLibrary& from) : library(from) {}

    CuptiLibrary library;
    decltype(&::cuptiSubscribe_v2) subscribe = library.find("cuptiSubscribe_v2");
    decltype(&::cuptiSubscribe) subscribe_unnamed = library.find("cuptiSubscribe");  ///< of CUDA 12
    decltype(&::cuptiEnableCallback) enable_callback = library.find("cuptiEnableCallback");
    decltype(&::cuptiGetDeviceId) get_device_id = library.find("cuptiGetDeviceId");
    decltype(&::cuptiGetContextId) get_context_id = library.find("cuptiGetContextId");
    decltype(&::cuptiGetStreamIdEx) get_stream_id = library.find("cuptiGetStreamIdEx");
    CUpti_SubscriberHandle subscriber = nullptr;
};

struct CuptiHooks::Callbacks {
    static void CUPTIAPI call(void* hooks, CUpti_CallbackDomain domain, Id id, const void* data) {
        const int errno_before = errno;
        auto& self = *static_cast<CuptiHooks*>(hooks);
        try {
            if (getpid() == self.process_) dispatch(self, domain, id, data);
        } catch (const std::exception&) {
            self.listener_.on_fatal_error({CUPTI_ERROR_OUT_OF_MEMORY, "callback"});
        }
        errno = errno_before;
    }

    static void dispatch(CuptiHooks& self, CUpti_CallbackDomain domain, Id id, const void* data) {
        if (domain == CUPTI_CB_DOMAIN_DRIVER_API) {
            const auto& call = *static_cast<const CUpti_CallbackData*>(data);
            if (contains(launch_ids, id))
                on_launch(self, id, call);
            else if (contains(capture_ids, id) || contains(begin_graphics_capture, id) ||
                     contains(end_graphics_capture, id))
                on_capture(self, id, call);
            else if (contains(instantiate_ids, id))
                on_instantiate(self, call);
            else
                on_node_call(self, id, call);
        } else if (domain == CUPTI_CB_DOMAIN_RESOURCE) {
            on_resource(self, id, data);
        } else if (domain == CUPTI_CB_DOMAIN_STATE) {
            const auto& state = *static_cast<const CUpti_StateData*>(data);
            self.listener_.on_fatal_error({state.notification.result, "CUPTI"});
        }
    }

    template <class Ids>
    static bool contains(const Ids& ids, Id id) {
        for (const Id known : ids)
            if (known == id) return true;
        return false;
    }

    static bool has_worked(const CUpti_CallbackData& data) {
        return data.functionReturnValue == nullptr ||
               *static_cast<const CUresult*>(data.functionReturnValue) == CUDA_SUCCESS;
    }

    static void on_launch(CuptiHooks& self, Id id, const CUpti_CallbackData& data) {
        const LaunchCall call = launch_in_call(id, data);
        CallOfThread& mine = call_of_thread();
        const bool entering = data.callbackSite == CUPTI_API_ENTER;
        if (entering && (self.captures_any_ || is_capturing(stream_of(call)))) {
            mine = {};
            // Of a capture that nobody saw begin the first nodes are missing: its graph is not known.
            mine.node = self.captures_any_ ? call.kernel : KernelCall{};
            mine.node->has_attributes |= function_has_cluster(call.kernel.function);
            mine.exec = call.graph_exec;
        } else if (entering) {
            self.listener_.on_launch_enter(call);
        } else if (mine.node) {
            if (!mine.captured && !self.recaptures_) self.listener_.on_launch_passed();
            if (mine.made != nullptr && mine.exec != nullptr) self.graphs_.node_runs(mine.made, mine.exec);
            mine = {};
        } else {
            self.listener_.on_launch_exit(call, has_worked(data));
        }
    }

    static void on_capture(CuptiHooks& self, Id id, const CUpti_CallbackData& data) {
        const bool ends = id == CUPTI_DRIVER_TRACE_CBID_cuStreamEndCapture ||
                          id == CUPTI_DRIVER_TRACE_CBID_cuStreamEndCapture_ptsz ||
                          contains(end_graphics_capture, id);
        if (data.callbackSite == CUPTI_API_ENTER) {
            if (!ends) self.capture_begins(data.context, captured_stream(data));
        } else if (ends) {
            self.capture_ends(captured_stream(data));
        } else if (!has_worked(data)) {
            self.capture_fails(captured_stream(data));
        } else if (id == begin_recapture || id == begin_recapture_ptsz) {
            // Nobody tells which node a launch changes: it makes none.
            self.recaptures_ = true;
            self.graphs_.forget_kernels(params_of<RecaptureParams>(data).graph);
        }
    }

    /// All calls that begin or end a capture name its stream first. That of the thread has the same handle on
    /// each of them.
    static void* captured_stream(const CUpti_CallbackData& data) {
        void* const stream = *static_cast<void* const*>(data.functionParams);
        return stream == nullptr || stream == CU_STREAM_PER_THREAD ? &call_of_thread() : stream;
    }

    static void* stream_of(const LaunchCall& call) {
        return call.stream == nullptr && call.stream_of_thread ? CU_STREAM_PER_THREAD : call.stream;
    }

    static void on_node_call(CuptiHooks& self, Id id, const CUpti_CallbackData& data) {
        CallOfThread& mine = call_of_thread();
        if (data.callbackSite == CUPTI_API_ENTER) {
            mine = {};
            mine.node = node_in_call(id, data);
            mine.child = graph_in_call(id, data);
            return;
        }
        const CallOfThread was = std::exchange(mine, {});
        if (!has_worked(data)) return;
        if (was.made != nullptr && was.child != nullptr)
            self.graphs_.node_holds(was.made, was.child, was.child_copy);
        else
            on_node_change(self, id, data);
    }

    /// The driver makes copies of the graph, of which not each node is told, and an executable one of those.
    static void on_instantiate(CuptiHooks& self, const CUpti_CallbackData& data) {
        CallOfThread& mine = call_of_thread();
        mine = {};
        if (data.callbackSite != CUPTI_API_ENTER) return self.listener_.on_instantiate_exit();
        // All of these calls have it at the same place.
        mine.instantiated = params_of<cuGraphInstantiateWithFlags_params>(data).hGraph;
        if (!self.captures_any_ && !is_capturing(nullptr))
            mine.is_counted = self.listener_.on_instantiate_enter(data.context, mine.instantiated);
    }

    static void on_node_change(CuptiHooks& self, Id id, const CUpti_CallbackData& data) {
        switch (id) {
            // What tells the node stands at the same place in both releases.
            case CUPTI_DRIVER_TRACE_CBID_cuGraphKernelNodeSetParams:
            case CUPTI_DRIVER_TRACE_CBID_cuGraphKernelNodeSetParams_v2: {
                const auto& params = params_of<cuGraphKernelNodeSetParams_v2_params>(data);
                if (const auto kernel = node_in_call(id, data))
                    self.graphs_.node_changed(params.hNode, *kernel);
                break;
            }
            case CUPTI_DRIVER_TRACE_CBID_cuGraphKernelNodeSetAttribute:
                self.graphs_.node_gets_attributes(
                    params_of<cuGraphKernelNodeSetAttribute_params>(data).hNode);
                break;
            case CUPTI_DRIVER_TRACE_CBID_cuGraphKernelNodeCopyAttributes:
                self.graphs_.node_gets_attributes(
                    params_of<cuGraphKernelNodeCopyAttributes_params>(data).dst);
                break;
            case node_set_params_v2:
            case CUPTI_DRIVER_TRACE_CBID_cuGraphNodeSetParams: {
                if (const auto kernel = node_in_call(id, data))
                    self.graphs_.node_changed(params_of<cuGraphNodeSetParams_params>(data).hNode, *kernel);
                break;
            }
            case CUPTI_DRIVER_TRACE_CBID_cuGraphExecNodeSetParams: {
                const auto& params = params_of<cuGraphExecNodeSetParams_params>(data);
                if (const auto kernel = node_in_call(id, data))
                    self.graphs_.exec_node_changed(params.hGraphExec, params.hNode, *kernel);
                else if (void* const child = graph_in_call(id, data))
                    self.graphs_.exec_node_holds(params.hGraphExec, params.hNode, child);
                break;
            }
            case CUPTI_DRIVER_TRACE_CBID_cuGraphExecChildGraphNodeSetParams: {
                const auto& params = params_of<cuGraphExecChildGraphNodeSetParams_params>(data);
                self.graphs_.exec_node_holds(params.hGraphExec, params.hNode, params.childGraph);
                break;
            }
            case CUPTI_DRIVER_TRACE_CBID_cuGraphExecKernelNodeSetParams:
            case CUPTI_DRIVER_TRACE_CBID_cuGraphExecKernelNodeSetParams_v2: {
                const auto& params = params_of<cuGraphExecKernelNodeSetParams_v2_params>(data);
                if (const auto kernel = node_in_call(id, data))
                    self.graphs_.exec_node_changed(params.hGraphExec, params.hNode, *kernel);
                break;
            }
            case CUPTI_DRIVER_TRACE_CBID_cuGraphNodeSetEnabled: {
                const auto& params = params_of<cuGraphNodeSetEnabled_params>(data);
                self.graphs_.exec_node_enabled(params.hGraphExec, params.hNode, params.isEnabled != 0);
                break;
            }
            case CUPTI_DRIVER_TRACE_CBID_cuGraphExecUpdate: {
                const auto& params = params_of<cuGraphExecUpdate_params>(data);
                self.graphs_.exec_changed(params.hGraphExec, params.hGraph);
                break;
            }
            case CUPTI_DRIVER_TRACE_CBID_cuGraphExecUpdate_v2: {
                const auto& params = params_of<cuGraphExecUpdate_v2_params>(data);
                self.graphs_.exec_changed(params.hGraphExec, params.hGraph);
                break;
            }
            default:
                break;
        }
    }

    static void on_resource(CuptiHooks& self, Id id, const void* data) {
        const auto& resource = *static_cast<const CUpti_ResourceData*>(data);
        if (id == CUPTI_CBID_RESOURCE_CONTEXT_CREATED)
            return self.listener_.on_context_created(resource.context);
        if (id == CUPTI_CBID_RESOURCE_CONTEXT_DESTROY_STARTING) {
            self.captures_end(resource.context);
            return self.listener_.on_context_destroying(resource.context);
        }
        if (id == CUPTI_CBID_RESOURCE_STREAM_DESTROY_STARTING)
            return self.capture_ends(resource.resourceHandle.stream);
        if (resource.resourceDescriptor == nullptr) return;
        const auto& graph = *static_cast<const CUpti_GraphData*>(resource.resourceDescriptor);
        CallOfThread& mine = call_of_thread();
        if (id == CUPTI_CBID_RESOURCE_GRAPHEXEC_CREATED)
            return self.graphs_.exec_made(graph.graphExec,
                                          mine.instantiated != nullptr ? mine.instantiated : graph.graph,
                                          mine.is_counted);
        if (mine.instantiated == nullptr) on_graph(self, id, graph, mine);
    }

    static NodeKind kind_of_node(const CallOfThread& mine, const CUpti_GraphData& graph) {
        const auto told = mine.kinds.find(graph.node);
        return told != mine.kinds.end() ? told->second : kind_of(graph.nodeType);
    }

    static void on_graph(CuptiHooks& self, Id id, const CUpti_GraphData& graph, CallOfThread& mine) {
        switch (id) {
            // CUPTI 13.0 tells the type then, and that of a kernel in all that follows.
            case CUPTI_CBID_RESOURCE_GRAPHNODE_CREATE_STARTING:
                mine.kinds[graph.node] = kind_of(graph.nodeType);
                break;
            case CUPTI_CBID_RESOURCE_GRAPHNODE_CREATED: {
                const NodeKind kind = kind_of_node(mine, graph);
                mine.captured = true;
                const bool expected =
                    kind == NodeKind::graph || (mine.child == nullptr && mine.exec == nullptr);
                if (expected && mine.made == nullptr) mine.made = graph.node;
                self.graphs_.node_made(
                    graph.graph, graph.node, kind,
                    kind == NodeKind::kernel ? mine.node.value_or(KernelCall{}) : KernelCall{});
                for (const auto& [node, on] : mine.early)
                    if (node == graph.node) self.graphs_.depends(node, on);
                // Of a child graph's node it is told before the nodes inside are made.
                std::erase_if(mine.early, [&](const auto& entry) { return entry.first == graph.node; });
                mine.kinds.erase(graph.node);
                break;
            }
            case CUPTI_CBID_RESOURCE_GRAPHNODE_CLONED:
                self.graphs_.node_copied(graph.graph, graph.node, graph.originalNode,
                                         kind_of(graph.nodeType));
                if (mine.made == graph.node) mine.made = nullptr;
                if (mine.child != nullptr && self.graphs_.graph_of(graph.originalNode) == mine.child)
                    mine.child_copy = graph.graph;
                break;
            case CUPTI_CBID_RESOURCE_GRAPHNODE_DEPENDENCY_CREATED:
                // CUPTI 13.0 tells of what a new node waits for before it tells of the node.
                if (mine.kinds.contains(graph.node))
                    mine.early.emplace_back(graph.node, graph.dependency);
                else
                    self.graphs_.depends(graph.node, graph.dependency);
                break;
            case CUPTI_CBID_RESOURCE_GRAPHNODE_DESTROY_STARTING:
                self.graphs_.node_ends(graph.node);
                break;
            case CUPTI_CBID_RESOURCE_GRAPH_DESTROY_STARTING:
                self.graphs_.graph_ends(graph.graph);
                break;
            case CUPTI_CBID_RESOURCE_GRAPHEXEC_DESTROY_STARTING:
                self.graphs_.exec_ends(graph.graphExec);
                break;
            default:
                break;
        }
    }
};

CuptiHooks::CuptiHooks(std::unique_ptr<Functions> functions, LaunchListener& listener, GraphRegistry& graphs)
    : functions_(std::move(functions)), listener_(listener), graphs_(graphs), process_(getpid()) {}

CuptiHooks::~CuptiHooks() = default;

std::unique_ptr<CuptiHooks> CuptiHooks::subscribe(const CuptiLibrary& library, LaunchListener& listener,
                                                  GraphRegistry& graphs, Refusal& why) {
    auto found = std::make_unique<Functions>(library);
    const bool named = found->subscribe != nullptr;
    why = {
        {CUPTI_ERROR_NOT_COMPATIBLE, named ? "cuptiSubscribe_v2" : "cuptiSubscribe", CuptiFailure::At::start},
        {}};
    if ((!named && found->subscribe_unnamed == nullptr) || found->enable_callback == nullptr ||
        found->get_device_id == nullptr || found->get_context_id == nullptr)
        return nullptr;
    std::unique_ptr<CuptiHooks> hooks(new CuptiHooks(std::move(found), listener, graphs));
    hooks->has_graphics_captures_ = library.version().value_or(0) >= first_with_graphics_captures;
    char other[CUPTI_OLD_SUBSCRIBER_NAME_MIN_LEN + 1] = "";
    // Newer headers have fields behind these, which an older library does not know.
    CUpti_SubscriberParams params{};
    params.structSize = CUPTI_CALLBACK_STRUCT_SIZE(CUpti_SubscriberParams, oldSubscriberSize);
    params.subscriberName = "Roofwalk";
    params.oldSubscriberName = other;
    params.oldSubscriberSize = CUPTI_OLD_SUBSCRIBER_NAME_MIN_LEN;
    Functions& functions = *hooks->functions_;
    const CUptiResult code =
        named ? functions.subscribe(&functions.subscriber, &Callbacks::call, hooks.get(), &params)
              : functions.subscribe_unnamed(&functions.subscriber, &Callbacks::call, hooks.get());
    if (code != CUPTI_SUCCESS) {
        why.failure.code = code;
        why.other = other;
        return nullptr;
    }
    return hooks;
}

void CuptiHooks::watch() {
    const auto enable = [&](CUpti_CallbackDomain domain, const auto& ids) {
        for (const Id id : ids)
            functions_->enable_callback(1, functions_->subscriber, domain, id);
    };
    enable(CUPTI_CB_DOMAIN_RESOURCE, resource_ids);
    enable(CUPTI_CB_DOMAIN_DRIVER_API, capture_ids);
    if (has_graphics_captures_) {
        enable(CUPTI_CB_DOMAIN_DRIVER_API, begin_graphics_capture);
        enable(CUPTI_CB_DOMAIN_DRIVER_API, end_graphics_capture);
    }
    enable(CUPTI_CB_DOMAIN_DRIVER_API, node_ids);
    enable(CUPTI_CB_DOMAIN_DRIVER_API, instantiate_ids);
    enable(CUPTI_CB_DOMAIN_STATE, std::array<Id, 1>{CUPTI_CBID_STATE_FATAL_ERROR});
}

void CuptiHooks::watch_launches(bool on) {
    const std::lock_guard lock(enabling_);
    wanted_ = on;
    set_launch_callbacks();
}

void CuptiHooks::capture_begins(void* context, void* stream) {
    const std::lock_guard lock(enabling_);
    Capture& capture = captures_[stream];
    capture.context = context;
    ++capture.begun;
    set_launch_callbacks();
}

/// What has begun it before goes on.
void CuptiHooks::capture_fails(void* stream) {
    const std::lock_guard lock(enabling_);
    const auto capture = captures_.find(stream);
    if (capture == captures_.end() || --capture->second.begun > 0) return;
    captures_.erase(capture);
    set_launch_callbacks();
}

void CuptiHooks::capture_ends(void* stream) {
    const std::lock_guard lock(enabling_);
    if (captures_.erase(stream) > 0) set_launch_callbacks();
}

void CuptiHooks::captures_end(void* context) {
    const std::lock_guard lock(enabling_);
    std::erase_if(captures_, [&](const auto& capture) { return capture.second.context == context; });
    set_launch_callbacks();
}

/// For those who hold enabling_.
void CuptiHooks::set_launch_callbacks() {
    captures_any_ = !captures_.empty();
    if (captures_.empty()) recaptures_ = false;
    const bool on = wanted_ || captures_any_;
    if (on == enabled_) return;
    enabled_ = on;
    for (const Id id : launch_ids)
        functions_->enable_callback(on ? 1 : 0, functions_->subscriber, CUPTI_CB_DOMAIN_DRIVER_API, id);
}

std::optional<std::uint32_t> CuptiHooks::device_of(void* context) const {
    std::uint32_t device = 0;
    if (functions_->get_device_id(static_cast<CUcontext>(context), &device) != CUPTI_SUCCESS)
        return std::nullopt;
    return device;
}

std::uint32_t CuptiHooks::id_of_context(void* context) const {
    std::uint32_t id = 0;
    if (functions_->get_context_id(static_cast<CUcontext>(context), &id) != CUPTI_SUCCESS) return 0;
    return id;
}

std::uint32_t CuptiHooks::id_of_stream(const LaunchCall& call) const {
    std::uint32_t id = 0;
    if (functions_->get_stream_id != nullptr)
        functions_->get_stream_id(static_cast<CUcontext>(call.context), static_cast<CUstream>(call.stream),
                                  call.stream_of_thread ? 1 : 0, &id);
    return id;
}

}  // namespace roofwalk::agent
