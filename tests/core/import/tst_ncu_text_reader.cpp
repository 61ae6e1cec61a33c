// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <algorithm>
#include <cmath>
#include <span>
#include <stop_token>

#include "core/import/csv/ncu_text_reader.h"
#include "core/import/open_profile.h"
#include "tests/support/folder_tests.h"

namespace tst_ncu_text_reader {

using namespace roofwalk;

namespace {

const std::string banner =
    "==PROF== Connected to process 828 (/tmp/app)\n"
    "==PROF== Profiling \"copy\" - 0: 0%....50%....100% - 8 passes\n"
    "[1/2] the program says so, Device 0\n"
    "[828] app@127.0.0.1\n";

const std::string kernel_line =
    "  void copy<float>(float *, int) (4096, 2, 1)x(256, 1, 1), Context 1, Stream 7, Device 0, CC 8.6\n";

const std::string tables =
    "    Section: GPU Speed Of Light Throughput\n"
    "    ----------------------- ----------- ------------\n"
    "    Metric Name             Metric Unit Metric Value\n"
    "    ----------------------- ----------- ------------\n"
    "    DRAM Frequency                  Ghz         7.50\n"
    "    Elapsed Cycles                cycle      166,261\n"
    "    Memory Throughput                 %        72.28\n"
    "    Duration                         us       250.00\n"
    "    ----------------------- ----------- ------------\n"
    "\n"
    "    OPT   Memory is more heavily utilized than Compute.                 99.99\n"
    "\n"
    "    Section: Memory Workload Analysis\n"
    "    ----------------- ------------ ------------\n"
    "    Metric Name        Metric Unit Metric Value\n"
    "    ----------------- ------------ ------------\n"
    "    Memory Throughput Gbyte/second       400.00\n"
    "    ----------------- ------------ ------------\n"
    "\n"
    "    Section: Launch Statistics\n"
    "    -------------------- --------------- -----------------------\n"
    "    Metric Name              Metric Unit            Metric Value\n"
    "    -------------------- --------------- -----------------------\n"
    "    Function Cache                       cudaFuncCachePreferNone\n"
    "    Registers Per Thread register/thread                      20\n"
    "    # SMs                             SM                      46\n"
    "    -------------------- --------------- -----------------------\n";

/// With what `--set full` prints beside, in tables of other columns.
const std::string foreign_table =
    "    Section: Memory Tables\n"
    "    ------------ ---------- -------- -------- ----------\n"
    "    L1/TEX Cache Instances  Requests  Sectors   Duration\n"
    "    ------------ ---------- -------- -------- ----------\n"
    "    Duration             us        1        2          3\n"
    "    ------------ ---------- -------- -------- ----------\n";

/// As Nsight Compute of 2019 to 2021 printed it: rules without names of the columns, other labels.
const std::string old_text =
    "  vadd(float const *,int), 2021-Jun-02 19:23:13, Context 1, Stream 7\n"
    "    Section: GPU Speed Of Light\n"
    "    ------------------------------ --------------- ------------------------------\n"
    "    SOL DRAM                                     %                          82.65\n"
    "    Duration                               msecond                           1.67\n"
    "    ------------------------------ --------------- ------------------------------\n"
    "    WRN   This is                          byte                          advice\n"
    "    Section: Command line profiler metrics\n"
    "    ------------------------------ --------------- ------------------------------\n"
    "    dram__bytes.sum                          Mbyte                         167.00\n"
    "    ------------------------------ --------------- ------------------------------\n";

const std::string summary =
    "  scale(float *) (2, 2, 2)x(8, 8, 8), Device 0, CC 8.9, Invocations 4\n"
    "    Section: GPU Speed Of Light Throughput\n"
    "    ----------- ----------- -------- -------- --------\n"
    "    Metric Name Metric Unit  Minimum  Maximum  Average\n"
    "    ----------- ----------- -------- -------- --------\n"
    "    Duration             us     1.95     2.27     2.00\n"
    "    ----------- ----------- -------- -------- --------\n";

Profile read(const std::string& text) {
    auto profile = read_profile(std::as_bytes(std::span(text)), "log.txt");
    return profile ? std::move(*profile) : Profile{};
}

bool near(double a, double b) {
    return std::abs(a - b) <= 1e-9 * std::abs(b);
}

double dram_bytes(const Launch& launch) {
    const TrafficSample* sample = launch.find(Boundary::hbm_dram_rw);
    return sample ? sample->total.value() : -1;
}

/// Every line behind a prefix.
std::string behind(const std::string& prefix, const std::string& text) {
    std::string result;
    for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1)
        result += prefix + text.substr(at, text.find('\n', at) + 1 - at);
    return result;
}

std::string folded_at(std::size_t width, std::string line) {
    for (std::size_t at = width; at + 1 < line.size(); at += width + 1)
        line.insert(at, "\n");
    return line;
}

}  // namespace

class TestNcuTextReader : public QObject {
    Q_OBJECT

  private slots:
    void a_log_of_ncu_is_read_data() {
        QTest::addColumn<QString>("text");
        const auto row = [](const char* name, const std::string& text) {
            QTest::newRow(name) << QString::fromStdString(text);
        };
        row("as printed", banner + kernel_line + tables);
        row("with Windows' line ends", banner + behind("", kernel_line + tables));
        row("as a comment", "int main() {}\n" + behind("// ", kernel_line + tables));
        row("as an indented comment", behind("  # ", kernel_line + tables));
        row("as a quote", "Why is it slow?\n" + behind("> ", kernel_line + tables));
        row("with other tables", kernel_line + tables + foreign_table);
        std::string wrapped = kernel_line;
        wrapped.replace(wrapped.find(" (4096"), 1, " \n  ");
        row("with a long name on a line of its own", wrapped + tables);
        for (const std::size_t width : {44U, 47U, 60U, 80U, 93U})
            row(qPrintable(QString("folded at %1").arg(width)), folded_at(width, kernel_line) + tables);
        std::string narrow = kernel_line + tables;
        const auto are_blank = [](char a, char b) { return a == ' ' && b == ' '; };
        narrow.erase(std::unique(narrow.begin(), narrow.end(), are_blank), narrow.end());
        row("with single blanks", narrow);
        row("in colours", "\x1b[1m" + banner + "\x1b[0m\x1b[38;5;2m" + kernel_line + tables + "\x1b[0m");
        row("of a CI service", behind("2025-01-31T12:00:00.1234567Z ", banner + kernel_line + tables));
        for (const char* mark :
             {"[2025-01-31 12:00:00] ", "[2025-01-31 12:00:00,123] INFO: ", "[2025-01-31 12:00:00][INFO] "})
            row(mark, behind(mark, banner + kernel_line + tables));
        for (const char* blank : {"\u00a0", "\u00a0 "})
            row(blank,
                QString::fromStdString(banner + kernel_line + tables).replace(" ", blank).toStdString());
        row("of mpirun", behind("[1,0]<stdout>:", banner + kernel_line + tables));
    }
    void a_log_of_ncu_is_read() {
        QFETCH(QString, text);
        std::string log = text.toStdString();
        if (QTest::currentDataTag() == QByteArray("with Windows' line ends"))
            for (std::size_t at = log.find('\n'); at != std::string::npos; at = log.find('\n', at + 2))
                log.insert(at, "\r");
        const Profile profile = read(log);
        QCOMPARE(profile.launches.size(), std::size_t{1});
        const Launch& launch = profile.launches[0];
        QCOMPARE(QString::fromStdString(profile.kernels[0].name), QString("void copy<float>(float *, int)"));
        QVERIFY(launch.grid == (Dim3{4096, 2, 1}) && launch.block == (Dim3{256, 1, 1}));
        QVERIFY(near(launch.duration->value(), 250e-6));
        QVERIFY(near(dram_bytes(launch), 400e9 * 250e-6));
        const Device& device = profile.devices[0];
        QVERIFY(device.compute_capability == (ComputeCapability{8, 6}));
        QCOMPARE(device.sm_count.value_or(0), 46);
        QVERIFY(!profile.sources[0].partial);
        QVERIFY(profile.warnings.empty());
    }
    void a_folded_line_of_a_kernel_is_joined_up_to_a_length() {
        for (const std::size_t size : {8000U, 20000U}) {
            std::string line = kernel_line;
            line.insert(line.find("float *"), size, 'x');
            const Profile profile = read(folded_at(80, line) + tables);
            QCOMPARE(profile.launches.size(), std::size_t{1});
            QCOMPARE(profile.kernels[0].name.size() > size, size < 16384);
            QVERIFY(near(profile.launches[0].duration->value(), 250e-6));
        }
    }
    void numbers_of_lines_are_none_of_theirs() {
        const std::string text = banner + kernel_line + tables;
        const Profile plain = read(text);
        // As grep -n, viewers and cat -n write them, and as a terminal shows them.
        for (const char* const mark : {"%1:", "%1-", "%1: ", "%1\t", "%L1\t", "%L1 ", "%L1  "}) {
            std::string numbered;
            int number = 0;
            for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1)
                numbered += QString(mark).arg(++number, mark[1] == 'L' ? 6 : 0).toStdString() +
                            text.substr(at, text.find('\n', at) + 1 - at);
            const Profile profile = read(numbered);
            QCOMPARE(profile.launches.size(), plain.launches.size());
            QCOMPARE(profile.launches[0].duration, plain.launches[0].duration);
            QCOMPARE(profile.launches[0].metrics.size(), plain.launches[0].metrics.size());
            QCOMPARE(profile.warnings.size(), plain.warnings.size());
            QCOMPARE(profile.kernels[0].name, plain.kernels[0].name);
        }
    }
    void lines_of_processes_that_mpirun_mixes_are_read_apart() {
        const auto lines = [](const char* tag, const char* time) {
            std::string text = kernel_line + tables;
            text.replace(text.find("250.00"), 6, time);
            return QString::fromStdString(behind(tag, text)).split('\n');
        };
        const QStringList first = lines("[1,0]<stdout>:", "250.00");
        const QStringList second = lines("[1,1]<stdout>:", "500.00");
        QStringList mixed;
        for (qsizetype line = 0; line < first.size(); ++line)
            mixed << first[line] << second[line];
        const Profile profile = read(mixed.join('\n').toStdString());
        QCOMPARE(profile.launches.size(), std::size_t{2});
        QVERIFY(near(profile.launches[0].duration->value(), 250e-6));
        QVERIFY(near(profile.launches[1].duration->value(), 500e-6));
        QCOMPARE(profile.launches[0].metrics.size(), profile.launches[1].metrics.size());
    }
    void a_remark_behind_a_number_is_none_of_it() {
        std::string text = kernel_line + tables;
        for (const auto& [row, remark] : {std::pair<std::string, std::string>("72.28", "  # low!"),
                                          {"250.00", " <-- 2 runs"},
                                          {"166,261", "\t// 17"}})
            text.insert(text.find(row) + row.size(), remark);
        const Profile plain = read(kernel_line + tables);
        const Profile profile = read(text);
        QCOMPARE(profile.launches[0].duration, plain.launches[0].duration);
        QCOMPARE(profile.launches[0].metrics.size(), plain.launches[0].metrics.size());
        QCOMPARE(profile.warnings.size(), plain.warnings.size());
        // What the column does not end behind is no remark.
        std::string other = kernel_line + tables;
        other.replace(other.find("250.00"), 6, "250.00x 3");
        QVERIFY(!read(other).launches[0].duration);
    }
    void a_system_with_decimal_commas_writes_another_sign() {
        std::string log = kernel_line + tables;
        for (char& c : std::span(log).subspan(kernel_line.size()))
            c = c == ',' ? '.' : c == '.' ? ',' : c;
        QVERIFY(log.find("166.261") != std::string::npos);
        const Profile profile = read(log);
        QVERIFY(near(profile.launches[0].duration->value(), 250e-6));
        QVERIFY(near(dram_bytes(profile.launches[0]), 400e9 * 250e-6));
    }
    void what_the_program_prints_tells_nothing_of_decimal_commas() {
        std::string log = kernel_line + tables;
        log.replace(log.find("250.00"), 6, " 5,376");
        for (int step = 10; step < 40; ++step)
            log = "loss 0," + std::to_string(step) + "\n" + std::to_string(step) + ",16\n" + log;
        QVERIFY(near(read(log).launches[0].duration->value(), 5376e-6));
    }
    void the_process_is_that_above_its_kernels() {
        QCOMPARE(read(banner + kernel_line + tables).launches[0].process, 828U);
    }
    void logs_of_2019_to_2021_have_other_labels_and_no_names_of_columns() {
        const Profile profile = read(old_text);
        QCOMPARE(profile.launches.size(), std::size_t{1});
        QCOMPARE(QString::fromStdString(profile.kernels[0].name), QString("vadd(float const *,int)"));
        QVERIFY(near(profile.launches[0].duration->value(), 1.67e-3));
        QVERIFY(near(dram_bytes(profile.launches[0]), 167e6));
        const auto& metrics = profile.launches[0].metrics;
        QVERIFY(
            std::ranges::any_of(metrics, [](const MetricSample& metric) { return metric.value == 82.65; }));
    }
    void brackets_that_ncu_leaves_out_of_names_are_there() {
        const auto name_of = [](const std::string& name) {
            return read("  " + name + " (1, 1, 1)x(32, 1, 1), Context 1, Stream 7, Device 0, CC 9.0\n" +
                        tables)
                .kernels[0]
                .name;
        };
        QCOMPARE(
            name_of("void unnamed>::fill<4, unnamed>::silu(T1 &)::[lambda() (instance 1)]::operator ()() "
                    "lambda(float) (instance 1)]>(int, T2)"),
            std::string(
                "void <unnamed>::fill<4, <unnamed>::silu(T1 &)::[lambda() (instance 1)]::operator ()() "
                "const::[lambda(float) (instance 1)]>(int, T2)"));
        for (const char* whole : {"void at::<unnamed>::fill<float>(float *)", "void renamed>::fill(float *)"})
            QCOMPARE(name_of(whole), std::string(whole));
    }
    void a_summary_gives_every_launch_the_average() {
        const Profile profile = read(summary);
        QCOMPARE(profile.launches.size(), std::size_t{4});
        for (const Launch& launch : profile.launches)
            QVERIFY(near(launch.duration->value(), 2e-6));
        QCOMPARE(profile.warnings.size(), std::size_t{1});
    }
    void a_summary_by_gpu_has_its_kernels_below_their_gpu() {
        std::string text = "[828] app@127.0.0.1\n  Device 1, CC 8.9\n" + summary;
        text.erase(text.find(", Device 0, CC 8.9"), std::string(", Device 0, CC 8.9").size());
        const Profile profile = read(text);
        QCOMPARE(profile.launches.size(), std::size_t{4});
        QCOMPARE(profile.kernels[0].name, std::string("scale(float *)"));
        QVERIFY(profile.launches[0].grid == (Dim3{2, 2, 2}) && profile.launches[0].process == 828U);
        QVERIFY(profile.device_of(profile.launches[0]).compute_capability == (ComputeCapability{8, 9}));
    }
    void every_kernel_has_its_own_figures() {
        std::string other = kernel_line + tables;
        other.replace(other.find("copy"), 4, "more");
        other.replace(other.find("250.00"), 6, "125.00");
        const Profile profile = read(banner + kernel_line + tables + "\n" + other);
        QCOMPARE(profile.launches.size(), std::size_t{2});
        QVERIFY(near(profile.launches[0].duration->value(), 250e-6));
        QVERIFY(near(profile.launches[1].duration->value(), 125e-6));
        // The same where an issue has lost the lines of the kernels.
        QCOMPARE(read(tables + "and then\n" + tables + tables).launches.size(), std::size_t{3});
    }
    void a_launch_that_failed_has_no_figures() {
        std::string text = kernel_line + tables;
        text.replace(text.find("  250.00"), 8, " (!) nan");
        const Profile profile = read(text);
        QVERIFY(profile.launches[0].failed && !profile.launches[0].duration);
        QVERIFY(!profile.warnings.empty());
    }
    void a_text_that_was_cut_in_a_table_is_a_part() {
        const std::string text = kernel_line + tables;
        const Profile profile = read(text.substr(0, text.find("250.00") + 2));  // "25", which is not the time
        QCOMPARE(profile.launches.size(), std::size_t{1});
        QVERIFY(!profile.launches[0].duration);
        QVERIFY(profile.sources[0].partial);
        QCOMPARE(profile.warnings.size(), std::size_t{1});
        QCOMPARE(profile.warnings[0].message.code, ErrorCode::truncated);
    }
    void a_line_of_the_program_in_a_table_costs_none_of_it() {
        for (const std::string& text : {kernel_line + tables, summary}) {
            const Profile plain = read(text);
            for (std::size_t at = text.find("Metric Name"); at != std::string::npos;
                 at = text.find("Metric Name", at + 120)) {
                std::string mixed = text;
                const std::string line = "step 1 of 2 is done, and the whole of its loss is small\n";
                mixed.insert(text.rfind('\n', at) + 1, line);
                const Profile profile = read(mixed);
                QCOMPARE(profile.launches.size(), plain.launches.size());
                QCOMPARE(profile.launches[0].duration, plain.launches[0].duration);
                QCOMPARE(profile.launches[0].metrics.size(), plain.launches[0].metrics.size());
                QCOMPARE(profile.warnings.size(), plain.warnings.size());
            }
        }
    }
    void a_line_of_the_program_in_a_table_changes_no_figure() {
        std::string mixed = kernel_line + tables;
        const std::size_t row = mixed.find("Duration");
        mixed.insert(mixed.find('\n', row) + 1, "Duration ms 12.5\n");
        QVERIFY(near(read(mixed).launches.at(0).duration->value(), 250e-6));
        std::string foreign = foreign_table;
        foreign.insert(foreign.find("Duration\n") + 9, "Duration ms 12.5\n");
        QVERIFY(!read(kernel_line + foreign + old_text.substr(old_text.find("    Section: Command")))
                     .launches.at(0)
                     .duration);
    }
    void what_grep_leaves_of_a_log_is_read() {
        const std::string rows =
            "    Memory Throughput                 %        72.28\n"
            "    Duration                         us       250.00\n"
            "    Memory Throughput Gbyte/second       400.00\n"
            "    OPT   This kernel ran 3 waves; see 2\n"
            "    Registers Per Thread register/thread 20\n"
            "    smsp__sass_thread_inst_executed_op_dadd_pred_on.sum inst 1,000\n";
        const std::string text = banner + kernel_line + rows + kernel_line + rows;
        QVERIFY(holds_ncu_text(text) && !holds_ncu_text(banner + kernel_line) && !holds_ncu_text(rows));
        const Profile profile = read(text);
        QCOMPARE(profile.launches.size(), std::size_t{2});
        QVERIFY(profile.warnings.empty());
        for (const Launch& launch : profile.launches) {
            QVERIFY(near(launch.duration->value(), 250e-6));
            QVERIFY(near(dram_bytes(launch), 100e6));
        }
        const Profile unnamed = read(banner + kernel_line + rows + "    Duration us 100.00\n");
        QVERIFY(near(unnamed.launches.at(0).duration->value(), 250e-6));
        QVERIFY(near(unnamed.launches.at(1).duration->value(), 100e-6));
        QCOMPARE(read(kernel_line + tables + "\n" + rows + "Duration us 1.00\n").launches.size(),
                 std::size_t{1});
        const Profile cut = read(text.substr(0, text.size() - 3));  // "1," of 1,000
        QVERIFY(cut.sources[0].partial && !cut.warnings.empty());

        const Profile averages = read(
            "  copy(int *) (8, 1, 1)x(32, 1, 1), Device 0, CC 8.6, Invocations 2\n"
            "    Duration                         us     1.00     3.00     2.00\n"
            "    Registers Per Thread    register/thread 20.00 20.00 20.00\n");
        QCOMPARE(averages.launches.size(), std::size_t{2});
        QVERIFY(near(averages.launches[0].duration->value(), 2e-6));
        const Profile unnamed_averages = read(
            "  copy(int *), Context 1, Stream 7, Device 0, CC 8.6, Invocations 2\n"
            "    Duration us 1 2 1.5\n    Duration us 2 3 2.5\n    Duration us 3 4 3.5\n");
        QCOMPARE(unnamed_averages.launches.size(), std::size_t{6});
        QVERIFY(near(unnamed_averages.launches[5].duration->value(), 3.5e-6));
    }
    void tables_without_a_metric_are_an_error() {
        const auto profile = read_ncu_text("  Section: nothing\n  --- --- ---\n  --- --- ---\n", "log.txt");
        QVERIFY(!profile && profile.error().code == ErrorCode::bad_csv);
    }
    void a_copied_text_without_a_last_line_end_is_whole() {
        const std::string text = kernel_line + tables;
        const Profile profile = read(text.substr(0, text.size() - 1));
        QVERIFY(profile.warnings.empty() && !profile.sources[0].partial);
    }
    void reading_can_be_cancelled() {
        std::stop_source stop;
        stop.request_stop();
        const auto profile = read_ncu_text(kernel_line + tables, "log.txt", {{}, stop.get_token()});
        QVERIFY(!profile && profile.error().code == ErrorCode::cancelled);
    }
    void metrics_are_found_again_data() {
        QTest::addColumn<std::string>("text");
        QTest::newRow("behind what ncu says") << banner + kernel_line + tables;
        QTest::newRow("at the very start") << kernel_line + tables;
    }
    void metrics_are_found_again() {
        QFETCH(const std::string, text);
        const Profile profile = read(text);
        QVERIFY(profile.launches[0].file_offset > 0);  // 0: nothing more than the profile has
        double registers = 0;
        const MetricSearch search{
            {profile.launches[0].file_offset},
            {[](std::string_view name) { return name == "launch__registers_per_thread"; }},
            [&](std::size_t, const StoredMetric& metric) { registers += metric.number.value_or(0); }};
        QVERIFY(search_ncu_text(text, search));
        QCOMPARE(registers, 20.0);
    }
};

}  // namespace tst_ncu_text_reader

ROOFWALK_TEST(tst_ncu_text_reader, TestNcuTextReader, NoApplication)
#include "tst_ncu_text_reader.moc"
