// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <cmath>
#include <set>

#include "core/roofline/analysis.h"
#include "tests/core/roofline/profiles.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_analysis {

using namespace roofwalk;
using namespace roofwalk::test;

namespace {

Device round_machine() {
    return machine({compute_ceiling(fp32, 100e12)}, {bandwidth_ceiling(Boundary::hbm_dram_rw, 1e12),
                                                     bandwidth_ceiling(Boundary::l2_sm_sectors, 4e12),
                                                     bandwidth_ceiling(Boundary::smem_wavefronts, 16e12)});
}

}  // namespace

class TestAnalysis : public QObject {
    Q_OBJECT

  private slots:
    void a_launch_gives_its_own_counters_back() {
        const KernelPoint point = point_of(
            profile_of(round_machine(), {launch(2e-3, {{fp32, 4e9}}, {{Boundary::hbm_dram_rw, 1e9}})}));
        QCOMPARE(point.time->value(), 2e-3);
        QCOMPARE(point.work->value(), 4e9);
        QCOMPARE(point.performance->value(), 2e12);
        QCOMPARE(point.at(MemoryLevel::hbm)->bytes.value(), 1e9);
        QCOMPARE(point.at(MemoryLevel::hbm)->intensity->value(), 4.0);
        QCOMPARE(point.time_share, 1.0);
        QCOMPARE(point.name, std::string("kernel(float *)"));
    }
    void a_dot_stands_on_each_level_and_the_binding_one_is_named() {
        const KernelPoint point =
            point_of(profile_of(round_machine(), {launch(1e-2, {{fp32, 1e9}},
                                                         {{Boundary::hbm_dram_rw, 1e9},
                                                          {Boundary::l2_sm_sectors, 8e9},
                                                          {Boundary::smem_wavefronts, 16e9}})}));
        QCOMPARE(point.at(MemoryLevel::hbm)->bound->value(), 1e-3);
        QCOMPARE(point.at(MemoryLevel::l2)->bound->value(), 2e-3);
        QCOMPARE(point.at(MemoryLevel::smem)->bound->value(), 1e-3);
        QCOMPARE(point.pipes.at(0).bound->value(), 1e-5);
        QCOMPARE(label_of(*point.binding, point.memory), std::string("L2"));
        QCOMPARE(point.speed_of_light->value(), 2e-3);
        QCOMPARE(point.gap->factor, 5.0);
    }
    void memory_has_one_name_in_a_view() {
        Device ampere = round_machine();
        ampere.compute_capability = ComputeCapability{8, 0};
        Profile profile = profile_of(ampere, {launch(1e-2, {{fp32, 1e9}}, {{Boundary::hbm_dram_rw, 1e9}})});
        const Analysis alone = analyse(profile, {});
        QCOMPARE(alone.options.memory, MemoryName::hbm);
        QCOMPARE(label_of(*alone.points.front().binding, alone.points.front().memory), std::string("HBM"));
        AnalysisOptions beside;
        beside.memory = MemoryName::dram;  // of another GPU in the view
        QCOMPARE(analyse(profile, beside).points.front().memory, MemoryName::dram);
        profile.devices.push_back(round_machine());
        QCOMPARE(analyse(profile, {}).points.front().memory, MemoryName::dram);
    }
    void saxpy_is_bound_by_memory() {
        const Device device =
            machine({compute_ceiling(fp32, 20e12)}, {bandwidth_ceiling(Boundary::hbm_dram_rw, 800e9)});
        const KernelPoint point =
            point_of(profile_of(device, {launch(1.5e-3, {{fp32, 2e8}}, {{Boundary::hbm_dram_rw, 1.2e9}})}));
        QCOMPARE(point.pipes.at(0).bound->value(), 10e-6);
        QCOMPARE(point.at(MemoryLevel::hbm)->bound->value(), 1.5e-3);
        QCOMPARE(point.gap->factor, 1.0);
        QCOMPARE(point.verdict.side, Side::memory);
        QVERIFY(std::abs(point.performance->value() / 1e9 - 133.3) < 0.05);
    }
    void a_tenth_of_the_roof_is_one_decade() {
        const Device device =
            machine({compute_ceiling(tensor_fp16, 312e12)}, {bandwidth_ceiling(Boundary::hbm_dram_rw, 2e12)});
        const KernelPoint point = point_of(
            profile_of(device, {launch(0.1, {{tensor_fp16, 50e9}}, {{Boundary::hbm_dram_rw, 20e9}})}));
        QCOMPARE(point.performance->value(), 500e9);
        QCOMPARE(point.at(MemoryLevel::hbm)->intensity->value(), 2.5);
        QCOMPARE(point.gap->factor, 10.0);
        QCOMPARE(point.gap->decades(), 1.0);
    }
    void a_group_is_judged_by_the_launches_that_are_known() {
        const Launch timed = launch(3e-3, {}, {});
        const Profile profile = profile_of(
            round_machine(), {timed, launch(1e-3, {{fp32, 4e9}}, {{Boundary::hbm_dram_rw, 0.5e9}}), timed,
                              launch(3e-3, {{fp32, 4e9}}, {{Boundary::hbm_dram_rw, 0.5e9}})});
        const Analysis analysis = analyse(profile, {});
        const KernelPoint& point = analysis.points.at(0);
        QCOMPARE(point.launches, 4U);
        QCOMPARE(point.time->value(), 10e-3);  // of all
        QCOMPARE(point.time_share, 1.0);
        QCOMPARE(point.known_launches(), 2U);  // of these 4 ms, 8 GFLOP, 1 GB
        QCOMPARE(point.known_time()->value(), 4e-3);
        QCOMPARE(point.work->value(), 8e9);
        QCOMPARE(point.performance->value(), 2e12);
        QCOMPARE(point.at(MemoryLevel::hbm)->bytes.value(), 1e9);
        QCOMPARE(point.at(MemoryLevel::hbm)->intensity->value(), 8.0);
        QCOMPARE(point.bandwidth(MemoryLevel::hbm)->value(), 0.25e12);
        QCOMPARE(point.bandwidth_share(MemoryLevel::hbm).value(), 0.25);
        QCOMPARE(point.speed_of_light->value(), 1e-3);  // 1 GB at 1 TB/s
        QCOMPARE(point.gap->factor, 4.0);
        QCOMPARE(recoverable_time(point)->value(), 3e-3);
        QCOMPARE(point.placement, Placement::chart);
        QCOMPARE(point.performance_spread->max, 4e12);
        QVERIFY(point.verdict.kernel_class != KernelClass::not_measured);
        QVERIFY(known_launches_words(point).ends_with(" of 2 of 4 launches"));
        const auto known = analysis.known_launches(point);
        QCOMPARE(std::vector(known.begin(), known.end()), (std::vector{LaunchIndex{1}, LaunchIndex{3}}));
        QCOMPARE(analysis.total_time.value(), 10e-3);
    }
    void a_short_launch_does_not_stand_for_a_long_one() {
        const auto judged = [](double time, double bytes) {
            return point_of(
                profile_of(round_machine(), {launch(time, {}, {{Boundary::hbm_dram_rw, bytes}}),
                                             launch(1e-6, {{fp32, 2e6}}, {{Boundary::hbm_dram_rw, 1e5}})}));
        };
        const KernelPoint whole = judged(10e-3, 9e9);
        QVERIFY(!whole.known && !whole.work);
        QCOMPARE(whole.at(MemoryLevel::hbm)->bytes.value(), 9e9 + 1e5);
        QVERIFY(std::abs(whole.verdict.nearest->share - 0.9) < 1e-3);
        // One that takes about as long does.
        QCOMPARE(judged(1.9e-6, 1e6).known_launches(), 1U);
        QCOMPARE(judged(2.1e-6, 1e6).known_launches(), 2U);
    }
    void bytes_of_some_launches_make_a_line_of_these() {
        const KernelPoint point = point_of(profile_of(
            round_machine(), {launch(2e-3, {}, {{Boundary::hbm_dram_rw, 1e9}}), launch(6e-3, {}, {})}));
        QCOMPARE(point.placement, Placement::line);
        QCOMPARE(point.bandwidth(MemoryLevel::hbm)->value(), 0.5e12);
        QCOMPARE(point.verdict.nearest->share, 0.5);
        QCOMPARE(recoverable_time(point)->value(), 1e-3);
        QCOMPARE(point.time->value(), 8e-3);
        QVERIFY(point.known->alone_bytes[MemoryLevel::hbm]);
        QVERIFY(!point.known->alone_bytes[MemoryLevel::l2]);
        QVERIFY(!point.known->alone_work && !point.known->alone_timed);
    }
    void a_launch_without_a_time_leaves_the_figures_of_the_others() {
        Launch failed = launch(1e-3, {}, {});
        failed.failed = true;
        const KernelPoint point = point_of(profile_of(
            round_machine(), {launch(std::nullopt, {{fp32, 4e9}}, {{Boundary::hbm_dram_rw, 1e9}}),
                              launch(2e-3, {{fp32, 4e9}}, {{Boundary::hbm_dram_rw, 1e9}}), failed}));
        QVERIFY(!point.time);
        QCOMPARE(point.failed, 1U);
        QCOMPARE(point.known_launches(), 1U);
        QVERIFY(point.known->alone_timed && !point.known->alone_work);
        QCOMPARE(point.gap->factor, 2.0);
        QCOMPARE(point.work->value(), 4e9);
    }
    void a_level_that_some_launches_lack_beside_another_leaves_the_group_whole() {
        const KernelPoint point = point_of(profile_of(
            round_machine(),
            {launch(1e-3, {{fp32, 4e9}}, {{Boundary::hbm_dram_rw, 1e9}, {Boundary::l2_sm_sectors, 2e9}}),
             launch(1e-3, {{fp32, 4e9}}, {{Boundary::hbm_dram_rw, 1e9}})}));
        QVERIFY(!point.known);
        QCOMPARE(point.known_launches(), 2U);
        QCOMPARE(point.work->value(), 8e9);
        QVERIFY(!point.at(MemoryLevel::l2));
    }
    void groups_sum_work_bytes_and_time() {
        const Profile profile =
            profile_of(round_machine(), {launch(1e-3, {{fp32, 1e9}}, {{Boundary::hbm_dram_rw, 1e9}}),
                                         launch(2e-3, {{fp32, 8e9}}, {{Boundary::hbm_dram_rw, 2e9}}),
                                         launch(3e-3, {{fp32, 3e9}}, {{Boundary::hbm_dram_rw, 1e9}})});
        const KernelPoint point = point_of(profile);
        QCOMPARE(point.launches, 3U);
        QCOMPARE(point.performance->value(), 2e12);
        QCOMPARE(point.at(MemoryLevel::hbm)->intensity->value(), 3.0);
        QCOMPARE(point.performance_spread->min, 1e12);
        QCOMPARE(point.performance_spread->median, 1e12);
        QCOMPARE(point.performance_spread->max, 4e12);
        QCOMPARE(point.intensity_spread->min, 1.0);
        QCOMPARE(point.intensity_spread->median, 3.0);
        QCOMPARE(point.intensity_spread->max, 4.0);

        AnalysisOptions options;
        options.group_by = GroupBy::launch;
        const Analysis analysis = analyse(profile, options);
        QCOMPARE(analysis.points.size(), std::size_t{3});
        QCOMPARE(analysis.points[1].time_share, 2.0 / 6);
        QVERIFY(!analysis.points[1].performance_spread);
        QCOMPARE(analysis.total_time.value(), 6e-3);
    }
    void ceilings_of_the_chart_are_those_of_the_device_with_most_time() {
        Profile profile =
            profile_of(round_machine(), {launch(1e-3, {{fp32, 1e9}}, {}), launch(5e-3, {{fp32, 1e9}}, {})});
        profile.devices.push_back(
            machine({compute_ceiling(fp32, 7e12)}, {bandwidth_ceiling(Boundary::hbm_dram_rw, 2e12)}));
        profile.devices[1].name = "another machine";
        profile.launches[1].device = DeviceIndex{1};
        const Analysis analysis = analyse(profile, {});
        QCOMPARE(analysis.ceilings.find(fp32)->rate.value(), 7e12);
        QCOMPARE(analysis.ceilings.find(Boundary::hbm_dram_rw)->rate.value(), 2e12);
    }
    void an_empty_profile_has_no_points() {
        const Analysis analysis = analyse(profile_of(round_machine(), {}), {});
        QVERIFY(analysis.points.empty());
        QVERIFY(analysis.ceilings.empty());
        QCOMPARE(analysis.total_time.value(), 0.0);
    }
    void cancelling_keeps_what_is_done() {
        std::stop_source source;
        source.request_stop();
        const Analysis analysis = analyse(profile_of(round_machine(), {launch(1, {{fp32, 1}}, {})}), {},
                                          {.report = {}, .stop = source.get_token()});
        QVERIFY(analysis.points.empty());
        QCOMPARE(analysis.grouping.groups.size(), std::size_t{1});
    }
    void progress_ends_at_one() {
        double last = -1;
        const Progress progress{.report = [&](double share) { last = share; }, .stop = {}};
        (void)analyse(profile_of(round_machine(), {launch(1, {{fp32, 1}}, {})}), {}, progress);
        QCOMPARE(last, 1.0);
    }
    void presets_take_the_boundaries_of_other_tools() {
        const auto boundary = [](const AnalysisOptions& options, MemoryLevel level) {
            return options.boundaries[level];
        };
        const AnalysisOptions nsight = nsight_view();
        QCOMPARE(boundary(nsight, MemoryLevel::l2), Boundary::l2_sm_return);
        QCOMPARE(boundary(nsight, MemoryLevel::l1), Boundary::l1_writeback);
        const AnalysisOptions nersc = nersc_view();
        QCOMPARE(boundary(nersc, MemoryLevel::l2), Boundary::l2_all);
        QCOMPARE(boundary(nersc, MemoryLevel::l1), Boundary::l1_tag);
        for (const AnalysisOptions& options : {nsight, nersc})
            QCOMPARE(options.levels, (EnumArray<MemoryLevel, bool>{true, true, true, false}));
    }
    void bytes_of_another_boundary_judge_whatever_else_is_known() {
        const Device device = machine({}, {bandwidth_ceiling(Boundary::l2_all, 4e12),
                                           bandwidth_ceiling(Boundary::l2_sm_sectors, 2e12)});
        Profile profile = profile_of(device, {launch(1, {}, {{Boundary::l2_all, 2e12}})});
        const auto level = [&](std::size_t point) {
            return analyse(profile, {}).points.at(point).levels[MemoryLevel::l2];
        };
        QCOMPARE(level(0)->bound, std::optional(Seconds(0.5)));
        profile.launches[0].metrics = {{profile.texts.intern(metric_of(HardwareUnit::sm)), 12}};
        QCOMPARE(level(0)->boundary, Boundary::l2_all);
        QCOMPARE(share_of_limit(point_of(profile)), std::optional(0.5));
    }
    void each_report_is_judged_by_the_boundary_that_it_counted() {
        const Device device = machine({}, {bandwidth_ceiling(Boundary::l2_all, 4e12),
                                           bandwidth_ceiling(Boundary::l2_sm_sectors, 2e12)});
        Profile profile = profile_of(device, {launch(1, {}, {{Boundary::l2_all, 1e12}}),
                                              launch(1, {}, {{Boundary::l2_sm_sectors, 1e12}})});
        profile.sources.push_back(profile.sources.front());
        profile.sources.back().path = "other";
        profile.kernels.push_back({"other()", "other", {}});
        profile.launches[1].source = SourceIndex{1};
        profile.launches[1].kernel = KernelIndex{1};
        const Analysis analysis = analyse(profile, {});
        QCOMPARE(analysis.points.size(), std::size_t{2});
        for (const KernelPoint& point : analysis.points) {
            const bool first = analysis.grouping.launches_of(analysis.grouping.groups[point.group]).front() ==
                               LaunchIndex{0};
            const auto& level = point.levels[MemoryLevel::l2];
            QCOMPARE(level->boundary, first ? Boundary::l2_all : Boundary::l2_sm_sectors);
            QCOMPARE(level->bound, std::optional(Seconds(first ? 0.25 : 0.5)));
        }
        QCOMPARE(analysis.options.boundaries[MemoryLevel::l2], Boundary::l2_sm_sectors);
        profile.launches[1].traffic[0].boundary = Boundary::l2_sm_return;
        std::set<Boundary> judged;
        const Analysis of_others = analyse(profile, {});
        for (const KernelPoint& point : of_others.points)
            judged.insert(point.levels[MemoryLevel::l2]->boundary);
        QCOMPARE(judged, (std::set{Boundary::l2_all, Boundary::l2_sm_return}));
    }
    void targets_and_units_have_names() {
        QCOMPARE(label_of(CeilingTarget(tensor_fp16), MemoryName::dram), std::string("FP16 Tensor"));
        QCOMPARE(label_of(CeilingTarget(Boundary::smem_requested), MemoryName::dram), std::string("SMEM"));
        QVERIFY(work_unit(OperationClass::floating) == "FLOP");
        QVERIFY(work_unit(OperationClass::integer) == "OP");
        QVERIFY(work_unit(OperationClass::all) == "OP");
    }
};

}  // namespace tst_analysis

ROOFWALK_TEST(tst_analysis, TestAnalysis, NoApplication)
#include "tst_analysis.moc"
