// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/projection.h"

#include <QTest>
#include <cmath>

#include "core/devices/match_device.h"
#include "tests/core/compare/run_fixture.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_projection {

using namespace roofwalk;
using namespace roofwalk::test;

namespace {

/// The acceptance list's feed-forward product of Llama 2 7B at batch 256: m=256, n=11008, k=4096 in FP16,
/// every operand once.
Run feed_forward_on(const char* device) {
    constexpr double m = 256;
    constexpr double n = 11008;
    constexpr double k = 4096;
    LaunchFacts facts;
    facts.name = "ffn";
    facts.flops.reset();
    facts.bytes = {{Boundary::hbm_dram_rw, 2 * (m * k + k * n + m * n)}};
    Run run({facts}, GroupBy::kernel, {*find_known_device(device)});
    run.profile.launches[0].work.push_back(
        {Pipe{PipeKind::tensor_fp16}, Origin::modelled, TextId::none, Flops(2 * m * n * k)});
    run.analyse_again();
    return run;
}

ProjectedKernel moved_to(const Run& run, const char* device) {
    return project_kernels(run.view(), *find_known_device(device)).kernels.front();
}

/// `launches` of a kernel of `time` that moves `bytes` of HBM on an A100, with 1 FLOP a byte unless nobody
/// counted.
Run brief_on_an_a100(double time, double bytes, std::size_t launches = 1, bool counted = true) {
    LaunchFacts facts;
    facts.time = time;
    facts.flops = counted ? std::optional(bytes) : std::nullopt;
    facts.bytes = {{Boundary::hbm_dram_rw, bytes}};
    return Run(std::vector(launches, facts), GroupBy::kernel, {*find_known_device("A100 SXM 80 GB")});
}

/// A copy of 1.2 GB with 1 GFLOP in 1 ms on an A100, 59 % of its HBM roof, whose `unit` is busy by `percent`.
Run busy_on_an_a100(HardwareUnit unit, double percent, std::optional<double> flops = 1e9) {
    LaunchFacts facts;
    facts.flops = flops;
    facts.bytes = {{Boundary::hbm_dram_rw, 1.2e9}};
    Run run({facts}, GroupBy::kernel, {*find_known_device("A100 SXM 80 GB")});
    run.profile.launches[0].metrics.push_back({run.profile.texts.intern(metric_of(unit)), percent});
    run.analyse_again();
    return run;
}

}  // namespace

class TestProjection : public QObject {
    Q_OBJECT

  private slots:
    void the_feed_forward_product_crosses_from_compute_to_memory_on_an_h100() {
        const Run run = feed_forward_on("V100 SXM2");
        const ProjectedKernel change = moved_to(run, "H100 SXM");
        QCOMPARE(bound_text(change.here), std::string("compute (FP16 Tensor)"));
        QCOMPARE(bound_text(change.there), std::string("memory (HBM)"));
        QCOMPARE(change.crosses_over(), std::optional(true));
        QVERIFY(std::abs(change.here.intensity->value() - 235.78) < 0.005);
        QVERIFY(std::abs(change.here.ridge->value() - 139) < 0.5);
        QVERIFY(std::abs(change.there.ridge->value() - 295) < 1);
        // 2MNK / 125 TFLOP/s there, bytes / 3.35 TB/s here.
        QVERIFY(std::abs(*change.speed_up() - (23085449216.0 / 125e12) / (97910784.0 / 3.35e12)) < 0.01);
    }
    void launches_whose_bytes_are_not_known_are_left_out() {
        const Run whole = feed_forward_on("V100 SXM2");
        Run run = feed_forward_on("V100 SXM2");
        Launch timed;
        timed.kernel = run.profile.launches[0].kernel;
        timed.duration = Seconds(1e-3);
        run.profile.launches.insert(run.profile.launches.begin(), timed);
        run.analyse_again();
        const ProjectedKernel change = moved_to(run, "H100 SXM");
        QCOMPARE(change.here.speed_of_light->value(),
                 moved_to(whole, "H100 SXM").here.speed_of_light->value());
        QCOMPARE(bound_text(change.there), std::string("memory (HBM)"));
    }
    void on_an_a100_it_stays_compute_bound() {
        const ProjectedKernel change = moved_to(feed_forward_on("V100 SXM2"), "A100 SXM 80 GB");
        QCOMPARE(bound_text(change.there), std::string("compute (FP16 Tensor)"));
        QCOMPARE(change.crosses_over(), std::optional(false));
        QVERIFY(std::abs(change.there.ridge->value() - 153) < 0.5);
    }
    void under_its_own_roofs_nothing_changes() {
        const ProjectedKernel change = moved_to(feed_forward_on("H100 SXM"), "H100 SXM");
        QCOMPARE(change.here.binding, change.there.binding);
        QCOMPARE(change.speed_up(), std::optional(1.0));
    }
    void a_pipe_that_the_device_lacks_leaves_the_bound_unknown() {
        Run run = feed_forward_on("H100 SXM");
        run.profile.launches[0].work[0].pipe = Pipe{PipeKind::tensor_fp8};
        run.analyse_again();
        const ProjectedKernel change = moved_to(run, "V100 SXM2");
        QVERIFY(change.here.binding.has_value() && !change.there.binding);
        QCOMPARE(at_least_text(change.there),
                 std::string("at least 109 µs by HBM; L2, L1/SMEM, compute not judged"));
        QVERIFY(!change.crosses_over().has_value() && !change.speed_up());
    }
    void a_level_without_a_ceiling_there_is_named_and_left_out_when_it_is_not_shown() {
        LaunchFacts facts;
        facts.bytes = {{Boundary::hbm_dram_rw, 1.2e9}, {Boundary::l2_sm_sectors, 1.2e9}};
        Run run({facts}, GroupBy::kernel, {*find_known_device("H100 SXM")});
        const ProjectedKernel change = moved_to(run, "B200");
        QCOMPARE(bound_text(change.there), std::string("HBM by bytes; no L2 ceiling"));
        QVERIFY(!change.crosses_over().has_value() && !change.there.speed_of_light);
        QVERIFY(!change.speed_up() && !change.there.binding);
        QVERIFY(std::abs(change.there.at_least->value() - 1.2e9 / 7.7e12) < 1e-9);
        QCOMPARE(at_least_text(change.there), std::string("at least 156 µs by HBM; L2 not judged"));
        QCOMPARE(change.speed_up_at_most(),
                 std::optional(*change.here.speed_of_light / *change.there.at_least));
        run.options.levels = {true, false, false, false};
        run.analyse_again();
        const ProjectedKernel of_hbm = moved_to(run, "B200");
        QCOMPARE(bound_text(of_hbm.there), std::string("memory (HBM)"));
        QVERIFY(std::abs(of_hbm.there.speed_of_light->value() - 1.2e9 / 7.7e12) < 1e-9);
        QVERIFY(!of_hbm.there.at_least && !of_hbm.speed_up_at_most() && at_least_text(of_hbm.there).empty());
    }
    void of_kernels_without_work_bytes_give_the_least_time() {
        LaunchFacts copy;
        copy.flops.reset();
        copy.bytes = {{Boundary::hbm_dram_rw, 1.2e9}};
        const Run run({copy}, GroupBy::kernel, {*find_known_device("A100 SXM 80 GB")});
        const ProjectedKernel change = moved_to(run, "H100 SXM");
        QVERIFY(!change.here.binding && !change.there.binding && !change.speed_up());
        QVERIFY(std::abs(change.there.at_least->value() - 1.2e9 / 3.35e12) < 1e-9);
        QCOMPARE(change.there.at_least_by, std::optional(CeilingTarget(Boundary::hbm_dram_rw)));
        QCOMPARE(change.there.levels_not_judged,
                 (std::vector<MemoryLevel>{MemoryLevel::l2, MemoryLevel::l1, MemoryLevel::smem}));
        QVERIFY(change.there.compute_not_judged);
        QCOMPARE(bound_text(change.here), std::string("HBM by bytes"));
        QVERIFY(std::abs(*change.speed_up_of_known() - 3.35 / 2.039) < 1e-3);
        QVERIFY(projection_sentence(project_kernels(run.view(), *find_known_device("H100 SXM")))
                    .ends_with("By what is known of the kernel the limit is 1.64x as high there."));
    }
    void the_memory_of_two_cards_with_hbm_is_never_dram() {
        LaunchFacts facts;
        facts.flops.reset();
        facts.bytes = {{Boundary::l2_sm_sectors, 1e8}};
        const Run run({facts}, GroupBy::kernel, {*find_known_device("H100 SXM")});
        QCOMPARE(at_least_by_text(moved_to(run, "H200 SXM").there),
                 std::string("L2; HBM, L1/SMEM, compute not judged"));
    }
    void a_unit_that_the_report_finds_nearer_leaves_what_binds_there_unknown() {
        for (const std::optional<double> flops : {std::optional(1e9), std::optional<double>()}) {
            const ProjectedKernel change = moved_to(busy_on_an_a100(HardwareUnit::sm, 90, flops), "H100 SXM");
            QCOMPARE(bound_text(change.here), std::string("SM by throughput"));
            QCOMPARE(bound_text(change.there), std::string("not known (SM by throughput here)"));
            QVERIFY(!change.here.binding && !change.there.binding && !change.there.speed_of_light);
            QVERIFY(!change.crosses_over() && !change.speed_up() && !change.speed_up_of_known());
            QVERIFY(std::abs(change.there.at_least->value() - 1.2e9 / 3.35e12) < 1e-9);
            QCOMPARE(change.there.at_least_by, std::optional(CeilingTarget(Boundary::hbm_dram_rw)));
            QCOMPARE(change.there.levels_not_judged.empty() && !change.there.compute_not_judged,
                     flops.has_value());
            QCOMPARE(at_least_by_text(change.there).ends_with("not judged"), !flops.has_value());
        }
    }
    void a_unit_of_the_roof_itself_or_one_that_is_not_busy_leaves_it() {
        for (const auto& [unit, percent] :
             {std::pair(HardwareUnit::dram, 70.0), std::pair(HardwareUnit::sm, 59.5)}) {
            const ProjectedKernel change = moved_to(busy_on_an_a100(unit, percent), "H100 SXM");
            QCOMPARE(bound_text(change.here), std::string("memory (HBM)"));
            QVERIFY(change.speed_up() && !change.there.unit_here);
        }
        // Without a roof it is the unit of the bytes that are known.
        const ProjectedKernel copy = moved_to(busy_on_an_a100(HardwareUnit::dram, 70, {}), "H100 SXM");
        QCOMPARE(bound_text(copy.here), std::string("HBM by throughput"));
        QCOMPARE(bound_text(copy.there), std::string("HBM by bytes"));
        QVERIFY(!copy.speed_up() && !copy.there.unit_here);
        QVERIFY(std::abs(*copy.speed_up_of_known() - 3.35 / 2.039) < 1e-3);
    }
    void operations_without_a_ceiling_are_what_a_lower_bound_leaves_out() {
        LaunchFacts facts;
        facts.bytes = {
            {Boundary::hbm_dram_rw, 1e9}, {Boundary::l2_sm_sectors, 1e9}, {Boundary::smem_wavefronts, 1e9}};
        Run run({facts});
        run.profile.launches[0].work.push_back(
            {Pipe{PipeKind::int32}, Origin::measured, TextId::none, Flops(1e9)});
        run.options.operations = OperationClass::all;
        run.analyse_again();
        const ProjectedBound here = moved_to(run, "H100 SXM").here;
        QVERIFY(here.levels_not_judged.empty() && here.compute_not_judged);
    }
    void what_binds_at_the_measured_clock_is_said_where_it_is_another() {
        LaunchFacts slow;
        slow.sm_clock = 1e7;  // 7.1 ms of FP32, against 0.5 ms of HBM at the clock of the device
        const Run run({slow});
        const ProjectedKernels roofs = project_kernels(run.view(), *find_known_device("H100 SXM"));
        const ProjectedBound& here = roofs.kernels.front().here;
        QCOMPARE(here.binding, std::optional(CeilingTarget(Boundary::hbm_dram_rw)));
        QCOMPARE(here.at_measured_clock, std::optional(CeilingTarget(Pipe{PipeKind::fp32})));
        QVERIFY(bound_text(here).ends_with("; FP32 at measured clock"));
        QVERIFY(projection_sentence(roofs).find("clock that was measured") != std::string::npos);
        slow.sm_clock = 1e9;
        QVERIFY(!moved_to(Run({slow}), "H100 SXM").here.at_measured_clock);
    }
    void on_its_own_model_a_kernel_keeps_the_ceilings_of_its_report() {
        Device own = *find_known_device("T4");
        QVERIFY(!own.ceilings.find(Boundary::l2_sm_sectors));
        own.ceilings.bandwidth.push_back({Boundary::l2_sm_sectors, ByteRate(1.3e12), Provenance()});
        LaunchFacts facts;
        facts.bytes = {{Boundary::hbm_dram_rw, 1e8}, {Boundary::l2_sm_sectors, 1e9}};
        const Run run({facts}, GroupBy::kernel, {own});
        const ProjectedKernel change = moved_to(run, "T4");
        QCOMPARE(change.there.binding, std::optional(CeilingTarget(Boundary::l2_sm_sectors)));
        QCOMPARE(change.speed_up(), std::optional(1.0));
    }
    void no_time_is_below_what_the_launches_take() {
        const Run run = brief_on_an_a100(1.73e-6, 8e3, 3);
        const ProjectedKernel change = moved_to(run, "H100 SXM");
        QVERIFY(std::abs(change.here.speed_of_light->value() - 3 * 1.73e-6) < 1e-12);
        QVERIFY(change.here.launch_floor->source == LaunchFloorSource::report);
        QVERIFY(std::abs(change.there.speed_of_light->value() - 3 * usual_launch_floor.value()) < 1e-12);
        QVERIFY(change.there.launch_floor->source == LaunchFloorSource::usual);
        QVERIFY(!change.here.binding && !change.there.binding);
        QCOMPARE(bound_text(change.here), std::string("launch floor"));
        QCOMPARE(bound_text(change.there), std::string("launch floor"));
        QCOMPARE(change.crosses_over(), std::optional(false));
        QVERIFY(change.stays_at_launch_floor() && !change.speed_up());
        QVERIFY(
            projection_sentence(project_kernels(run.view(), *find_known_device("H100 SXM")))
                .ends_with("The launch floor is longer than the roofs that are known of the kernel there."));
    }
    void a_roof_above_the_launch_floor_of_one_side_keeps_the_speed_up() {
        // 6 MB take 2.94 µs of an A100 and 1.79 µs of an H100.
        const ProjectedKernel change = moved_to(brief_on_an_a100(1e-5, 6e6), "H100 SXM");
        QCOMPARE(bound_text(change.here), std::string("memory (HBM)"));
        QCOMPARE(bound_text(change.there), std::string("launch floor"));
        QVERIFY(!change.here.launch_floor && !change.stays_at_launch_floor());
        QVERIFY(std::abs(*change.speed_up() - 6e6 / 2.039e12 / usual_launch_floor.value()) < 1e-3);
    }
    void bytes_alone_promise_nothing_at_the_launch_floor() {
        const ProjectedKernel change = moved_to(brief_on_an_a100(3e-6, 8e3, 1, false), "H100 SXM");
        QCOMPARE(change.here.at_least->value(), usual_launch_floor.value());
        QCOMPARE(change.there.at_least->value(), usual_launch_floor.value());
        QCOMPARE(bound_text(change.there), std::string("launch floor at least"));
        QCOMPARE(at_least_text(change.there),
                 std::string("at least 2.00 µs by launch floor; L2, L1/SMEM, compute not judged"));
        QVERIFY(!change.speed_up_of_known() && !change.crosses_over());
        // Nor does a limit of the one and a floor of the other.
        QVERIFY(!moved_to(brief_on_an_a100(1e-5, 6e6, 1, false), "H100 SXM").speed_up_of_known());
    }
    void a_level_without_a_ceiling_promises_nothing_at_the_launch_floor() {
        LaunchFacts facts;
        facts.time = 3e-6;
        facts.bytes = {{Boundary::hbm_dram_rw, 8e3}, {Boundary::l2_sm_sectors, 8e3}};
        facts.flops = 8e3;
        const ProjectedKernel change =
            moved_to(Run({facts}, GroupBy::kernel, {*find_known_device("H100 SXM")}), "B200");
        QVERIFY(change.here.speed_of_light && change.there.at_least && !change.speed_up_at_most());
        QCOMPARE(bound_text(change.there), std::string("launch floor at least; no L2 ceiling"));
    }
    void a_typed_launch_floor_holds_on_both_sides_and_that_of_a_report_on_its_own_model() {
        Run run = brief_on_an_a100(1.73e-6, 8e3);
        QCOMPARE(moved_to(run, "A100 SXM 80 GB").there.speed_of_light->value(), 1.73e-6);
        run.options.launch_floor = Seconds(1e-6);
        run.analyse_again();
        const ProjectedKernel change = moved_to(run, "H100 SXM");
        QCOMPARE(change.here.speed_of_light->value(), 1e-6);
        QCOMPARE(change.there.speed_of_light->value(), 1e-6);
        QVERIFY(change.there.launch_floor->source == LaunchFloorSource::typed);
    }
    void without_anything_counted_there_is_no_bound() {
        LaunchFacts unknown;
        unknown.flops.reset();
        unknown.bytes.clear();
        const ProjectedKernel change = moved_to(Run({unknown}), "H100 SXM");
        QVERIFY(!change.here.binding && !change.there.binding && !change.there.at_least);
        QCOMPARE(bound_text(change.there), std::string("not known"));
    }
    void one_sentence_counts_the_changes() {
        const Run run = feed_forward_on("V100 SXM2");
        QCOMPARE(
            projection_sentence(project_kernels(run.view(), *find_known_device("H100 SXM"))),
            std::string("On H100 SXM what binds changes between compute and memory for the kernel: to memory "
                        "for 1, to compute for 0."));
        QCOMPARE(
            projection_sentence(project_kernels(run.view(), *find_known_device("A100 SXM 80 GB"))),
            std::string("On A100 SXM 80 GB what binds changes between compute and memory for no kernel."));
        LaunchFacts unknown;
        unknown.flops.reset();
        unknown.bytes.clear();
        QCOMPARE(projection_sentence(project_kernels(Run({unknown}).view(), *find_known_device("H100 SXM"))),
                 std::string("On H100 SXM it is not known for any kernel whether what binds changes."));
    }
    void the_longest_kernel_comes_first() {
        LaunchFacts brief;
        LaunchFacts longer;
        longer.name = "longer";
        longer.time = 2e-3;
        const auto changes =
            project_kernels(Run({brief, longer}).view(), *find_known_device("H100 SXM")).kernels;
        QCOMPARE(changes.size(), std::size_t(2));
        QCOMPARE(changes.front().point, 1U);
    }
};

}  // namespace tst_projection

ROOFWALK_TEST(tst_projection, TestProjection, NoApplication)
#include "tst_projection.moc"
