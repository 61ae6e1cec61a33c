// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/agent/launch_filter.h"
#include "tests/support/folder_tests.h"

#include <QTest>

namespace tst_launch_filter {

using namespace roofwalk;
using namespace roofwalk::agent;

class TestLaunchFilter : public QObject {
    Q_OBJECT

  private slots:
    void without_patterns_every_kernel_is_wanted() {
        CompiledLaunchFilter filter{wire::Orders{}};
        QVERIFY(filter.wants("saxpy") && filter.wants("") && !filter.leaves_alone("ncclAllReduce"));
        QVERIFY(filter.is_everywhere() && filter.take());
    }

    void what_is_excepted_is_never_wanted() {
        static constexpr std::array<std::string_view, 1> kernels{"gemm"};
        static constexpr std::array<std::string_view, 1> except{"^nccl"};
        wire::Orders orders;
        orders.kernels = kernels;
        orders.except = except;
        CompiledLaunchFilter filter(orders);
        QVERIFY(filter.wants("my_gemm") && !filter.wants("copy") && !filter.wants("nccl_gemm"));
        QVERIFY(filter.leaves_alone("nccl_gemm") && !filter.leaves_alone("copy"));
    }

    void launches_count_inside_of_ranges_of_these_names() {
        static constexpr std::array<std::string_view, 2> ranges{"^train", "^eval$"};
        wire::Orders orders;
        orders.nvtx_ranges = ranges;
        const CompiledLaunchFilter filter(orders);
        QVERIFY(!filter.is_everywhere());
        QVERIFY(filter.counts_inside("training step") && filter.counts_inside("eval"));
        QVERIFY(!filter.counts_inside("") && !filter.counts_inside("evaluation"));
    }

    void skipping_comes_before_counting() {
        wire::Orders orders;
        orders.skip = 2;
        orders.count = 1;
        CompiledLaunchFilter filter(orders);
        QVERIFY(!filter.take() && !filter.take());
        QVERIFY(filter.take());
        QVERIFY(!filter.take() && !filter.take());
    }
};

}  // namespace tst_launch_filter

ROOFWALK_TEST(tst_launch_filter, TestLaunchFilter, NoApplication)
#include "tst_launch_filter.moc"
