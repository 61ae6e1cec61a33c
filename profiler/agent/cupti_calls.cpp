// SPDX-License-Identifier: Apache-2.0
#include "profiler/agent/cupti_calls.h"

#include <cupti.h>

#include "profiler/agent/driver_library.h"

namespace roofwalk::agent {

namespace {

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
    kernel.name = params->func != nullptr ? function_name(params->func) : kernel_name(params->kern);
    return kernel;
}

std::optional<KernelCall> kernel_of_node(const CUgraphNodeParams* params) {
    if (params == nullptr || params->type != CU_GRAPH_NODE_TYPE_KERNEL) return std::nullopt;
    return kernel_of_node(&params->kernel);
}

void* child_of_node(const CUgraphNodeParams* params) {
    return params != nullptr && params->type == CU_GRAPH_NODE_TYPE_GRAPH ? params->graph.graph : nullptr;
}

}  // namespace

void* graph_in_call(std::uint32_t id, const void* callback_data) {
    const auto& data = *static_cast<const CUpti_CallbackData*>(callback_data);
    switch (id) {
        case CUPTI_DRIVER_TRACE_CBID_cuGraphAddChildGraphNode:
            return params_of<cuGraphAddChildGraphNode_params>(data).childGraph;
        case CUPTI_DRIVER_TRACE_CBID_cuGraphExecChildGraphNodeSetParams:
            return params_of<cuGraphExecChildGraphNodeSetParams_params>(data).childGraph;
        case CUPTI_DRIVER_TRACE_CBID_cuGraphAddNode:
            return child_of_node(params_of<cuGraphAddNode_params>(data).nodeParams);
        case CUPTI_DRIVER_TRACE_CBID_cuGraphAddNode_v2:
            return child_of_node(params_of<cuGraphAddNode_v2_params>(data).nodeParams);
        case CUPTI_DRIVER_TRACE_CBID_cuGraphExecNodeSetParams:
            return child_of_node(params_of<cuGraphExecNodeSetParams_params>(data).nodeParams);
        default:
            return nullptr;
    }
}

LaunchCall launch_in_call(std::uint32_t id, const void* callback_data) {
    const auto& data = *static_cast<const CUpti_CallbackData*>(callback_data);
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
    return call;
}

std::optional<KernelCall> node_in_call(std::uint32_t id, const void* callback_data) {
    const auto& data = *static_cast<const CUpti_CallbackData*>(callback_data);
    switch (id) {
        case CUPTI_DRIVER_TRACE_CBID_cuGraphAddKernelNode_v2:
            return kernel_of_node(params_of<cuGraphAddKernelNode_v2_params>(data).nodeParams);
        case CUPTI_DRIVER_TRACE_CBID_cuGraphAddNode:
            return kernel_of_node(params_of<cuGraphAddNode_params>(data).nodeParams);
        case CUPTI_DRIVER_TRACE_CBID_cuGraphAddNode_v2:
            return kernel_of_node(params_of<cuGraphAddNode_v2_params>(data).nodeParams);
        case CUPTI_DRIVER_TRACE_CBID_cuGraphKernelNodeSetParams_v2:
            return kernel_of_node(params_of<cuGraphKernelNodeSetParams_v2_params>(data).nodeParams);
        case CUPTI_DRIVER_TRACE_CBID_cuGraphExecKernelNodeSetParams_v2:
            return kernel_of_node(params_of<cuGraphExecKernelNodeSetParams_v2_params>(data).nodeParams);
        case CUPTI_DRIVER_TRACE_CBID_cuGraphNodeSetParams:
            return kernel_of_node(params_of<cuGraphNodeSetParams_params>(data).nodeParams);
        case CUPTI_DRIVER_TRACE_CBID_cuGraphExecNodeSetParams:
            return kernel_of_node(params_of<cuGraphExecNodeSetParams_params>(data).nodeParams);
        default:
            return std::nullopt;
    }
}

}  // namespace roofwalk::agent
