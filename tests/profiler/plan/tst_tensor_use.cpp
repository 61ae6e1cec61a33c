// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/plan/metric_plan.h"
#include "tests/support/folder_tests.h"

#include <QTest>

namespace tst_tensor_use {

using namespace roofwalk;

namespace {

const std::string tensor_pipe = "sm__inst_executed_pipe_tensor";

}  // namespace

class TestTensorUse : public QObject {
    Q_OBJECT

  private slots:
    void hopper_tells_the_two_tensor_paths_apart() {
        const Chip& hopper = *find_chip("GH100");
        QVERIFY(!tensor_use(hopper, {}));
        const auto idle = tensor_use(hopper, {{tensor_pipe + ".sum", 0}});
        QVERIFY(idle && !idle->used);
        const auto use = [&](double all, double half, double integer) {
            return tensor_use(hopper, {{tensor_pipe + ".sum", all},
                                       {tensor_pipe + "_op_hmma.sum", half},
                                       {tensor_pipe + "_op_imma.sum", integer},
                                       {tensor_pipe + "_op_dmma.sum", 0}});
        };
        using enum PlanKind;
        QVERIFY((tensor_plans(*use(10, 0, 0)) == std::vector{tensor}));
        QVERIFY((tensor_plans(*use(10, 10, 0)) == std::vector{tensor, warp_tensor, warp_tensor_half}));
        QVERIFY((tensor_plans(*use(10, 0, 10)) == std::vector{tensor, warp_tensor_integer}));
        QVERIFY((tensor_plans(*use(10, 2, 3)) ==
                 std::vector{tensor, warp_tensor, warp_tensor_half, warp_tensor_integer}));
        const auto fp64 = tensor_use(hopper, {{tensor_pipe + ".sum", 4},
                                              {tensor_pipe + "_op_hmma.sum", 0},
                                              {tensor_pipe + "_op_imma.sum", 0},
                                              {tensor_pipe + "_op_dmma.sum", 4}});
        QVERIFY((tensor_plans(*fp64) == std::vector{warp_tensor_integer}));
        QVERIFY(tensor_plans(*idle).empty());
    }

    /// Figures of an H100: gemm_naive of tests/gpu, wgmma of cuBLAS in BF16, mma.sync of roofwalk-ceilings.
    void what_an_h100_counts_is_read() {
        const Chip& hopper = *find_chip("GH100");
        const auto plans = [&](double all, double half, double fp64, double group, double vector) {
            return tensor_plans(*tensor_use(hopper, {{tensor_pipe + ".sum", all},
                                                     {tensor_pipe + "_op_hmma.sum", half},
                                                     {tensor_pipe + "_op_imma.sum", 0},
                                                     {tensor_pipe + "_op_dmma.sum", fp64},
                                                     {tensor_pipe + "_op_gmma.sum", group},
                                                     {tensor_pipe + "_op_hmma_type_hfma2.sum", vector}}));
        };
        using enum PlanKind;
        QVERIFY(plans(32'768, 32'768, 0, 0, 32'768).empty());
        QVERIFY((plans(2'097'152, 2'097'152, 0, 2'097'152, 0) == std::vector{tensor}));
        QVERIFY((plans(1'081'344, 1'081'344, 0, 0, 0) == std::vector{warp_tensor, warp_tensor_half}));
        QVERIFY((plans(67'584, 0, 67'584, 0, 0) == std::vector{warp_tensor_integer}));
    }

    /// Whether the kinds of a warp's instructions hold those of warp groups or not.
    void vectors_in_the_tensor_pipe_are_no_use_of_it() {
        const Chip& hopper = *find_chip("GH100");
        const auto use = [&](double all, double half, double integer, double fp64, double group,
                             double vector) {
            return *tensor_use(hopper, {{tensor_pipe + ".sum", all},
                                        {tensor_pipe + "_op_hmma.sum", half},
                                        {tensor_pipe + "_op_imma.sum", integer},
                                        {tensor_pipe + "_op_dmma.sum", fp64},
                                        {tensor_pipe + "_op_gmma.sum", group},
                                        {tensor_pipe + "_op_hmma_type_hfma2.sum", vector}});
        };
        using enum PlanKind;
        QVERIFY(!use(8, 8, 0, 0, 0, 8).used);
        QVERIFY((tensor_plans(use(18, 8, 0, 0, 10, 8)) == std::vector{tensor}));
        QVERIFY((tensor_plans(use(18, 18, 0, 0, 10, 8)) == std::vector{tensor}));
        QVERIFY((tensor_plans(use(12, 12, 0, 0, 0, 8)) == std::vector{warp_tensor, warp_tensor_half}));
        QVERIFY((tensor_plans(use(12, 8, 4, 0, 0, 8)) == std::vector{warp_tensor_integer}));
        QVERIFY((tensor_plans(use(12, 8, 0, 4, 0, 8)) == std::vector{warp_tensor_integer}));
    }

    void blackwell_shows_the_new_path_by_its_operands() {
        const Chip& blackwell = *find_chip("GB100");
        const std::string operands = "l1tex__data_pipe_tc_wavefronts_mem_shared.sum";
        const auto warp = tensor_use(blackwell, {{tensor_pipe + ".sum", 5}, {operands, 0}});
        QVERIFY(warp->by_half == true && warp->by_integer == true && warp->by_warp_group == false);
        const auto group = tensor_use(blackwell, {{tensor_pipe + ".sum", 5}, {operands, 9}});
        QVERIFY(group->by_warp_group == true && !group->by_half && !group->by_integer);
        QCOMPARE(tensor_plans(*group).size(), std::size_t{4});
    }
};

}  // namespace tst_tensor_use

ROOFWALK_TEST(tst_tensor_use, TestTensorUse, NoApplication)
#include "tst_tensor_use.moc"
