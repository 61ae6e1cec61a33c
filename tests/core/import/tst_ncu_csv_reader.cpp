// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <span>
#include <stop_token>

#include "core/base/text.h"
#include "core/import/csv/ncu_csv_reader.h"
#include "core/import/ncu/ncu_report.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"
#include "tests/support/samples.h"

namespace tst_ncu_csv_reader {

using namespace roofwalk;
using namespace roofwalk::test;

namespace {

std::string text_of(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

Profile read(const std::string& fixture) {
    auto profile = read_ncu_csv(text_of(data_folder() / "csv" / fixture), fixture);
    return profile ? std::move(*profile) : Profile{};
}

Error error_of(std::string_view text) {
    const auto profile = read_ncu_csv(text, "test.csv");
    return profile ? Error{} : profile.error();
}

constexpr const char* summary_header =
    "Kernel Name,Context,Stream,Invocations,Metric Name,Metric Unit,Average\n";

double bytes(const Launch& launch, Boundary boundary) {
    const TrafficSample* sample = launch.find(boundary);
    return sample ? sample->total.value() : -1;
}

bool close(double a, double b, double tolerance) {
    return std::abs(a - b) <= tolerance * std::abs(b);
}

constexpr std::string_view header =
    "\"ID\",\"Kernel Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n";

/// A kernel a row, as --page raw prints them, without quotes.
const std::string wide_text =
    "ID,Process ID,Kernel Name,Block Size,Grid Size,gpu__time_duration.sum,dram__bytes_read.sum,"
    "dram__bytes_write.sum,lts__t_sectors_srcunit_tex.sum\n"
    ",,,,,nsecond,Kbyte,Kbyte,sector\n"
    "0,7,copy,128,4096,15625,16777.216,1677.72,524288\n"
    "1,7,scale,256,1024,20480.5,8388.608,8388.608,1048576\n";
/// A metric a row.
const std::string long_text =
    "ID,Process ID,Kernel Name,Metric Name,Metric Unit,Metric Value\n"
    "0,7,copy,gpu__time_duration.sum,nsecond,15625\n"
    "0,7,copy,dram__bytes_read.sum,Kbyte,16777.216\n"
    "0,7,copy,dram__bytes_write.sum,Kbyte,1677.72\n"
    "1,7,scale,gpu__time_duration.sum,usecond,20.4805\n"
    "1,7,scale,lts__t_sectors_srcunit_tex.sum,sector,1048576\n";

/// Whether a launch says nothing that the launch of the whole file does not say.
bool agrees(const Launch& part, const Launch& whole) {
    const auto same_traffic = [&](const TrafficSample& sample) {
        const TrafficSample* of_whole = whole.find(sample.boundary);
        return of_whole && of_whole->total == sample.total;
    };
    return (!part.duration || part.duration == whole.duration) && part.grid == whole.grid &&
           part.block == whole.block && std::ranges::all_of(part.traffic, same_traffic);
}

}  // namespace

class TestNcuCsvReader : public QObject {
    Q_OBJECT

  private slots:
    void a_summary_gives_every_launch_of_a_kernel_its_averages() {
        const Profile profile = read("summary.csv");
        QCOMPARE(profile.launches.size(), std::size_t{4 + 2 + 1});
        QCOMPARE(profile.kernels.size(), std::size_t{2});
        const Launch& first = profile.launches[0];
        QCOMPARE(first.duration->value(), 10e-6);
        QVERIFY(first.grid == (Dim3{4096, 1, 1}) && first.block == (Dim3{256, 1, 1}));
        QCOMPARE(bytes(first, Boundary::hbm_dram_rw), 12e6);
        QVERIFY(first.find(Boundary::hbm_dram_rw)->origin == Origin::estimated);
        Seconds all{};
        for (const Launch& launch : profile.launches)
            all += *launch.duration;
        QVERIFY(close(all.value(), 4 * 10e-6 + 2 * 3e-6 + 5e-6, 1e-12));
        QVERIFY(!profile.warnings.empty());
    }
    void what_the_window_of_ncu_exports_is_read_by_columns() {
        const std::string text =
            "ID,0,1\nTime,2026-Mar-08 23:38:37,2026-Mar-08 23:38:38\nFunction Name,gemm,copy\n"
            "Original Demangled Name,\"gemm(float *, int)\",copy(float *)\n"
            "Grid Size,\"   64,   64,    1\",\"    8,    1,    1\"\n"
            "Block Size [block],\"   16,   16,    1\",\"  256,    1,    1\"\n"
            "gpu__time_duration.sum [ms],3.66,250.5\nderived__bytes.sum.peak_sustained,\"2,560\",3\n"
            "lts__t_sectors_op_read.sum [sector],\"1,67,45,848\",0\n"
            "sm__inst_executed_pipe_alu.avg [inst],{2040},\"1,05,320 {2040}\"\n"
            "dram__bytes_read.sum [Mbyte],8.40,\"1,24,000.5\"\ndram__bytes_write.sum [byte],0,\"10,50,320\"\n"
            "device__attribute_compute_capability_major,8,8\n"
            "device__attribute_compute_capability_minor,9,9\n";
        const auto profile = read_ncu_csv(text, "export.csv");
        QVERIFY(profile);
        QCOMPARE(profile->launches.size(), std::size_t{2});
        QVERIFY(profile->warnings.empty());
        QCOMPARE(profile->kernels[0].name, std::string("gemm(float *, int)"));
        QVERIFY(profile->launches[0].grid == (Dim3{64, 64, 1}) &&
                profile->launches[0].block == (Dim3{16, 16, 1}));
        QVERIFY(close(profile->launches[0].duration->value(), 3.66e-3, 1e-12));
        QCOMPARE(bytes(profile->launches[1], Boundary::hbm_dram_rw), 124000.5e6 + 1050320);
        QVERIFY(profile->devices[0].compute_capability == (ComputeCapability{8, 9}));

        for (const std::size_t size : {text.find("1,24,000.5"), text.find("10,50,320"), text.size() - 1}) {
            const auto part = read_ncu_csv(text.substr(0, size), "cut.csv");
            QVERIFY(part && part->sources[0].partial && !part->warnings.empty());
            QVERIFY(agrees(part->launches.at(1), profile->launches[1]));
        }
        QVERIFY(error_of(text.substr(0, text.find("py\nOriginal"))).code == ErrorCode::truncated);
        const Error ragged = error_of("ID,0,1\nFunction Name,gemm,copy\ndram__bytes_read.sum [byte],1\n");
        QVERIFY(contains(ragged.what, "2 fields") && contains(ragged.where, "line 3"));
        QVERIFY(contains(error_of("ID,0\nFunction Name,gemm\n").where, "line 1"));
    }
    void windows_export_a_kernel_a_row_too() {
        const auto raw = read_ncu_csv(
            "ID,Time,Function Name,Demangled Name,Process,Device Name,Grid Size,Block Size [block],"
            "gpu__time_duration.sum [usecond],dram__bytes_read.sum [Mbytes],dram__bytes_write.sum [Kbytes],"
            "derived__bytes [weird]\n"
            "0,2022-Mar-08 23:38:37,gemm,\"gemm(float *, int)\",[7] app,NVIDIA A30,\"   64,    1,    1\","
            "\"  256,    1,    1\",\"1.033,66\",\"8,40\",\"16,00\",3\n"
            "1,2022-Mar-08 23:38:38,copy,copy(int),[7] app,NVIDIA A30,\"    8,    1,    1\","
            "\"   32,    1,    1\",\"5,50\",\"0,40\",{35},3\n",
            "raw.csv");
        QVERIFY(raw && raw->warnings.empty());
        QCOMPARE(raw->launches.size(), std::size_t{2});
        QCOMPARE(raw->kernels[0].name, std::string("gemm(float *, int)"));
        QCOMPARE(raw->devices[0].name, std::string("NVIDIA A30"));
        QVERIFY(raw->launches[0].grid == (Dim3{64, 1, 1}) && raw->launches[0].block == (Dim3{256, 1, 1}));
        QVERIFY(close(raw->launches[0].duration->value(), 1033.66e-6, 1e-12));
        QCOMPARE(bytes(raw->launches[0], Boundary::hbm_dram_rw), 8.4e6 + 16e3);

        const auto summary = read_ncu_csv(
            "\"ID\",\"Estimated Speedup [%]\",\"Function Name\",\"Demangled Name\",\"Duration [us]\","
            "\"Compute Throughput [%]\",\"Memory Throughput [%]\",\"# Registers [register/thread]\"\n"
            "\"0\",\"7.24\",\"gemm\",\"gemm(int)\",\"46.32\",\"67.32\",\"30.33\",\"32\"\n",
            "summary.csv");
        QVERIFY(summary && summary->warnings.empty());
        QVERIFY(close(summary->launches.at(0).duration->value(), 46.32e-6, 1e-12));
        for (const auto& [metric, value] :
             {std::pair{"sm__throughput.avg.pct_of_peak_sustained_elapsed", 67.32},
              {"gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed", 30.33}})
            QCOMPARE(summary->metric(summary->launches[0], metric), std::optional(value));
    }
    void what_newer_windows_write_of_bytes_and_of_no_data_is_no_damage() {
        const auto profile = read_ncu_csv(
            "ID,0\nFunction Name,gemm\nGrid Size,\"    8,    1,    1\"\nBlock Size,\"   32,    1,    1\"\n"
            "gpu__time_duration.sum [us],10\ndram__bytes_read.sum [Mbytes],8.4\n"
            "dram__bytes_write.sum [bytes],16\nsmsp__sass_thread_inst_executed_op_fadd_pred_on.sum [inst],100\n"
            "smsp__sass_thread_inst_executed_op_fmul_pred_on.sum [inst],0\n"
            "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum [inst],50\n"
            "sass__inst_executed_register_spilling_mem_local [byte],no data\n",
            "export.csv");
        QVERIFY(profile && profile->warnings.empty() && !profile->sources[0].partial);
        QCOMPARE(bytes(profile->launches[0], Boundary::hbm_dram_rw), 8.4e6 + 16);
    }
    void a_unit_of_an_export_that_is_not_known_is_said() {
        const std::string text =
            "ID,0\nFunction Name,gemm\ngpu__time_duration.sum [weird],3.66\n"
            "dram__bytes_read.sum [Mbyte,8.4\ndram__bytes_write.sum [Mbyte],1\n";
        const auto profile = read_ncu_csv(text, "export.csv");
        QVERIFY(profile && profile->sources[0].partial && !profile->launches[0].duration);
        QCOMPARE(profile->warnings.size(), std::size_t{1});
        QCOMPARE(bytes(profile->launches[0], Boundary::hbm_dram_rw), 9.4e6);
    }
    void points_separate_thousands_where_other_numbers_have_decimal_commas() {
        const auto profile = read_ncu_csv(
            "\"ID\",\"Process ID\",\"Kernel Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n"
            "\"0\",\"7\",\"gemm\",\"gpu__time_duration.sum\",\"ns\",\"117.344\"\n"
            "\"0\",\"7\",\"gemm\",\"dram__bytes.sum\",\"byte\",\"27.595.520\"\n"
            "\"0\",\"7\",\"gemm\",\"sm__throughput.avg.pct_of_peak_sustained_elapsed\",\"%\",\"65,77\"\n",
            "test.csv");
        QVERIFY(profile);
        QVERIFY(close(profile->launches[0].duration->value(), 117.344e-6, 1e-12));
        QCOMPARE(bytes(profile->launches[0], Boundary::hbm_dram_rw), 27595520.0);
    }
    void only_metrics_tell_whether_a_comma_is_decimal_data() {
        QTest::addColumn<QString>("above");
        QTest::addColumn<QString>("host");
        QTest::newRow("nothing else") << ""
                                      << "127.0.0.1";
        QTest::newRow("what the program prints") << QString("loss 0,25\n").repeated(20) << "127.0.0.1";
        QTest::newRow("pairs") << QString("grid 64,64 block 16,16\n").repeated(5) << "127.0.0.1";
        QTest::newRow("a host named by its address") << ""
                                                     << "192.168.100.200";
    }
    void only_metrics_tell_whether_a_comma_is_decimal() {
        QFETCH(QString, above);
        QFETCH(QString, host);
        const QString row = "\"0\",\"7\",\"" + host + "\",\"gemm\",";
        const auto profile = read_ncu_csv(
            (above +
             "\"ID\",\"Process ID\",\"Host Name\",\"Kernel Name\",\"Metric Name\",\"Metric Unit\",\"Metric "
             "Value\"\n" +
             row + "\"gpu__time_duration.sum\",\"us\",\"5,376\"\n" + row +
             "\"dram__bytes.sum\",\"byte\",\"1,376\"\n")
                .toStdString(),
            "test.csv");
        QVERIFY(profile);
        QVERIFY(close(profile->launches[0].duration->value(), 5376e-6, 1e-12));
        QCOMPARE(bytes(profile->launches[0], Boundary::hbm_dram_rw), 1376.0);
    }
    void what_ncu_says_of_a_run_without_kernels_is_told() {
        const std::string start = "==PROF== Connected to process 1 (/app)\n";
        QVERIFY(contains(error_of(start + "==ERROR== ERR_NVGPUCTRPERM - no permission\n").hint,
                         "ERR_NVGPUCTRPERM"));
        QVERIFY(contains(error_of(start + "==WARNING== No kernels were profiled.\n").hint, "No kernels"));
        QVERIFY(contains(error_of(start + "==ERROR== The library says:\n==ERROR== LibraryNotLoaded.\n"
                                          "==ERROR== An error code (9).\n")
                             .hint,
                         "says: LibraryNotLoaded."));
        QVERIFY(
            contains(error_of(start + "==PROF== Report: /tmp/a b.ncu-rep\n").hint, "open /tmp/a b.ncu-rep"));
        QVERIFY(contains(error_of(start).hint, "--csv"));
    }
    void the_time_of_an_average_is_said_to_be_one() {
        const Profile profile = read("summary.csv");
        const Launch& first = profile.launches[0];
        QVERIFY(first.duration_origin == TimeOrigin::alike);
        QVERIFY(profile.texts.view(first.duration_source).find("average of 4") != std::string_view::npos);
        QVERIFY(profile.launches.back().duration_origin == TimeOrigin::measured);  // of one launch
    }
    void a_summary_counts_launches_or_gives_no_time_data() {
        QTest::addColumn<QStringList>("invocations");
        QTest::addColumn<int>("launches");
        QTest::addColumn<int>("timed");
        QTest::newRow("two") << QStringList{"2"} << 2 << 2;
        QTest::newRow("none") << QStringList{"0"} << 1 << 0;
        QTest::newRow("less than none") << QStringList{"-3"} << 1 << 0;
        QTest::newRow("no whole number") << QStringList{"2.5"} << 1 << 0;
        QTest::newRow("no number") << QStringList{"many"} << 1 << 0;
        QTest::newRow("too many") << QStringList{"10000000"} << 1 << 0;
        QTest::newRow("too many together") << QStringList{"5", "1000000", "3"} << 5 + 1 + 3 << 5 + 3;
    }
    void a_summary_counts_launches_or_gives_no_time() {
        QFETCH(QStringList, invocations);
        QFETCH(int, launches);
        QFETCH(int, timed);
        std::string text = summary_header;
        for (int i = 0; i < invocations.size(); ++i)
            text += "kernel" + std::to_string(i) + ",7,7," + invocations[i].toStdString() +
                    ",gpu__time_duration.sum,us,10\n";
        const auto profile = read_ncu_csv(text, "test.csv");
        QVERIFY(profile);
        QCOMPARE(profile->launches.size(), static_cast<std::size_t>(launches));
        QCOMPARE(std::ranges::count_if(profile->launches,
                                       [](const Launch& launch) { return launch.duration.has_value(); }),
                 static_cast<std::ptrdiff_t>(timed));
        // One that the file holds averages, one on those that are not repeated.
        QCOMPARE(profile->warnings.size(), launches == timed ? std::size_t{1} : std::size_t{2});
    }
    void kernels_of_a_summary_are_told_apart_by_all_that_is_printed_of_them() {
        const auto profile = read_ncu_csv(std::string(summary_header) +
                                              "k,1,7,2,gpu__time_duration.sum,us,10\n"
                                              "k,1,7,2,dram__bytes.sum,byte,64\n"
                                              "k,1,8,2,gpu__time_duration.sum,us,20\n"   // another stream
                                              "k,2,8,2,gpu__time_duration.sum,us,30\n"   // another context
                                              "k,2,8,1,gpu__time_duration.sum,us,40\n"   // as often no more
                                              "k,2,8,1,gpu__time_duration.sum,us,50\n",  // once more
                                          "test.csv");
        QVERIFY(profile);
        QCOMPARE(profile->launches.size(), std::size_t{2 + 2 + 2 + 1 + 1});
        QCOMPARE(profile->kernels.size(), std::size_t{1});
        QCOMPARE(bytes(profile->launches[1], Boundary::hbm_dram_rw), 64.0);
        QVERIFY(close(profile->launches[2].duration->value(), 20e-6, 1e-12));
        QVERIFY(close(profile->launches[4].duration->value(), 30e-6, 1e-12));
        QVERIFY(close(profile->launches[6].duration->value(), 40e-6, 1e-12));
        QVERIFY(close(profile->launches[7].duration->value(), 50e-6, 1e-12));
    }
    void a_grid_that_is_no_such_thing_is_not_known_data() {
        QTest::addColumn<QString>("printed");
        QTest::addColumn<Dim3>("grid");
        QTest::addColumn<bool>("damaged");
        QTest::newRow("as ncu prints it") << "(128, 512, 2)" << Dim3{128, 512, 2} << false;
        QTest::newRow("by hand") << "128x2" << Dim3{128, 2, 1} << false;
        QTest::newRow("one number") << "4096" << Dim3{4096, 1, 1} << false;
        QTest::newRow("a letter among the digits") << "(128, 5e52, 1)" << Dim3{} << true;
        QTest::newRow("a comma among the digits") << "(128, 5,52, 1)" << Dim3{} << true;
        QTest::newRow("no block") << "(0, 1, 1)" << Dim3{} << true;
        QTest::newRow("more than 32 bits") << "(42949672960, 1, 1)" << Dim3{} << true;
    }
    void a_grid_that_is_no_such_thing_is_not_known() {
        QFETCH(QString, printed);
        QFETCH(Dim3, grid);
        const std::string text =
            "ID,Process ID,Kernel Name,Block Size,Grid Size,gpu__time_duration.sum\n"
            ",,,,,nsecond\n0,7,copy,128,\"" +
            printed.toStdString() + "\",15625\n";
        const auto profile = read_ncu_csv(text, "test", {});
        QVERIFY(profile);
        QCOMPARE(profile->launches.size(), std::size_t{1});
        QVERIFY(profile->launches[0].grid == grid);
        QVERIFY(profile->launches[0].duration);
        QTEST(!profile->warnings.empty(), "damaged");
    }
    void long_form_below_a_banner_is_read() {
        const Profile profile = read("long.csv");
        QCOMPARE(profile.launches.size(), std::size_t(3));
        QCOMPARE(profile.kernels.size(), std::size_t(2));
        const Launch& saxpy = profile.launches[0];
        QCOMPARE(profile.kernel_of(saxpy).name, std::string("saxpy(int, float, const float *, float *)"));
        QVERIFY((saxpy.grid == Dim3{65536, 1, 1}));
        QVERIFY((saxpy.block == Dim3{256, 1, 1}));
        QCOMPARE(saxpy.stream, 7U);
        QCOMPARE(saxpy.process, 4242U);
        QCOMPARE(saxpy.duration->value(), 412.5e-6);
        QCOMPARE(saxpy.find(Pipe{PipeKind::fp32})->work.value(), 2.0 * 16777216);
        QCOMPARE(bytes(saxpy, Boundary::hbm_dram_rw), 134.22e6 + 67108864);
        QCOMPARE(profile.sources.at(0).format, SourceFormat::ncu_csv);
        QVERIFY(!profile.sources.at(0).partial);
        QVERIFY(profile.warnings.empty());
    }

    void not_available_is_absent() {
        const Profile profile = read("long.csv");
        QVERIFY(!profile.launches[0].find(Pipe{PipeKind::fp64}));
        QVERIFY(profile.launches[1].work.empty());
    }

    void quotes_inside_names_are_kept() {
        const Profile profile = read("long.csv");
        QCOMPARE(profile.kernel_of(profile.launches[1]).name,
                 std::string("void sgemm<float, 16>(T1 *, \"tile\")"));
        QCOMPARE(bytes(profile.launches[1], Boundary::hbm_dram_rw), 12.5e6);
    }

    void processes_and_devices_are_told_apart() {
        const Profile profile = read("long.csv");
        const Launch& other = profile.launches[2];
        QCOMPARE(other.process, 4343U);
        QCOMPARE(other.kernel, profile.launches[0].kernel);
        QCOMPARE(other.duration->value(), 5376e-9);
        QCOMPARE(profile.devices.size(), std::size_t(2));
        QVERIFY((profile.device_of(other).compute_capability == ComputeCapability{9, 0}));
        QVERIFY((profile.devices[0].compute_capability == ComputeCapability{8, 6}));
    }

    void nvtx_ranges_are_those_of_the_only_thread() {
        const auto stack_in = [](const std::string& cell) {
            const auto profile = read_ncu_csv(
                "\"ID\",\"Kernel Name\",\"thread Domain:Push/Pop_Range:PL_Type:PL_Value:CLR_Type:Color:Msg_Type:"
                "Msg\",\"gpu__time_duration.sum\"\n\"\",\"\",\"\",\"ns\"\n\"0\",\"k\",\"" +
                    cell + "\",\"5000\"\n",
                "test.csv");
            return profile && profile->launches.size() == 1 ? profile->nvtx_of(profile->launches.front())
                                                            : NvtxStack{"not read"};
        };
        const std::string one = "\"\"<default domain>:step:none:none:none:none:none:none\"\"";
        const std::string other =
            "\"\"<default domain>:aten::mm, op_id = 5, sizes = [[8, 4], [4, 2]]:none:none:none:none:none:none\"\"";
        QCOMPARE(stack_in("13416  " + one + "  " + other + " "),
                 (NvtxStack{"step", "aten::mm, op_id = 5, sizes = [[8, 4], [4, 2]]"}));
        QCOMPARE(stack_in("13416  " + one + "  13417  " + other), NvtxStack());
        QCOMPARE(stack_in(""), NvtxStack());
    }
    void wide_form_uses_its_row_of_units() {
        const Profile profile = read("wide.csv");
        QCOMPARE(profile.launches.size(), std::size_t(2));
        QCOMPARE(profile.devices.size(), std::size_t(1));
        QCOMPARE(profile.devices[0].name, std::string("NVIDIA A10G"));
        QCOMPARE(profile.devices[0].sm_count, std::optional(80));
        const Launch& stencil = profile.launches[0];
        QCOMPARE(stencil.duration->value(), 1e-3);
        QCOMPARE(bytes(stencil, Boundary::hbm_dram_rw), 500e6);
        QCOMPARE(bytes(stencil, Boundary::l2_sm_sectors), 640e6);
        QCOMPARE(bytes(stencil, Boundary::smem_wavefronts), 0.0);
        QCOMPARE(bytes(profile.launches[1], Boundary::smem_wavefronts), 128.0 * 1048576);
        QCOMPARE(stencil.ceilings->find(Boundary::hbm_dram_rw)->rate.value(), 96 * 6.25e9);
    }

    void line_ends_of_windows_and_byte_order_mark_change_nothing() {
        const Profile unix_form = read("wide.csv");
        const Profile windows = read("wide_crlf_bom.csv");
        QCOMPARE(windows.launches.size(), unix_form.launches.size());
        for (std::size_t i = 0; i < windows.launches.size(); ++i)
            for (const Boundary boundary : all_boundaries)
                QCOMPARE(bytes(windows.launches[i], boundary), bytes(unix_form.launches[i], boundary));
    }

    void lines_of_the_program_between_rows_are_skipped_and_told() {
        const Profile plain = read("long.csv");
        const Profile profile = read("interleaved.csv");
        QCOMPARE(profile.launches.size(), plain.launches.size());
        QCOMPARE(bytes(profile.launches[0], Boundary::hbm_dram_rw),
                 bytes(plain.launches[0], Boundary::hbm_dram_rw));
        QCOMPARE(profile.warnings.size(), std::size_t(1));
        QCOMPARE(message_of(profile.warnings[0]).where, std::string("interleaved.csv, line 4"));
    }

    void a_cut_never_changes_a_number_without_a_word_data() {
        QTest::addColumn<QByteArray>("text");
        const auto row = [](const char* tag, std::string text, const char* line_end) {
            for (std::size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', at + 2))
                text.replace(at, 1, line_end);
            QTest::newRow(tag) << QByteArray::fromStdString(text);
        };
        row("wide", wide_text, "\n");
        row("wide, CR LF", wide_text, "\r\n");
        row("long", long_text, "\n");
        row("long, CR LF", long_text, "\r\n");
    }
    void a_cut_never_changes_a_number_without_a_word() {
        QFETCH(QByteArray, text);
        const std::string all = text.toStdString();
        const auto whole = read_ncu_csv(all, "whole.csv");
        QVERIFY(whole && whole->launches.size() == 2 && !whole->sources[0].partial);
        for (std::size_t size = 1; size < all.size(); ++size) {
            const std::string part = all.substr(0, size);
            const auto read = read_ncu_csv(part, "part.csv");
            const bool at_line_end = part.ends_with('\n') || part.ends_with('\r');
            if (!read) continue;
            QVERIFY2(at_line_end || read->sources[0].partial, part.c_str());
            QVERIFY2(at_line_end || !read->warnings.empty(), part.c_str());
            for (std::size_t i = 0; i < read->launches.size(); ++i)
                QVERIFY2(agrees(read->launches[i], whole->launches[i]), part.c_str());
        }
    }
    void the_rows_above_a_cut_line_are_kept() {
        const auto wide = read_ncu_csv(wide_text.substr(0, wide_text.size() - 3), "wide.csv");
        QVERIFY(wide && wide->launches.size() == 2);
        QCOMPARE(wide->warnings.at(0).message.code, ErrorCode::truncated);
        QVERIFY(!wide->launches[1].find(Boundary::l2_sm_sectors));
        QCOMPARE(bytes(wide->launches[1], Boundary::hbm_dram_rw), 2 * 8388608.0);
        const auto metrics = read_ncu_csv(long_text.substr(0, long_text.size() - 3), "long.csv");
        QVERIFY(metrics && metrics->launches.size() == 2);
        QVERIFY(metrics->launches[1].duration && !metrics->launches[1].find(Boundary::l2_sm_sectors));
        QCOMPARE(message_of(metrics->warnings.at(0)).where, std::string("long.csv, line 6"));
    }
    void a_cut_in_a_quoted_cell_costs_its_row_alone() {
        const std::string rows =
            "\"0\",\"k\",\"gpu__time_duration.sum\",\"ns\",\"10\"\n"
            "\"0\",\"k\",\"dram__bytes.sum\",\"byte\",\"64\"\n";
        const std::string whole = std::string(header) + rows;
        for (const char* rest : {"\"", "\"0\",\"k\",\"lts__t_sec", "\"0\",\"k\",\"sm__x\",\"ns\",\"1"}) {
            const auto profile = read_ncu_csv(whole + rest, "test.csv");
            QVERIFY(profile && profile->sources[0].partial);
            QCOMPARE(bytes(profile->launches.at(0), Boundary::hbm_dram_rw), 64.0);
            QCOMPARE(profile->warnings.at(0).message.code, ErrorCode::truncated);
            QCOMPARE(message_of(profile->warnings.at(0)).where, std::string("test.csv, line 4"));
        }
    }
    void a_closing_quote_tells_that_the_last_number_is_whole() {
        const std::string text = std::string(header) +
                                 "\"0\",\"k\",\"gpu__time_duration.sum\",\"ns\",\"10\"\n"
                                 "\"0\",\"k\",\"lts__t_sectors_srcunit_tex.sum\",\"sector\",\"12\"";
        const auto profile = read_ncu_csv(text, "test.csv");
        QVERIFY(profile && !profile->sources[0].partial && profile->warnings.empty());
        QCOMPARE(bytes(profile->launches.at(0), Boundary::l2_sm_sectors), 12 * 32.0);
    }
    void a_last_row_with_fewer_cells_than_the_others_was_cut() {
        const std::string rows =
            "\"ID\",\"Kernel Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\",\"Rule Name\"\n"
            "\"0\",\"k\",\"gpu__time_duration.sum\",\"ns\",\"10\",\n";
        for (const auto& [last, whole] : {std::pair(R"("0","k","dram__bytes.sum","byte","64",)", true),
                                          {R"("0","k","dram__bytes.sum","byte","64")", false},
                                          {R"("0","k","","","","a rule")", true},
                                          {R"("0","k","dram__bytes.sum","byte")", false}}) {
            const auto profile = read_ncu_csv(rows + last, "test.csv");
            QVERIFY(profile);
            QVERIFY2(profile->sources[0].partial != whole && profile->warnings.empty() == whole, last);
        }
        const std::string wide =
            "\"ID\",\"Kernel Name\",\"gpu__time_duration.sum\",\"dram__bytes.sum\"\n"
            "\"\",\"\",\"ns\",\"byte\"\n\"0\",\"k\",\"10\",\"64\"";
        for (std::size_t cut = 0; cut < std::string_view(R"("0","k","10","64")").size(); ++cut) {
            const auto profile = read_ncu_csv(wide.substr(0, wide.size() - cut), "test.csv");
            QCOMPARE(profile && !profile->sources[0].partial, cut == 0);
        }
    }
    void cut_file_keeps_the_rows_before_the_cut() {
        const Profile profile = read("long_cut.csv");
        QCOMPARE(profile.launches.size(), std::size_t(2));
        QCOMPARE(profile.launches[1].duration.value().value(), 1.25e-3);
        QVERIFY(profile.launches[1].traffic.empty());
        QVERIFY(profile.sources[0].partial);
        QCOMPARE(profile.warnings.at(0).message.code, ErrorCode::truncated);
        QCOMPARE(message_of(profile.warnings.at(0)).where, std::string("long_cut.csv, line 15"));
    }

    void a_row_with_too_few_fields_costs_its_kernel_alone() {
        const Profile profile = read("wide_ragged.csv");
        QCOMPARE(profile.launches.size(), std::size_t(3));
        QVERIFY(profile.sources[0].partial);
        QCOMPARE(message_of(profile.warnings.at(0)).where, std::string("wide_ragged.csv, line 5"));
        QVERIFY(profile.warnings.at(0).message.what.find("5 fields") != std::string::npos);
    }

    void a_file_that_ends_in_its_column_names_was_cut_there() {
        for (const std::string& cut :
             std::vector{wide_text.substr(0, 60), wide_text.substr(0, 25), std::string(header.substr(0, 30)),
                         "==PROF== Connected\n" + std::string(header.substr(0, 12))}) {
            const Error error = error_of(cut);
            QCOMPARE(error.code, ErrorCode::truncated);
            QVERIFY2(error.where.find("line ") != std::string::npos, error.where.c_str());
        }
    }
    void broken_files_are_errors_with_a_line_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("where");
        const QByteArray names(header.data(), static_cast<qsizetype>(header.size()));
        QTest::newRow("nothing") << QByteArray() << "test.csv";
        QTest::newRow("no header") << QByteArray("hello\nworld\n") << "test.csv";
        QTest::newRow("no kernels") << names << "test.csv";
        QTest::newRow("no metrics") << QByteArray("\"ID\",\"Kernel Name\"\n\"0\",\"k\"\n")
                                    << "test.csv, line 1";
        QTest::newRow("no value column")
            << QByteArray("\"ID\",\"Kernel Name\",\"Metric Name\"\n\"0\",\"k\",\"m\"\n")
            << "test.csv, line 1";
        QTest::newRow("open quote") << names + "\"0\",\"k\",\"gpu__time\n"
                                    << "test.csv, line 2";
        QTest::newRow("text after quote") << names + "\"0\"x,\"k\",\"m\",\"\",\"1\"\n"
                                          << "test.csv, line 2";
        QTest::newRow("binary") << names + QByteArray("\"0\",\"k\0k\",\"m\",\"\",\"1\"\n", 22)
                                << "test.csv, line 2";
        QTest::newRow("too short") << names + "\"0\",\"k\",\"m\"\n"
                                   << "test.csv, line 2";
        QTest::newRow("too long") << names + "\"0\",\"k\",\"m\",\"\",\"1\",\"2\"\n"
                                  << "test.csv, line 2";
    }

    void broken_files_are_errors_with_a_line() {
        QFETCH(QByteArray, text);
        QFETCH(QString, where);
        const Error error = error_of({text.data(), static_cast<std::size_t>(text.size())});
        QCOMPARE(error.code, ErrorCode::bad_csv);
        QCOMPARE(error.where, where.toStdString());
        QVERIFY(!error.what.empty());
        QVERIFY(!error.hint.empty());
    }

    void cancelling_keeps_what_is_read() {
        std::stop_source source;
        Progress progress;
        progress.stop = source.get_token();
        const std::string text = text_of(data_folder() / "csv" / "wide.csv");
        progress.report = [&](double share) {
            if (share > 0.7) source.request_stop();
        };
        const auto profile = read_ncu_csv(text, "wide.csv", progress);
        QVERIFY(profile.has_value());
        QVERIFY(profile->sources[0].partial);
        QCOMPARE(profile->launches.size(), std::size_t(1));
        QCOMPARE(profile->warnings.at(0).message.code, ErrorCode::cancelled);
    }

    void a_counter_that_is_no_number_takes_the_work_of_its_kernel_with_it_data() {
        QTest::addColumn<QByteArray>("printed");
        QTest::addColumn<bool>("damaged");
        for (const char* printed : {"4,0x6", "1024\x01", "4096..5", "1e999", "O", "~5"})
            QTest::newRow(printed) << QByteArray(printed) << true;
        for (const char* printed : {"n/a", "(!) n/a", "nan"})
            QTest::newRow(printed) << QByteArray(printed) << false;
    }
    /// The zeros of FP64 and FP16 would pass for the whole: a kernel without FLOP.
    void a_counter_that_is_no_number_takes_the_work_of_its_kernel_with_it() {
        QFETCH(QByteArray, printed);
        QFETCH(bool, damaged);
        std::string text(header);
        for (const std::string id : {"0", "1"}) {
            const auto row = [&](const std::string& metric, const std::string& value,
                                 const std::string& unit = "inst") {
                text += "\"" + id + "\",\"k\",\"" + metric + "\",\"" + unit + "\",\"" + value + "\"\n";
            };
            row("gpu__time_duration.sum", "1000", "ns");
            row("dram__bytes_read.sum", "1000", "byte");
            row("dram__bytes_write.sum", "1000", "byte");
            for (const std::string operation :
                 {"dadd", "dmul", "dfma", "hadd", "hmul", "hfma", "fadd", "fmul"})
                row("smsp__sass_thread_inst_executed_op_" + operation + "_pred_on.sum", "0");
            row("smsp__sass_thread_inst_executed_op_ffma_pred_on.sum",
                id == "0" ? printed.toStdString() : "4096");
        }
        const auto profile = read_ncu_csv(text, "test.csv");
        QVERIFY(profile);
        QCOMPARE(profile->launches.at(0).work.empty(), damaged);
        QCOMPARE(profile->sources.at(0).partial, damaged);
        QCOMPARE(profile->warnings.size(), std::size_t{damaged ? 1U : 0U});
        QVERIFY(profile->launches[0].duration && profile->launches[0].find(Boundary::hbm_dram_rw));
        QVERIFY(profile->launches[0].uncounted.fp32);
        QCOMPARE(profile->launches.at(1).work.size(), std::size_t{3});
    }
    void failed_kernel_is_marked() {
        const auto profile = read_ncu_csv(
            std::string(header) + "\"0\",\"k\",\"gpu__time_duration.sum\",\"ns\",\"nan\"\n", "test.csv");
        QVERIFY(profile->launches.at(0).failed);
        QCOMPARE(profile->warnings.at(0).message.code, ErrorCode::failed_kernel);
    }

    void packed_arithmetic_that_was_not_collected_leaves_a_lower_bound() {
        std::string text = "\"ID\",\"Kernel Name\",\"CC\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n";
        for (const char* operation : {"fadd", "fmul", "ffma"})
            text += "\"0\",\"k\",\"10.0\",\"smsp__sass_thread_inst_executed_op_" + std::string(operation) +
                    "_pred_on.sum\",\"inst\",\"8\"\n";
        const auto profile = read_ncu_csv(text, "test.csv");
        QCOMPARE(profile->launches.at(0).find(Pipe{PipeKind::fp32})->work.value(), 32.0);
        QCOMPARE(profile->launches.at(0).uncounted, UncountedWork{.packed_fp32 = true});
    }

    void details_labels_stand_for_metrics() {
        const std::string text = std::string(header) + "\"0\",\"k\",\"Duration\",\"usecond\",\"22.59\"\n" +
                                 "\"0\",\"k\",\"Memory Throughput\",\"%\",\"44.98\"\n" +
                                 "\"0\",\"k\",\"Memory Throughput\",\"Gbyte/second\",\"100\"\n";
        const auto profile = read_ncu_csv(text, "test.csv");
        const Launch& launch = profile->launches.at(0);
        QVERIFY(close(launch.duration->value(), 22.59e-6, 1e-12));
        QCOMPARE(bytes(launch, Boundary::hbm_dram_rw), 2259000.0);
        QCOMPARE(profile->metric(launch, "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed"),
                 std::optional(44.98));
    }

    void details_of_a_roofline_are_its_dot_and_its_roofs_data() {
        QTest::addColumn<QString>("rows");
        QTest::newRow("operations") << "Predicated-On FFMA Operations Per Cycle|inst|800\n"
                                       "Theoretical Predicated-On FFMA Operations|inst|8192";
        QTest::newRow("instructions")
            << "Predicated-On FFMA Thread Instructions Executed Per Cycle|inst/cycle|400\n"
               "Theoretical Predicated-On FFMA Thread Instructions Executed|Kinst/cycle|4.096";
    }
    void details_of_a_roofline_are_its_dot_and_its_roofs() {
        QFETCH(QString, rows);
        std::string text(header);
        for (const QString& row :
             QString("Duration|us|500\nSM Frequency|Ghz|2\nDRAM Frequency|Ghz|10\n"
                     "Predicated-On DFMA Operations Per Cycle|inst|0\n"
                     "Predicated-On FADD Thread Instructions Executed Per Cycle|inst/cycle|100\n"
                     "Predicated-On FMUL Thread Instructions Executed Per Cycle|inst/cycle|20\n"
                     "DRAM Bandwidth|Gbyte/s|100\n"
                     "Theoretical DRAM Bytes Accessible|Kbyte/cycle|0.032\n%1")
                 .arg(rows)
                 .split('\n'))
            text += "\"0\",\"k\",\"" + QString(row).replace("|", "\",\"").toStdString() + "\"\n";
        const auto profile = read_ncu_csv(text, "test.csv");
        const Launch& launch = profile->launches.at(0);
        QVERIFY(close(launch.find(Pipe{PipeKind::fp32})->work.value(), 920 * 2e9 * 500e-6, 1e-12));
        QVERIFY(close(bytes(launch, Boundary::hbm_dram_rw), 100e9 * 500e-6, 1e-12));
        QVERIFY(launch.find(Pipe{PipeKind::fp64}) == nullptr);
        const CeilingSet& roofs = *launch.ceilings;
        QVERIFY(close(roofs.find(Pipe{PipeKind::fp32})->rate.value(), 8192 * 2e9, 1e-12));
        QVERIFY(close(roofs.find(Boundary::hbm_dram_rw)->rate.value(), 32 * 10e9, 1e-12));
    }

    void a_roofline_without_a_time_tells_the_share_of_dram() {
        const std::string rows =
            "\"0\",\"k\",\"DRAM Bandwidth\",\"Gbyte/s\",\"80\"\n"
            "\"0\",\"k\",\"Theoretical DRAM Bytes Accessible\",\"byte/cycle\",\"32\"\n"
            "\"0\",\"k\",\"DRAM Frequency\",\"Ghz\",\"10\"\n";
        constexpr std::string_view share = "dram__bytes.sum.pct_of_peak_sustained_elapsed";
        const auto profile = read_ncu_csv(std::string(header) + rows, "test.csv");
        const Launch& launch = profile->launches.at(0);
        QVERIFY(!launch.duration && launch.traffic.empty());
        QVERIFY(close(profile->metric(launch, share).value_or(0), 25, 1e-12));
        const std::string duration = "\"0\",\"k\",\"Duration\",\"us\",\"500\"\n";
        const auto timed = read_ncu_csv(std::string(header) + rows + duration, "test.csv");
        QVERIFY(!timed->metric(timed->launches.at(0), share));
    }

    void raw_page_of_a_report_says_the_same_as_the_report_data() {
        QTest::addColumn<QString>("page");
        QTest::addColumn<double>("tolerance");
        QTest::newRow("raw") << ".oracle-raw.csv" << 1e-5;
        QTest::newRow("details") << ".oracle-details.csv" << 5e-3;
    }

    void raw_page_of_a_report_says_the_same_as_the_report() {
        QFETCH(QString, page);
        QFETCH(double, tolerance);
        const auto report = sample("2025.2.1_b200");
        if (report.empty()) QSKIP("samples are not beside this checkout");
        const std::string bytes_of_report = text_of(report);
        const auto native = read_ncu_report(std::as_bytes(std::span(bytes_of_report)), "report");
        const auto printed =
            read_ncu_csv(text_of(std::filesystem::path(report).replace_extension(page.toStdString())), "csv");
        QVERIFY(native.has_value() && printed.has_value());
        QVERIFY(!printed->sources.at(0).partial);  // NVIDIA ends neither page with a line break
        QCOMPARE(printed->launches.size(), native->launches.size());

        const Launch& a = native->launches[0];
        const Launch& b = printed->launches[0];
        QVERIFY(a.grid == b.grid && a.block == b.block);
        QCOMPARE(b.context, a.context);
        QCOMPARE(b.stream, a.stream);
        QCOMPARE(b.process, a.process);
        QVERIFY(close(b.duration->value(), a.duration->value(), tolerance));
        QVERIFY(printed->device_of(b).compute_capability == native->device_of(a).compute_capability);
        QCOMPARE(printed->device_of(b).sm_count, native->device_of(a).sm_count);
        constexpr double half_a_cent = 0.005;  // small numbers are printed with two decimals
        int compared = 0;
        for (const MetricSample& metric : b.metrics) {
            const auto expected = native->metric(a, printed->texts.view(metric.name));
            QVERIFY(expected.has_value());
            QVERIFY2(close(metric.value, *expected, tolerance) ||
                         std::abs(metric.value - *expected) <= half_a_cent,
                     std::string(printed->texts.view(metric.name)).c_str());
            ++compared;
        }
        QVERIFY(compared >= 10);
    }

    void device_in_the_raw_page_is_that_of_the_report() {
        const auto report = sample("2025.2.1_b200");
        if (report.empty()) QSKIP("samples are not beside this checkout");
        const std::string bytes_of_report = text_of(report);
        const auto native = read_ncu_report(std::as_bytes(std::span(bytes_of_report)), "report");
        const auto printed =
            read_ncu_csv(text_of(std::filesystem::path(report).replace_extension(".oracle-raw.csv")), "csv");
        Device expected = native->devices.at(0);
        Device device = printed->devices.at(0);
        expected.ceilings = {};
        device.ceilings = {};
        QVERIFY(device == expected);
        QVERIFY(close(bytes(printed->launches[0], Boundary::hbm_dram_rw),
                      bytes(native->launches[0], Boundary::hbm_dram_rw), 1e-5));
    }
};

}  // namespace tst_ncu_csv_reader

ROOFWALK_TEST(tst_ncu_csv_reader, TestNcuCsvReader, NoApplication)
#include "tst_ncu_csv_reader.moc"
