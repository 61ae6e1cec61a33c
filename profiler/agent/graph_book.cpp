// SPDX-License-Identifier: Apache-2.0
#include "profiler/agent/graph_book.h"

#include <algorithm>
#include <utility>

namespace roofwalk::agent {

namespace {

bool alike(const KernelCall& a, const KernelCall& b) {
    return a.name == b.name && a.grid == b.grid && a.block == b.block && a.dynamic_shared == b.dynamic_shared;
}

}  // namespace

GraphBook::Node* GraphBook::find(void* node) {
    const auto graph = graph_of_node_.find(node);
    if (graph == graph_of_node_.end()) return nullptr;
    Nodes& nodes = graphs_[graph->second];
    const auto found =
        std::find_if(nodes.begin(), nodes.end(), [&](const Node& n) { return n.node == node; });
    return found != nodes.end() ? &*found : nullptr;
}

void GraphBook::node_made(void* graph, void* node, std::optional<KernelCall> kernel) {
    const std::lock_guard lock(mutex_);
    graphs_[graph].push_back({node, std::move(kernel), false});
    graph_of_node_[node] = graph;
}

void GraphBook::node_copied(void* graph, void* node, void* original, bool is_kernel) {
    const std::lock_guard lock(mutex_);
    Node copy{node, is_kernel ? std::optional(KernelCall{}) : std::nullopt, false};
    if (const Node* const from = find(original)) copy = {node, from->kernel, from->follows_last};
    graphs_[graph].push_back(std::move(copy));
    graph_of_node_[node] = graph;
}

void GraphBook::node_changed(void* node, const KernelCall& kernel) {
    const std::lock_guard lock(mutex_);
    if (Node* const found = find(node)) found->kernel = kernel;
}

void GraphBook::depends(void* node, void* on) {
    const std::lock_guard lock(mutex_);
    const auto graph = graph_of_node_.find(node);
    if (graph == graph_of_node_.end()) return;
    Nodes& nodes = graphs_[graph->second];
    for (std::size_t at = 1; at < nodes.size(); ++at)
        if (nodes[at].node == node && nodes[at - 1].node == on) nodes[at].follows_last = true;
}

void GraphBook::graph_ends(void* graph) {
    const std::lock_guard lock(mutex_);
    graphs_.erase(graph);
    std::erase_if(graph_of_node_, [&](const auto& entry) { return entry.second == graph; });
}

void GraphBook::exec_made(void* exec, void* graph) {
    const std::lock_guard lock(mutex_);
    const auto found = graphs_.find(graph);
    execs_[exec] = found != graphs_.end() ? found->second : Nodes{};
}

void GraphBook::exec_node_changed(void* exec, void* node, const KernelCall& kernel) {
    const std::lock_guard lock(mutex_);
    for (Node& known : execs_[exec])
        if (known.node == node) known.kernel = kernel;
}

void GraphBook::exec_ends(void* exec) {
    const std::lock_guard lock(mutex_);
    execs_.erase(exec);
}

GraphKernels GraphBook::kernels_of(void* exec) const {
    const std::lock_guard lock(mutex_);
    GraphKernels kernels;
    const auto found = execs_.find(exec);
    if (found == execs_.end()) return kernels;
    bool chain = true;
    for (std::size_t at = 0; at < found->second.size(); ++at) {
        const Node& node = found->second[at];
        if (at > 0 && !node.follows_last) chain = false;
        if (node.kernel) kernels.nodes.push_back({node.node, *node.kernel});
    }
    const auto& nodes = kernels.nodes;
    kernels.whole = !nodes.empty() && std::all_of(nodes.begin(), nodes.end(),
                                                  [](const auto& node) { return !node.kernel.name.empty(); });
    kernels.in_order = chain || std::all_of(nodes.begin(), nodes.end(), [&](const auto& node) {
                           return alike(node.kernel, nodes.front().kernel);
                       });
    return kernels;
}

}  // namespace roofwalk::agent
