// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/ncu/former_metrics.h"

#include <fmt/format.h>

#include <QTest>
#include <array>
#include <span>

#include "core/import/open_profile.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_former_metrics {

using namespace roofwalk;

namespace {

std::string today(std::string_view word) {
    const auto found = former_metrics_in(word);
    return found.empty() ? std::string() : std::string(found.front().today);
}

/// The metrics of S0-27.
constexpr std::array<std::array<const char*, 3>, 9> listed{
    {{"dram__bytes_read.sum", "byte", "600"},
     {"dram__bytes_write.sum", "byte", "400"},
     {"l1tex__t_bytes_pipe_lsu_mem_global_op_ld.sum", "byte", "2000"},
     {"lts__t_bytes.sum", "byte", "3000"},
     {"sm__inst_executed_pipe_tensor.sum", "inst", "5"},
     {"sm__sass_thread_inst_executed.sum", "inst", "700"},
     {"sm__inst_executed_pipe_fma.sum", "inst", "70"},
     {"sm__warps_active.avg.pct_of_peak_sustained_active", "%", "50"},
     {"gpu__time_duration.sum", "ns", "1000"}}};

}  // namespace

class TestFormerMetrics : public QObject {
    Q_OBJECT

  private slots:
    // S2-08.
    void names_of_articles_are_those_of_today() {
        QCOMPARE(today("l2__throughput_percentage"),
                 std::string("lts__throughput.avg.pct_of_peak_sustained_elapsed"));
        QCOMPARE(today("sm__throughput_percentage"),
                 std::string("sm__throughput.avg.pct_of_peak_sustained_elapsed"));
        QCOMPARE(today("smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.avg"),
                 std::string("smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.ratio"));
    }
    void names_of_nvprof_too_however_they_are_typed() {
        QCOMPARE(today("^DRAM_read_bytes$"), std::string("dram__bytes_read.sum"));
        QCOMPARE(today("achieved_occ"), std::string("sm__warps_active.avg.pct_of_peak_sustained_active"));
    }
    void a_name_of_today_is_no_former_one() {
        for (const char* name :
             {"dram__bytes_read.sum", "dram__throughput", "sm__throughput.avg.pct",
              "l1tex__average_t_sectors", "lts__throughput.avg.pct_of_peak_sustained_elapsed",
              "smsp__inst_executed.sum"})
            QVERIFY2(former_metrics_in(name).empty(), name);
        QVERIFY(former_metrics_in("sm").empty());
        QVERIFY(today_sentence("nonsense_of_somebody").empty());
    }
    void the_metrics_of_S0_27_are_read() {
        std::string text = "\"ID\",\"Kernel Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n";
        for (const auto& [name, unit, value] : listed)
            text += fmt::format("\"0\",\"k\",\"{}\",\"{}\",\"{}\"\n", name, unit, value);
        const auto profile = read_profile(std::as_bytes(std::span(text)), "a.csv");
        QVERIFY2(profile, profile ? "" : profile.error().what.c_str());
        const Launch& launch = profile->launches.at(0);
        QCOMPARE(launch.duration->value(), 1e-6);
        QCOMPARE(launch.find(Boundary::hbm_dram_rw)->total.value(), 1000.0);
        QCOMPARE(launch.find(Boundary::l2_all)->total.value(), 3000.0);
        QCOMPARE(*profile->metric(launch, "sm__warps_active.avg.pct_of_peak_sustained_active"), 50.0);
        // How many operations an instruction of the tensor cores does is told by no name of the list.
        QCOMPARE(profile->warnings.size(), std::size_t{1});
    }
};

}  // namespace tst_former_metrics

ROOFWALK_TEST(tst_former_metrics, TestFormerMetrics, NoApplication)
#include "tst_former_metrics.moc"
