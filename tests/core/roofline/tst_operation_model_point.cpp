// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/roofline/operation_model_point.h"

#include <QTest>

#include "core/operations/op_binding.h"
#include "core/roofline/missing.h"
#include "core/roofline/verdict_words.h"
#include "core/scenario/kernel_state.h"
#include "tests/core/roofline/profiles.h"
#include "tests/support/folder_tests.h"

namespace tst_operation_model_point {

using namespace roofwalk;
using namespace roofwalk::test;

namespace {

constexpr Boundary hbm = Boundary::hbm_dram_rw;
const std::string gemm = "gemm m=1000 n=1000 k=1000 dtype=fp32";
constexpr double gemm_flop = 2e9;
constexpr double gemm_bytes = 3 * 4e6;

/// 10 TFLOP/s, 1 TB/s: the GEMM takes 200 us on the pipe and 12 us on HBM.
Device ten_to_one() {
    return machine({compute_ceiling(fp32, 10e12)}, {bandwidth_ceiling(hbm, 1e12)});
}

/// Launches that each state an operation; an empty one states none.
Analysis analysed(const std::vector<std::string>& operations, std::initializer_list<Launch> launches) {
    Profile profile = profile_of(ten_to_one(), launches);
    for (std::size_t i = 0; i < operations.size(); ++i)
        profile.launches[i].algorithm = profile.texts.intern(operations[i]);
    AnalysisOptions options;
    options.launch_operations = std::make_shared<const LaunchOperations>(bind_operations(profile, {}));
    return analyse(profile, options);
}

KernelPoint point_with(const std::vector<std::string>& operations, std::initializer_list<Launch> launches) {
    return analysed(operations, launches).points.at(0);
}

bool near(double value, double expected) {
    return std::abs(value - expected) <= 1e-9 * std::abs(expected);
}

}  // namespace

class TestOperationModelPoint : public QObject {
    Q_OBJECT

  private slots:
    void work_of_its_operation_judges_one_whose_kernel_was_counted_elsewhere() {
        AnalysisOptions options;
        Profile profile = profile_of(
            ten_to_one(), {launch(400e-6, {{fp32, gemm_flop}}, {}), launch(400e-6, {}, {{hbm, 1e7}})});
        profile.launches[1].algorithm = profile.texts.intern(gemm);
        options.group_by = GroupBy::launch;
        options.launch_operations = std::make_shared<const LaunchOperations>(bind_operations(profile, {}));
        const KernelPoint point = analyse(profile, options).points.back();
        QVERIFY(point.modelled_work && point.recoverable && !point.verdict.left_unjudged);
    }
    void work_of_no_stated_precision_is_of_the_type_of_its_operation() {
        const auto pipe_with = [](const std::string& operation, bool assumed) {
            Launch plain = launch(400e-6, {{fp32, gemm_flop}}, {{hbm, 1e7}});
            plain.precision_assumed = assumed;
            const KernelPoint point = point_with({operation}, {plain});
            return std::pair(point.pipes.at(0).pipe, point.precision_assumed);
        };
        const std::string half = "gemm m=1000 n=1000 k=1000 dtype=fp16";
        QVERIFY(pipe_with(half, true) == std::pair(tensor_fp16, false));
        QVERIFY(pipe_with(half, false) == std::pair(fp32, false));
        QVERIFY(pipe_with(gemm, true) == std::pair(fp32, false));
        QVERIFY(pipe_with("", true) == std::pair(fp32, true));
    }
    void an_assumed_precision_is_doubted_above_its_roof() {
        const auto doubted = [](double flop, bool assumed) {
            Launch plain = launch(400e-6, {{fp32, flop}}, {{hbm, 1e7}});
            plain.precision_assumed = assumed;
            return !doubt_words(point_with({}, {plain})).empty();
        };
        QVERIFY(doubted(8e9, true));
        QVERIFY(!doubted(8e9, false));
        QVERIFY(!doubted(2e9, true));
    }
    void more_than_twice_the_work_of_its_operation_is_doubted() {
        const auto words = [](double times) {
            return doubt_words(
                point_with({gemm}, {launch(4e-3, {{fp32, gemm_flop * times}}, {{hbm, gemm_bytes * times}})}));
        };
        QVERIFY(words(8).find("8.00x") != std::string::npos);
        QVERIFY(words(1.9).empty());
        QVERIFY(words(0.1).find("do not fit") != std::string::npos);
    }
    void a_timed_kernel_stands_at_what_its_operation_needs() {
        const KernelPoint point = point_with({gemm}, {launch(400e-6, {}, {})});
        QVERIFY(point.modelled);
        QVERIFY(near(point.work->value(), gemm_flop));
        QVERIFY(near(point.performance->value(), gemm_flop / 400e-6));
        QVERIFY(near(point.at(MemoryLevel::hbm)->bytes.value(), gemm_bytes));
        QVERIFY(near(point.at(MemoryLevel::hbm)->intensity->value(), gemm_flop / gemm_bytes));
        QCOMPARE(point.at(MemoryLevel::hbm)->origin, Origin::modelled);
        QCOMPARE(point.pipes.at(0).origin, Origin::modelled);
        QCOMPARE(point.placement, Placement::chart);
    }

    void it_is_judged_by_hbm_and_compute_alone() {
        const KernelPoint point = point_with({gemm}, {launch(400e-6, {}, {})});
        QVERIFY(near(point.gap->factor, 2));
        QVERIFY(point.binding == CeilingTarget(fp32));
        QVERIFY(!point.at(MemoryLevel::l2) && !point.at(MemoryLevel::smem));
        QCOMPARE(point.verdict.kernel_class, KernelClass::only_timed);
        QCOMPARE(
            verdict_sentences(point).text(),
            std::string("Only timed: its work and bytes were not counted, and stand here as those that its "
                        "operation needs. With these the FP32 roof would allow it to be ~2.00x as fast "
                        "(~50.0 % of 10.0 TFLOP/s)."));
    }

    void no_distance_from_its_algorithm_is_claimed() {
        const KernelPoint point = point_with({gemm}, {launch(210e-6, {}, {})});
        QCOMPARE(point.verdict.kernel_class, KernelClass::only_timed);  // at 95 % of the roof
        QVERIFY(point.target->intensity.has_value());
        QVERIFY(!point.target->gap && !point.target->byte_gap && !point.target->useful);
        QVERIFY(!moves_needed_bytes_only(point));
        QVERIFY(horizontal_clause(point).empty());
    }

    void launches_add_up() {
        const KernelPoint point = point_with({gemm, gemm}, {launch(400e-6, {}, {}), launch(600e-6, {}, {})});
        QVERIFY(point.modelled);
        QVERIFY(near(point.work->value(), 2 * gemm_flop));
        QVERIFY(near(point.performance->value(), 2 * gemm_flop / 1e-3));
        QVERIFY(near(point.gap->factor, 2.5));
    }

    void a_launch_that_failed_needs_nothing() {
        Launch failed = launch({}, {}, {});
        failed.failed = true;
        const KernelPoint point = point_with({gemm, gemm}, {launch(400e-6, {}, {}), failed});
        QVERIFY(point.modelled);
        QVERIFY(near(point.work->value(), gemm_flop));
    }

    void faster_than_its_operation_allows_is_above_the_roof() {
        const KernelPoint point = point_with({gemm}, {launch(100e-6, {}, {})});
        QVERIFY(point.modelled);
        QCOMPARE(point.verdict.kernel_class, KernelClass::above_roof);
    }

    void a_copy_without_work_is_judged_by_hbm() {
        const KernelPoint point = point_with({"copy n=1000000 dtype=fp32"}, {launch(16e-6, {}, {})});
        QVERIFY(near(point.gap->factor, 2));
        QCOMPARE(point.placement, Placement::rail_no_work);
        QCOMPARE(point.verdict.kernel_class, KernelClass::only_timed);
    }

    void what_was_counted_is_not_replaced_data() {
        QTest::addColumn<int>("what");
        QTest::newRow("work") << 0;
        QTest::newRow("DRAM bytes") << 1;
        QTest::newRow("bytes of another level") << 2;
        QTest::newRow("work of one of two launches") << 3;
    }
    void what_was_counted_is_not_replaced() {
        QFETCH(const int, what);
        Launch counted = launch(400e-6, {}, {});
        if (what == 0 || what == 3) counted = launch(400e-6, {{fp32, 5e8}}, {});
        if (what == 1) counted = launch(400e-6, {}, {{hbm, 5e7}});
        if (what == 2) counted = launch(400e-6, {}, {{Boundary::l2_sm_sectors, 5e7}});
        const KernelPoint point = what == 3 ? point_with({gemm, gemm}, {counted, launch(400e-6, {}, {})})
                                            : point_with({gemm}, {counted});
        QVERIFY(!point.modelled);
        QVERIFY(point.verdict.kernel_class != KernelClass::only_timed);
    }

    /// As in the default set of Nsight Compute, for products on tensor cores.
    void work_that_was_found_and_not_counted_is_that_of_the_operation() {
        Launch found = launch(400e-6, {}, {{hbm, 5e7}});
        found.uncounted.tensor = true;
        const KernelPoint point = point_with({gemm}, {found});
        QVERIFY(point.modelled_work && !point.uncounted.any());
        QCOMPARE(point.placement, Placement::chart);
        QVERIFY(near(point.work->value(), gemm_flop));
    }

    /// Time and operation alone are a dot: FLOP beside them take none away.
    void work_that_was_counted_in_part_is_that_of_the_operation() {
        for (const std::initializer_list<std::pair<Boundary, double>> bytes :
             {std::initializer_list<std::pair<Boundary, double>>{}, {{hbm, 5e7}}})
            for (const double counted : {0.0, 1e6, gemm_flop}) {
                if (counted > 0 && bytes.size() > 0) continue;  // a lower bound that is drawn as it is
                Launch part = launch(400e-6, {{fp32, counted}}, bytes);
                part.uncounted.tensor = true;
                const KernelPoint point = point_with({gemm}, {part});
                QCOMPARE(point.placement, Placement::chart);
                QVERIFY(near(point.work->value(), gemm_flop) && !point.uncounted.any());
                QCOMPARE(point.modelled, bytes.size() == 0);
                QVERIFY(point.gap);
            }
        // More than the operation needs is a lower bound.
        Launch more = launch(400e-6, {{fp32, 2 * gemm_flop}}, {});
        more.uncounted.tensor = true;
        const KernelPoint point = point_with({gemm}, {more});
        QCOMPARE(point.placement, Placement::chart);
        QVERIFY(point.uncounted.any() && near(point.work->value(), 2 * gemm_flop));
        QVERIFY(near(point.at(MemoryLevel::hbm)->bytes.value(), gemm_bytes));
    }

    void measured_bytes_with_the_work_of_the_operation_are_a_dot() {
        const KernelPoint point = point_with({gemm}, {launch(400e-6, {}, {{hbm, 5e7}})});
        QVERIFY(point.modelled_work && !point.modelled_bytes && !point.measured_work());
        QCOMPARE(point.placement, Placement::chart);
        QVERIFY(near(point.work->value(), gemm_flop));
        QVERIFY(near(point.at(MemoryLevel::hbm)->intensity->value(), gemm_flop / 5e7));
        QVERIFY(near(*point.target->byte_gap, 5e7 / point.target->bytes.value()));
    }
    void measured_work_with_the_bytes_of_the_operation_is_a_dot() {
        const KernelPoint point = point_with({gemm}, {launch(400e-6, {{fp32, gemm_flop}}, {})});
        QVERIFY(point.modelled_bytes && !point.modelled_work && !point.measured_level(MemoryLevel::hbm));
        QCOMPARE(point.placement, Placement::chart);
        QVERIFY(near(point.performance->value(), gemm_flop / 400e-6));
        QVERIFY(!point.target->byte_gap && !point.target->gap);
    }

    void bytes_of_another_level_keep_the_dot_at_hbm_data() {
        QTest::addColumn<bool>("has_work");
        QTest::newRow("L2 bytes alone") << false;
        QTest::newRow("L2 bytes and work") << true;
    }
    void bytes_of_another_level_keep_the_dot_at_hbm() {
        QFETCH(const bool, has_work);
        Launch counted = launch(400e-6, {}, {{Boundary::l2_sm_sectors, 5e7}});
        if (has_work) counted = launch(400e-6, {{fp32, gemm_flop}}, {{Boundary::l2_sm_sectors, 5e7}});
        const KernelPoint point = point_with({gemm}, {counted});
        QVERIFY(!point.modelled && point.modelled_bytes);
        QCOMPARE(point.modelled_work, !has_work);
        QVERIFY(near(point.at(MemoryLevel::hbm)->bytes.value(), gemm_bytes));
        QVERIFY(near(point.at(MemoryLevel::hbm)->intensity->value(), gemm_flop / gemm_bytes));
        QVERIFY(near(point.at(MemoryLevel::l2)->intensity->value(), gemm_flop / 5e7));
        QVERIFY(!point.measured_level(MemoryLevel::hbm) && point.measured_level(MemoryLevel::l2));
        QVERIFY(!point.target->byte_gap && !point.target->gap);
    }

    void without_a_time_or_an_operation_it_has_no_place() {
        QVERIFY(!point_with({gemm}, {launch({}, {}, {})}).modelled);
        QVERIFY(!point_with({""}, {launch(1, {}, {})}).modelled);
        QVERIFY(!point_with({gemm, ""}, {launch(1, {}, {}), launch(1, {}, {})}).modelled);
        QVERIFY(!point_of(profile_of(ten_to_one(), {launch(1, {}, {})})).modelled);
    }

    void what_would_count_it_is_still_asked_for() {
        Profile profile = profile_of(ten_to_one(), {launch(400e-6, {}, {})});
        profile.launches[0].algorithm = profile.texts.intern(gemm);
        AnalysisOptions options;
        options.launch_operations = std::make_shared<const LaunchOperations>(bind_operations(profile, {}));
        const Analysis analysis = analyse(profile, options);
        const auto missing = missing_quantities(profile, analysis.points.at(0), analysis);
        QCOMPARE(missing.at(0).quantity, std::string("FLOPs"));
        QCOMPARE(missing.at(1).quantity, std::string("DRAM traffic (DRAM read+write)"));
        QVERIFY(!comes_from_model(analysis.points.at(0)));
    }

    void it_stays_only_timed_when_it_is_moved() {
        const Analysis analysis = analysed({gemm}, {launch(400e-6, {}, {})});
        const KernelModel model = kernel_model(analysis.points.at(0), analysis.options);
        KernelState state = model.measured;
        state.time = Seconds(300e-6);
        QCOMPARE(class_of(state, model, {}), KernelClass::only_timed);
    }
};

}  // namespace tst_operation_model_point

ROOFWALK_TEST(tst_operation_model_point, TestOperationModelPoint, NoApplication)
#include "tst_operation_model_point.moc"
