// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/ncu/ncu_report.h"

#include <fmt/format.h>

#include <QTest>
#include <algorithm>
#include <limits>

#include "core/model/kernel_name.h"
#include "tests/core/import/decoded_results.h"
#include "tests/support/folder_tests.h"
#include "tests/support/ncu_fixtures.h"
#include "tests/support/qt_strings.h"

namespace tst_ncu_report {

using namespace roofwalk;
using namespace roofwalk::test;

namespace {

Result<Profile> read(const Fixture& fixture, const Progress& progress = {}) {
    const std::string report = write_report(fixture);
    return read_ncu_report(std::as_bytes(std::span(report)), "test.ncu-rep", progress);
}

std::size_t count(const Profile& profile, ErrorCode code) {
    return static_cast<std::size_t>(std::ranges::count(
        profile.warnings, code, [](const Warning& warning) { return warning.message.code; }));
}

Fixture failed_kernel_fixture() {
    Fixture fixture = small_report_fixture();
    FixtureKernel& failed = fixture.kernels[1];
    failed.grid = {0, 0, 0};
    failed.block = {0, 0, 0};
    failed.set("gpu__time_duration.sum", std::numeric_limits<double>::quiet_NaN());
    return fixture;
}

/// A graph or range of these kernels, each of 64 blocks of 256 threads.
FixtureKernel whole_of(const std::vector<std::string>& kernels) {
    FixtureKernel whole;
    whole.process = 77;
    whole.context = 3;
    whole.stream = 9;
    whole.clocks_locked = false;
    whole.nvtx = {{whole.thread, {"step"}}};
    const auto add_to_each = [&](const char* metric, const FixtureValue& value) {
        std::vector<FixtureInstance> instances;
        for (std::size_t i = 0; i < kernels.size(); ++i)
            instances.push_back({std::uint64_t{i}, value});
        whole.add(metric, value, std::move(instances));
    };
    std::vector<FixtureInstance> names;
    for (std::size_t i = 0; i < kernels.size(); ++i)
        names.push_back({std::uint64_t{i}, kernels[i]});
    whole.add("launch__kernel_name", std::string(), std::move(names));
    add_to_each("launch__grid_size", std::uint64_t{64});
    add_to_each("launch__thread_count", std::uint64_t{16384});
    add_to_each("launch__registers_per_thread", std::uint64_t{16});
    add_to_each("launch__waves_per_multiprocessor", 0.06);
    add_to_each("sm__maximum_warps_per_active_cycle_pct", 100.0);
    whole.add("gpu__time_duration.sum", 200000.0);
    whole.add("dram__bytes.sum.per_second", 73472 / 2e-4);
    whole.add("sm__throughput.avg.pct_of_peak_sustained_elapsed", 5.0);
    return whole;
}

const ncu::Block& first_graph(const ncu::Container& container) {
    return *std::ranges::find(container.blocks, 1U, &ncu::Block::graphs);
}

/// Where its length stands.
std::size_t begin_of_first_graph(const std::string& report) {
    return first_graph(container_of(report)).payload_offset;
}

std::size_t end_of_first_graph(const std::string& report) {
    const ncu::Container container = container_of(report);
    return first_graph(container).payload_offset + first_graph(container).payload.size();
}

}  // namespace

class TestNcuReport : public QObject {
    Q_OBJECT

  private slots:
    void a_full_report_becomes_a_profile() {
        const auto profile = read(full_report_fixture());
        QVERIFY(profile.has_value());
        QCOMPARE(profile->launches.size(), std::size_t{8});
        QCOMPARE(profile->kernels.size(), std::size_t{6});
        QCOMPARE(profile->devices.size(), std::size_t{1});
        QCOMPARE(profile->devices[0].name, std::string("NVIDIA A100-SXM4-40GB"));
        QCOMPARE(profile->devices[0].sm_count.value(), 108);
        QCOMPARE(profile->warnings.size(), std::size_t{0});
        const Launch& saxpy = profile->launches[4];
        QCOMPARE(profile->kernel_of(saxpy).function_name, std::string("saxpy"));
        QCOMPARE(saxpy.duration->value(), 612e-6);
        QCOMPARE(saxpy.find(Boundary::hbm_dram_rw)->total.value(), 12.0 * (1 << 26));
        QCOMPARE(saxpy.find(Boundary::l2_sm_sectors)->total.value(), 12.0 * (1 << 26));
        QCOMPARE(saxpy.find(Boundary::smem_wavefronts)->total.value(), 0.0);
        QVERIFY(std::abs(saxpy.find(Pipe{PipeKind::fp32, false})->work.value() / (2.0 * (1 << 26)) - 1) <
                1e-12);
        QVERIFY(saxpy.ceilings != nullptr);
    }
    void session_facts_reach_the_source() {
        const auto profile = read(small_report_fixture());
        QVERIFY(profile.has_value());
        const SourceInfo& source = profile->sources.at(0);
        QCOMPARE(source.path, std::string("test.ncu-rep"));
        QCOMPARE(source.format, SourceFormat::ncu_report);
        QCOMPARE(source.tool, std::string("Nsight Compute 2025.1.0.0"));
        QCOMPARE(source.command_line, small_report_fixture().command_line);
        QCOMPARE(source.created.value(), std::int64_t{1745000000});
        QVERIFY(!source.partial);
    }
    void reports_of_2019_have_no_tool_version() {
        Fixture fixture = small_report_fixture();
        fixture.ncu_version.clear();
        fixture.command_line.clear();
        for (FixtureKernel& kernel : fixture.kernels) {
            kernel.process = 0;
            kernel.context.reset();
            kernel.stream.reset();
            kernel.clocks_locked.reset();
            kernel.nvtx.clear();
        }
        const auto profile = read(fixture);
        QVERIFY(profile.has_value());
        QCOMPARE(profile->sources[0].tool, std::string());
        QCOMPARE(profile->launches[0].process, std::uint32_t{0});
        QVERIFY(!profile->launches[0].clocks_locked.has_value());
    }
    void grids_that_count_threads_are_shown_in_blocks() {
        Fixture fixture = old_report_fixture();
        const auto usual = read(full_report_fixture());
        const auto old = read(fixture);
        for (FixtureKernel& kernel : fixture.kernels)
            std::erase_if(kernel.metrics,
                          [](const FixtureMetric& metric) { return metric.name == "launch__grid_size"; });
        const auto without_metric = read(fixture);
        for (FixtureKernel& kernel : fixture.kernels)
            kernel.add("launch__thread_count", kernel.grid[0] * kernel.grid[1] * kernel.grid[2] *
                                                   kernel.block[0] * kernel.block[1] * kernel.block[2]);
        fixture.ncu_version = full_report_fixture().ncu_version;
        const auto of_threads = read(fixture);
        QVERIFY(usual.has_value() && old.has_value() && without_metric.has_value() && of_threads.has_value());
        QVERIFY((old->launches[1].grid == Dim3{64, 64, 1}));
        for (std::size_t i = 0; i < usual->launches.size(); ++i)
            for (const auto* profile : {&old, &without_metric, &of_threads})
                QVERIFY((*profile)->launches[i].grid == usual->launches[i].grid);
        QCOMPARE(count(*old, ErrorCode::contradiction), std::size_t{0});
    }
    void a_grid_of_blocks_is_left_as_it_is_whatever_the_version() {
        Fixture fixture = full_report_fixture();
        fixture.ncu_version.clear();
        const auto profile = read(fixture);
        QVERIFY(profile.has_value());
        QVERIFY((profile->launches[1].grid == Dim3{64, 64, 1}));
    }
    void a_grid_of_more_threads_than_32_bits_hold_is_divided_first() {
        Fixture fixture = old_report_fixture();
        fixture.kernels[0].grid = {1U << 30U, 1, 1};
        fixture.kernels[0].block = {1024, 1, 1};
        fixture.kernels[0].set("launch__grid_size", std::uint64_t{1} << 30U);
        const auto profile = read(fixture);
        QVERIFY(profile.has_value());
        QVERIFY((profile->launches[0].grid == Dim3{1U << 30U, 1, 1}));
    }
    void a_grid_that_its_metric_denies_is_said() {
        Fixture fixture = full_report_fixture();
        fixture.kernels[2].set("launch__grid_size", std::uint64_t{17});
        const auto profile = read(fixture);
        QVERIFY(profile.has_value());
        QCOMPARE(count(*profile, ErrorCode::contradiction), std::size_t{1});
        QVERIFY(profile->warnings[0].launches == std::vector{LaunchIndex{2}});
        QVERIFY((profile->launches[2].grid == Dim3{64, 64, 1}));
    }
    void a_result_may_stand_before_its_source() {
        Fixture fixture = full_report_fixture();
        const auto usual = read(fixture);
        fixture.layout.results_before_sources = true;
        const auto early = read(fixture);
        QVERIFY(usual.has_value() && early.has_value());
        QCOMPARE(early->launches.size(), usual->launches.size());
        QVERIFY(early->launches[3].duration == usual->launches[3].duration);
    }
    void several_results_may_share_a_block() {
        Fixture fixture = full_report_fixture();
        fixture.layout.results_per_block = 3;
        const auto profile = read(fixture);
        QVERIFY(profile.has_value());
        QCOMPARE(profile->launches.size(), std::size_t{8});
        QCOMPARE(profile->kernel_of(profile->launches[6]).function_name, std::string("reduce_sum"));
    }
    void a_failed_kernel_is_kept_and_named() {
        const auto profile = read(failed_kernel_fixture());
        QVERIFY(profile.has_value());
        QCOMPARE(profile->launches.size(), std::size_t{2});
        QVERIFY(!profile->launches[0].failed);
        const Launch& failed = profile->launches[1];
        QVERIFY(failed.failed);
        QVERIFY(!failed.duration.has_value());
        QVERIFY(failed.work.empty());
        QCOMPARE(count(*profile, ErrorCode::failed_kernel), std::size_t{1});
        const Warning& warning = profile->warnings.at(0);
        QVERIFY(warning.launches == std::vector{LaunchIndex{1}});
        QVERIFY(warning.message.where.find("second(float *)") != std::string::npos);
    }
    void many_failed_kernels_share_a_warning() {
        Fixture fixture = failed_kernel_fixture();
        fixture.kernels.resize(25, fixture.kernels[1]);
        const auto profile = read(fixture);
        QVERIFY(profile.has_value());
        QCOMPARE(profile->launches.size(), std::size_t{25});
        QCOMPARE(count(*profile, ErrorCode::failed_kernel), std::size_t{1});
        const Warning& warning = profile->warnings.at(0);
        QVERIFY(warning.message.what.find("24 kernels") != std::string::npos);
        QCOMPARE(warning.launches.size(), std::size_t{24});
        QVERIFY(warning.launches.front() == LaunchIndex{1});
    }
    void a_kernel_with_a_time_that_is_no_number_has_failed() {
        Fixture fixture = small_report_fixture();
        fixture.kernels[0].set("gpu__time_duration.sum", std::numeric_limits<double>::quiet_NaN());
        const auto profile = read(fixture);
        QVERIFY(profile.has_value());
        QVERIFY(profile->launches[0].failed);
    }
    void a_report_without_counters_is_no_error() {
        Fixture fixture = small_report_fixture();
        for (FixtureKernel& kernel : fixture.kernels)
            kernel.metrics.pop_back();
        const auto profile = read(fixture);
        QVERIFY(profile.has_value());
        QVERIFY(profile->launches[0].work.empty());
        QVERIFY(profile->launches[0].find(Boundary::hbm_dram_rw) == nullptr);
        QCOMPARE(profile->launches[0].duration->value(), 1000e-9);
    }
    void nul_at_the_end_and_bad_utf8_leave_names() {
        Fixture fixture = small_report_fixture();
        fixture.kernels[0].name = std::string("kernel\0", 7);
        fixture.kernels[1].name = "bad\xFFname";
        const auto profile = read(fixture);
        QVERIFY(profile.has_value());
        QCOMPARE(profile->kernels[0].name, std::string("kernel"));
        QCOMPARE(profile->kernels[1].name, std::string("bad\xEF\xBF\xBDname"));
    }
    void a_kernel_without_demangled_name_takes_another() {
        Fixture fixture = small_report_fixture();
        fixture.kernels[0].name.clear();
        fixture.kernels[0].mangled_name = "_Z5firstPf";
        fixture.kernels[1].name.clear();
        const auto profile = read(fixture);
        QVERIFY(profile.has_value());
        QCOMPARE(profile->kernels[0].name, std::string("_Z5firstPf"));
        QCOMPARE(profile->kernels[1].name, std::string("(unnamed kernel)"));
    }
    void processes_and_devices_stay_apart() {
        Fixture fixture = small_report_fixture();
        fixture.kernels.push_back(fixture.kernels[1]);
        for (std::uint64_t i = 0; i < 3; ++i) {
            fixture.kernels[i].process = static_cast<std::uint32_t>(100 + i);
            fixture.kernels[i].add("device__attribute_device_index", std::min<std::uint64_t>(i, 1));
        }
        fixture.kernels[2].set("device__attribute_display_name", std::string("Tesla T4"));
        const auto profile = read(fixture);
        QVERIFY(profile.has_value());
        QCOMPARE(profile->devices.size(), std::size_t{3});
        QVERIFY(profile->launches[0].device != profile->launches[1].device);
        QCOMPARE(profile->device_of(profile->launches[2]).name, std::string("Tesla T4"));
        QCOMPARE(profile->launches[2].process, std::uint32_t{102});
        QVERIFY(profile->launches[1].kernel == profile->launches[2].kernel);
    }
    void the_session_completes_a_device_that_results_do_not_describe() {
        Fixture fixture = small_report_fixture();
        for (FixtureKernel& kernel : fixture.kernels)
            std::erase_if(kernel.metrics,
                          [](const FixtureMetric& metric) { return metric.name.starts_with("device__"); });
        fixture.devices = {
            {0,
             "Tesla T4",
             {{"display_name", std::string("Tesla T4")}, {"multiprocessor_count", std::uint64_t{40}}}}};
        const auto profile = read(fixture);
        QVERIFY(profile.has_value());
        QCOMPARE(profile->devices.size(), std::size_t{1});
        QCOMPARE(profile->devices[0].name, std::string("Tesla T4"));
        QCOMPARE(profile->devices[0].sm_count.value(), 40);
    }
    void the_nvtx_stack_is_that_of_the_launching_thread() {
        Fixture fixture = small_report_fixture();
        fixture.kernels[0].nvtx = {{9, {"other"}}, {1000, {"outer", "inner"}}};
        fixture.kernels[1].nvtx = {{9, {"other"}}};
        const auto profile = read(fixture);
        QVERIFY(profile.has_value());
        QCOMPARE(profile->nvtx_of(profile->launches[0]), (NvtxStack{"outer", "inner"}));
        QVERIFY(profile->launches[1].nvtx == NvtxIndex::none);
    }
    void equal_nvtx_stacks_are_stored_once() {
        const auto profile = read(small_report_fixture());
        QVERIFY(profile.has_value());
        QCOMPARE(profile->nvtx_stacks.size(), std::size_t{2});
        QVERIFY(profile->launches[0].nvtx == profile->launches[1].nvtx);
    }
    void unlocked_clocks_are_told() {
        Fixture fixture = small_report_fixture();
        fixture.kernels[1].clocks_locked = false;
        const auto profile = read(fixture);
        QVERIFY(profile.has_value());
        QCOMPARE(profile->launches[0].clocks_locked.value(), true);
        QCOMPARE(profile->launches[1].clocks_locked.value(), false);
    }
    void a_graph_is_named_by_the_bare_names_of_a_few_of_its_kernels() {
        Fixture fixture;
        fixture.graphs.push_back(
            whole_of({"void ns::scale<float>(float*, int)", "void ns::add<float, 4>(float*)"}));
        std::vector<std::string> many;
        for (int i = 0; i < 5000; ++i)
            many.push_back(fmt::format("void k{}<int, {}>(float const*)", i, i));
        fixture.graphs.push_back(whole_of(many));
        const auto profile = read(fixture);
        QVERIFY(profile.has_value());
        const std::string name = profile->kernel_of(profile->launches[0]).name;
        QCOMPARE(name, std::string("CUDA graph of 2 kernels: scale, add"));
        QCOMPARE(shorten_kernel_name(name, 60), name);
        QCOMPARE(profile->kernel_of(profile->launches[1]).name,
                 std::string("CUDA graph of 5000 kernels: k0, k1, k2, k3, k4, k5, k6, k7, …"));
    }
    void graphs_and_ranges_are_launches_of_their_kind() {
        Fixture fixture;
        fixture.graphs.push_back(whole_of({"scale", "add", "scale"}));
        fixture.ranges.push_back(whole_of({"scale"}));
        const auto profile = read(fixture);
        QVERIFY(profile.has_value());
        QCOMPARE(profile->warnings.size(), std::size_t{0});
        QCOMPARE(profile->sources[0].range_results, std::uint32_t{2});
        QCOMPARE(profile->launches.size(), std::size_t{2});
        const Launch& range = profile->launches[0];
        const Launch& graph = profile->launches[1];
        QCOMPARE(range.kind, LaunchKind::range);
        QCOMPARE(graph.kind, LaunchKind::graph);
        QCOMPARE(profile->kernel_of(range).name, std::string("range of 1 kernel: scale"));
        QCOMPARE(profile->kernel_of(graph).name, std::string("CUDA graph of 3 kernels: scale, add"));
        QCOMPARE(range.stream, 0U);
        QCOMPARE(graph.stream, 9U);
        for (const Launch& whole : profile->launches) {
            QCOMPARE(whole.duration->value(), 2e-4);
            QCOMPARE(whole.find(Boundary::hbm_dram_rw)->total.value(), 73472.0);
            QVERIFY(!whole.failed && whole.clocks_locked == false);
            QVERIFY(whole.context == 3 && whole.process == 77 && whole.thread == 1000);
            QVERIFY(profile->nvtx_of(whole) == NvtxStack{"step"});
        }
    }
    void a_graph_has_no_size_and_no_occupancy_of_one_kernel() {
        Fixture fixture;
        fixture.graphs.push_back(whole_of({"scale", "add"}));
        const auto profile = read(fixture);
        QVERIFY(profile.has_value());
        const Launch& graph = profile->launches.at(0);
        QVERIFY(graph.grid == Dim3{} && graph.block == Dim3{});
        for (const char* metric : {"launch__waves_per_multiprocessor", "launch__registers_per_thread",
                                   "sm__maximum_warps_per_active_cycle_pct"})
            QVERIFY(!profile->metric(graph, metric));
        QCOMPARE(*profile->metric(graph, "sm__throughput.avg.pct_of_peak_sustained_elapsed"), 5.0);
    }
    void launches_of_one_graph_are_one_kernel_where_its_kernels_are_told() {
        Fixture fixture;
        fixture.graphs = {whole_of({"scale"}), whole_of({"scale"}), whole_of({}), whole_of({})};
        const auto profile = read(fixture);
        QVERIFY(profile.has_value());
        QCOMPARE(profile->launches.size(), std::size_t{4});
        QCOMPARE(profile->kernels.size(), std::size_t{3});
        QCOMPARE(profile->kernels[1].name, std::string("CUDA graph 1"));
        QCOMPARE(profile->kernels[2].name, std::string("CUDA graph 2"));
    }
    void a_graph_without_a_time_that_is_one_was_not_measured() {
        Fixture fixture;
        fixture.graphs = {whole_of({"scale"}), whole_of({"scale"})};
        fixture.graphs[0].set("gpu__time_duration.sum", std::numeric_limits<double>::quiet_NaN());
        const auto profile = read(fixture);
        QVERIFY(profile.has_value());
        QVERIFY(profile->launches[0].failed && !profile->launches[1].failed);
        QCOMPARE(count(*profile, ErrorCode::failed_kernel), std::size_t{1});
    }
    void a_graph_entry_cut_short_costs_itself_alone() {
        Fixture fixture = small_report_fixture();
        fixture.graphs = {whole_of({"scale"}), whole_of({"add"})};
        std::string report = write_report(fixture);
        report[end_of_first_graph(report) - 1] = '\x80';  // its last number goes on, and the entry does not
        const auto profile = read_ncu_report(std::as_bytes(std::span(report)), "test.ncu-rep");
        QVERIFY(profile.has_value());
        QCOMPARE(profile->launches.size(), std::size_t{3});
        QCOMPARE(profile->kernel_of(profile->launches[2]).name, std::string("CUDA graph of 1 kernel: add"));
        QCOMPARE(profile->sources[0].range_results, std::uint32_t{2});
        QCOMPARE(count(*profile, ErrorCode::not_understood), std::size_t{1});
    }
    void a_graph_entry_shorter_than_its_block_is_damage_of_that_block() {
        Fixture fixture;
        fixture.graphs = {whole_of({"scale"}), whole_of({"add"})};
        std::string report = write_report(fixture);
        const std::size_t from = begin_of_first_graph(report);
        report[from] = static_cast<char>(report[from] - 1);  // the lowest byte of its length
        const auto profile = read_ncu_report(std::as_bytes(std::span(report)), "test.ncu-rep");
        QVERIFY(profile.has_value());
        QCOMPARE(profile->launches.size(), std::size_t{1});
        QVERIFY(profile->sources[0].partial);
        QCOMPARE(count(*profile, ErrorCode::corrupt), std::size_t{1});
    }
    void range_results_without_metrics_are_reported() {
        Fixture fixture = small_report_fixture();
        fixture.ranges.resize(1);
        fixture.graphs.resize(1);
        const auto profile = read(fixture);
        QVERIFY(profile.has_value());
        QCOMPARE(profile->launches.size(), std::size_t{2});
        QCOMPARE(profile->sources[0].range_results, std::uint32_t{2});
        QCOMPARE(count(*profile, ErrorCode::not_understood), std::size_t{1});
        QVERIFY(!profile->sources[0].partial);
    }
    void a_report_without_kernels_is_an_error_with_a_hint() {
        Fixture fixture;
        auto profile = read(fixture);
        QVERIFY(!profile.has_value());
        QVERIFY(profile.error().code == ErrorCode::not_understood);
        QVERIFY(!profile.error().hint.empty());
        fixture.ranges.resize(1);
        profile = read(fixture);
        QVERIFY(!profile.has_value());
        QVERIFY(profile.error().what.find("1 range") != std::string::npos);
    }
    void reading_stops_on_request_and_keeps_what_it_has() {
        std::stop_source stop;
        double last = 0;
        const Progress progress{[&](double share) {
                                    last = share;
                                    if (share > 0.5) stop.request_stop();
                                },
                                stop.get_token()};
        const auto profile = read(full_report_fixture(), progress);
        QVERIFY(profile.has_value());
        QVERIFY(!profile->launches.empty() && profile->launches.size() < 8);
        QVERIFY(profile->sources[0].partial);
        QCOMPARE(count(*profile, ErrorCode::cancelled), std::size_t{1});
        QVERIFY(last > 0.5 && last <= 1);
        const auto nothing = read(full_report_fixture(), progress);
        QVERIFY(!nothing.has_value());
        QVERIFY(nothing.error().code == ErrorCode::cancelled);
    }
    void reading_stops_inside_a_long_block_too() {
        Fixture fixture = small_report_fixture();
        fixture.kernels.resize(1000, fixture.kernels.front());
        fixture.layout.results_per_block = 1000;
        std::stop_source stop;
        const Progress progress{[&](double share) {
                                    if (share > 0.5) stop.request_stop();
                                },
                                stop.get_token()};
        const auto profile = read(fixture, progress);
        QVERIFY(profile.has_value());
        QVERIFY(profile->launches.size() > 400 && profile->launches.size() < 800);
        QVERIFY(profile->sources[0].partial);
        QCOMPARE(count(*profile, ErrorCode::cancelled), std::size_t{1});
    }
};

}  // namespace tst_ncu_report

ROOFWALK_TEST(tst_ncu_report, TestNcuReport, NoApplication)
#include "tst_ncu_report.moc"
