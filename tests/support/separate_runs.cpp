// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/separate_runs.h"

#include <fmt/format.h>

#include "tests/support/ncu_fixtures.h"

namespace roofwalk::test {

namespace {

struct Metric {
    std::string name;
    std::string unit;
    double value;
};

std::vector<Metric> metrics_of(SeparateRun run, const SeparateLaunch& launch) {
    constexpr double clock = 1.25e9;
    constexpr double slow_down = 100;
    switch (run) {
        case SeparateRun::time:
            return {{"gpu__time_duration.sum", "nsecond", launch.time_ns}};
        case SeparateRun::bytes:
            return {{"dram__bytes_read.sum", "byte", launch.read},
                    {"dram__bytes_write.sum", "byte", launch.write}};
        case SeparateRun::flop:
            break;
    }
    std::vector<Metric> metrics{
        {"sm__cycles_elapsed.avg", "cycle", slow_down * launch.time_ns * 1e-9 * clock},
        {"sm__cycles_elapsed.avg.per_second", "hz", clock}};
    const auto count = [&](const char* op, double value) {
        metrics.push_back(
            {fmt::format("smsp__sass_thread_inst_executed_op_{}_pred_on.sum", op), "inst", value});
    };
    count("dadd", launch.dadd);
    count("dmul", launch.dmul);
    count("dfma", launch.dfma);
    for (const char* op : {"fadd", "fmul", "ffma", "hadd", "hmul", "hfma"})
        count(op, 0);
    return metrics;
}

std::uint32_t process_of(SeparateRun run) {
    return 4000 + static_cast<std::uint32_t>(run);
}

}  // namespace

std::vector<SeparateLaunch> separate_launches() {
    return {{"stencil(double *, int)", {100, 1, 1}, {"step"}, 10000, 8e6, 2e6, 1e6, 2e6, 3e6},
            {"stencil(double *, int)", {100, 1, 1}, {"step"}, 12500, 8e6, 4e6, 2e6, 4e6, 6e6},
            {"stencil(double *, int)", {200, 1, 1}, {"step"}, 20000, 16e6, 4e6, 4e6, 8e6, 12e6},
            {"reduce(double *)", {10, 1, 1}, {"norm"}, 5000, 4e6, 0, 0, 0, 1e6}};
}

Fixture separate_report(SeparateRun run, const std::vector<SeparateLaunch>& launches) {
    Fixture fixture;
    for (const SeparateLaunch& launch : launches) {
        FixtureKernel kernel;
        kernel.name = launch.name;
        kernel.function_name = launch.name.substr(0, launch.name.find('('));
        kernel.grid = launch.grid;
        kernel.block = {128, 1, 1};
        kernel.process = process_of(run);
        kernel.nvtx = {{kernel.thread, launch.nvtx}};
        add_a100_attributes(kernel);
        for (const Metric& metric : metrics_of(run, launch))
            kernel.add(metric.name, metric.value);
        fixture.kernels.push_back(std::move(kernel));
    }
    return fixture;
}

std::string csv_header() {
    return "\"ID\",\"Process ID\",\"Process Name\",\"Host Name\",\"Kernel Name\",\"Context\",\"Stream\","
           "\"Block Size\",\"Grid Size\",\"Device\",\"CC\",\"Section Name\",\"Metric Name\",\"Metric Unit\","
           "\"Metric Value\"\n";
}

std::string separate_rows(SeparateRun run, const std::vector<SeparateLaunch>& launches) {
    std::string rows;
    for (std::size_t i = 0; i < launches.size(); ++i)
        for (const Metric& metric : metrics_of(run, launches[i]))
            rows += fmt::format(
                "\"{}\",\"{}\",\"app\",\"127.0.0.1\",\"{}\",\"1\",\"7\",\"(128, 1, 1)\",\"({}, {}, {})\",\"0\","
                "\"8.0\",\"Command line profiler metrics\",\"{}\",\"{}\",\"{}\"\n",
                i, process_of(run), launches[i].name, launches[i].grid[0], launches[i].grid[1],
                launches[i].grid[2], metric.name, metric.unit, metric.value);
    return rows;
}

}  // namespace roofwalk::test
