// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <vector>

#include "profiler/agent/kernel_call.h"

namespace roofwalk::agent {

/// The kernels of one launch of a graph.
struct GraphKernels {
    struct Node {
        void* node = nullptr;
        KernelCall kernel;
    };
    std::vector<Node> nodes;  ///< in the order in which they were made
    bool whole = false;       ///< each kernel is known by name
    bool in_order = false;    ///< they run in this order, or are alike
};

/// What is known of the graphs of the program: CUPTI tells of nodes as they are made, and of the kernels in
/// them only by the call that makes them.
class GraphBook {
  public:
    /// `kernel` is absent for nodes that are no kernel; its name is empty where it is not known.
    void node_made(void* graph, void* node, std::optional<KernelCall> kernel);
    void node_copied(void* graph, void* node, void* original, bool is_kernel);
    void node_changed(void* node, const KernelCall& kernel);
    void depends(void* node, void* on);
    void graph_ends(void* graph);

    void exec_made(void* exec, void* graph);
    void exec_node_changed(void* exec, void* node, const KernelCall& kernel);
    void exec_ends(void* exec);

    [[nodiscard]] GraphKernels kernels_of(void* exec) const;

  private:
    struct Node {
        void* node = nullptr;
        std::optional<KernelCall> kernel;
        bool follows_last = false;  ///< it waits for the node that was made before it
    };
    using Nodes = std::vector<Node>;

    [[nodiscard]] Node* find(void* node);

    mutable std::mutex mutex_;
    std::map<void*, Nodes> graphs_;
    std::map<void*, void*> graph_of_node_;
    std::map<void*, Nodes> execs_;
};

}  // namespace roofwalk::agent
