// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "profiler/wire/record.h"

namespace roofwalk::agent {

/// A kernel as a program asks the driver to run it.
struct KernelCall {
    std::string name;  ///< as the driver calls it; empty when that is not known
    void* function = nullptr;
    wire::Extent grid;
    wire::Extent block;
    std::uint32_t dynamic_shared = 0;  ///< per block [byte]
    /// Its launch or itself asks for clusters, a programmatic start or the like.
    bool has_attributes = false;
};

/// A call of the driver that runs one kernel, or those of a graph.
struct LaunchCall {
    void* context = nullptr;
    std::uint32_t context_id = 0;
    std::uint32_t correlation = 0;  ///< the number that records of activity refer to
    void* stream = nullptr;
    bool stream_of_thread = false;  ///< no stream means the default stream of the thread
    void* graph_exec = nullptr;     ///< null: one kernel
    KernelCall kernel;
};

/// What a node of a graph runs.
enum class NodeKind {
    kernel,
    graph,  ///< the kernels of another one
    other,  ///< none
};

/// The kernels of one launch of a graph.
struct GraphKernels {
    struct Node {
        void* node = nullptr;
        KernelCall kernel;
    };
    std::vector<Node> nodes;      ///< in the order in which they were made
    bool whole = false;           ///< each kernel is known by name
    bool in_order = false;        ///< they run in this order, or are alike
    bool has_attributes = false;  ///< one of them
    bool can_be_counted = false;
};

/// What is known of the graphs of the program: CUPTI tells of nodes as they are made, and of the kernels in
/// them only by the call that makes them.
class GraphRegistry {
  public:
    /// `kernel` has no name where it is not known.
    void node_made(void* graph, void* node, NodeKind kind, KernelCall kernel = {});
    /// Whether or not node_made() has told of the node before.
    void node_copied(void* graph, void* node, void* original, NodeKind kind);
    /// Null where the node is not known.
    [[nodiscard]] void* graph_of(void* node) const;
    /// The node runs a copy of `graph` as it is now; `copy` is null where nobody told of it.
    void node_holds(void* node, void* graph, void* copy);
    /// The node runs what this launch of a graph would.
    void node_runs(void* node, void* exec);
    void node_changed(void* node, const KernelCall& kernel);
    void node_gets_attributes(void* node);
    /// What the nodes of the graph run is no longer known.
    void forget_kernels(void* graph);
    void depends(void* node, void* on);
    void node_ends(void* node);
    void graph_ends(void* graph);

    void exec_made(void* exec, void* graph, bool can_be_counted);
    /// What it was made of is now this.
    void exec_changed(void* exec, void* graph);
    void exec_node_changed(void* exec, void* node, const KernelCall& kernel);
    void exec_node_holds(void* exec, void* node, void* graph);
    void exec_node_enabled(void* exec, void* node, bool enabled);
    void exec_ends(void* exec);

    [[nodiscard]] GraphKernels kernels_of(void* exec) const;
    /// Of a launch of it, were it executable.
    [[nodiscard]] GraphKernels kernels_in(void* graph) const;

  private:
    struct Node;
    using Nodes = std::vector<Node>;

    struct Node {
        void* node = nullptr;
        NodeKind kind = NodeKind::other;
        KernelCall kernel{};
        bool follows_last = false;  ///< it waits for the node that was made before it
        void* held = nullptr;       ///< key of the graph that it runs
        Nodes children{};           ///< of that graph, once nothing can change in it; none: not known
        bool runs = true;
    };

    [[nodiscard]] Node* find(void* node);
    struct Parents {
        void* graph = nullptr;
        const Parents* next = nullptr;
    };
    [[nodiscard]] Nodes unfolded(void* graph, const Parents* parents = nullptr) const;
    [[nodiscard]] Nodes children_of(const Node& node, const Parents* parents) const;
    static Node* find_in(Nodes& nodes, void* node);
    static void change(Node& node, const KernelCall& kernel);
    static void gather(const Nodes& nodes, GraphKernels& kernels, bool& chain);
    [[nodiscard]] static GraphKernels gathered(const Nodes& nodes);

    mutable std::mutex mutex_;
    std::map<void*, Nodes> graphs_;
    std::map<void*, void*> graph_of_node_;
    struct Exec {
        Nodes nodes;
        bool can_be_counted = false;
    };
    std::map<void*, Exec> execs_;
};

}  // namespace roofwalk::agent
