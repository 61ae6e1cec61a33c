// SPDX-License-Identifier: Apache-2.0
#include "profiler/agent/graph_registry.h"

#include <algorithm>
#include <utility>

namespace roofwalk::agent {

namespace {

bool alike(const KernelCall& a, const KernelCall& b) {
    return a.name == b.name && a.grid == b.grid && a.block == b.block && a.dynamic_shared == b.dynamic_shared;
}

}  // namespace

GraphRegistry::Node* GraphRegistry::find_in(Nodes& nodes, void* node) {
    for (Node& known : nodes) {
        if (known.node == node) return &known;
        if (Node* const inside = find_in(known.children, node)) return inside;
    }
    return nullptr;
}

GraphRegistry::Node* GraphRegistry::find(void* node) {
    const auto graph = graph_of_node_.find(node);
    if (graph == graph_of_node_.end()) return nullptr;
    Nodes& nodes = graphs_[graph->second];
    const auto found =
        std::find_if(nodes.begin(), nodes.end(), [&](const Node& n) { return n.node == node; });
    return found != nodes.end() ? &*found : nullptr;
}

/// A node keeps the attributes that it has.
void GraphRegistry::change(Node& node, const KernelCall& kernel) {
    const bool had_attributes = node.kernel.has_attributes;
    node.kernel = kernel;
    node.kernel.has_attributes |= had_attributes;
}

GraphRegistry::Nodes GraphRegistry::unfolded(void* graph, const Parents* parents) const {
    const auto found = graphs_.find(graph);
    // A graph inside of itself is one that has got the handle of another.
    for (const Parents* at = parents; at != nullptr; at = at->next)
        if (at->graph == graph) return {};
    if (found == graphs_.end()) return {};
    const Parents here{graph, parents};
    Nodes nodes = found->second;
    for (Node& node : nodes)
        if (node.kind == NodeKind::graph) node.children = children_of(node, &here);
    return nodes;
}

GraphRegistry::Nodes GraphRegistry::children_of(const Node& node, const Parents* parents) const {
    return graphs_.contains(node.held) ? unfolded(node.held, parents) : node.children;
}

void GraphRegistry::node_made(void* graph, void* node, NodeKind kind, KernelCall kernel) {
    const std::lock_guard lock(mutex_);
    graphs_[graph].push_back({node, kind, std::move(kernel)});
    graph_of_node_[node] = graph;
}

void GraphRegistry::node_copied(void* graph, void* node, void* original, NodeKind kind) {
    const std::lock_guard lock(mutex_);
    Node copy{node, kind};
    if (const Node* const from = find(original)) {
        copy = *from;
        copy.node = node;
        // The graph that the original runs may be gone before this one is used.
        copy.children = children_of(*from, nullptr);
    }
    const auto known = graph_of_node_.find(node);
    if (known == graph_of_node_.end() || known->second != graph) {
        graphs_[graph].push_back(std::move(copy));
        graph_of_node_[node] = graph;
    } else if (Node* const made = find(node); made != nullptr && find(original) != nullptr) {
        *made = std::move(copy);
    }
}

void* GraphRegistry::graph_of(void* node) const {
    const std::lock_guard lock(mutex_);
    const auto found = graph_of_node_.find(node);
    return found != graph_of_node_.end() ? found->second : nullptr;
}

void GraphRegistry::node_holds(void* node, void* graph, void* copy) {
    const std::lock_guard lock(mutex_);
    Node* const found = find(node);
    if (found == nullptr) return;
    found->held = graphs_.contains(copy) ? copy : nullptr;
    if (found->held == nullptr) found->children = unfolded(graph);
}

void GraphRegistry::node_runs(void* node, void* exec) {
    const std::lock_guard lock(mutex_);
    Node* const found = find(node);
    const auto run = execs_.find(exec);
    if (found != nullptr && run != execs_.end()) found->children = run->second.nodes;
}

void GraphRegistry::node_changed(void* node, const KernelCall& kernel) {
    const std::lock_guard lock(mutex_);
    if (Node* const found = find(node)) change(*found, kernel);
}

void GraphRegistry::node_gets_attributes(void* node) {
    const std::lock_guard lock(mutex_);
    if (Node* const found = find(node)) found->kernel.has_attributes = true;
}

void GraphRegistry::forget_kernels(void* graph) {
    const std::lock_guard lock(mutex_);
    const auto found = graphs_.find(graph);
    if (found == graphs_.end()) return;
    for (Node& node : found->second) {
        node.kernel = {};
        node.held = nullptr;
        node.children.clear();
    }
}

void GraphRegistry::depends(void* node, void* on) {
    const std::lock_guard lock(mutex_);
    const auto graph = graph_of_node_.find(node);
    if (graph == graph_of_node_.end()) return;
    Nodes& nodes = graphs_[graph->second];
    for (std::size_t at = 1; at < nodes.size(); ++at)
        if (nodes[at].node == node && nodes[at - 1].node == on) nodes[at].follows_last = true;
}

void GraphRegistry::node_ends(void* node) {
    const std::lock_guard lock(mutex_);
    const auto graph = graph_of_node_.find(node);
    if (graph == graph_of_node_.end()) return;
    std::erase_if(graphs_[graph->second], [&](const Node& known) { return known.node == node; });
    graph_of_node_.erase(graph);
}

void GraphRegistry::graph_ends(void* graph) {
    const std::lock_guard lock(mutex_);
    graphs_.erase(graph);
    std::erase_if(graph_of_node_, [&](const auto& entry) { return entry.second == graph; });
}

void GraphRegistry::exec_made(void* exec, void* graph, bool can_be_counted) {
    const std::lock_guard lock(mutex_);
    execs_[exec] = {unfolded(graph), can_be_counted};
}

void GraphRegistry::exec_changed(void* exec, void* graph) {
    const std::lock_guard lock(mutex_);
    execs_[exec].nodes = unfolded(graph);
}

void GraphRegistry::exec_node_changed(void* exec, void* node, const KernelCall& kernel) {
    const std::lock_guard lock(mutex_);
    if (Node* const known = find_in(execs_[exec].nodes, node)) change(*known, kernel);
}

void GraphRegistry::exec_node_holds(void* exec, void* node, void* graph) {
    const std::lock_guard lock(mutex_);
    if (Node* const known = find_in(execs_[exec].nodes, node)) known->children = unfolded(graph);
}

void GraphRegistry::exec_node_enabled(void* exec, void* node, bool enabled) {
    const std::lock_guard lock(mutex_);
    if (Node* const known = find_in(execs_[exec].nodes, node)) known->runs = enabled;
}

void GraphRegistry::exec_ends(void* exec) {
    const std::lock_guard lock(mutex_);
    execs_.erase(exec);
}

void GraphRegistry::gather(const Nodes& nodes, GraphKernels& kernels, bool& chain) {
    for (std::size_t at = 0; at < nodes.size(); ++at) {
        const Node& node = nodes[at];
        if (at > 0 && !node.follows_last) chain = false;
        if (!node.runs) continue;
        if (node.kind == NodeKind::kernel || (node.kind == NodeKind::graph && node.children.empty()))
            kernels.nodes.push_back({node.node, node.kernel});
        else
            gather(node.children, kernels, chain);
    }
}

GraphKernels GraphRegistry::gathered(const Nodes& nodes) {
    GraphKernels kernels;
    bool chain = true;
    gather(nodes, kernels, chain);
    const auto& all = kernels.nodes;
    kernels.whole = !all.empty() && std::all_of(all.begin(), all.end(),
                                                [](const auto& node) { return !node.kernel.name.empty(); });
    kernels.has_attributes =
        std::any_of(all.begin(), all.end(), [](const auto& node) { return node.kernel.has_attributes; });
    kernels.in_order = chain || std::all_of(all.begin(), all.end(), [&](const auto& node) {
                           return alike(node.kernel, all.front().kernel);
                       });
    return kernels;
}

GraphKernels GraphRegistry::kernels_in(void* graph) const {
    const std::lock_guard lock(mutex_);
    return gathered(unfolded(graph));
}

GraphKernels GraphRegistry::kernels_of(void* exec) const {
    const std::lock_guard lock(mutex_);
    const auto found = execs_.find(exec);
    if (found == execs_.end()) return {};
    GraphKernels kernels = gathered(found->second.nodes);
    kernels.can_be_counted = found->second.can_be_counted;
    return kernels;
}

}  // namespace roofwalk::agent
