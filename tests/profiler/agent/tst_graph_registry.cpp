// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/agent/graph_registry.h"
#include "tests/support/folder_tests.h"

#include <QTest>

namespace tst_graph_registry {

using namespace roofwalk;
using namespace roofwalk::agent;

namespace {

/// Handles are addresses that nobody looks behind.
void* handle(std::uintptr_t number) {
    return reinterpret_cast<void*>(number);
}

KernelCall kernel(const std::string& name, unsigned blocks = 1) {
    KernelCall call;
    call.name = name;
    call.grid = {blocks, 1, 1};
    return call;
}

std::string names(const GraphKernels& kernels) {
    std::string text;
    for (const auto& node : kernels.nodes)
        text += node.kernel.name + " ";
    return text;
}

}  // namespace

class TestGraphRegistry : public QObject {
    Q_OBJECT

  private slots:
    void a_chain_is_in_order() {
        GraphRegistry book;
        book.node_made(handle(1), handle(10), NodeKind::kernel, kernel("load"));
        book.node_made(handle(1), handle(11), NodeKind::other);
        book.depends(handle(11), handle(10));
        book.node_made(handle(1), handle(12), NodeKind::kernel, kernel("store"));
        book.depends(handle(12), handle(11));
        book.exec_made(handle(2), handle(1), true);
        const GraphKernels kernels = book.kernels_of(handle(2));
        QCOMPARE(names(kernels), std::string("load store "));
        QVERIFY(kernels.whole && kernels.in_order);
    }

    void branches_have_no_order_unless_they_are_alike() {
        GraphRegistry book;
        book.node_made(handle(1), handle(10), NodeKind::kernel, kernel("left"));
        book.node_made(handle(1), handle(11), NodeKind::kernel, kernel("right"));
        book.exec_made(handle(2), handle(1), true);
        QVERIFY(!book.kernels_of(handle(2)).in_order);
        book.node_changed(handle(11), kernel("left"));
        book.exec_made(handle(2), handle(1), true);
        QVERIFY(book.kernels_of(handle(2)).in_order);
    }

    void a_graph_that_was_made_unseen_is_not_whole() {
        GraphRegistry book;
        QVERIFY(!book.kernels_of(handle(2)).whole);
        book.exec_made(handle(2), handle(1), true);
        QVERIFY(!book.kernels_of(handle(2)).whole);
        book.node_made(handle(1), handle(10), NodeKind::kernel, kernel("load"));
        book.node_made(handle(1), handle(11), NodeKind::kernel, kernel(""));
        book.exec_made(handle(2), handle(1), true);
        QVERIFY(!book.kernels_of(handle(2)).whole);
    }

    void an_exec_keeps_what_it_was_made_of() {
        GraphRegistry book;
        book.node_made(handle(1), handle(10), NodeKind::kernel, kernel("load", 4));
        book.exec_made(handle(2), handle(1), true);
        book.node_changed(handle(10), kernel("load", 8));
        QCOMPARE(book.kernels_of(handle(2)).nodes.front().kernel.grid.x, 4U);
        book.exec_node_changed(handle(2), handle(10), kernel("load", 16));
        QCOMPARE(book.kernels_of(handle(2)).nodes.front().kernel.grid.x, 16U);
        book.graph_ends(handle(1));
        QCOMPARE(names(book.kernels_of(handle(2))), std::string("load "));
        book.exec_ends(handle(2));
        QVERIFY(book.kernels_of(handle(2)).nodes.empty());
    }

    void copies_know_their_kernels() {
        GraphRegistry book;
        book.node_made(handle(1), handle(10), NodeKind::kernel, kernel("load"));
        book.node_copied(handle(3), handle(30), handle(10), NodeKind::kernel);
        book.node_copied(handle(3), handle(31), handle(99), NodeKind::kernel);
        book.exec_made(handle(2), handle(3), true);
        QCOMPARE(book.kernels_of(handle(2)).nodes.size(), std::size_t{2});
        QVERIFY(!book.kernels_of(handle(2)).whole);
        QCOMPARE(book.kernels_of(handle(2)).nodes.front().kernel.name, std::string("load"));
    }

    void kernels_of_a_graph_in_a_node_stand_in_its_place() {
        GraphRegistry book;
        book.node_made(handle(1), handle(10), NodeKind::kernel, kernel("gemm"));
        book.node_made(handle(1), handle(11), NodeKind::kernel, kernel("bias"));
        book.depends(handle(11), handle(10));
        book.node_made(handle(2), handle(20), NodeKind::kernel, kernel("load"));
        book.node_made(handle(2), handle(21), NodeKind::graph);
        book.depends(handle(21), handle(20));
        book.node_holds(handle(21), handle(1), nullptr);
        book.node_made(handle(2), handle(22), NodeKind::kernel, kernel("store"));
        book.depends(handle(22), handle(21));
        book.graph_ends(handle(1));
        book.exec_made(handle(3), handle(2), true);
        const GraphKernels kernels = book.kernels_of(handle(3));
        QCOMPARE(names(kernels), std::string("load gemm bias store "));
        QVERIFY(kernels.whole && kernels.in_order);
    }

    void what_a_graph_ran_is_forgotten_until_it_is_told_anew() {
        GraphRegistry book;
        book.node_made(handle(1), handle(10), NodeKind::kernel, kernel("gemm"));
        book.node_made(handle(2), handle(20), NodeKind::kernel, kernel("load"));
        book.node_made(handle(2), handle(21), NodeKind::graph);
        book.node_holds(handle(21), handle(1), nullptr);
        book.exec_made(handle(3), handle(2), true);
        book.forget_kernels(handle(2));
        book.forget_kernels(handle(4));
        QVERIFY(book.kernels_of(handle(3)).whole);
        book.exec_made(handle(3), handle(2), true);
        QVERIFY(!book.kernels_of(handle(3)).whole);
        QCOMPARE(book.kernels_of(handle(3)).nodes.size(), std::size_t{2});
        book.node_changed(handle(20), kernel("store"));
        book.node_holds(handle(21), handle(1), nullptr);
        book.exec_made(handle(3), handle(2), true);
        QVERIFY(book.kernels_of(handle(3)).whole);
        QCOMPARE(names(book.kernels_of(handle(3))), std::string("store gemm "));
    }

    void branches_inside_of_a_node_have_no_order() {
        GraphRegistry book;
        book.node_made(handle(1), handle(10), NodeKind::kernel, kernel("left"));
        book.node_made(handle(1), handle(11), NodeKind::kernel, kernel("right"));
        book.node_made(handle(2), handle(20), NodeKind::graph);
        book.node_holds(handle(20), handle(1), nullptr);
        book.exec_made(handle(3), handle(2), true);
        QVERIFY(book.kernels_of(handle(3)).whole && !book.kernels_of(handle(3)).in_order);
    }

    void what_changes_in_the_copy_that_a_node_got_changes_what_it_runs() {
        GraphRegistry book;
        book.node_made(handle(1), handle(10), NodeKind::kernel, kernel("gemm", 4));
        book.node_copied(handle(5), handle(50), handle(10), NodeKind::kernel);
        book.node_made(handle(2), handle(20), NodeKind::graph);
        book.node_holds(handle(20), handle(1), handle(5));
        book.node_changed(handle(10), kernel("gemm", 8));
        book.node_changed(handle(50), kernel("gemm", 16));
        book.exec_made(handle(3), handle(2), true);
        QCOMPARE(book.kernels_of(handle(3)).nodes.at(0).kernel.grid.x, 16U);
        book.exec_node_changed(handle(3), handle(50), kernel("gemm", 32));
        QCOMPARE(book.kernels_of(handle(3)).nodes.at(0).kernel.grid.x, 32U);
        book.exec_node_holds(handle(3), handle(20), handle(1));
        QCOMPARE(book.kernels_of(handle(3)).nodes.at(0).kernel.grid.x, 8U);
    }

    void graphs_in_graphs_in_nodes_outlive_them() {
        GraphRegistry book;
        book.node_made(handle(1), handle(10), NodeKind::kernel, kernel("gemm"));
        book.node_made(handle(2), handle(20), NodeKind::graph);
        book.node_copied(handle(5), handle(50), handle(10), NodeKind::kernel);
        book.node_holds(handle(20), handle(1), handle(5));
        book.node_made(handle(3), handle(30), NodeKind::graph);
        book.node_copied(handle(6), handle(60), handle(20), NodeKind::graph);
        book.node_holds(handle(30), handle(2), handle(6));
        for (const std::uintptr_t gone : {1U, 2U, 5U})
            book.graph_ends(handle(gone));
        book.exec_made(handle(4), handle(3), true);
        QCOMPARE(names(book.kernels_of(handle(4))), std::string("gemm "));
        QVERIFY(book.kernels_of(handle(4)).whole);
    }

    void a_node_of_an_unknown_graph_makes_it_less_than_whole() {
        GraphRegistry book;
        book.node_made(handle(1), handle(10), NodeKind::kernel, kernel("gemm"));
        book.node_made(handle(1), handle(11), NodeKind::graph);
        book.node_holds(handle(11), handle(9), nullptr);
        book.exec_made(handle(2), handle(1), true);
        QVERIFY(!book.kernels_of(handle(2)).whole);
    }

    void a_handle_that_came_back_as_its_own_parent_ends_nowhere() {
        GraphRegistry book;
        book.node_made(handle(1), handle(10), NodeKind::kernel, kernel("gemm"));
        book.node_made(handle(2), handle(20), NodeKind::graph);
        book.node_holds(handle(20), handle(1), handle(1));
        book.graph_ends(handle(1));
        book.node_made(handle(1), handle(11), NodeKind::graph);
        book.node_holds(handle(11), handle(2), handle(2));
        book.exec_made(handle(3), handle(2), true);
        QVERIFY(!book.kernels_of(handle(3)).whole);
    }

    void a_launch_of_a_graph_that_becomes_a_node_runs_what_it_would() {
        GraphRegistry book;
        book.node_made(handle(1), handle(10), NodeKind::kernel, kernel("gemm"));
        book.exec_made(handle(2), handle(1), true);
        book.node_made(handle(3), handle(30), NodeKind::graph);
        book.node_runs(handle(30), handle(2));
        book.exec_made(handle(4), handle(3), true);
        QCOMPARE(names(book.kernels_of(handle(4))), std::string("gemm "));
    }
};

}  // namespace tst_graph_registry

ROOFWALK_TEST(tst_graph_registry, TestGraphRegistry, NoApplication)
#include "tst_graph_registry.moc"
