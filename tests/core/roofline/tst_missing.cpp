// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "core/base/text.h"
#include "core/roofline/missing.h"
#include "core/roofline/verdict.h"
#include "tests/core/roofline/profiles.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_missing {

using namespace roofwalk;
using namespace roofwalk::test;

namespace {

std::vector<MissingQuantity> missing_on(const Device& device, const Launch& one,
                                        const AnalysisOptions& options = {}) {
    const Profile profile = profile_of(device, {one});
    const Analysis analysis = analyse(profile, options);
    return missing_quantities(profile, analysis.points.at(0), analysis);
}

std::vector<MissingQuantity> missing(const Launch& one, const AnalysisOptions& options = {}) {
    return missing_on(machine({}, {}), one, options);
}

Device device_of(int major, int minor) {
    Device device = machine({}, {});
    device.compute_capability = ComputeCapability{major, minor};
    return device;
}

bool has(const std::vector<std::string>& metrics, std::string_view name) {
    return std::ranges::find(metrics, name) != metrics.end();
}

std::vector<std::string> names(const std::vector<MissingQuantity>& list) {
    std::vector<std::string> result;
    for (const MissingQuantity& quantity : list)
        result.push_back(quantity.quantity);
    return result;
}

}  // namespace

class TestMissing : public QObject {
    Q_OBJECT

  private slots:
    void a_whole_launch_lacks_nothing() {
        QVERIFY(missing(launch(1, {{fp32, 0}},
                               {{Boundary::hbm_dram_rw, 1},
                                {Boundary::l2_sm_sectors, 1},
                                {Boundary::smem_wavefronts, 0}}))
                    .empty());
    }
    void work_that_was_not_counted_comes_with_its_metrics() {
        Launch partial = launch(
            1, {{fp32, 0}},
            {{Boundary::hbm_dram_rw, 1}, {Boundary::l2_sm_sectors, 1}, {Boundary::smem_wavefronts, 0}});
        partial.uncounted.tensor = true;
        partial.uncounted.fp16 = true;
        const auto list = missing(partial);
        QCOMPARE(names(list), (std::vector<std::string>{"FP16, tensor work"}));
        QVERIFY(has(list[0].metrics, "regex:sm__ops_path_tensor_.*"));
        QVERIFY(has(list[0].metrics, "smsp__sass_thread_inst_executed_op_hfma_pred_on.sum"));
        QVERIFY(!has(list[0].metrics, "smsp__sass_thread_inst_executed_op_ffma2_pred_on.sum"));

        partial.work.clear();
        QCOMPARE(names(missing(partial)), (std::vector<std::string>{"FLOPs"}));
    }
    void what_is_missing_comes_with_its_metrics() {
        const auto list = missing(launch(std::nullopt, {}, {}));
        QCOMPARE(names(list),
                 (std::vector<std::string>{"time", "FLOPs", "DRAM traffic (DRAM read+write)",
                                           "L2 traffic (L2 by sectors)", "SMEM traffic (SMEM wavefronts)"}));
        QCOMPARE(list[0].metrics, std::vector<std::string>{"gpu__time_duration.sum"});
        QVERIFY(std::ranges::count(list[1].metrics,
                                   std::string("smsp__sass_thread_inst_executed_op_ffma_pred_on.sum")) == 1);
        QCOMPARE(list[2].metrics,
                 (std::vector<std::string>{"dram__bytes_read.sum", "dram__bytes_write.sum"}));
    }
    void levels_switched_off_are_not_missed() {
        AnalysisOptions options;
        options.levels = {true, false, false, false};
        QVERIFY(missing(launch(1, {{fp32, 1}}, {{Boundary::hbm_dram_rw, 1}}), options).empty());
    }
    void another_boundary_is_another_quantity() {
        const Launch sectors =
            launch(1, {{fp32, 1}},
                   {{Boundary::hbm_dram_rw, 1}, {Boundary::l2_sm_sectors, 1}, {Boundary::l1_tag, 1}});
        QCOMPARE(names(missing(sectors, nersc_view())),
                 std::vector<std::string>{"L2 traffic (L2 all clients)"});
    }
    void bytes_of_another_boundary_are_pointed_at() {
        // Another kernel of the report has the bytes of the view.
        Profile profile = profile_of(
            machine({}, {}),
            {launch(1, {{fp32, 1}},
                    {{Boundary::hbm_dram_rw, 1}, {Boundary::l2_sm_return, 1}, {Boundary::l2_all, 1}}),
             launch(1, {}, {{Boundary::l2_sm_sectors, 1}})});
        profile.kernels.push_back({"other()", "other", {}});
        profile.launches[1].kernel = KernelIndex{1};
        const Analysis analysis = analyse(profile, {});
        const auto list = missing_quantities(profile, analysis.points[0], analysis);
        QCOMPARE(
            other_boundaries_words(list.at(0)),
            std::string("counted: L2 to SMs, as the Nsight view shows; L2 all clients, as the NERSC view "
                        "shows"));
        QVERIFY(other_boundaries_words(list.at(1)).empty());
        const Launch sectors =
            launch(1, {{fp32, 1}}, {{Boundary::hbm_dram_rw, 1}, {Boundary::l2_sm_sectors, 1}});
        QCOMPARE(other_boundaries_words(missing(sectors, nsight_view()).at(0)),
                 std::string("counted: L2 by sectors, as the default view shows"));
    }
    void each_launch_counts_what_the_view_does_where_one_report_counts_otherwise() {
        const auto boundary = [](const std::vector<Launch>& launches, std::optional<double> sm) {
            Profile profile = profile_of(machine({}, {}), {});
            profile.launches = launches;
            if (sm)
                profile.launches.back().metrics = {{profile.texts.intern(metric_of(HardwareUnit::sm)), *sm}};
            return analyse(profile, {}).options.boundaries[MemoryLevel::l2];
        };
        const Launch nersc = launch(1, {}, {{Boundary::l2_all, 1}});
        const Launch standard = launch(1, {}, {{Boundary::l2_sm_sectors, 1}});
        QCOMPARE(boundary({nersc, nersc}, {}), Boundary::l2_all);
        QCOMPARE(boundary({nersc, standard}, {}), Boundary::l2_sm_sectors);
        QCOMPARE(boundary({standard, nersc}, {}), Boundary::l2_sm_sectors);
        QCOMPARE(boundary({nersc, nersc}, 50), Boundary::l2_all);
    }
    void bytes_by_nersc_recipe_alone_are_read_so() {
        const Launch counted = launch(
            1, {}, {{Boundary::l2_all, 3e12}, {Boundary::l1_tag, 8e12}, {Boundary::l2_sm_return, 1e12}});
        const Profile profile =
            profile_of(machine({}, {bandwidth_ceiling(Boundary::l2_all, 4e12)}), {counted});
        const KernelPoint point = analyse(profile, {}).points.at(0);
        QCOMPARE(point.at(MemoryLevel::l2)->boundary, Boundary::l2_all);
        QCOMPARE(point.at(MemoryLevel::l1)->bytes.value(), 8e12);
        QCOMPARE(share_of_limit(point), std::optional(0.75));
        // Who asks for another view gets it, and bytes of the default boundary go first.
        QVERIFY(!analyse(profile, nsight_view()).points.at(0).at(MemoryLevel::l1));
        Profile both = profile;
        both.launches.at(0).traffic.push_back({Boundary::l2_sm_sectors, {}, {}, Bytes(1e12), {}, {}});
        QCOMPARE(analyse(both, {}).points.at(0).at(MemoryLevel::l2)->boundary, Boundary::l2_sm_sectors);
    }
    void a_kernel_that_could_not_be_measured_was_counted_nowhere() {
        Launch failed = launch({}, {}, {});
        failed.failed = true;
        for (const MissingQuantity& quantity : missing(failed))
            QVERIFY(other_boundaries_words(quantity).empty());
    }
    void a_device_without_any_ceiling_is_named() {
        const auto told = [](const Device& device, Audience audience = Audience::commands) {
            const Profile profile =
                profile_of(device, {launch(1, {{fp32, 1}}, {{Boundary::hbm_dram_rw, 1}})});
            return devices_without_ceilings(profile, analyse(profile, {}), audience);
        };
        QVERIFY(told(machine({}, {}))[0].hint.find("--device") != std::string::npos);
        QVERIFY(told(machine({}, {}), Audience::window)[0].hint.find("--") == std::string::npos);
        QCOMPARE(told(machine({}, {})).size(), std::size_t{1});
        QVERIFY(told(machine({}, {}))[0].text.find("'machine'") != std::string::npos);
        const std::string names = told(machine({}, {}))[0].hint;
        QCOMPARE(std::ranges::count(names, ','), 12);  // one of them is of the sentence
        QVERIFY(contains(names, "--device list") && contains(names, " more"));
        QVERIFY(told(machine({compute_ceiling(fp32, 1e12)}, {})).empty());
        Device unnamed = machine({}, {});
        unnamed.name.clear();
        unnamed.compute_capability = {8, 9};
        unnamed.sm_count = 34;  // as a text of ncu tells
        const std::string alike = told(unnamed)[0].hint;
        QVERIFY(contains(alike, "RTX 4060 Ti") && !contains(alike, "RTX 4090"));
        unnamed.sm_count = 35;
        QVERIFY(contains(told(unnamed)[0].hint, "RTX 4000 Ada"));
        unnamed.ceilings.compute = {compute_ceiling(fp32, 1e12)};  // no roof of DRAM without its name
        QCOMPARE(told(unnamed).size(), std::size_t{1});
        unnamed.ceilings.bandwidth = {bandwidth_ceiling(Boundary::hbm_dram_rw, 1e11)};
        QVERIFY(told(unnamed).empty());
    }
    void integer_work_is_missed_only_when_asked_for() {
        const Launch floating = launch(
            1, {{fp32, 1}},
            {{Boundary::hbm_dram_rw, 1}, {Boundary::l2_sm_sectors, 1}, {Boundary::smem_wavefronts, 1}});
        AnalysisOptions options;
        options.operations = OperationClass::integer;
        QCOMPARE(names(missing(floating, options)), std::vector<std::string>{"operations"});
        QVERIFY(missing(floating).empty());
        AnalysisOptions all;
        all.operations = OperationClass::all;
        Launch counted = floating;
        counted.uncounted.integer = true;
        QVERIFY(missing(counted).empty());
        QCOMPARE(names(missing(counted, all)), std::vector<std::string>{"integer work"});
        QVERIFY(
            has(missing(counted, all)[0].metrics, "smsp__sass_thread_inst_executed_op_integer_pred_on.sum"));
        const auto both = missing(launch(1, {}, {}), all);
        QCOMPARE(both[0].quantity, std::string("operations"));
        QVERIFY(has(both[0].metrics, "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum"));
        QVERIFY(has(both[0].metrics, "smsp__sass_thread_inst_executed_op_integer_pred_on.sum"));
    }
    void metrics_are_those_of_the_device() {
        const std::string packed = "smsp__sass_thread_inst_executed_op_ffma2_pred_on.sum";
        QVERIFY(has(missing_on(device_of(10, 0), launch(1, {}, {})).at(0).metrics, packed));
        QVERIFY(!has(missing_on(device_of(9, 0), launch(1, {}, {})).at(0).metrics, packed));
        QCOMPARE(metrics_of(Boundary::hbm_dram_rw, device_of(12, 0)),
                 (std::vector<std::string>{"dram__bytes_op_read.sum", "dram__bytes_op_write.sum"}));
        QCOMPARE(metrics_of(Boundary::l1_writeback, device_of(9, 0)),
                 std::vector<std::string>{"l1tex__lsu_writeback_active_mem_lgds.sum"});
    }
    void every_boundary_has_metrics() {
        for (const Boundary boundary : all_boundaries)
            QVERIFY(!metrics_of(boundary, Device{}).empty());
    }
    void what_some_launches_lack_is_missing_in_these() {
        const std::initializer_list<std::pair<Boundary, double>> bytes{
            {Boundary::hbm_dram_rw, 1}, {Boundary::l2_sm_sectors, 1}, {Boundary::smem_wavefronts, 0}};
        const Profile profile =
            profile_of(device_of(8, 0), {launch(1, {{fp32, 1}}, bytes), launch(1, {}, bytes)});
        const Analysis analysis = analyse(profile, {});
        const auto list = missing_quantities(profile, analysis.points.at(0), analysis);
        QCOMPARE(names(list), (std::vector<std::string>{"FLOPs of some launches"}));
        QVERIFY(has(list[0].metrics, "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum"));
    }
    void a_kind_that_some_launches_counted_is_not_told_as_missing_in_all() {
        constexpr Pipe fp64{PipeKind::fp64};
        Launch blind = launch(1, {{fp32, 1e9}}, {});
        blind.unchecked = {.fp64 = true, .fp16 = true};
        const auto words = [&](const Launch& other) {
            return unchecked_words(point_of(profile_of(machine({}, {}), {blind, other})));
        };
        const std::string some = words(launch(1, {{fp32, 1e9}, {fp64, 1e9}}, {}));
        QCOMPARE(some.find("FP64 work, if any, is missing"), std::string::npos);
        QVERIFY2(some.find("FP16 work, if any, is missing") != std::string::npos, some.c_str());
        QVERIFY2(some.find("FP64 work was not looked for in every launch") != std::string::npos,
                 some.c_str());
        const std::string none = words(launch(1, {{fp32, 1e9}}, {}));
        QVERIFY2(none.find("FP64 and FP16 work, if any, is missing") != std::string::npos, none.c_str());
        QCOMPARE(none.find("every launch"), std::string::npos);
    }
};

}  // namespace tst_missing

ROOFWALK_TEST(tst_missing, TestMissing, NoApplication)
#include "tst_missing.moc"
