// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cuda.h>

#include <cstdint>

/// What the false driver tells the false CUPTI, as the real ones do by ways of their own.
namespace roofwalk::fake {

/// A kernel that "ran": it took no time, and its counters follow from its geometry alone.
struct Kernel {
    char name[256] = "";
    std::uint32_t grid[3] = {1, 1, 1};
    std::uint32_t block[3] = {1, 1, 1};
    std::uint32_t shared = 0;
    std::uint32_t context_id = 0;
    std::uint32_t device = 0;
    std::uint32_t stream = 0;
    std::uint32_t correlation = 0;
    std::uint64_t node = 0;
    CUcontext context = nullptr;
    bool can_be_counted = true;  ///< false: of a graph that was instantiated while nothing was counted
};

struct ApiCall {
    std::uint32_t id = 0;
    const char* function = "";
    const void* params = nullptr;
    const char* symbol = nullptr;
    CUcontext context = nullptr;
    std::uint32_t context_id = 0;
    std::uint32_t correlation = 0;
    CUresult result = CUDA_SUCCESS;
};

struct GraphEvent {
    std::uint32_t id = 0;
    CUgraph graph = nullptr;
    CUgraphNode node = nullptr;
    CUgraphNode dependency = nullptr;
    CUgraphExec exec = nullptr;
    CUgraphNode original_node = nullptr;
    CUgraphNodeType type = CU_GRAPH_NODE_TYPE_KERNEL;
};

struct Watcher {
    void (*api)(bool entering, ApiCall& call) = nullptr;
    void (*context)(bool made, CUcontext context) = nullptr;
    void (*stream_ends)(CUcontext context, CUstream stream) = nullptr;
    void (*graph)(const GraphEvent& event) = nullptr;
    void (*ran)(const Kernel& kernel) = nullptr;
    bool (*is_counting)(CUcontext context) = nullptr;
};

struct ContextFacts {
    std::uint32_t id = 0;
    std::uint32_t device = 0;
};

}  // namespace roofwalk::fake

extern "C" {
/// Exported by the false driver.
void roofwalk_fake_watch(const roofwalk::fake::Watcher* watcher);
bool roofwalk_fake_context(CUcontext context, roofwalk::fake::ContextFacts* facts);
/// A call that no capture survives.
void roofwalk_fake_synchronized(CUcontext context);
/// Whether kernels of it run that nobody has waited for.
bool roofwalk_fake_is_busy(CUcontext context);
}
