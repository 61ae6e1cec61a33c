// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/roofline/gap.h"

#include <QTest>
#include <algorithm>
#include <cmath>
#include <random>

#include "core/operations/op_binding.h"
#include "core/roofline/point_bounds.h"
#include "core/roofline/roofline.h"
#include "core/roofline/verdict_words.h"
#include "tests/core/roofline/profiles.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_horizontal_gap {

using namespace roofwalk;
using namespace roofwalk::test;

namespace {

constexpr Boundary hbm = Boundary::hbm_dram_rw;
constexpr Boundary l2 = Boundary::l2_sm_sectors;

/// The machine of S4-01: 100 TFLOP/s, 1 TB/s.
Device hundred_to_one() {
    return machine({compute_ceiling(fp32, 100e12), compute_ceiling(tensor_fp16, 100e12)},
                   {bandwidth_ceiling(hbm, 1e12), bandwidth_ceiling(l2, 4e12)});
}

/// The first point of launches that each state an operation; an empty one states none.
KernelPoint held_to(std::vector<std::string> operations, Device device,
                    std::initializer_list<Launch> launches, AnalysisOptions options = {}) {
    Profile profile = profile_of(std::move(device), launches);
    for (std::size_t i = 0; i < operations.size(); ++i)
        profile.launches[i].algorithm = profile.texts.intern(operations[i]);
    options.launch_operations = std::make_shared<const LaunchOperations>(bind_operations(profile, {}));
    return analyse(profile, options).points.at(0);
}

bool is(const std::optional<double>& value, double right, double tolerance = 1e-9) {
    return value && std::abs(*value - right) <= tolerance * std::abs(right);
}

std::string all(const std::vector<std::string>& sentences) {
    std::string text;
    for (const std::string& sentence : sentences)
        text += (text.empty() ? "" : " ") + sentence;
    return text;
}

std::string words_of(const KernelPoint& point) {
    return all(target_sentences(point, {}));
}

/// S4-07: T = 4096, d = 128, FP16, the two T x T matrices written and read again.
KernelPoint unfused_prefill(double seconds) {
    const double matrices = 4096.0 * 4096 * 2;
    const double bytes = 4.0 * 4096 * 128 * 2 + 4 * matrices;
    return held_to({"attention_prefill seq=4096 head_dim=128 dtype=fp16"}, hundred_to_one(),
                   {launch(seconds, {{tensor_fp16, 4.0 * 4096 * 4096 * 128}}, {{hbm, bytes}})});
}

}  // namespace

class TestHorizontalGap : public QObject {
    Q_OBJECT

  private slots:
    // A WMMA product on a T4 that loads all from L1: 97.7 ms there, and 84.5 ms of DRAM.
    void two_limits_close_together_are_relieved_together() {
        const double flop = 2.0 * 4096 * 4096 * 4096;
        const auto at = [&](double seconds) {
            return held_to(
                {"gemm m=4096 n=4096 k=4096 dtype=fp16 c=fp32"},
                machine({compute_ceiling(tensor_fp16, 24e12)},
                        {bandwidth_ceiling(hbm, 320e9), bandwidth_ceiling(l2, 1e12),
                         bandwidth_ceiling(Boundary::l1_unified, 1.5e12)}),
                {launch(seconds, {{tensor_fp16, flop}},
                        {{hbm, 84.5e-3 * 320e9}, {l2, 19.2e9}, {Boundary::l1_unified, 97.7e-3 * 1.5e12}})});
        };
        const KernelPoint bound = at(97.8e-3);
        QVERIFY(is(bound.target->useful, 1));
        const double together = 97.7e-3 / (flop / 24e12);
        QVERIFY(is(bound_with_operation(bound)->times_shorter, together));
        QCOMPARE(bound_with_operation(bound)->name, std::string("FP16 Tensor"));
        QVERIFY(std::abs(saved_by_fewer_bytes(bound)->time.value() - 97.8e-3 * (1 - 1 / together)) < 1e-9);
        QVERIFY(all_levels_sentence(bound).find("17.1x") != std::string::npos);
        QVERIFY(words_of(bound).find("17.1x") != std::string::npos);
        // Bytes are not what a kernel that only waits lacks.
        QVERIFY(all_levels_sentence(at(1)).empty());
    }
    void unfused_prefill_is_33_times_left_of_its_algorithm() {
        const KernelPoint point = unfused_prefill(1e-3);
        QVERIFY(point.target.has_value());
        QVERIFY(std::abs(point.at(MemoryLevel::hbm)->intensity->value() - 62.1) < 0.05);
        QCOMPARE(point.target->intensity->value(), 2048.0);
        QVERIFY(is(point.target->gap, 33.0, 1e-3));
        QVERIFY(is(point.target->byte_gap, 33.0, 1e-3));
        QVERIFY(is(point.target->useful, 100 / 62.06, 1e-3));
        QVERIFY(is(point.target->potential, 1e-3 / (4.0 * 4096 * 4096 * 128 / 100e12)));
        QCOMPARE(point.target->useful_until->value(), 100.0);
        QVERIFY(point.target->binding == CeilingTarget(tensor_fp16));
    }

    void a_kernel_on_the_roof_may_have_a_large_horizontal_gap() {
        // S3-10: on the slope, ten times left of I_alg, which is left of the ridge.
        const KernelPoint point = held_to({"axpy n=1000000 dtype=fp32"}, hundred_to_one(),
                                          {launch(120e-6, {{fp32, 2e6}}, {{hbm, 120e6}})});
        QVERIFY(is(point.gap->factor, 1));
        QVERIFY(is(point.target->gap, 10));
        QVERIFY(is(point.target->useful, 10));
        QVERIFY(is(point.target->potential, 10));
        QVERIFY(!point.target->useful_until);
        QVERIFY(point.target->binding == CeilingTarget(hbm));
    }

    void more_intensity_past_the_ridge_is_no_lever() {
        // S3-12: the dot stands right of the ridge already.
        const KernelPoint point =
            held_to({"gemm m=1024 n=1024 k=1024"}, hundred_to_one(),
                    {launch(50e-6, {{tensor_fp16, 2147483648.0}}, {{hbm, 12582912.0}})});
        QVERIFY(is(point.target->gap, 2));
        QVERIFY(is(point.target->useful, 1));
        QVERIFY(is(point.target->potential, point.gap->factor));
    }

    void right_of_its_algorithm_there_is_nothing_to_close() {
        // Half the bytes that the model needs, on the flat roof both ways: a gap of 0.5 that is worth 1.
        const KernelPoint point = held_to({"gemm m=1024 n=1024 k=1024"}, hundred_to_one(),
                                          {launch(50e-6, {{tensor_fp16, 2147483648.0}}, {{hbm, 3145728.0}})});
        QVERIFY(is(point.target->gap, 0.5));
        QVERIFY(is(point.target->useful, 1));
        const std::string words = words_of(point);
        QVERIFY2(words.find("There is nothing to close; FP16 Tensor binds there.") != std::string::npos,
                 words.c_str());
        QVERIFY2(words.find("worth") == std::string::npos, words.c_str());
    }

    void another_level_that_binds_limits_what_hbm_bytes_are_worth() {
        // HBM binds first (12 us); at a fourth of the bytes L2 does (8 us).
        const KernelPoint point = held_to({"copy n=1500000 dtype=fp8"}, hundred_to_one(),
                                          {launch(24e-6, {{fp32, 0}}, {{hbm, 12e6}, {l2, 32e6}})});
        QVERIFY(is(point.target->byte_gap, 4));
        QVERIFY(is(point.target->useful, 1.5));
        QVERIFY(point.target->binding == CeilingTarget(l2));
        QVERIFY(is(point.target->potential, 3));
    }

    void a_unit_that_is_busy_limits_what_is_promised() {
        KernelPoint point = held_to({"copy n=1000000 dtype=fp32"}, hundred_to_one(),
                                    {launch(32e-6, {{fp32, 0}}, {{hbm, 16e6}})});
        QVERIFY(!unit_in_the_way(point));
        const auto share_of = [&](HardwareUnit unit) -> std::optional<double>& {
            return point.throughput[unit];
        };
        share_of(HardwareUnit::memory) = share_of(HardwareUnit::dram) = 0.99;  // HBM itself is meant
        share_of(HardwareUnit::l1tex) = 0.45;  // would allow 2.22x, and half of the bytes 2x
        QVERIFY(!unit_in_the_way(point));
        compute_target_gaps(point, *point.target);
        QVERIFY(is(point.target->potential, 1 / 0.45));
        share_of(HardwareUnit::l1tex) = 0.8;
        QVERIFY(is(1 / unit_in_the_way(point)->share, 1.25));
        compute_target_gaps(point, *point.target);
        QVERIFY(is(point.target->potential, 1.25));
        share_of(HardwareUnit::l1tex) = 0.95;
        QVERIFY(unit_in_the_way(point)->unit == HardwareUnit::l1tex);
        QVERIFY2(words_of(point).ends_with(
                     "But L1TEX is 95.0 % busy: fewer DRAM bytes alone are worth 1.05x at most."),
                 words_of(point).c_str());
        point.target->useful = 1.04;  // less than the unit allows
        QVERIFY(!unit_in_the_way(point));
    }

    void time_above_the_operation_is_by_its_own_work_and_bytes() {
        // The kernel did four times the work (40 us), and 20 times the bytes (20 us).
        const KernelPoint point = held_to({"custom flops=1e9 read=5e5 write=5e5"}, hundred_to_one(),
                                          {launch(100e-6, {{fp32, 4e9}}, {{hbm, 20e6}})});
        QVERIFY(std::abs(recoverable_time(point)->value() - 60e-6) < 1e-12);
        QVERIFY(std::abs(point.recoverable->with_needed_bytes->value() - 60e-6) < 1e-12);
        QVERIFY(std::abs(point.target->least_time->value() - 10e-6) < 1e-12);
        QVERIFY(std::abs(recoverable_with_operation(point)->value() - 90e-6) < 1e-12);
        // Of a pipe without a ceiling it is not known.
        QVERIFY(!recoverable_with_operation(held_to({"custom flops=1e9 read=5e5 write=5e5 pipe=fp64"},
                                                    hundred_to_one(),
                                                    {launch(100e-6, {{fp32, 4e9}}, {{hbm, 20e6}})})));
    }

    void a_kernel_without_work_has_a_gap_by_bytes() {
        const KernelPoint point = held_to({"copy n=1000000 dtype=fp32"}, hundred_to_one(),
                                          {launch(32e-6, {{fp32, 0}}, {{hbm, 16e6}})});
        QVERIFY(!point.target->intensity && !point.target->gap && !point.target->work_ratio);
        QVERIFY(is(point.target->byte_gap, 2));
        QVERIFY(is(point.target->useful, 2));
        QVERIFY(is(point.target->potential, 4));
        QCOMPARE(words_of(point),
                 std::string(
                     "copy n=1000000 dtype=fp32 (algorithm field of the profile). It needs 8.00 MB of DRAM "
                     "traffic at least and no FLOP. Horizontal gap by bytes: 2.00x of the compulsory ones. "
                     "Closing it is worth 2.00x; DRAM binds there. With the vertical gap the potential is "
                     "4.00x."));
    }

    void other_work_than_the_model_counts_is_told() {
        // Twice the work of the model, as padding does: its place is at twice the intensity of the model.
        const KernelPoint point = held_to({"axpy n=1000000 dtype=fp32"}, hundred_to_one(),
                                          {launch(48e-6, {{fp32, 4e6}}, {{hbm, 24e6}})});
        QVERIFY(is(point.target->work_ratio, 2));
        QVERIFY(is(point.target->byte_gap, 2));
        QVERIFY(is(point.target->gap, 2));
        QVERIFY(is(point.target->useful, 2));
        QVERIFY(is(point.target->potential, 4));
        QVERIFY(is(point.target->place->value(), 2 * point.target->intensity->value()));
        QVERIFY(!counts_same_work(*point.target));
        const std::string words = words_of(point);
        QVERIFY2(
            words.find("Horizontal gap: 2.00x in bytes. The kernel did 2.00x the work of the model: with "
                       "these bytes alone it would stand at AI 0.333 FLOP/byte.") != std::string::npos,
            words.c_str());
    }

    void one_per_cent_of_other_work_is_the_same_work() {
        const auto with_work = [](double work) {
            return held_to({"axpy n=1000000 dtype=fp32"}, hundred_to_one(),
                           {launch(48e-6, {{fp32, work}}, {{hbm, 24e6}})});
        };
        QVERIFY(counts_same_work(*with_work(2.01e6).target));
        QVERIFY(!counts_same_work(*with_work(2.05e6).target));
    }

    void fewer_bytes_than_the_algorithm_needs_are_said_in_words() {
        const KernelPoint point = held_to({"axpy n=1000000 dtype=fp32"}, hundred_to_one(),
                                          {launch(12e-6, {{fp32, 2e6}}, {{hbm, 6e6}})});
        QVERIFY(is(point.target->gap, 0.5));
        QVERIFY(is(point.target->useful, 0.5));
        QVERIFY(is(point.target->potential, 1));
        QVERIFY2(verdict_sentences(point).text().ends_with(
                     ". Moves fewer DRAM bytes than an AXPY of this size needs (0.500x): "
                     "served from cache, or the model over-counts."),
                 verdict_sentences(point).text().c_str());
        QVERIFY(words_of(point).find("served from cache") != std::string::npos);
        QVERIFY(words_of(point).find("Nothing is to be gained there: with the bytes of the model it would "
                                     "run at 0.500x of its speed.") != std::string::npos);
        QVERIFY(words_of(point).find("potential") == std::string::npos);
    }

    void sizes_that_are_too_large_are_no_merit() {
        // Typed with twice the elements: half of the work and of the bytes were counted.
        const KernelPoint point = held_to({"axpy n=2000000 dtype=fp32"}, hundred_to_one(),
                                          {launch(13e-6, {{fp32, 2e6}}, {{hbm, 12e6}})});
        QVERIFY(is(point.target->work_ratio, 0.5));
        QVERIFY(!point.target->gap && !point.target->byte_gap && !point.target->useful);
        QVERIFY(!point.target->place && !point.target->potential && !moves_needed_bytes_only(point));
        for (const std::string& words : {verdict_sentences(point).text(), words_of(point)}) {
            QVERIFY2(words.find("0.500x") != std::string::npos, words.c_str());
            QVERIFY2(words.find("cache") == std::string::npos, words.c_str());
            QVERIFY2(words.find("the DRAM bytes that") == std::string::npos, words.c_str());
        }
        // Fewer bytes with all of the work may come from a cache, less work with all bytes from a mask.
        QVERIFY(held_to({"axpy n=2000000 dtype=fp32"}, hundred_to_one(),
                        {launch(13e-6, {{fp32, 4e6}}, {{hbm, 12e6}})})
                    .target->gap);
        QVERIFY(held_to({"axpy n=2000000 dtype=fp32"}, hundred_to_one(),
                        {launch(30e-6, {{fp32, 2e6}}, {{hbm, 24e6}})})
                    .target->gap);
    }

    void the_sentence_names_both_gaps() {
        const KernelPoint point =
            held_to({"gemm m=1024 n=1024 k=256"}, hundred_to_one(),
                    {launch(22e-6, {{tensor_fp16, 536870912.0}}, {{hbm, 3145728.0 * 5}, {l2, 1e6}})});
        QCOMPARE(
            verdict_sentences(point).text(),
            std::string("Memory-bound: 1.40x below the DRAM roof (71.5 % of 1.00 TB/s); moves 5.00x as many "
                        "DRAM bytes as a GEMM of this shape needs."));
    }

    void a_kernel_at_its_target_is_said_to_be_there() {
        const KernelPoint point = held_to({"axpy n=1000000 dtype=fp32"}, hundred_to_one(),
                                          {launch(24e-6, {{fp32, 2e6}}, {{hbm, 12e6}})});
        QVERIFY2(verdict_sentences(point).text().ends_with(
                     "; moves the DRAM bytes that an AXPY of this size needs."),
                 verdict_sentences(point).text().c_str());
    }

    void a_group_is_held_to_the_sum_of_its_operations() {
        const KernelPoint point = held_to(
            {"axpy n=1000000 dtype=fp32", "axpy n=2000000 dtype=fp32"}, hundred_to_one(),
            {launch(24e-6, {{fp32, 2e6}}, {{hbm, 24e6}}), launch(48e-6, {{fp32, 4e6}}, {{hbm, 48e6}})});
        QCOMPARE(point.target->bytes.value(), 36e6);
        QCOMPARE(point.target->work.value(), 6e6);
        QCOMPARE(point.target->operations, 2U);
        QVERIFY(is(point.target->gap, 2));
        QVERIFY(verdict_sentences(point).text().find(
                    "as the operations of its launches need, near the roof (DRAM") != std::string::npos);
    }

    void a_group_that_is_not_wholly_bound_claims_no_gap() {
        const KernelPoint point = held_to(
            {"axpy n=1000000 dtype=fp32", ""}, hundred_to_one(),
            {launch(24e-6, {{fp32, 2e6}}, {{hbm, 24e6}}), launch(48e-6, {{fp32, 4e6}}, {{hbm, 48e6}})});
        QCOMPARE(point.target->bound, 1U);
        QCOMPARE(point.target->not_bound, 1U);
        QVERIFY(!point.target->gap && !point.target->byte_gap && !point.target->potential);
        QVERIFY2(words_of(point).ends_with("1 of 2 launches has no operation: no gap can be told."),
                 words_of(point).c_str());
        QVERIFY(verdict_sentences(point).text().find("moves") == std::string::npos);
    }

    void launches_that_failed_are_left_out() {
        Launch failed;
        failed.failed = true;
        const KernelPoint point = held_to({"axpy n=1000000 dtype=fp32", ""}, hundred_to_one(),
                                          {launch(24e-6, {{fp32, 2e6}}, {{hbm, 24e6}}), failed});
        QCOMPARE(point.target->not_bound, 0U);
        QVERIFY(is(point.target->gap, 2));
    }

    void without_hbm_bytes_the_gap_is_not_known() {
        const KernelPoint point = held_to({"axpy n=1000000 dtype=fp32"}, hundred_to_one(),
                                          {launch(24e-6, {{fp32, 2e6}}, {{l2, 24e6}})});
        QVERIFY(point.target->intensity && !point.target->gap && !point.target->byte_gap);
        QVERIFY(words_of(point).ends_with("so the gap is not known."));
    }

    void work_that_was_not_counted_leaves_the_gap_by_bytes() {
        Launch incomplete = launch(24e-6, {{fp32, 2e6}}, {{hbm, 24e6}});
        incomplete.uncounted.fp16 = true;
        const KernelPoint point = held_to({"axpy n=1000000 dtype=fp32"}, hundred_to_one(), {incomplete});
        QVERIFY(!point.target->gap && !point.target->useful && !point.target->work_ratio);
        QVERIFY(is(point.target->byte_gap, 2));
    }

    void only_the_work_of_the_chosen_class_counts() {
        AnalysisOptions options;
        const auto point_of_class = [&](OperationClass operations) {
            options.operations = operations;
            return held_to({"gemm m=256 n=256 k=256 dtype=int8"}, hundred_to_one(),
                           {launch(24e-6, {{tensor_int8, 33554432.0}, {fp32, 0}}, {{hbm, 24e6}})}, options);
        };
        QVERIFY(!point_of_class(OperationClass::floating).target->intensity);
        QVERIFY(is(point_of_class(OperationClass::integer).target->work_ratio, 1));
    }

    void without_bindings_there_is_no_target() {
        QVERIFY(!point_of(profile_of(hundred_to_one(), {launch(1, {{fp32, 1}}, {{hbm, 1}})})).target);
    }

    void gaps_of_random_kernels_are_consistent() {
        std::mt19937 random(17);
        std::uniform_real_distribution<double> decades(0, 6);
        const auto amount = [&] { return std::floor(1 + std::pow(10, decades(random))); };
        for (int i = 0; i < 500; ++i) {
            const double m = amount();
            const double work = 2 * m * 64 * 64 * (i % 2 == 0 ? 1 : amount());
            const double bytes = amount() * 1e3;
            const double seconds = amount() * 1e-6;
            const KernelPoint point = held_to(
                {"gemm n=64 k=64 m=" + std::to_string(static_cast<std::int64_t>(m))}, hundred_to_one(),
                {launch(seconds, {{tensor_fp16, work}}, {{hbm, bytes}, {l2, amount() * 1e3}})});
            const AlgorithmicTarget& target = *point.target;
            if (!target.byte_gap) {
                QVERIFY(*target.work_ratio < 1 / noticeable_gap);
                continue;
            }
            const Seconds rest = std::max(*point.at(MemoryLevel::l2)->bound, *point.pipes[0].bound);
            const auto roof = [&](double intensity) {
                return std::min(1e12 * intensity, work / rest.value());
            };
            const double observed = point.at(MemoryLevel::hbm)->intensity->value();
            QVERIFY(is(point.gap->factor, roof(observed) / point.performance->value()));
            QVERIFY(is(target.gap, target.place->value() / observed));
            QVERIFY(std::abs(*target.gap / *target.byte_gap - 1) <= same_work_tolerance * 1.02);
            QVERIFY(is(target.useful, roof(target.place->value()) / roof(observed)));
            QVERIFY(is(target.potential, roof(target.place->value()) / point.performance->value()));
            QVERIFY(*target.useful <= std::max(1.0, *target.gap) * (1 + 1e-9));
            QVERIFY((*target.gap >= 1) == (*target.useful >= 1) || is(target.useful, 1));
        }
    }
};

}  // namespace tst_horizontal_gap

ROOFWALK_TEST(tst_horizontal_gap, TestHorizontalGap, NoApplication)
#include "tst_horizontal_gap.moc"
