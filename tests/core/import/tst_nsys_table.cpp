// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <algorithm>

#include "core/base/text.h"
#include "core/import/open_profile.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_nsys_table {

using namespace roofwalk;

namespace {

constexpr std::string_view summary =
    "Generating SQLite file run.sqlite from run.nsys-rep\n"
    " ** CUDA API Summary (cuda_api_sum):\n\n"
    " Time (%)  Total Time (ns)  Num Calls   Avg (ns)   Med (ns)  Min (ns)  Max (ns)  StdDev (ns)  Name\n"
    " --------  ---------------  ---------  ----------  --------  --------  --------  -----------  ------------\n"
    "    100.0         90000000          6  15000000.0    4000.0      3000  80000000   30000000.0  cudaMalloc\n\n"
    " ** CUDA GPU Kernel Summary (cuda_gpu_kern_sum):\n\n"
    " Time (%)  Total Time (ns)  Instances  Avg (ns)   Med (ns)  Min (ns)  Max (ns)  StdDev (ns)  Name       \n"
    " --------  ---------------  ---------  ---------  --------  --------  --------  -----------  ------------\n"
    "     75.0          600,000          4  150,000.0  150000.0    100000    200000      1000.0  void add<float>(int, T1 *)\n"
    "     25.0         2,00,000          1   200000.0  200000.0    200000    200000         0.0  scale(float *)\n"
    "Processing [run.sqlite] with [cuda_gpu_mem_time_sum.py]\n\n"
    " ** CUDA GPU MemOps Summary (by Time) (cuda_gpu_mem_time_sum):\n\n"
    " Time (%)  Total Time (ns)  Count  Avg (ns)   Operation\n"
    " --------  ---------------  -----  ---------  ------------------\n"
    "    100.0           500000      2   250000.0  [CUDA memcpy HtoD]\n";

constexpr std::string_view trace =
    "Start (ns),Duration (ns),CorrId,GrdX,GrdY,GrdZ,BlkX,BlkY,BlkZ,Reg/Trd,StcSMem (MB),DymSMem (MB),Bytes "
    "(MB),Throughput (MB/s),SrcMemKd,DstMemKd,Device,Ctx,Strm,Name\n"
    "1000,500,7,,,,,,,,,,8.389,1048.6,Pageable,Device,NVIDIA A100-SXM4-80GB (0),1,7,[CUDA memcpy HtoD]\n"
    "2000,1500,8,4096,2,1,128,1,1,16,0.000,0.000,,,,,NVIDIA A100-SXM4-80GB (0),1,13,\"add(int, float *)\"\n";

Result<Profile> read(std::string_view text) {
    return read_profile(std::as_bytes(std::span(text)), "stats");
}

std::size_t launches_of(const Profile& profile, std::string_view name) {
    return static_cast<std::size_t>(std::ranges::count_if(
        profile.launches, [&](const Launch& launch) { return profile.kernel_of(launch).name == name; }));
}

bool is_told(const Profile& profile, ErrorCode code) {
    return std::ranges::any_of(profile.warnings,
                               [&](const Warning& warning) { return warning.message.code == code; });
}

}  // namespace

class TestNsysTable : public QObject {
    Q_OBJECT

  private slots:
    void each_launch_of_a_summary_takes_the_average() {
        const auto profile = read(summary);
        QVERIFY2(profile, profile ? "" : profile.error().what.c_str());
        QCOMPARE(profile->launches.size(), std::size_t{5});
        QCOMPARE(launches_of(*profile, "void add<float>(int, T1 *)"), std::size_t{4});
        QCOMPARE(launches_of(*profile, "scale(float *)"), std::size_t{1});
        const Launch& add = profile->launches.front();
        QCOMPARE(add.duration->value(), 150e-6);
        QVERIFY(add.duration_origin == TimeOrigin::alike);
        QVERIFY(add.work.empty() && add.traffic.empty());
        // As ncu and nsys print where thousands and lakhs are told apart.
        QCOMPARE(profile->launches.back().duration->value(), 200e-6);
        QVERIFY(profile->launches.back().duration_origin == TimeOrigin::measured);
    }
    void a_summary_as_csv_by_grid_and_block() {
        const auto profile = read(
            "Time (%),Total Time (us),Instances,Avg (us),Med (us),Min (us),Max (us),StdDev (us),GridXYZ,BlockXYZ,Name\n"
            "100.0,30,2,15,15,10,20,5,\" 64    1    2\",\" 128    4    1\",\"k(int, int)\"\n");
        QVERIFY2(profile, profile ? "" : profile.error().what.c_str());
        QCOMPARE(profile->launches.size(), std::size_t{2});
        QCOMPARE(profile->launches[1].duration->value(), 15e-6);
        QVERIFY(profile->launches[1].grid == (Dim3{64, 1, 2}));
        QVERIFY(profile->launches[1].block == (Dim3{128, 4, 1}));
        QCOMPARE(profile->kernels[0].name, std::string("k(int, int)"));
    }
    void grid_and_block_of_a_text_take_three_words_each() {
        const auto profile = read(
            "Time(%)  Total Time (ns)  Instances  Average (ns)     GridXYZ         BlockXYZ      Name\n"
            "-------  ---------------  ---------  ------------  --------------  --------------  ----\n"
            "  100.0             3000          1        3000.0    64    1    2   128    4    1  k<1,  2>\n");
        QVERIFY2(profile, profile ? "" : profile.error().what.c_str());
        QVERIFY(profile->launches[0].grid == (Dim3{64, 1, 2}));
        QVERIFY(profile->launches[0].block == (Dim3{128, 4, 1}));
        QCOMPARE(profile->kernels[0].name, std::string("k<1,  2>"));
    }
    void kernels_of_one_cut_name_are_kept_apart() {
        const auto profile = read(
            " Time (%)  Total Time (ns)  Instances  Avg (ns)  Name\n"
            " --------  ---------------  ---------  --------  --------------\n"
            "     60.0            60000         10    6000.0  void scale<a\u2026\n"
            "     40.0            40000          5    8000.0  void scale<a\u2026\n");
        QVERIFY2(profile, profile ? "" : profile.error().what.c_str());
        QCOMPARE(profile->kernels.size(), std::size_t{2});
        QCOMPARE(profile->kernels[1].name, std::string("void scale<a\u2026"));
        QCOMPARE(profile->warnings.size(), std::size_t{2});  // these, and the averages
    }
    void tables_in_a_frame_are_read() {
        const auto profile = read(
            "+----------+-----------------+-----------+----------+-----+-------------+------------+\r\n"
            "| Time (%) | Total Time (ns) | Instances | Avg (ns) | ... | StdDev (ns) |    Name    |\r\n"
            "+----------+-----------------+-----------+----------+-----+-------------+------------+\r\n"
            "|     60.0 |          30,000 |         2 | 15,000.0 | ... |     1,000.0 | k(int, T1) |\r\n"
            "|     40.0 |          20,000 |         1 | 20,000.0 | ... |         0.0 | operator|| |\r\n"
            "+----------+-----------------+-----------+----------+-----+-------------+------------+\r\n");
        QVERIFY2(profile, profile ? "" : profile.error().what.c_str());
        QCOMPARE(launches_of(*profile, "k(int, T1)"), std::size_t{2});
        QCOMPARE(launches_of(*profile, "operator||"), std::size_t{1});
        QCOMPARE(profile->launches[0].duration->value(), 15e-6);
        QVERIFY(!profile->sources[0].partial);
        const auto traced = read(
            "| Start (ns) | Duration (ns) | GrdX  | GrdY | GrdZ | BlkX | BlkY | BlkZ | Device | Strm | Name |\n"
            "+------------+---------------+-------+------+------+------+------+------+--------+------+------+\n"
            "|      1,000 |           500 |       |      |      |      |      |      | A2 (0) |    7 | copy |\n"
            "|      2,000 |         1,500 | 4,096 |    1 |    1 |  128 |    1 |    1 | A2 (0) |    7 | k    |\n"
            "9,000 | 500 | 4 | 1 | 1 | 128 | 1 | 1 | A2 (0) | 7 | m |\n");
        QVERIFY2(traced, traced ? "" : traced.error().what.c_str());
        QCOMPARE(traced->launches.size(), std::size_t{2});
        QVERIFY(traced->launches[0].grid == (Dim3{4096, 1, 1}));
        QCOMPARE(traced->launches[0].start->value(), 2e-6);
        QCOMPARE(traced->launches[1].start->value(), 9e-6);  // of a line that has lost its bar
    }
    void shares_with_signs_and_other_rules_are_read_too() {
        const auto profile = read(
            "CUDA Kernel Statistics:\n\n Time(%)  Total Time (ns)  Instances    Average  Name\n"
            " \u2500\u2500\u2500\u2500\u2500\u2500\n   72.3%      123,456,000       1000   123,456  reduce\n");
        QVERIFY2(profile, profile ? "" : profile.error().what.c_str());
        QCOMPARE(profile->launches.size(), std::size_t{1000});
        QCOMPARE(profile->launches[0].duration->value(), 123456e-9);
    }
    void a_trace_has_each_launch_and_its_gpu() {
        const auto profile = read(trace);
        QVERIFY2(profile, profile ? "" : profile.error().what.c_str());
        QCOMPARE(profile->launches.size(), std::size_t{1});
        const Launch& launch = profile->launches[0];
        QCOMPARE(launch.start->value(), 2e-6);
        QCOMPARE(launch.duration->value(), 1.5e-6);
        QVERIFY(launch.duration_origin == TimeOrigin::measured);
        QVERIFY(launch.grid == (Dim3{4096, 2, 1}) && launch.block == (Dim3{128, 1, 1}));
        QCOMPARE(launch.stream, 13U);
        QCOMPARE(profile->device_of(launch).name, std::string("NVIDIA A100-SXM4-80GB"));
        QCOMPARE(profile->kernel_of(launch).name, std::string("add(int, float *)"));
        QVERIFY(!is_told(*profile, ErrorCode::not_understood));
    }
    void lines_may_end_as_those_of_windows() {
        const auto ended = [](std::string_view text) {
            return QString::fromUtf8(text.data(), qsizetype(text.size())).replace("\n", "\r\n").toStdString();
        };
        const auto traced = read(ended(trace));
        QVERIFY2(traced, traced ? "" : traced.error().what.c_str());
        QCOMPARE(launches_of(*traced, "add(int, float *)"), std::size_t{1});
        QVERIFY(!traced->sources[0].partial && traced->warnings.empty());
        const auto text = read(ended(summary));
        QVERIFY(text);
        QCOMPARE(launches_of(*text, "void add<float>(int, T1 *)"), std::size_t{4});
        QCOMPARE(launches_of(*text, "scale(float *)"), std::size_t{1});
    }
    void a_total_that_is_not_that_of_its_average_is_refused() {
        std::string text(summary);
        text.replace(text.find("600,000"), 7, " 60,000");
        const auto profile = read(text);
        QVERIFY(profile);
        QVERIFY(!profile->launches[0].duration);
        QVERIFY(profile->launches[4].duration.has_value());
        QVERIFY(is_told(*profile, ErrorCode::bad_csv));
    }
    void a_total_is_as_near_its_average_as_both_are_printed_data() {
        QTest::addColumn<QString>("unit");
        QTest::addColumn<QString>("total");
        QTest::addColumn<QString>("average");
        QTest::addColumn<bool>("is_taken");
        // All of four launches.
        QTest::newRow("seconds") << "s"
                                 << "0.0006"
                                 << "0.00015" << true;
        QTest::newRow("rounded seconds") << "s"
                                         << "0.001"
                                         << "0.000" << true;
        QTest::newRow("other seconds") << "s"
                                       << "0.0006"
                                       << "0.09" << false;
        QTest::newRow("milliseconds") << "ms"
                                      << "0.6"
                                      << "0.2" << true;
        QTest::newRow("other milliseconds") << "ms"
                                            << "0.60"
                                            << "0.24" << false;
        QTest::newRow("exponent") << "s"
                                  << "6e-04"
                                  << "1.5e-04" << true;
        QTest::newRow("other exponent") << "s"
                                        << "6.0e-04"
                                        << "1.0e-03" << false;
        QTest::newRow("rounded total") << "s"
                                       << "0.01"
                                       << "0.0015" << true;
        QTest::newRow("thousands") << "ns"
                                   << "\"600,000\""
                                   << "\"150,000.0\"" << true;
        QTest::newRow("other thousands") << "ns"
                                         << "\"600,000\""
                                         << "\"160,000\"" << false;
    }
    void a_total_is_as_near_its_average_as_both_are_printed() {
        QFETCH(QString, unit);
        QFETCH(QString, total);
        QFETCH(QString, average);
        const QString text = QString("Time (%),Total Time (%1),Instances,Avg (%1),Name\n100.0,%2,4,%3,k\n")
                                 .arg(unit, total, average);
        const auto profile = read(text.toStdString());
        QVERIFY(profile);
        QCOMPARE(profile->launches.size(), std::size_t{4});
        QTEST(profile->launches[0].duration.has_value(), "is_taken");
    }
    void a_number_of_launches_that_is_none_gives_no_time() {
        std::string text(summary);
        text.replace(text.find("          4  150"), 11, "          0");
        const auto profile = read(text);
        QVERIFY(profile);
        QCOMPARE(profile->launches.size(), std::size_t{2});
        QVERIFY(!profile->launches[0].duration);
    }
    void more_launches_than_are_shown_keep_their_time() {
        const auto profile = read(
            "Time (%),Total Time (ns),Instances,Avg (ns),Name\n75.0,3000000000,3000000,1000.0,k\n"
            "25.0,2000000,2,1000000.0,b\n");
        QVERIFY(profile);
        QCOMPARE(profile->launches.size(), std::size_t{3});
        QCOMPARE(launches_of(*profile, "k"), std::size_t{1});
        QCOMPARE(profile->launches[0].duration->value(), 3.0);
        QCOMPARE(profile->launches[1].duration->value(), 1e-3);
        const auto told = std::ranges::find_if(
            profile->warnings, [](const Warning& warning) { return !warning.launches.empty(); });
        QVERIFY(told != profile->warnings.end());
        QCOMPARE(told->launches, std::vector{LaunchIndex{}});
    }
    void a_second_table_is_told_and_not_added() {
        const auto profile = read(std::string(summary) + "\n" + std::string(summary));
        QVERIFY(profile);
        QCOMPARE(profile->launches.size(), std::size_t{5});
        const auto once = read(summary);
        QCOMPARE(profile->warnings.size(), once->warnings.size() + 1);
    }
    void a_cut_file_loses_its_last_line_and_says_so() {
        const auto profile = read(trace.substr(0, trace.size() - 2));
        QVERIFY(!profile);
        QVERIFY(profile.error().code == ErrorCode::truncated);
        const std::string two =
            std::string(trace) + "9000,15,9,1,1,1,1,1,1,16,0,0,,,,,NVIDIA A100-SXM4-80GB (0),1,13,\"ad";
        const auto kept = read(two);
        QVERIFY(kept);
        QCOMPARE(kept->launches.size(), std::size_t{1});
        QVERIFY(kept->sources[0].partial);
        QVERIFY(is_told(*kept, ErrorCode::truncated));
    }
    void a_last_line_may_lack_its_end() {
        const auto quoted = read(trace.substr(0, trace.size() - 1));
        QVERIFY2(quoted, quoted ? "" : quoted.error().what.c_str());
        QCOMPARE(launches_of(*quoted, "add(int, float *)"), std::size_t{1});
        QVERIFY(!quoted->sources[0].partial && quoted->warnings.empty());
        const std::string table =
            "Time (%),Total Time (ns),Instances,Avg (ns),Name\n75.0,600,4,150.0,k\n25.0,200,1,200.0,scale(float";
        const auto whole = read(table + " *)");
        QVERIFY(whole);
        QCOMPARE(launches_of(*whole, "scale(float *)"), std::size_t{1});
        QVERIFY(!whole->sources[0].partial && !is_told(*whole, ErrorCode::truncated));
        const auto open = read(table);
        QVERIFY(open);
        QCOMPARE(open->launches.size(), std::size_t{4});
        QVERIFY(open->sources[0].partial && is_told(*open, ErrorCode::truncated));
        // Its figures are whole; whether its name is, nothing tells.
        const auto plain = read(table.substr(0, table.find("(float")));
        QVERIFY(plain);
        QCOMPARE(launches_of(*plain, "scale"), std::size_t{1});
        QVERIFY(plain->sources[0].partial && is_told(*plain, ErrorCode::truncated));
    }
    void rows_stand_below_blank_lines_too() {
        std::string text(summary);
        text.insert(text.find("     25.0  "), "\n\n");
        const auto profile = read(text);
        QVERIFY(profile);
        QCOMPARE(profile->launches.size(), std::size_t{5});
        QCOMPARE(profile->warnings.size(), read(summary)->warnings.size());
    }
    void another_table_ends_one_without_rows() {
        const auto profile = read(
            "Time (%),Total Time (ns),Instances,Avg (ns),Name\n\n"
            "Time (%),Total Time (ns),Count,Avg (ns),Operation\n100.0,5,1,5.0,[CUDA memcpy HtoD]\n");
        QVERIFY(!profile);
        QVERIFY(profile.error().code == ErrorCode::bad_csv);
    }
    void other_forms_of_tables_of_kernels_say_which_is_read() {
        for (
            const char* text :
            {"Time (%)\tTotal Time (ns)\tInstances\tAvg (ns)\tName\n75.0\t600\t4\t150.0\tk\n",
             "Time (%);Total Time (ns);Instances;Avg (ns);Name\n75,0;600;4;150,0;k\n",
             " ** CUDA GPU Trace (cuda_gpu_trace):\n\n"
             " Start (ns)  Duration (ns)  CorrId  GrdX  GrdY  GrdZ  Device  Ctx  Strm  Name\n"
             " ----------  -------------  ------  ----  ----  ----  ------  ---  ----  ----\n"
             "       2000           1500       8  4096     2     1  A100         1    13  k\n",
             R"_([{"Time (%)":75,"Total Time (ns)":600,"Instances":4,"Avg (ns)":150,"Name":"k"}])_",
             "[\n {\n  \"Start (ns)\": 2000,\n  \"Duration (ns)\": 1500,\n  \"GrdX\": 4,\n  \"Name\": \"k\"\n }\n]"}) {
            const auto profile = read(text);
            QVERIFY(!profile);
            QVERIFY(profile.error().code == ErrorCode::unknown_format);
            QVERIFY2(contains(profile.error().hint, "--format csv"), profile.error().hint.c_str());
        }
        const auto calls =
            read(R"_([{"Time (%)":75,"Total Time (ns)":600,"Num Calls":4,"Avg (ns)":150,"Name":"k"}])_");
        QVERIFY(!calls);
        QVERIFY(!contains(calls.error().hint, "--format csv"));
    }
    void calls_copies_and_ranges_are_no_kernels() {
        for (const char* header : {"Time (%),Total Time (ns),Num Calls,Avg (ns),Name\n",
                                   "Time (%),Total Time (ns),Count,Avg (ns),Operation\n",
                                   "Time (%),Total Time (ns),Instances,Avg (ns),Style,Range\n",
                                   "Time (%),Total Time (ns),Instances,Avg (ns),Source,Name\n"}) {
            const auto profile = read(std::string(header) + "100,5,1,5,k\n");
            QVERIFY(!profile);
            QVERIFY(profile.error().code == ErrorCode::unknown_format);
        }
    }
};

}  // namespace tst_nsys_table

ROOFWALK_TEST(tst_nsys_table, TestNsysTable, NoApplication)
#include "tst_nsys_table.moc"
