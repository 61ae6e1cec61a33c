// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "core/roofline/ncu_command.h"
#include "tests/core/roofline/profiles.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_ncu_command {

using namespace roofwalk;
using namespace roofwalk::test;

namespace {

std::string command(const Profile& profile, const AnalysisOptions& options = {}) {
    const Analysis analysis = analyse(profile, options);
    return ncu_command(profile, &analysis.points.at(0), options, analysis);
}

Profile one_launch() {
    return profile_of(machine({}, {}), {launch(1, {}, {})});
}

}  // namespace

class TestNcuCommand : public QObject {
    Q_OBJECT

  private slots:
    void three_levels_need_the_full_set_and_every_roofline_section() {
        QCOMPARE(command(one_launch()),
                 std::string(
                     "ncu --set full --section 'regex:SpeedOfLight_.*RooflineChart' -k 'regex:^kernel$' -o "
                     "roofwalk_report ./your_program"));
    }
    void nvidias_own_levels_need_the_roofline_set_only() {
        QCOMPARE(command(one_launch(), nsight_view()),
                 std::string("ncu --set roofline -k 'regex:^kernel$' -o roofwalk_report ./your_program"));
    }
    void what_no_set_holds_is_asked_for_by_metric() {
        QCOMPARE(
            command(one_launch(), nersc_view()),
            std::string(
                "ncu --set roofline --metrics lts__t_bytes.sum,l1tex__t_bytes.sum -k 'regex:^kernel$' -o "
                "roofwalk_report ./your_program"));
    }
    void what_is_missing_of_integer_work_is_collected() {
        AnalysisOptions options = nsight_view();
        for (const OperationClass operations : {OperationClass::integer, OperationClass::all}) {
            options.operations = operations;
            QCOMPARE(command(one_launch(), options),
                     std::string("ncu --set roofline --metrics "
                                 "'smsp__sass_thread_inst_executed_op_integer_pred_on.sum,regex:sm__ops_path_"
                                 "tensor_src_int.*' -k 'regex:^kernel$' -o roofwalk_report ./your_program"));
        }
    }
    void no_command_is_offered_for_a_gpu_that_ncu_no_longer_profiles() {
        Profile profile = one_launch();
        const auto why = [&](int major, int minor) {
            profile.devices[0].compute_capability = ComputeCapability{major, minor};
            return why_not_collectable(profile, nullptr, analyse(profile, {}));
        };
        QVERIFY(why(6, 1).ends_with("capability 7.0 or later, and this one has 6.1."));
        QCOMPARE(why(7, 0), std::string());
        profile.devices[0].compute_capability.reset();
        QCOMPARE(why_not_collectable(profile, nullptr, analyse(profile, {})), std::string());
        QCOMPARE(why_not_collectable({}, nullptr, {}), std::string());
        profile.devices[0].vendor = Vendor::amd;
        QVERIFY(!why_not_collectable(profile, nullptr, analyse(profile, {})).empty());
    }
    void what_was_refused_in_a_file_written_by_hand_is_mended_there() {
        Profile profile = one_launch();
        profile.sources.clear();
        SourceInfo& source = profile.sources.emplace_back();
        source.format = SourceFormat::roofwalk_json;
        const auto why = [&] { return why_not_collectable(profile, nullptr, analyse(profile, {})); };
        QCOMPARE(why(), std::string());
        source.partial = true;
        QVERIFY(why().find("correct the file") != std::string::npos);
        source.format = SourceFormat::roofwalk_lines;
        QVERIFY(why().find("correct the file") != std::string::npos);
        source.tool = "Nsight Compute 2025.1.1.0";
        QCOMPARE(why(), std::string());
    }
    void figures_of_a_model_come_from_no_run() {
        Launch modelled = launch(1, {{fp32, 1e9}}, {{Boundary::hbm_dram_rw, 1e9}});
        modelled.traffic[0].origin = Origin::modelled;
        modelled.work[0].origin = Origin::modelled;
        const auto why = [](const Profile& profile) {
            return why_not_collectable(profile, nullptr, analyse(profile, {}));
        };
        QVERIFY(why(profile_of(machine({}, {}), {modelled})).starts_with("The figures come from a model"));
        Launch half = modelled;
        half.work.clear();  // numbers typed by hand, of a run
        QCOMPARE(why(profile_of(machine({}, {}), {half})), std::string());
        Profile run = profile_of(machine({}, {}), {modelled});
        run.launches[0].metrics.push_back({run.texts.intern(metric_of(HardwareUnit::sm)), 70});
        QCOMPARE(why(run), std::string());
        Profile mixed =
            profile_of(machine({}, {}), {modelled, launch(1, {}, {{Boundary::hbm_dram_rw, 1e9}})});
        mixed.kernels.push_back({"other(int)", "other", {}});
        mixed.launches[1].kernel = KernelIndex{1};
        QCOMPARE(why(mixed), std::string());
    }
    void a_report_without_any_counter_asks_for_the_permission() {
        Profile profile = profile_of(machine({}, {}), {launch(std::nullopt, {}, {})});
        const auto why = [&] { return why_nothing_was_counted(profile, analyse(profile, {})); };
        QCOMPARE(why(), std::string());  // JSON that a person wrote
        profile.sources[0].format = SourceFormat::ncu_report;
        QVERIFY(why().find("ERR_NVGPUCTRPERM") != std::string::npos);
        QVERIFY(why().find("roofwalk-cli check") != std::string::npos);
        QVERIFY(why().find('`') == std::string::npos);  // no renderer of pages reads it
        const std::string window = why_nothing_was_counted(profile, analyse(profile, {}), Audience::window);
        QVERIFY(window.find("ERR_NVGPUCTRPERM") != std::string::npos);
        QVERIFY(window.find("roofwalk-cli") == std::string::npos);
        profile.launches[0].duration = Seconds(1);
        QCOMPARE(why(), std::string());
    }
    void a_recording_of_time_alone_asks_for_one_with_counters() {
        Profile profile = profile_of(machine({}, {}), {launch(1, {}, {})});
        const auto why = [&] { return why_nothing_was_counted(profile, analyse(profile, {})); };
        QCOMPARE(why(), std::string());
        profile.sources[0].tool = "Roofwalk 0.1.0";
        QVERIFY(why().find("without --timing") != std::string::npos);
        const std::string window = why_nothing_was_counted(profile, analyse(profile, {}), Audience::window);
        QVERIFY(!window.empty() && window.find("--") == std::string::npos);
        profile.launches[0] = launch(1, {{fp32, 1}}, {});
        QCOMPARE(why(), std::string());
    }
    void what_advice_lacks_joins_the_one_command() {
        const Profile profile = one_launch();
        const Analysis analysis = analyse(profile, {});
        const std::vector<NcuOption> more{{"Occupancy", {}}, {"", {"dram__bytes.max", "dram__bytes.avg"}}};
        QCOMPARE(ncu_command(profile, nullptr, {}, analysis, more),
                 std::string("ncu --set full --section 'regex:SpeedOfLight_.*RooflineChart' --metrics "
                             "dram__bytes.max,dram__bytes.avg -o roofwalk_report ./your_program"));
        QCOMPARE(ncu_command(profile, nullptr, nsight_view(), analysis, more),
                 std::string("ncu --set roofline --section Occupancy --metrics "
                             "dram__bytes.max,dram__bytes.avg -o roofwalk_report ./your_program"));
    }
    void packed_fp32_of_data_centre_blackwell_is_asked_for_by_metric() {
        Profile profile = one_launch();
        profile.devices[0].compute_capability = ComputeCapability{10, 0};
        QVERIFY(command(profile).find("_op_fadd2_pred_on.sum,") != std::string::npos);
        QVERIFY(command(profile).find("_op_ffma2_pred_on.sum ") != std::string::npos);
        QVERIFY(command(one_launch()).find("--metrics") == std::string::npos);
    }
    void work_that_was_not_counted_is_asked_for_by_metric() {
        Profile profile = one_launch();
        profile.launches[0].uncounted.tensor = true;
        const std::string expected = "ncu --set roofline --metrics 'regex:sm__ops_path_tensor_.*' ";
        QCOMPARE(command(profile, nsight_view()),
                 expected + "-k 'regex:^kernel$' -o roofwalk_report ./your_program");
        const Analysis analysis = analyse(profile, nsight_view());
        QCOMPARE(ncu_command(profile, nullptr, analysis.options, analysis),
                 expected + "-o roofwalk_report ./your_program");
        profile.launches[0].uncounted = {.packed_fp32 = true, .fp16 = false, .tensor = false};
        QVERIFY(command(profile).find("_op_ffma2_pred_on.sum ") != std::string::npos);
    }
    void the_application_is_the_recorded_one() {
        Profile profile = one_launch();
        profile.sources[0].command_line = "/usr/bin/ncu -o old ./app --size 'big one'";
        AnalysisOptions options;
        const Analysis analysis = analyse(profile, options);
        QVERIFY(ncu_command(profile, nullptr, options, analysis)
                    .ends_with("-o roofwalk_report ./app --size "
                               "''\\''big' 'one'\\'''"));
    }
    void of_several_programs_each_is_named() {
        Profile profile =
            profile_of(machine({}, {}), {launch(1, {}, {}), launch(1, {}, {}), launch(1, {}, {})});
        profile.sources.resize(3);
        profile.sources[0].command_line = profile.sources[2].command_line = "ncu ./first";
        profile.sources[1].command_line = "ncu ./second --fast";
        profile.launches[1].source = SourceIndex{1};
        profile.launches[2].source = SourceIndex{2};
        const auto collect = [&](bool of_kernel) {
            const Analysis analysis = analyse(profile, {});
            return collect_command(profile, of_kernel ? &analysis.points[1] : nullptr, analysis);
        };
        const CollectCommand both = collect(false);
        QVERIFY(both.command.ends_with("-o roofwalk_report ./first"));
        QCOMPARE(both.before.size(), std::size_t{1});
        QVERIFY2(both.before[0].find("2 programs") != std::string::npos, both.before[0].c_str());
        QVERIFY(both.before[0].find("./first; ./second --fast.") != std::string::npos);
        QVERIFY(collect(true).before.empty());  // a kernel is of one
        profile.sources[1].command_line = "ncu -o b ./first";
        QVERIFY(collect(false).before.empty());
    }
    void of_a_graph_it_is_said_that_its_kernels_are_profiled() {
        Profile profile = one_launch();
        const auto before = [&] { return collect_command(profile, nullptr, analyse(profile, {})).before; };
        QVERIFY(before().empty());
        profile.launches[0].kind = LaunchKind::graph;
        QCOMPARE(before().size(), std::size_t{1});
        QVERIFY(before()[0].find("CUDA graph") != std::string::npos);
    }
    void the_whole_program_has_no_filter() {
        const Profile profile = one_launch();
        const Analysis analysis = analyse(profile, {});
        QVERIFY(ncu_command(profile, nullptr, {}, analysis).find(" -k ") == std::string::npos);
    }
    void several_functions_in_one_range_are_all_asked_for() {
        Profile profile = profile_of(machine({}, {}), {launch(1, {}, {}), launch(1, {}, {})});
        profile.kernels.push_back({"other(int)", "other", {}});
        profile.launches[1].kernel = KernelIndex{1};
        AnalysisOptions options;
        options.group_by = GroupBy::nvtx;
        QVERIFY(command(profile, options).find("-k 'regex:^(kernel|other)$'") != std::string::npos);
    }
    void a_name_that_is_no_identifier_is_not_filtered_for() {
        Profile profile = one_launch();
        profile.kernels[0].function_name = "operator()";
        QVERIFY(command(profile).find(" -k ") == std::string::npos);
        profile.kernels[0].function_name = "";
        QVERIFY(command(profile).find(" -k ") == std::string::npos);
    }
};

}  // namespace tst_ncu_command

ROOFWALK_TEST(tst_ncu_command, TestNcuCommand, NoApplication)
#include "tst_ncu_command.moc"
