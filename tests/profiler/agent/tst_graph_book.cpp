// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/agent/graph_book.h"

#include <QTest>

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

class TestGraphBook : public QObject {
    Q_OBJECT

  private slots:
    void a_chain_is_in_order() {
        GraphBook book;
        book.node_made(handle(1), handle(10), kernel("load"));
        book.node_made(handle(1), handle(11), std::nullopt);
        book.depends(handle(11), handle(10));
        book.node_made(handle(1), handle(12), kernel("store"));
        book.depends(handle(12), handle(11));
        book.exec_made(handle(2), handle(1));
        const GraphKernels kernels = book.kernels_of(handle(2));
        QCOMPARE(names(kernels), std::string("load store "));
        QVERIFY(kernels.whole && kernels.in_order);
    }

    void branches_have_no_order_unless_they_are_alike() {
        GraphBook book;
        book.node_made(handle(1), handle(10), kernel("left"));
        book.node_made(handle(1), handle(11), kernel("right"));
        book.exec_made(handle(2), handle(1));
        QVERIFY(!book.kernels_of(handle(2)).in_order);
        book.node_changed(handle(11), kernel("left"));
        book.exec_made(handle(2), handle(1));
        QVERIFY(book.kernels_of(handle(2)).in_order);
    }

    void a_graph_that_was_made_unseen_is_not_whole() {
        GraphBook book;
        QVERIFY(!book.kernels_of(handle(2)).whole);
        book.exec_made(handle(2), handle(1));
        QVERIFY(!book.kernels_of(handle(2)).whole);
        book.node_made(handle(1), handle(10), kernel("load"));
        book.node_made(handle(1), handle(11), kernel(""));
        book.exec_made(handle(2), handle(1));
        QVERIFY(!book.kernels_of(handle(2)).whole);
    }

    void an_exec_keeps_what_it_was_made_of() {
        GraphBook book;
        book.node_made(handle(1), handle(10), kernel("load", 4));
        book.exec_made(handle(2), handle(1));
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
        GraphBook book;
        book.node_made(handle(1), handle(10), kernel("load"));
        book.node_copied(handle(3), handle(30), handle(10), true);
        book.node_copied(handle(3), handle(31), handle(99), true);
        book.exec_made(handle(2), handle(3));
        QCOMPARE(book.kernels_of(handle(2)).nodes.size(), std::size_t{2});
        QVERIFY(!book.kernels_of(handle(2)).whole);
        QCOMPARE(book.kernels_of(handle(2)).nodes.front().kernel.name, std::string("load"));
    }
};

QTEST_APPLESS_MAIN(TestGraphBook)
#include "tst_graph_book.moc"
