// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <QTest>
#include <array>
#include <cmath>
#include <functional>

#include "core/import/json/json_reader.h"
#include "core/import/open_profile.h"
#include "core/operations/op_binding.h"
#include "core/roofline/point_bounds.h"
#include "core/roofline/summary.h"
#include "core/roofline/verdict_words.h"
#include "core/scenario/move.h"
#include "tests/core/roofline/profiles.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"
#include "tests/support/samples.h"

namespace tst_summary {

using namespace roofwalk;
using namespace roofwalk::test;

namespace {

constexpr Boundary hbm = Boundary::hbm_dram_rw;

Analysis by_launch(std::initializer_list<Launch> launches) {
    AnalysisOptions options;
    options.group_by = GroupBy::launch;
    return analyse(
        profile_of(machine({compute_ceiling(fp32, 10e12)}, {bandwidth_ceiling(hbm, 1e12)}), launches),
        options);
}

/// What a move to the roof takes off the time.
Seconds saved_to_the_roof(const KernelPoint& point) {
    const KernelModel model = kernel_model(point, {});
    Move to_roof;
    to_roof.time_rule = MoveTime::to_roof;
    return *time_of_all(model.measured, model) - *time_of_all(moved(model.measured, model, to_roof), model);
}

}  // namespace

class TestSummary : public QObject {
    Q_OBJECT

  private slots:
    void the_least_time_of_operations_says_what_of_it_is_assumed() {
        const Profile profile =
            profile_of(machine({compute_ceiling(fp32, 100e12)}, {bandwidth_ceiling(hbm, 1e12)}),
                       {launch(100e-6, {{fp32, 4e9}}, {{hbm, 20e6}})});
        UserBinding binding{profile.kernels.front().name, std::nullopt,
                            "custom flops=1e9 read=5e5 write=5e5"};
        for (const char* assumption : {"", "its matrices are square"}) {
            binding.assumption = assumption;
            AnalysisOptions options;
            options.launch_operations =
                std::make_shared<const LaunchOperations>(bind_operations(profile, {{binding}, {}}));
            const std::string text = recoverable_sentences(analyse(profile, options), {}).text();
            QVERIFY2(text.find("least time of the operations") != std::string::npos, text.c_str());
            QCOMPARE(text.find("operations, part assumed") != std::string::npos, *assumption != 0);
        }
    }

    void classes_come_by_share_of_time() {
        const Analysis analysis =
            by_launch({launch(1, {{fp32, 7e12}}, {{hbm, 1e9}}), launch(3, {{fp32, 1e12}}, {{hbm, 2.1e12}}),
                       launch(1, {{fp32, 7e12}}, {{hbm, 1e9}})});
        const auto shares = class_shares(analysis);
        QCOMPARE(shares.size(), std::size_t{2});
        QCOMPARE(shares[0].kernel_class, KernelClass::memory_bound);
        QCOMPARE(shares[0].share_of_time, 0.6);
        QCOMPARE(shares[0].kernels, 1U);
        QCOMPARE(shares[1].kernel_class, KernelClass::compute_bound);
        QCOMPARE(shares[1].kernels, 2U);
        QCOMPARE(shares[1].share_of_kernels, 2.0 / 3);
        QCOMPARE(
            session_sentence(analysis),
            std::string(
                "3 launches, 5.00 s: 60.0 % of the time and 33.3 % of the launches memory-bound, "
                "40.0 % and 66.7 % compute-bound. 60.0 % of the time on the memory side, 40.0 % on the compute side."));
    }
    void the_line_of_a_filter_is_that_of_its_kernels() {
        const Analysis whole =
            by_launch({launch(1, {{fp32, 7e12}}, {{hbm, 1e9}}), launch(3, {{fp32, 1e12}}, {{hbm, 2.1e12}}),
                       launch(1, {{fp32, 7e12}}, {{hbm, 1e9}})});
        QCOMPARE(session_line(whole, {true, true, true}), session_line(whole));
        Analysis shown = whole;
        shown.points.erase(shown.points.begin());
        QCOMPARE(session_line(whole, {false, true, true}), session_line(shown));
        QVERIFY(session_line(shown) != session_line(whole));
    }
    void a_side_that_has_not_all_of_the_time_is_not_told_with_all_of_it() {
        const auto line = [](double other) {
            return session_line(by_launch({launch(other, {{fp32, 7e12 * other}}, {{hbm, 1e9 * other}}),
                                           launch(1 - other, {{fp32, 1e11}}, {{hbm, 5e11}})}));
        };
        for (const char* figure : {"99.97 % of the time on the memory side", "0.0261 % on the compute side"})
            QVERIFY2(line(261e-6).find(figure) != std::string::npos, line(261e-6).c_str());
        QVERIFY2(line(1e-6).find("> 99.999 % of the time on the memory side") != std::string::npos,
                 line(1e-6).c_str());
    }
    void no_side_is_told_of_a_trace_of_the_time_nor_without_a_ridge() {
        const auto line = [](double known) {
            return session_line(by_launch(
                {launch(known, {{fp32, 1e11 * known}}, {{hbm, 5e11 * known}}), launch(1 - known, {}, {})}));
        };
        QVERIFY2(line(0.01).find("1.00 % of the time on the memory side") != std::string::npos,
                 line(0.01).c_str());
        QVERIFY2(line(1e-5).find("side") == std::string::npos, line(1e-5).c_str());
        AnalysisOptions integer;
        integer.operations = OperationClass::integer;
        const Analysis analysis =
            analyse(profile_of(machine({compute_ceiling(fp32, 10e12)}, {bandwidth_ceiling(hbm, 1e12)}),
                               {launch(1, {{Pipe{PipeKind::int32}, 1e11}}, {{hbm, 0.9e12}})}),
                    integer);
        QVERIFY(!analysis.points[0].compute_ceiling && !analysis.points[0].verdict.side);
        QVERIFY(session_sentence(analysis).find("the ridge") == std::string::npos);

        // The bytes tell the side; no pipe of integers has a ceiling that would make a ridge.
        const Analysis memory =
            analyse(profile_of(machine({compute_ceiling(fp32, 10e12)}, {bandwidth_ceiling(hbm, 1e12)}),
                               {launch(1, {}, {{hbm, 0.9e12}})}),
                    integer);
        QVERIFY(memory.points[0].verdict.side);
        QVERIFY(session_sentence(memory).find("the ridge") == std::string::npos);
    }
    void one_kernel_is_singular() {
        const Profile profile =
            profile_of(machine({compute_ceiling(fp32, 100e12)}, {bandwidth_ceiling(hbm, 1e12)}),
                       {launch(2, {{fp32, 1e12}}, {{hbm, 1.8e12}})});
        QCOMPARE(
            session_sentence(analyse(profile, {})),
            std::string(
                "1 kernel, 2.00 s: 100.0 % of the time near the roof; 100.0 % of the time on the memory side."));
    }
    void a_long_name_of_a_report_loses_its_middle() {
        Profile profile =
            profile_of(machine({compute_ceiling(fp32, 10e12)}, {bandwidth_ceiling(hbm, 1e12)}),
                       {launch(1, {{fp32, 7e12}}, {{hbm, 1e9}}), launch(1, {{fp32, 7e12}}, {{hbm, 1e9}})});
        profile.sources.resize(2);
        profile.sources[0].path = "time.ncu-rep";
        profile.sources[1].path = "a_run_of_the_large_model_of_wednesday.ncu-rep";
        profile.launches[1].source = SourceIndex{1};
        AnalysisOptions options;
        options.group_by = GroupBy::launch;
        const Analysis analysis = analyse(profile, options);
        QCOMPARE(in_report(analysis, analysis.points[0]), std::string(", time.ncu-rep"));
        const std::string name(short_name_of_report(analysis.points[1]));
        QCOMPARE(in_report(analysis, analysis.points[1]), ", " + name);
        QCOMPARE(QString::fromStdString(name).size(), 24);
        QVERIFY(name.starts_with("a_run_of_the") && name.ends_with("day.ncu-rep"));
    }
    void reports_that_differ_in_the_middle_have_different_short_names() {
        Profile profile =
            profile_of(machine({compute_ceiling(fp32, 10e12)}, {bandwidth_ceiling(hbm, 1e12)}),
                       {launch(1, {{fp32, 7e12}}, {{hbm, 1e9}}), launch(1, {{fp32, 7e12}}, {{hbm, 1e9}})});
        profile.sources.resize(2);
        profile.sources[0].path = "run_of_the_large_model_rank_7_of_wednesday.ncu-rep";
        profile.sources[1].path = "run_of_the_large_model_rank_12_of_wednesday.ncu-rep";
        profile.launches[1].source = SourceIndex{1};
        AnalysisOptions options;
        options.group_by = GroupBy::launch;
        const Analysis analysis = analyse(profile, options);
        QVERIFY(short_name_of_report(analysis.points[0]).find("7") != std::string_view::npos);
        QVERIFY(short_name_of_report(analysis.points[1]).find("12") != std::string_view::npos);
    }
    void long_names_of_reports_that_begin_alike_are_told_by_what_differs() {
        Profile profile =
            profile_of(machine({compute_ceiling(fp32, 10e12)}, {bandwidth_ceiling(hbm, 1e12)}),
                       {launch(1, {{fp32, 7e12}}, {{hbm, 1e9}}), launch(1, {{fp32, 7e12}}, {{hbm, 1e9}})});
        profile.sources.resize(2);
        profile.sources[0].path = "2023.1.1_a10g_4kernels_one-failed-nan.ncu-rep";
        profile.sources[1].path = "2023.1.1_a10g_sgemm_4kernels_set-roofline.ncu-rep";
        profile.launches[1].source = SourceIndex{1};
        AnalysisOptions options;
        options.group_by = GroupBy::launch;
        const Analysis analysis = analyse(profile, options);
        QVERIFY(short_name_of_report(analysis.points[0]).starts_with("…4kernels"));
        QVERIFY(short_name_of_report(analysis.points[1]).starts_with("…sgemm"));
    }
    void what_a_filter_leaves_is_said_as_a_part() {
        Analysis analysis =
            by_launch({launch(1, {{fp32, 1e12}}, {{hbm, 7e11}}), launch(3, {{fp32, 2.1e13}}, {{hbm, 1e9}})});
        analysis.points.pop_back();
        QCOMPARE(
            session_sentence(analysis),
            std::string(
                "1 of 2 launches, 1.00 s of 4.00 s: 25.0 % of the whole time memory-bound; 25.0 % of the "
                "whole time on the memory side."));
    }
    void kernels_without_a_time_have_their_share_too() {
        const Analysis analysis =
            by_launch({launch(2, {{fp32, 1e12}}, {{hbm, 1.8e12}}), launch(std::nullopt, {}, {})});
        QCOMPARE(
            session_sentence(analysis),
            std::string("2 launches, 2.00 s: 100.0 % of the time and 50.0 % of the launches near the roof; "
                        "100.0 % of the time on the memory side. 1 launch without a time."));
    }
    void a_class_that_is_not_known_is_no_time_that_was_not_measured() {
        const Launch timed = launch(2, {}, {});
        QCOMPARE(session_sentence(by_launch({timed})),
                 std::string("1 launch, 2.00 s: 100.0 % of the time not classified."));
        const Analysis both = by_launch({timed, launch(std::nullopt, {}, {})});
        QCOMPARE(session_sentence(both), std::string("2 launches, 2.00 s: 100.0 % of the time not "
                                                     "classified; 1 launch without a time."));
        QCOMPARE(class_shares(both).at(0).without_time, 1U);
    }
    void a_roof_that_is_not_known_is_no_kernel_that_was_not_measured() {
        AnalysisOptions options;
        options.group_by = GroupBy::launch;
        const Launch measured = launch(2, {{fp32, 1e12}}, {{hbm, 1.8e12}});
        const Analysis roofless = analyse(profile_of(machine({}, {}), {measured, measured}), options);
        QCOMPARE(session_sentence(roofless),
                 std::string("2 launches, 4.00 s: 100.0 % of the time under no known roof."));
        QVERIFY(label_of(class_shares(roofless).at(0)) == "roof not known");
        const Analysis both = analyse(profile_of(machine({}, {}), {measured, launch(2, {}, {})}), options);
        QCOMPARE(class_shares(both).size(), std::size_t{2});
        QVERIFY(label_of(class_shares(both).at(1)) == "not measured");
    }
    void a_class_is_that_of_the_table() {
        Analysis analysis = by_launch(
            {launch(2, {{fp32, 1e12}}, {{hbm, 0.4e12}}), launch(1, {{fp32, 1e12}}, {{hbm, 0.2e12}})});
        for (KernelPoint& point : analysis.points)
            point.verdict.kernel_class = KernelClass::low_use;
        analysis.points[0].verdict.busy = BusyUnit{HardwareUnit::sm, 0.7};
        const auto shares = class_shares(analysis);
        QCOMPARE(shares.size(), std::size_t{2});
        for (std::size_t i = 0; i < 2; ++i)
            QCOMPARE(shares[i].label, class_label(analysis.points[i]));
        QCOMPARE(shares[0].label, std::string("SM-bound"));
        QCOMPARE(shares[0].share_of_time, 2.0 / 3);
    }
    void launches_that_take_as_long_as_any_save_time_by_being_fewer() {
        const auto told = [](double bytes, std::string_view operation = {}) {
            const Launch one = launch(2e-6, {{fp32, 1e5}}, {{hbm, bytes}});
            const Device device = machine({compute_ceiling(fp32, 10e12)}, {bandwidth_ceiling(hbm, 1e12)});
            const Profile profile = profile_of(device, {one, one, one, one, one, one, one, one});
            AnalysisOptions options;
            const UserBinding binding{profile.kernels.front().name, std::nullopt, std::string(operation)};
            if (!operation.empty())
                options.launch_operations =
                    std::make_shared<const LaunchOperations>(bind_operations(profile, {{binding}, {}}));
            return recoverable_sentences(analyse(profile, options)).text();
        };
        // All bytes of 8 launches take 1.6 us, less than one launch does, or 8 us.
        QVERIFY2(told(0.2e6).starts_with("0–14.0 µs (0–87.5 %) "), told(0.2e6).c_str());
        QVERIFY2(told(1e6).starts_with("0–8.00 µs (0–50.0 %) "), told(1e6).c_str());
        // Fewer bytes are known too, and save nothing of launches that take as long as any.
        const std::string bound = told(1.7e6, "custom flops=1e5 read=1e5 write=1e5");
        QVERIFY2(bound.starts_with("0–2.40 µs (0–15.0 %) "), bound.c_str());
        QVERIFY2(bound.find("with fewer launches") != std::string::npos, bound.c_str());
    }
    void kernels_come_by_the_time_that_can_be_recovered() {
        const Analysis analysis =
            by_launch({launch(2, {{fp32, 1e12}}, {{hbm, 1.8e12}}), launch(3, {{fp32, 1e12}}, {{hbm, 2.1e12}}),
                       launch(std::nullopt, {}, {}), launch(5, {}, {})});
        QCOMPARE(recoverable_time(analysis.points[0])->value(), 2 - 1.8);
        QCOMPARE(recoverable_time(analysis.points[1])->value(), 3 - 2.1);
        QVERIFY(!recoverable_time(analysis.points[2]) && !recoverable_time(analysis.points[3]));
        QCOMPARE(ranked_points(analysis), (std::vector<std::uint32_t>{1, 0, 3, 2}));
        const std::string sentence = recoverable_sentences(analysis).text();
        for (const char* figure : {"1.10 s (11.0 %)", " in kernel ", "2 launches"})
            QVERIFY2(sentence.find(figure) != std::string::npos, sentence.c_str());
        QCOMPARE(sentence.find("1.10 s"), sentence.rfind("1.10 s"));  // of one kernel it is told once
        QVERIFY(recoverable_sentences(by_launch({launch(5, {}, {})})).text().empty());
    }
    // L1 takes 9.9 s of 10 s, and 8 s are left once HBM binds; the other kernel is 1 s above HBM.
    void what_fewer_bytes_save_ranks_a_kernel_too() {
        AnalysisOptions options;
        options.group_by = GroupBy::launch;
        const auto analysed = [&](std::initializer_list<Launch> launches) {
            return analyse(profile_of(machine({compute_ceiling(fp32, 10e12)},
                                              {bandwidth_ceiling(hbm, 1e12),
                                               bandwidth_ceiling(Boundary::l1_unified, 10e12)}),
                                      launches),
                           options);
        };
        const Launch at_l1 = launch(10, {{fp32, 1e12}}, {{hbm, 8e12}, {Boundary::l1_unified, 99e12}});
        const Launch at_hbm = launch(2, {{fp32, 1e12}}, {{hbm, 1e12}});
        const Analysis analysis = analysed({at_hbm, at_l1});
        QVERIFY(std::abs(saved_by_fewer_bytes(analysis.points[1])->time.value() - 10 * (1 - 8 / 9.9)) < 1e-9);
        QVERIFY(!saved_by_fewer_bytes(analysis.points[1])->held_by);
        QVERIFY(!saved_by_fewer_bytes(analysis.points[0]));  // nothing tells that HBM could move fewer
        QCOMPARE(ranked_points(analysis), (std::vector<std::uint32_t>{1, 0}));
        const std::string sentence = recoverable_sentences(analysis).text();
        // Both are launches of one kernel: 1 s and 0.1 s with the same bytes, 1.92 s with fewer of L1.
        QVERIFY2(sentence.starts_with("1.10–2.92 s (9.17–24.3 %) "), sentence.c_str());
        QCOMPARE(gain_words(gain_of(analysis.points[1]).value()), std::string("0.10–1.92 s"));
        // Where recovering gains more that goes before it.
        const Analysis room = analysed({launch(5, {{fp32, 1e12}}, {{hbm, 1e12}}), at_l1});
        QCOMPARE(ranked_points(room), (std::vector<std::uint32_t>{0, 1}));
        QVERIFY(!gain_of(room.points[0])->is_range() && gain_of(room.points[1])->is_range());
    }
    // L1 at 70 %, and the SM at 69: fewer loads relieve it where its load and store pipe is what is so busy.
    void a_busy_sm_ends_what_fewer_bytes_save_unless_they_relieve_it() {
        const auto analysed = [](double loads, double issue) {
            Profile profile = profile_of(
                machine({compute_ceiling(fp32, 10e12)},
                        {bandwidth_ceiling(hbm, 1e12), bandwidth_ceiling(Boundary::l1_unified, 10e12)}),
                {launch(10, {{fp32, 9e12}}, {{hbm, 1e10}, {Boundary::l1_unified, 70e12}})});
            for (const auto& [name, percent] :
                 {std::pair(metric_of(HardwareUnit::sm), 69.0),
                  std::pair(std::string_view("sm__inst_executed_pipe_lsu.avg.pct_of_peak_sustained_elapsed"),
                            loads),
                  std::pair(std::string_view("sm__issue_active.avg.pct_of_peak_sustained_elapsed"), issue)})
                if (percent > 0) profile.launches[0].metrics.push_back({profile.texts.intern(name), percent});
            return analyse(profile, {});
        };
        const auto saved = [](const Analysis& analysis) { return *saved_by_fewer_bytes(analysis.points[0]); };
        for (const Analysis& held : {analysed(0, 0), analysed(50, 69), analysed(69, 0)}) {
            QCOMPARE(saved(held).time.value(), 10 * (1 - 0.69));
            QVERIFY(saved(held).held_by->unit == HardwareUnit::sm);
            const std::string sentence = recoverable_sentences(held).text();
            QVERIFY2(sentence.find("SM too (69.0 %") != std::string::npos, sentence.c_str());
            QVERIFY2(sentence.find("3.00–3.10 s (30.0–31.0 %)") != std::string::npos, sentence.c_str());
        }
        const Analysis loading = analysed(69, 40);
        QCOMPARE(saved(loading).time.value(), 10 * (1 - 0.4));
        QVERIFY(recoverable_sentences(loading).text().find("(40.0 % busy beside") != std::string::npos);
        // FP32 binds at 0.9 of 7 s, before other parts of the SM do.
        QVERIFY(!saved(analysed(69, 5)).held_by);
        QVERIFY(std::abs(saved(analysed(69, 5)).time.value() - 10 * (1 - 0.9 / 7)) < 1e-9);
    }
    // 90 % of 5 TFLOP/s at 750 MHz, 45 % of 10 at boost: 0.1 s is the code's, the rest the clock's.
    void what_the_clock_takes_is_told_apart_at_boost() {
        Profile profile = profile_of(machine({compute_ceiling(fp32, 10e12)}, {bandwidth_ceiling(hbm, 1e12)}),
                                     {launch(1, {{fp32, 4.5e12}}, {{hbm, 1e9}})});
        profile.devices[0].boost_clock = Hertz(1.5e9);
        CeilingSet ran{.compute = {compute_ceiling(fp32, 5e12)}, .bandwidth = {}, .launch_floor = {}};
        ran.compute[0].provenance.basis = ClockBasis::measured;
        ran.compute[0].provenance.clock = Hertz(750e6);
        profile.launches[0].ceilings = std::make_shared<const CeilingSet>(ran);
        AnalysisOptions options;
        QVERIFY(clock_sentences(profile, analyse(profile, options)).empty());
        options.clock = ClockBasis::boost;
        const Analysis boost = analyse(profile, options);
        QCOMPARE(recoverable_time(boost.points.at(0))->value(), 0.55);
        const std::string text = clock_sentences(profile, boost);
        for (const char* figure : {"750.0 MHz", "1.500 GHz", "2.00x", "100 ms", "another class"})
            QVERIFY2(text.find(figure) != std::string::npos, text.c_str());
        // HBM has a clock of its own: what it binds gains nothing of theirs.
        profile.launches[0] = launch(1, {{fp32, 1e9}}, {{hbm, 0.5e12}});
        profile.launches[0].ceilings = std::make_shared<const CeilingSet>([&] {
            ran.bandwidth = {bandwidth_ceiling(hbm, 1e12)};
            return ran;
        }());
        const Analysis of_hbm = analyse(profile, options);
        QCOMPARE(share_of_limit(of_hbm.points.at(0)), std::optional(0.5));
        QVERIFY(clock_sentences(profile, of_hbm).empty());
        QVERIFY(clock_gap_words(profile, of_hbm).find("750.0 MHz") != std::string::npos);
        profile.devices[0].boost_clock = Hertz(750e6);
        QVERIFY(clock_gap_words(profile, boost).empty());
    }
    void above_a_roof_nothing_is_known_to_be_recoverable() {
        const Analysis above = by_launch(
            {launch(1, {{fp32, 1e12}}, {{hbm, 1.5e12}}), launch(1, {{fp32, 1e12}}, {{hbm, 0.5e12}})});
        QVERIFY(!recoverable_time(above.points[0]));
        const std::string sentence = recoverable_sentences(above).text();
        for (const char* figure : {"500 ms (25.0 %)", "1 launch"})
            QVERIFY2(sentence.find(figure) != std::string::npos, sentence.c_str());
    }
    void sides_of_the_ridge_are_told_whatever_is_near_its_roof() {
        const Analysis analysis =
            by_launch({launch(2, {{fp32, 1e12}}, {{hbm, 1.8e12}}), launch(3, {{fp32, 1e12}}, {{hbm, 0.3e12}}),
                       launch(1, {{fp32, 7e12}}, {{hbm, 1e9}}), launch(4, {}, {})});
        QVERIFY(analysis.points[0].verdict.kernel_class == KernelClass::near_roof);
        QVERIFY(analysis.points[1].verdict.kernel_class != KernelClass::near_roof);
        const auto shares = side_shares(analysis);
        QCOMPARE(shares.size(), std::size_t{3});
        QVERIFY(shares[0].side == Side::memory && shares[0].kernels == 2);
        QCOMPARE(shares[0].share_of_time, 0.5);
        QVERIFY(shares[1].side == Side::compute && shares[1].kernels == 1);
        QVERIFY(!shares[2].side && shares[2].kernels == 1);  // though it has most time
        QVERIFY(session_sentence(analysis).find("50.0 % of the time on the memory side") !=
                std::string::npos);
    }
    void sides_are_those_of_launches_and_not_of_their_sum() {
        const Analysis analysis = analyse(
            profile_of(machine({compute_ceiling(fp32, 10e12)}, {bandwidth_ceiling(hbm, 1e12)}),
                       {launch(3, {{fp32, 1e12}}, {{hbm, 2.7e12}}), launch(1, {{fp32, 9e12}}, {{hbm, 1e9}})}),
            {});
        QVERIFY(analysis.points.at(0).verdict.side == Side::memory);
        const auto shares = side_shares(analysis);
        QCOMPARE(shares.size(), std::size_t{2});
        QVERIFY(shares[0].side == Side::memory && shares[0].kernels == 1);
        QCOMPARE(shares[0].share_of_time, 0.75);
        QVERIFY(shares[1].side == Side::compute && shares[1].kernels == 0);
        QCOMPARE(shares[1].share_of_time, 0.25);
    }
    void what_is_known_at_least_is_not_the_most_that_can_be_recovered() {
        Profile profile = profile_of(machine({}, {}), {launch(1, {}, {})});
        profile.launches[0].metrics = {
            {profile.texts.intern("l1tex__throughput.avg.pct_of_peak_sustained_active"), 66.5}};
        const Analysis analysis = analyse(profile, {});
        QVERIFY(recoverable_time(analysis.points.at(0)) && recoverable_sentences(analysis).text().empty());
        QVERIFY(!report_shares(analysis).at(0).recoverable);
        // Beside a launch of which it is known, 0.5 s, it is told as what it is.
        profile.devices = {machine({compute_ceiling(fp32, 10e12)}, {bandwidth_ceiling(hbm, 1e12)})};
        profile.launches.push_back(launch(1, {{fp32, 1e9}}, {{hbm, 0.5e12}}));
        profile.kernels.push_back({"other(float *)", "other", {}});
        profile.launches[1].kernel = KernelIndex{1};
        const std::string text = recoverable_sentences(analyse(profile, {})).text();
        QVERIFY2(
            text.find("500 ms") < text.find("it is ~335 ms") && text.find("~335 ms") != std::string::npos,
            text.c_str());
    }
    void launches_take_a_time_that_cannot_be_recovered() {
        const Analysis analysis =
            by_launch({launch(2e-6, {{fp32, 1e3}}, {{hbm, 1e3}}), launch(5e-6, {{fp32, 1e3}}, {{hbm, 1e6}})});
        QCOMPARE(recoverable_time(analysis.points[0])->value(), 0.0);
        QVERIFY(qFuzzyCompare(recoverable_time(analysis.points[1])->value(), 3e-6));
        QCOMPARE(ranked_points(analysis), (std::vector<std::uint32_t>{1, 0}));
        const std::string sentence = recoverable_sentences(analysis).text();
        QVERIFY2(sentence.find("A launch takes 2.00 µs (usual)") != std::string::npos, sentence.c_str());
        // 8 x 0.1 µs add up to a little less than 0.8 µs.
        const Launch one = launch(1e-7, {{fp32, 1e3}}, {{hbm, 1e3}});
        const Analysis shortest =
            analyse(profile_of(machine({compute_ceiling(fp32, 1e13)}, {bandwidth_ceiling(hbm, 1e12)}),
                               {one, one, one, one, one, one, one, one}),
                    {});
        QVERIFY(recoverable_time(shortest.points.at(0)) == Seconds());
        const Analysis roomy = by_launch({launch(1, {{fp32, 1e12}}, {{hbm, 0.5e12}})});
        QVERIFY(recoverable_sentences(roomy).text().find("A launch takes") == std::string::npos);
    }
    void the_limit_that_leaves_least_tells_what_can_be_recovered() {
        Launch issuing = launch(4, {{fp32, 1e12}}, {{hbm, 2e12}});  // HBM at 50 %
        Profile profile =
            profile_of(machine({compute_ceiling(fp32, 10e12)}, {bandwidth_ceiling(hbm, 1e12)}), {issuing});
        const auto with = [&](HardwareUnit unit, double percent) {
            Profile busy = profile;
            busy.launches[0].metrics.push_back({busy.texts.intern(metric_of(unit)), percent});
            return analyse(busy, {});
        };
        const auto recoverable = [](const Analysis& analysis) {
            return recoverable_time(analysis.points[0])->value();
        };
        QCOMPARE(recoverable(analyse(profile, {})), 2.0);
        QVERIFY(!unit_beyond_roof(analyse(profile, {}).points[0]));
        const Analysis sm = with(HardwareUnit::sm, 75);
        QCOMPARE(recoverable(sm), 1.0);
        QVERIFY(unit_beyond_roof(sm.points[0])->unit == HardwareUnit::sm);
        QCOMPARE(share_of_limit(sm.points[0]), std::optional(0.75));
        QCOMPARE(sm.points[0].gap->efficiency(), 0.5);  // its roof is as far as before
        QCOMPARE(recoverable(with(HardwareUnit::sm, 40)), 2.0);
        QCOMPARE(recoverable(with(HardwareUnit::dram, 52)), 2.0);  // commands beside the same bytes
        QCOMPARE(recoverable(with(HardwareUnit::dram, 80)), 4 * (1 - 0.8));
    }
    void a_group_can_recover_what_its_launches_can() {
        // HBM at 90 %, FP32 at 50 %, and a launch of which nothing but the time is known.
        const Profile profile =
            profile_of(machine({compute_ceiling(fp32, 10e12)}, {bandwidth_ceiling(hbm, 1e12)}),
                       {launch(2, {{fp32, 1e12}}, {{hbm, 1.8e12}}), launch(4, {{fp32, 20e12}}, {{hbm, 1e9}}),
                        launch(1, {}, {})});
        const KernelPoint point = point_of(profile);
        QVERIFY(qFuzzyCompare(recoverable_time(point).value().value(), (2 - 1.8) + (4 - 2)));
        QVERIFY(*recoverable_time(point) < *point.known_time() - *point.speed_of_light);
        QCOMPARE(point.recoverable->launches, 2U);
        // No launch is below the limit of the sum, and the third is in no factor.
        QCOMPARE(recoverable_words(point),
                 std::string(
                     "To the limits of its launches as they are, in 2 of 3 launches: 2.20 s summed over its "
                     "launches."));
    }
    // One short launch is held by the least time of a launch, the long ones by what limits most.
    void a_group_names_what_leaves_most_of_its_time() {
        const Profile profile =
            profile_of(machine({compute_ceiling(fp32, 10e12)}, {bandwidth_ceiling(hbm, 1e12)}),
                       {launch(3e-6, {{fp32, 1}}, {{hbm, 1}}), launch(1, {{fp32, 6e12}}, {{hbm, 1e9}}),
                        launch(2, {{fp32, 8e12}}, {{hbm, 1e9}})});
        const KernelPoint point = point_of(profile);
        QVERIFY(!point.recoverable->held_by_launches());
        QVERIFY(point.recoverable->limit == decltype(NearestLimit::of)(fp32));
        // Where the short ones leave most, the long ones still are no such launch.
        const auto with = [&](double share) {
            return point_of(profile_of(
                machine({compute_ceiling(fp32, 10e12)}, {bandwidth_ceiling(hbm, 1e12)}),
                {launch(5e-6, {{fp32, 1}}, {{hbm, 1}}), launch(4e-6, {{fp32, share * 40e6}}, {{hbm, 1}})}));
        };
        QVERIFY(!with(0.9).recoverable->limit && !with(0.9).recoverable->held_by_launches());
        QVERIFY(above_launch_floor(with(0.9)).empty() && !above_launch_floor(with(0.01)).empty());
    }
    void launches_that_take_most_of_the_time_bind() {
        const auto of = [](double seconds) {
            return point_of(
                profile_of(machine({compute_ceiling(fp32, 10e12)}, {bandwidth_ceiling(hbm, 1e12)}),
                           {launch(seconds, {{fp32, 1e3}}, {{hbm, 1e3}})}));
        };
        QVERIFY(std::abs(*share_of_launches(of(2.1e-6)) - 2 / 2.1) < 1e-9);
        QCOMPARE(class_label(of(2.1e-6)), std::string(bound_by_launch));
        QVERIFY(above_launch_floor(of(2.1e-6)).ends_with(": "));
        QVERIFY(!share_of_launches(of(2.6e-6)) && !above_launch_floor(of(2.6e-6)).empty());
    }
    // However many of them stand behind each other with the same bounds.
    void launches_alone_and_in_a_group_can_recover_the_same() {
        Profile profile = profile_of(machine({compute_ceiling(fp32, 10e12), compute_ceiling(fp64, 5e12)},
                                             {bandwidth_ceiling(hbm, 1e12)}),
                                     {});
        const std::array kinds{launch(1, {{fp32, 1e12}}, {{hbm, 0.5e12}}), launch(1, {}, {{hbm, 0.5e12}}),
                               launch(1, {{fp32, 1e12}}, {}),
                               launch(1, {{fp32, 1e12}, {fp64, 1e12}}, {{hbm, 0.1e12}}), launch(1, {}, {})};
        for (const Launch& kind : kinds)
            for (const double seconds : {1.0, 2.0, 0.2, 0.0, 3.0, 1e-6})  // one of them above the roof
                profile.launches.emplace_back(kind).duration = Seconds(seconds);
        profile.launches[2].failed = true;
        AnalysisOptions options;
        options.group_by = GroupBy::launch;
        double sum = 0;
        std::uint32_t count = 0;
        for (const KernelPoint& point : analyse(profile, options).points)
            if (point.recoverable) {
                sum += point.recoverable->time.value();
                ++count;
            }
        const KernelPoint group = point_of(profile);
        QCOMPARE(group.recoverable->time.value(), sum);
        QCOMPARE(group.recoverable->launches, count);
        QVERIFY(sum > 0);
    }
    /// By its bytes alone the second would be at half of the roof.
    void a_launch_whose_work_is_known_of_others_alone_is_not_judged() {
        Profile profile =
            profile_of(machine({compute_ceiling(fp32, 10e12)}, {bandwidth_ceiling(hbm, 1e12)}),
                       {launch(1, {{fp32, 9e12}}, {{hbm, 0.5e12}}), launch(1, {}, {{hbm, 0.5e12}})});
        for (Launch& each : profile.launches)
            each.duration = Seconds(1);
        const KernelPoint group = point_of(profile);
        QCOMPARE(group.recoverable->launches, 1U);
        QVERIFY(std::abs(group.recoverable->time.value() - 0.1) < 1e-9);
        AnalysisOptions options;
        options.group_by = GroupBy::launch;
        const Analysis analysis = analyse(profile, options);
        QVERIFY(analysis.points.front().recoverable);
        // The one verdict has no class, no limit and no place before the other.
        const KernelPoint& unjudged = analysis.points.back();
        QVERIFY(unjudged.verdict.left_unjudged && !unjudged.recoverable && !tightest_limit(unjudged));
        QCOMPARE(unjudged.verdict.kernel_class, KernelClass::not_measured);
        QCOMPARE(ranked_points(analysis), (std::vector<std::uint32_t>{0, 1}));
        QVERIFY(!tightest_limit(kernel_model(unjudged, options).measured, kernel_model(unjudged, options)));
    }
    /// By its work alone the second would be at 1.5 % of a roof, and have nearly all of its time to lose.
    void a_launch_whose_bytes_are_known_of_others_alone_is_not_judged() {
        const auto read = [](double flop_of_second, double ns_of_second) {
            return *read_json(fmt::format(R"({{"device": "H100 SXM", "kernels": [
                {{"name": "k", "duration_ns": 100000, "flops": 1e8, "bytes": 1e8}},
                {{"name": "k", "duration_ns": {}, "flops": {}}}]}})",
                                          ns_of_second, flop_of_second),
                              "two.json", {});
        };
        const Profile profile = read(1e8, 100000);
        const KernelPoint row = point_of(profile);
        QCOMPARE(row.known_launches(), 1U);
        QCOMPARE(row.recoverable->launches, 1U);
        QCOMPARE(row.recoverable->time.value(), 100e-6 * (1 - row.gap->efficiency()));
        QVERIFY(std::abs(saved_to_the_roof(row) / row.recoverable->time - 1) < 1e-9);
        AnalysisOptions by_launch;
        by_launch.group_by = GroupBy::launch;
        const KernelPoint alone = analyse(profile, by_launch).points.back();
        QVERIFY(alone.verdict.left_unjudged && !alone.recoverable && !tightest_limit(alone));
        // Its own work is nearer than the bytes of the other are: both tell the same.
        QCOMPARE(point_of(read(6e9, 100000)).recoverable->launches, 2U);
        // A short one with bytes does not stand for a long one without.
        const KernelPoint longer = point_of(read(1e8, 10e6));
        QVERIFY(!longer.known && longer.verdict.left_unjudged);
        QCOMPARE(longer.recoverable->launches, 1U);
    }
    /// A little work of one launch takes nothing from what its kernel can recover, nor from the way there.
    void work_of_one_launch_leaves_what_the_others_can_recover() {
        Profile profile =
            profile_of(machine({compute_ceiling(fp32, 10e12)}, {bandwidth_ceiling(hbm, 1e12)}), {});
        profile.launches.assign(6, launch(100e-6, {}, {{hbm, 83.6e6}}));
        QVERIFY(std::abs(saved_to_the_roof(point_of(profile)).value() - 98.4e-6) < 1e-12);
        profile.launches[2].work.push_back({.pipe = fp32, .work = Flops(1e6)});
        const KernelPoint point = point_of(profile);
        QCOMPARE(point.known_launches(), 1U);
        QVERIFY(std::abs(point.recoverable->time.value() - 98.4e-6) < 1e-12);
        QVERIFY(std::abs(saved_to_the_roof(point).value() - 98.4e-6) < 1e-12);
    }
    /// The ceilings of launches follow their clocks: the mean of both would leave 0.867 s.
    void a_way_to_the_roof_saves_what_launches_under_their_own_ceilings_can_recover() {
        for (const double work : {0.0, 1e9}) {
            Profile profile = profile_of(machine({compute_ceiling(fp32, 10e12)}, {}),
                                         {launch(1, {}, {{hbm, 0.1e12}}), launch(1, {}, {{hbm, 1.6e12}})});
            for (const std::size_t i : {0U, 1U}) {
                profile.launches[i].ceilings = std::make_shared<CeilingSet>(
                    CeilingSet{.compute = {}, .bandwidth = {bandwidth_ceiling(hbm, i == 0 ? 1e12 : 2e12)}});
                if (work > 0) profile.launches[i].work.push_back({.pipe = fp32, .work = Flops(work)});
            }
            const KernelPoint point = point_of(profile);
            QVERIFY(std::abs(point.recoverable->time.value() - 1.1) < 1e-9);
            QVERIFY(std::abs(saved_to_the_roof(point).value() - 1.1) < 1e-9);
        }
    }
    void a_way_to_the_roof_saves_what_can_be_recovered_of_each_kernel_of_a_report() {
        for (const char* report : {"2023.3.1_rtx2070s_windows_143kernels_default", "2021.2.2_a100_154kernels",
                                   "2023.2.0_a10_105kernels_default", "2021.3.1_gtx1650_41kernels_full"}) {
            const auto path = sample(report);
            if (path.empty()) QSKIP("samples are not beside this checkout");
            for (const KernelPoint& point : analyse(*open_profile(path), {}).points)
                if (point.recoverable)
                    QVERIFY2(
                        std::abs((saved_to_the_roof(point) - point.recoverable->time) / *point.time) < 1e-9,
                        point.name.c_str());
        }
    }
    /// What else tells its limits, and what nobody saw at work.
    void a_launch_without_work_is_judged_where_that_of_others_tells_no_more() {
        const auto judged = [](const std::function<void(Profile&)>& change) {
            Profile profile =
                profile_of(machine({compute_ceiling(fp32, 10e12)}, {bandwidth_ceiling(hbm, 1e12)}),
                           {launch(1, {{fp32, 9e12}}, {{hbm, 0.5e12}}), launch(1, {}, {{hbm, 0.5e12}})});
            change(profile);
            AnalysisOptions options;
            options.group_by = GroupBy::launch;
            const KernelPoint point = analyse(profile, options).points.back();
            return point.recoverable && !point.verdict.left_unjudged;
        };
        QVERIFY(!judged([](Profile&) {}));
        QVERIFY(judged([](Profile& profile) {
            profile.launches[1].metrics = {
                {profile.texts.intern("sm__throughput.avg.pct_of_peak_sustained_elapsed"), 97}};
        }));
        QVERIFY(judged([](Profile& profile) { profile.launches[1].traffic[0].total = Bytes(0.97e12); }));
        QVERIFY(judged([](Profile& profile) { profile.launches[0].duration.reset(); }));
        for (const double far : {0.0, 0.4e12})
            QVERIFY(judged([&](Profile& profile) { profile.launches[0].work[0].work = Flops(far); }));
        // The kernel has another index in another report, and the same name.
        const auto elsewhere = [&](const char* name) {
            return judged([&](Profile& profile) {
                profile.kernels.push_back({name, {}, {}});
                profile.sources.resize(2);
                profile.launches[1].kernel = KernelIndex{1};
                profile.launches[1].source = SourceIndex{1};
            });
        };
        QVERIFY(!elsewhere("kernel(float *)") && elsewhere("other"));
    }
    void groups_of_real_reports_add_up_to_their_launches() {
        if (sample_reports().empty()) QSKIP("samples are not beside this checkout");
        const auto total = [](const Profile& profile, GroupBy group_by) {
            AnalysisOptions options;
            options.group_by = group_by;
            double sum = 0;
            for (const KernelPoint& point : analyse(profile, options).points)
                sum += recoverable_time(point).value_or(Seconds()).value();
            return sum;
        };
        for (const char* name : {"2021.2.2_a100_154", "2022.4.0_a100-dev1", "2023.3.0_h800"}) {
            const auto profile = open_profile(sample(name));
            QVERIFY(profile.has_value());
            const double by_launch = total(*profile, GroupBy::launch);
            QVERIFY(by_launch > 0);
            QVERIFY(std::abs(total(*profile, GroupBy::kernel) - by_launch) <= 1e-9 * by_launch);
        }
    }
    void a_shorter_launch_of_the_report_and_a_typed_time_are_the_launch_floor() {
        const Profile profile = profile_of(machine({}, {}), {launch(1.6e-6, {}, {}), launch(9e-6, {}, {})});
        QCOMPARE(launch_floors(profile, {}).at(0).time.value(), 1.6e-6);
        QVERIFY(launch_floors(profile, {}).at(0).source == LaunchFloorSource::report);
        AnalysisOptions options;
        options.launch_floor = Seconds(1e-6);
        QCOMPARE(launch_floors(profile, options).at(0).time.value(), 1e-6);
        QVERIFY(launch_floors(profile, options).at(0).source == LaunchFloorSource::typed);
        Profile longer = profile_of(machine({}, {}), {launch(9e-6, {}, {})});
        QCOMPARE(launch_floors(longer, {}).at(0).time.value(), usual_launch_floor.value());
        QCOMPARE(point_of(longer).least_launch_time()->value(), usual_launch_floor.value());
        longer.devices.front().uuid = "GPU-1";
        AnalysisOptions measured;
        measured.measured["GPU-1"].launch_floor = Seconds(1.4e-6);
        QCOMPARE(analyse(longer, measured).points.front().least_launch_time()->value(), 1.4e-6);
        QVERIFY(launch_floors(longer, measured).at(0).source == LaunchFloorSource::measured);
        measured.launch_floor = Seconds(3e-6);
        QVERIFY(launch_floors(longer, measured).at(0).source == LaunchFloorSource::typed);
    }
    void what_can_be_recovered_is_the_first_sentence() {
        const Analysis analysis = by_launch({launch(2, {{fp32, 1e12}}, {{hbm, 1e12}})});
        QCOMPARE(whole_session_sentence(analysis).find(recoverable_sentences(analysis).text()),
                 std::size_t{0});
    }
    void the_line_of_a_session_tells_what_can_be_recovered_and_no_times_of_kernels() {
        Profile profile =
            profile_of(machine({compute_ceiling(fp32, 10e12)}, {bandwidth_ceiling(hbm, 1e12)}),
                       {launch(2, {{fp32, 1e12}}, {{hbm, 1e12}}), launch(4, {{fp32, 1e12}}, {{hbm, 1e12}})});
        profile.kernels = {{"least", {}, {}}, {"most", {}, {}}};
        profile.launches[1].kernel = KernelIndex{1};
        // Of 6 s the roof leaves 1 s and 3 s.
        const std::string line = session_line(analyse(profile, {}));
        QVERIFY(line.starts_with("With the same bytes at most 4.00 s can be recovered in all. 2 kernels, "));
        QVERIFY(line.ends_with("6.00 s: 100.0 % of the time on the memory side."));
        QVERIFY(line.find("3.00 s") == std::string::npos);
        // Of one kernel that was measured the details and its row say what.
        profile.launches[1].duration.reset();
        QCOMPARE(session_line(analyse(profile, {})), session_sentence(analyse(profile, {}), {}, true));
        profile.launches.pop_back();
        QCOMPARE(session_line(analyse(profile, {})), session_sentence(analyse(profile, {}), {}, true));
    }
    void nothing_measured_is_said() {
        QVERIFY(class_shares(by_launch({})).empty());
        QCOMPARE(session_sentence(by_launch({})), std::string("No kernels."));
        QCOMPARE(session_sentence(by_launch({launch(std::nullopt, {}, {})})),
                 std::string("1 launch, time not measured."));
    }
};

}  // namespace tst_summary

ROOFWALK_TEST(tst_summary, TestSummary, NoApplication)
#include "tst_summary.moc"
