// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <QString>
#include <QTest>
#include <algorithm>
#include <array>
#include <tuple>

#include "core/compare/join_runs.h"
#include "core/import/open_profile.h"
#include "core/report/profile_to_json.h"
#include "core/roofline/analysis.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"
#include "tests/support/separate_runs.h"

namespace tst_join_runs {

using namespace roofwalk;
using namespace roofwalk::test;

namespace {

using Launches = std::vector<SeparateLaunch>;

Profile read(const std::string& bytes, const std::string& name) {
    auto profile = read_profile(std::as_bytes(std::span(bytes)), name);
    return profile ? *std::move(profile) : Profile();
}

Profile report(SeparateRun run, const std::string& name, const Launches& launches = separate_launches()) {
    return read(write_report(separate_report(run, launches)), name);
}

Profile csv(SeparateRun run, const std::string& name, const Launches& launches = separate_launches()) {
    return read(csv_header() + separate_rows(run, launches), name);
}

JoinedRuns join(const std::vector<Profile>& profiles) {
    std::vector<const Profile*> list;
    for (const Profile& profile : profiles)
        list.push_back(&profile);
    return join_runs(list);
}

bool separate(const std::vector<Profile>& profiles) {
    std::vector<const Profile*> list;
    for (const Profile& profile : profiles)
        list.push_back(&profile);
    return are_separate_runs(list);
}

std::vector<Profile> three_reports() {
    return {report(SeparateRun::time, "time.ncu-rep"), report(SeparateRun::bytes, "bytes.ncu-rep"),
            report(SeparateRun::flop, "flop.ncu-rep")};
}

Profile merged_csv(const Launches& launches = separate_launches()) {
    std::string text = csv_header();
    for (const SeparateRun run : separate_runs)
        text += separate_rows(run, launches);
    return read(text, "merged.csv");
}

/// All three in one, with times of its own.
Profile complete_report(const std::string& name, const Launches& launches = separate_launches()) {
    Profile complete = report(SeparateRun::flop, name, launches);
    const Profile bytes = report(SeparateRun::bytes, name, launches);
    for (std::size_t i = 0; i < complete.launches.size(); ++i) {
        complete.launches[i].traffic = bytes.launches[i].traffic;
        complete.launches[i].duration = Seconds(0.25);
        complete.launches[i].duration_origin = TimeOrigin::measured;
    }
    complete.warnings.clear();
    return complete;
}

Launches of_another_program() {
    Launches others = separate_launches();
    for (SeparateLaunch& launch : others)
        launch.name = "another" + launch.name;
    return others;
}

std::string_view source_text(const Profile& profile, TextId id) {
    return profile.texts.view(id);
}

/// Launches of a kernel each; the even processes were timed, and each odd one counted the bytes of the kernel
/// before it.
Profile of_processes(std::uint32_t count) {
    Profile profile;
    profile.sources.resize(1);
    profile.sources.front().path = "all.csv";
    profile.devices.resize(1);
    for (std::uint32_t process = 0; process < count; ++process) {
        if (process % 2 == 0) profile.kernels.push_back({"kernel" + std::to_string(process), {}, {}});
        Launch& launch = profile.launches.emplace_back();
        launch.process = process;
        launch.kernel = static_cast<KernelIndex>(profile.kernels.size() - 1);
        launch.grid = launch.block = {1, 1, 1};
        if (process % 2 == 0)
            launch.duration = Seconds(1);
        else
            launch.traffic.push_back({.total = Bytes(1e9), .read = {}, .write = {}});
    }
    return profile;
}

/// The arithmetic by hand: dadd + dmul + 2 dfma, read + written bytes, both over the time, and over each
/// other.
struct ByHand {
    double time;
    double work;
    double bytes;
    double performance = work / time;
    double intensity = work / bytes;
};
constexpr double ns = 1e-9;
constexpr ByHand by_hand[] = {{10000 * ns, 1e6 + 2e6 + 2 * 3e6, 8e6 + 2e6},
                              {12500 * ns, 2e6 + 4e6 + 2 * 6e6, 8e6 + 4e6},
                              {20000 * ns, 4e6 + 8e6 + 2 * 12e6, 16e6 + 4e6},
                              {5000 * ns, 2 * 1e6, 4e6}};

void compare_with_hand(const Profile& profile) {
    AnalysisOptions options;
    options.group_by = GroupBy::launch;
    const Analysis analysis = analyse(profile, options);
    QCOMPARE(analysis.points.size(), std::size(by_hand));
    for (std::size_t i = 0; i < analysis.points.size(); ++i) {
        const KernelPoint& point = analysis.points[i];
        QVERIFY(point.time.value().value() == by_hand[i].time);
        QVERIFY(point.work.value().value() == by_hand[i].work);
        QVERIFY(point.at(MemoryLevel::hbm).value().bytes.value() == by_hand[i].bytes);
        QVERIFY(point.performance.value().value() == by_hand[i].performance);
        QVERIFY(point.at(MemoryLevel::hbm)->intensity.value().value() == by_hand[i].intensity);
        QVERIFY(!point.contradicted);
        QCOMPARE(point.time_origin, TimeOrigin::measured);
    }
}

}  // namespace

class TestJoinRuns : public QObject {
    Q_OBJECT

  private slots:
    // Counting holds launches up.
    void start_times_stay_of_a_run_that_was_timed_alone() {
        Profile timed = report(SeparateRun::time, "time.ncu-rep");
        for (std::size_t i = 0; i < timed.launches.size(); ++i)
            timed.launches[i].start = Seconds(1e-3 * static_cast<double>(i));
        const Profile flop = report(SeparateRun::flop, "flop.ncu-rep");
        QVERIFY(join({timed, flop}).profile.launches[0].start);
        for (Launch& launch : timed.launches)
            launch.traffic.push_back({.total = Bytes(1), .read = {}, .write = {}});
        const Profile counted = join({timed, flop}).profile;
        QVERIFY(counted.launches[0].duration && !counted.launches[0].work.empty());
        QVERIFY(!counted.launches[0].start);
    }
    void what_one_of_the_runs_looked_at_is_no_longer_in_doubt() {
        std::vector<Profile> runs = three_reports();
        runs.push_back(runs[2]);
        const auto only = [](Profile& run, PipeKind kind, const UncountedWork& unchecked) {
            for (Launch& launch : run.launches) {
                std::erase_if(launch.work,
                              [&](const WorkSample& sample) { return sample.pipe != Pipe{kind}; });
                launch.unchecked = unchecked;
            }
        };
        only(runs[2], PipeKind::fp64, {.fp32 = true, .fp16 = true, .tensor = true});
        only(runs[3], PipeKind::fp32, {.fp64 = true, .fp16 = true, .tensor = true});
        const JoinedRuns joined = join(runs);
        QCOMPARE(joined.profile.launches.size(), separate_launches().size());
        QCOMPARE(joined.profile.launches[0].unchecked, (UncountedWork{.fp16 = true, .tensor = true}));
        runs.pop_back();
        QCOMPARE(join(runs).profile.launches[0].unchecked, runs[2].launches[0].unchecked);
    }

    void reports_give_what_the_arithmetic_by_hand_gives() {
        std::vector<Profile> runs = three_reports();
        do {
            const JoinedRuns joined = join(runs);
            QCOMPARE(joined.sentences.size(), 1U);
            compare_with_hand(joined.profile);
            std::rotate(runs.begin(), runs.begin() + 1,
                        runs.end());  // clang 14 cannot compile that of ranges
        } while (runs.front().sources.front().path != "time.ncu-rep");
    }

    void so_do_csv_files_and_the_processes_of_one() {
        compare_with_hand(join({csv(SeparateRun::time, "time.csv"), csv(SeparateRun::bytes, "bytes.csv"),
                                csv(SeparateRun::flop, "flop.csv")})
                              .profile);
        const Profile merged = merged_csv();
        QCOMPARE(merged.launches.size(), 12U);
        compare_with_hand(join({merged}).profile);
    }

    // NERSC's recipe counts all clients of L2 and the tag stage of L1 beside DRAM.
    void so_do_the_three_levels_of_nersc_recipe() {
        constexpr std::array levels{std::tuple("lts__t_bytes.sum", MemoryLevel::l2, 3),
                                    std::tuple("l1tex__t_bytes.sum", MemoryLevel::l1, 5)};
        const Launches launches = separate_launches();
        Fixture counted = separate_report(SeparateRun::bytes, launches);
        std::string rows;
        for (const std::string counter = "dram__bytes_read.sum";
             const auto& line :
             QString::fromStdString(separate_rows(SeparateRun::bytes, launches)).split('\n')) {
            const std::string row = line.toStdString();
            rows += row + "\n";
            const auto at = row.find(counter);
            for (const auto& [metric, level, times] : levels)
                if (at != std::string::npos)
                    rows += fmt::format("{}{}\",\"byte\",\"{}\"\n", row.substr(0, at), metric,
                                        times * launches[std::stoul(row.substr(1))].read);
        }
        for (std::size_t i = 0; i < launches.size(); ++i)
            for (const auto& [metric, level, times] : levels)
                counted.kernels[i].add(metric, times * launches[i].read);
        AnalysisOptions options = nersc_view();
        options.group_by = GroupBy::launch;
        for (const bool by_csv : {false, true}) {
            const auto run = [&](SeparateRun which, const std::string& name) {
                return by_csv ? csv(which, name + ".csv") : report(which, name + ".ncu-rep");
            };
            const Profile bytes = by_csv ? read(csv_header() + rows, "bytes.csv")
                                         : read(write_report(counted), "bytes.ncu-rep");
            const Profile joined =
                join({run(SeparateRun::time, "time"), bytes, run(SeparateRun::flop, "flop")}).profile;
            compare_with_hand(joined);
            const Analysis analysis = analyse(joined, options);
            for (std::size_t i = 0; i < std::size(by_hand); ++i)
                for (const auto& [metric, level, times] : levels) {
                    const KernelPoint& point = analysis.points[i];
                    const double moved = times * launches[i].read;
                    QVERIFY(point.at(level).value().bytes.value() == moved);
                    QVERIFY(point.at(level)->intensity.value().value() == by_hand[i].work / moved);
                    QVERIFY(point.bandwidth(level).value().value() == moved / by_hand[i].time);
                }
        }
    }

    void so_do_a_report_and_csv_files_that_know_no_nvtx_ranges() {
        const JoinedRuns joined =
            join({csv(SeparateRun::time, "time.csv"), report(SeparateRun::bytes, "bytes.ncu-rep"),
                  csv(SeparateRun::flop, "flop.csv")});
        compare_with_hand(joined.profile);
        const Launch& launch = joined.profile.launches.front();
        QCOMPARE(joined.profile.device_of(launch).name, std::string("NVIDIA A100-SXM4-40GB"));
        QCOMPARE(nvtx_path(joined.profile.nvtx_of(launch)), std::string("step"));
    }

    void every_figure_names_its_report() {
        const Profile joined = join(three_reports()).profile;
        const Launch& launch = joined.launches.front();
        QCOMPARE(source_text(joined, launch.duration_source),
                 std::string_view("gpu__time_duration.sum of time.ncu-rep"));
        QVERIFY(source_text(joined, launch.traffic.front().source).ends_with(" of bytes.ncu-rep"));
        QVERIFY(source_text(joined, launch.find(Pipe{PipeKind::fp64})->source).ends_with(" of flop.ncu-rep"));
        QCOMPARE(joined.sources.size(), 3U);
        QCOMPARE(joined.devices.size(), 1U);
        QCOMPARE(joined.sources[1].joined_with.value(), SourceIndex{0});
        const Analysis analysis = analyse(joined, {});
        QVERIFY(!analysis.several_reports);
        QCOMPARE(analysis.points.front().source->whole,
                 std::string("time.ncu-rep + bytes.ncu-rep + flop.ncu-rep"));
    }

    void a_report_that_gave_a_kernel_nothing_is_not_named_with_it() {
        Launches some = separate_launches();
        some.pop_back();  // no run counted the FLOP of the last kernel
        for (const bool tables : {false, true}) {
            const auto run = [&](SeparateRun kind, const char* name, const Launches& launches) {
                return tables ? csv(kind, name, launches) : report(kind, name, launches);
            };
            const Profile joined = join({run(SeparateRun::time, "time", separate_launches()),
                                         run(SeparateRun::bytes, "bytes", separate_launches()),
                                         run(SeparateRun::flop, "flop", some)})
                                       .profile;
            const Analysis analysis = analyse(joined, {});
            QCOMPARE(analysis.points.front().source->whole, std::string("time + bytes + flop"));
            QCOMPARE(analysis.points.back().source->whole, std::string("time + bytes"));
            QVERIFY(!analysis.points.back().work && analysis.points.back().time);
            QVERIFY(!analysis.several_reports);
        }
    }

    void a_joined_profile_is_kept_as_json() {
        const Profile joined = join(three_reports()).profile;
        const Profile again = read(to_json(joined), "joined.json");
        compare_with_hand(again);
        QCOMPARE(again.sources[2].joined_with.value(), SourceIndex{0});
        QCOMPARE(analyse(again, {}).points.front().source->whole, std::string("joined.json"));
        QCOMPARE(source_text(again, again.launches[0].duration_source),
                 std::string_view("gpu__time_duration.sum of time.ncu-rep"));
        QCOMPARE(to_json(again), to_json(joined));
    }

    void what_has_no_counterpart_is_listed_and_has_no_time() {
        Launches fewer = separate_launches();
        fewer.erase(fewer.begin());  // which of both was left out nobody can say
        fewer.push_back(fewer.back());
        fewer.back().name = "other(double *)";
        const JoinedRuns joined = join(
            {report(SeparateRun::time, "time.ncu-rep"), report(SeparateRun::bytes, "bytes.ncu-rep", fewer)});
        const Profile& profile = joined.profile;
        QCOMPARE(profile.launches.size(), 4U + 2U);
        QCOMPARE(profile.warnings.size(), 2U);
        const Warning& other = profile.warnings[0];
        QVERIFY(other.message.what.find("other(double *)") != std::string::npos);
        QCOMPARE(other.launches, (std::vector{LaunchIndex{5}}));
        QCOMPARE(profile.warnings[1].launches, (std::vector{LaunchIndex{0}, LaunchIndex{1}, LaunchIndex{4}}));
        for (const std::size_t left : {4U, 5U}) {
            QVERIFY(!profile.launches[left].duration);
            QCOMPARE(profile.launches[left].traffic.size(), 1U);
        }
        for (const std::size_t alone : {0U, 1U})
            QVERIFY(profile.launches[alone].traffic.empty() && profile.launches[alone].duration);
        for (const std::size_t matched : {2U, 3U})
            QCOMPARE(profile.launches[matched].traffic.size(), 1U);
        QVERIFY(analyse(profile, {}).several_reports);
    }

    void a_complete_report_beside_joined_ones_keeps_its_times() {
        const auto is_beside = [](const JoinedRuns& joined) {
            QCOMPARE(joined.profile.launches.size(), 8U);
            QCOMPARE(joined.sentences.size(), 2U);
            QVERIFY(joined.sentences[1].find("full.ncu-rep") != std::string::npos);
            QVERIFY(joined.profile.warnings.empty());
            int beside = 0;
            for (const Launch& launch : joined.profile.launches) {
                QVERIFY(launch.duration && !launch.work.empty() && launch.traffic.size() == 1);
                beside += *launch.duration == Seconds(0.25) ? 1 : 0;
            }
            QCOMPARE(beside, 4);
        };
        for (const Launches& launches : {separate_launches(), of_another_program()}) {
            std::vector<Profile> runs = three_reports();
            runs.push_back(complete_report("full.ncu-rep", launches));
            QVERIFY(separate(runs));
            is_beside(join(runs));
            std::rotate(runs.begin(), runs.end() - 1, runs.end());
            is_beside(join(runs));
        }
    }
    void reports_that_match_nothing_keep_their_times_and_are_listed() {
        Launches larger = separate_launches();
        for (SeparateLaunch& launch : larger)
            launch.grid[0] *= 2;
        Profile timed_bytes = report(SeparateRun::bytes, "bytes.ncu-rep", larger);
        for (Launch& launch : timed_bytes.launches)
            launch.duration = Seconds(0.25);
        for (const Profile& other : {timed_bytes, complete_report("full.ncu-rep", larger)}) {
            const JoinedRuns joined = join({report(SeparateRun::time, "time.ncu-rep"), other});
            QCOMPARE(joined.profile.launches.size(), 8U);
            for (std::size_t i = 4; i < 8; ++i)
                QCOMPARE(joined.profile.launches[i].duration.value(), Seconds(0.25));
            std::size_t listed = 0;
            for (const Warning& warning : joined.profile.warnings)
                listed += warning.launches.size();
            QCOMPARE(listed, 8U);
            QVERIFY(!joined.profile.sources[1].joined_with);
        }
    }
    void a_throughput_that_was_counted_alone_is_joined() {
        Profile shares = report(SeparateRun::time, "shares.ncu-rep");
        for (Launch& launch : shares.launches)
            launch.metrics = {{shares.texts.intern(metric_of(HardwareUnit::sm)), 85}};
        std::vector<Profile> runs = three_reports();
        runs[2] = std::move(shares);
        QVERIFY(separate(runs));
        const JoinedRuns joined = join(runs);
        QCOMPARE(joined.profile.launches.size(), 4U);
        for (const KernelPoint& point : analyse(joined.profile, {}).points)
            QCOMPARE(limit_label(point), std::string("SM"));
    }
    void a_launch_of_a_complete_report_that_matches_none_keeps_its_time() {
        Launches more = separate_launches();
        more.push_back(more.back());
        more.back().name = "other(double *)";
        std::rotate(more.begin(), more.end() - 1, more.end());
        const Profile profile =
            join({report(SeparateRun::time, "time.ncu-rep"), complete_report("full.ncu-rep", more)}).profile;
        QCOMPARE(profile.launches.size(), 5U);
        for (std::size_t i = 0; i < 4; ++i)
            QVERIFY(*profile.launches[i].duration < Seconds(1e-3) && !profile.launches[i].work.empty());
        QCOMPARE(profile.launches[4].duration.value(), Seconds(0.25));
        QCOMPARE(profile.warnings.size(), 1U);
    }

    void a_run_that_ends_earlier_is_joined_as_far_as_it_goes() {
        Launches whole = separate_launches();
        whole.push_back(whole.front());  // how often it was launched does not tell them apart
        Launches fewer = whole;
        fewer.pop_back();
        for (const bool counted_less : {true, false}) {
            const Profile profile =
                join({report(SeparateRun::time, "time.ncu-rep", counted_less ? whole : fewer),
                      report(SeparateRun::bytes, "bytes.ncu-rep", counted_less ? fewer : whole)})
                    .profile;
            QCOMPARE(profile.launches.size(), whole.size());
            for (std::size_t i = 0; i < fewer.size(); ++i)
                QVERIFY(profile.launches[i].duration && profile.launches[i].traffic.size() == 1);
            const Launch& last = profile.launches.back();
            QCOMPARE(last.duration.has_value(), counted_less);
            QCOMPARE(last.traffic.empty(), counted_less);
            QCOMPARE(profile.warnings.size(), 1U);
            QCOMPARE(profile.warnings[0].launches, (std::vector{static_cast<LaunchIndex>(whole.size() - 1)}));
        }
    }

    void so_is_one_that_spells_the_names_otherwise() {
        Launches whole = separate_launches();
        for (SeparateLaunch& launch : whole)
            launch.name = "void heat::" + launch.name.substr(0, launch.name.find('(')) + "<(int)2>(T1 *)";
        Launches fewer = whole;
        fewer.pop_back();
        for (SeparateLaunch& launch : fewer)
            launch.name = launch.name.starts_with("void heat::stencil") ? "void stencil<2>(T1 *)"
                                                                        : "void reduce<2>(T1 *)";
        const Profile profile = join({report(SeparateRun::time, "time.ncu-rep", whole),
                                      report(SeparateRun::bytes, "bytes.ncu-rep", fewer)})
                                    .profile;
        QCOMPARE(profile.launches.size(), whole.size());
        for (std::size_t i = 0; i < fewer.size(); ++i)
            QVERIFY(profile.launches[i].duration && profile.launches[i].traffic.size() == 1);
    }

    void names_of_other_namespaces_are_of_other_programs() {
        const auto run = [](SeparateRun kind, const char* name, const std::string& within) {
            Launches launches = separate_launches();
            for (SeparateLaunch& launch : launches)
                launch.name = within + launch.name;
            return report(kind, name, launches);
        };
        const Profile time = run(SeparateRun::time, "t.ncu-rep", "v1::");
        const Profile others = run(SeparateRun::bytes, "u.ncu-rep", "v2::");
        for (const char* within : {"v1::", ""}) {
            const Profile bytes = run(SeparateRun::bytes, "w.ncu-rep", within);
            // Without namespaces, it is of either program.
            const bool known = *within != 0;
            for (const auto& runs : {std::vector{time, others, bytes}, std::vector{bytes, others, time}})
                QCOMPARE(join(runs).profile.launches.size(), known ? 8U : 12U);
            QCOMPARE(join({time, bytes}).profile.launches.size(), 4U);
        }
        const Profile joined = join({time, others, run(SeparateRun::bytes, "w.ncu-rep", "v1::")}).profile;
        QVERIFY(joined.launches[0].duration && joined.launches[0].traffic.size() == 1);
        QVERIFY(!separate({time, others}));
    }

    void another_grid_is_another_launch() {
        Launches others = separate_launches();
        others[2].grid = {300, 1, 1};
        const Profile joined =
            join({report(SeparateRun::time, "a"), report(SeparateRun::bytes, "b", others)}).profile;
        QCOMPARE(joined.launches.size(), 5U);
        QVERIFY(joined.launches[2].traffic.empty());
        QVERIFY(joined.launches[1].traffic.size() == 1 && joined.launches[3].traffic.size() == 1);
    }

    void a_launch_is_found_in_each_of_its_files() {
        const std::vector<Profile> runs = three_reports();
        const Profile joined = join(runs).profile;
        for (std::size_t i = 0; i < joined.launches.size(); ++i) {
            const Launch& launch = joined.launches[i];
            QCOMPARE(launch.joined.size(), 2U);
            for (const FilePlace& place : launch.joined) {
                const auto run = std::ranges::find_if(runs, [&](const Profile& each) {
                    return each.sources.front().path == joined.at(place.source).path;
                });
                QVERIFY(run != runs.end());
                QCOMPARE(place.offset, run->launches[i].file_offset);
            }
        }
        const Profile alone = report(SeparateRun::time, "other.ncu-rep");
        const Profile* both[] = {&alone, &joined};
        const Profile merged = merge_profiles(both);
        for (const FilePlace& place : merged.launches.back().joined)
            QVERIFY(merged.at(place.source).path != "other.ncu-rep" &&
                    merged.at(place.source).path != "time.ncu-rep");
    }

    void a_timed_run_goes_before_a_derived_time_of_a_counting_pass() {
        const Profile joined =
            join({report(SeparateRun::flop, "flop.ncu-rep"), report(SeparateRun::time, "time.ncu-rep")})
                .profile;
        QCOMPARE(joined.launches[0].duration.value().value(), 10e-6);
        QCOMPARE(joined.launches[0].duration_origin, TimeOrigin::measured);
        // Alone, its time is what there is.
        const Profile alone = report(SeparateRun::flop, "flop.ncu-rep");
        QCOMPARE(alone.launches[0].duration_origin, TimeOrigin::derived);
        QCOMPARE(alone.launches[0].duration.value().value(), 1e-3);
    }

    void runs_that_counted_the_same_stay_two() {
        std::vector<Profile> runs = three_reports();
        for (Profile& run : three_reports())
            runs.push_back(std::move(run));
        const JoinedRuns both = join(runs);
        QCOMPARE(both.sentences.size(), 2U);
        QCOMPARE(both.profile.launches.size(), 8U);
        QCOMPARE(both.profile.sources[5].joined_with.value(), SourceIndex{3});
        const JoinedRuns ranks = join({runs[0], runs[3]});
        QVERIFY(ranks.sentences.empty());
        QCOMPARE(ranks.profile.launches.size(), 8U);
    }

    void why_nothing_is_joined_tells_other_programs_from_the_same_counters() {
        std::vector<Profile> runs = three_reports();
        const std::string same = join({runs[0], runs[0]}).why_none;
        for (Kernel& kernel : runs[1].kernels)
            kernel.name = "other_" + kernel.name;
        runs[1].devices.front().name = "Another GPU";
        const JoinedRuns two = join({runs[0], runs[1]});
        QVERIFY(two.sentences.empty());
        QVERIFY2(!same.empty() && two.why_none != same, two.why_none.c_str());
        QVERIFY2(two.why_none.find("Another GPU") != std::string::npos, two.why_none.c_str());
    }

    void of_many_processes_each_keeps_what_is_its_own_only() {
        Profile many = of_processes(400);
        many.warnings.push_back(
            {{ErrorCode::not_understood, "two", "", ""}, {LaunchIndex{2}, LaunchIndex{3}}});
        many.warnings.push_back({{ErrorCode::not_understood, "all", "", ""}, {}});
        const JoinedRuns joined = join({many});
        QCOMPARE(joined.sentences.size(), 200U);
        QCOMPARE(joined.profile.launches.size(), 200U);
        for (const Launch& launch : joined.profile.launches)
            QVERIFY(launch.duration && launch.traffic.size() == 1);
        QCOMPARE(joined.profile.kernels.size(), 400U);  // a run and its kernel, not all of them
        QCOMPARE(joined.profile.kernel_of(joined.profile.launches[1]).name, std::string("kernel2"));
        const auto warned_of = [&](const std::string& what) {
            std::vector<std::vector<LaunchIndex>> lists;
            for (const Warning& warning : joined.profile.warnings)
                if (warning.message.what == what) lists.push_back(warning.launches);
            return lists;
        };
        // The bytes of the second pair stand in the launch that was timed.
        using Lists = std::vector<std::vector<LaunchIndex>>;
        QVERIFY(warned_of("two") == (Lists{{LaunchIndex{1}}, {LaunchIndex{1}}}));
        QVERIFY(warned_of("all") == Lists(1));
    }

    void processes_that_stay_beside_are_named_apart_and_by_whether_they_have_a_time() {
        Profile many = of_processes(6);
        many.launches[5].kernel = static_cast<KernelIndex>(many.kernels.size());  // no counterpart of it
        many.kernels.push_back({"alone", {}, {}});
        const JoinedRuns joined = join({many});
        QCOMPARE(joined.sentences.size(), 4U);
        QVERIFY(joined.sentences[2].find("all.csv process 4") != std::string::npos);
        QVERIFY(joined.sentences[3].find("all.csv process 5") != std::string::npos);
        QVERIFY(joined.sentences[3].find("time") == std::string::npos);
    }

    void too_many_processes_are_not_joined() {
        const Profile many = of_processes(100'000);
        QVERIFY(!separate({many}));
        const JoinedRuns joined = join({many});
        QCOMPARE(joined.sentences.size(), 1U);
        QVERIFY(joined.sentences.front().find("100,000 processes") != std::string::npos);
        QCOMPARE(joined.profile.launches.size(), 100'000U);
        QCOMPARE(joined.profile.sources.size(), 1U);
    }

    void a_report_without_launches_stays_beside_those_that_are_joined() {
        std::vector<Profile> runs = three_reports();
        runs.push_back(report(SeparateRun::time, "nothing.ncu-rep"));
        runs.back().launches.clear();
        QVERIFY(separate(runs));
        const JoinedRuns joined = join(runs);
        QCOMPARE(joined.sentences.size(), 1U);
        compare_with_hand(joined.profile);
        QCOMPARE(joined.profile.sources.size(), 4U);
        QVERIFY(!joined.profile.sources[3].joined_with);
    }

    void they_are_known_by_what_they_counted() {
        const std::vector<Profile> runs = three_reports();
        QVERIFY(separate(runs));
        QVERIFY(separate({merged_csv()}));
        QVERIFY(!separate({runs[0]}));
        QVERIFY(!separate({runs[0], runs[0]}));
        QVERIFY(!separate({join(runs).profile, runs[1]}));
        QVERIFY(!separate({runs[0], report(SeparateRun::bytes, "other.ncu-rep", of_another_program())}));
    }

    void runs_of_one_kind_of_work_each_are_joined_too() {
        // Only FP64 counters in one run, only FP32 and FP16 in another.
        const auto keep = [](Profile profile, auto wanted) {
            for (Launch& launch : profile.launches)
                std::erase_if(launch.work, [&](const WorkSample& sample) { return !wanted(sample.pipe); });
            return profile;
        };
        const Profile flop = report(SeparateRun::flop, "flop.ncu-rep");
        const auto is_double = [](Pipe pipe) { return pipe == Pipe{PipeKind::fp64}; };
        const Profile joined = join({report(SeparateRun::time, "time.ncu-rep"), keep(flop, is_double),
                                     keep(flop, [&](Pipe pipe) { return !is_double(pipe); })})
                                   .profile;
        QCOMPARE(joined.launches.size(), 4U);
        QCOMPARE(joined.launches[0].work.size(), flop.launches[0].work.size());
    }
};

}  // namespace tst_join_runs

ROOFWALK_TEST(tst_join_runs, TestJoinRuns, NoApplication)
#include "tst_join_runs.moc"
