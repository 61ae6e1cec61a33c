// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "core/import/csv/plain_table_reader.h"
#include "core/import/open_profile.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_plain_table {

using namespace roofwalk;

namespace {

Result<Profile> read(std::string_view text) {
    return read_profile(std::as_bytes(std::span(text)), "t.csv");
}

Error fault(std::string_view text) {
    const auto profile = read(text);
    return profile ? Error{} : profile.error();
}

double bytes(const Launch& launch, Boundary boundary) {
    const TrafficSample* sample = launch.find(boundary);
    return sample ? sample->total.value() : -1;
}

}  // namespace

class TestPlainTable : public QObject {
    Q_OBJECT

  private slots:
    void a_row_is_a_launch_in_seconds_flop_and_bytes() {
        const auto profile = read(
            "name,time,flops,bytes\nsaxpy,0.0016,2e8,1.2e9\nsaxpy,0.0017,2e8,1.2e9\n\"f<a, b>\",1,2,3\n");
        QVERIFY(profile);
        QCOMPARE(profile->launches.size(), std::size_t{3});
        QCOMPARE(profile->kernels.size(), std::size_t{2});
        QCOMPARE(profile->kernels[1].name, std::string("f<a, b>"));
        const Launch& launch = profile->launches[0];
        QCOMPARE(launch.duration->value(), 0.0016);
        QCOMPARE(launch.work.size(), std::size_t{1});
        QVERIFY(launch.work[0].pipe == Pipe{PipeKind::fp32});
        QCOMPARE(launch.work[0].work.value(), 2e8);
        QCOMPARE(bytes(launch, Boundary::hbm_dram_rw), 1.2e9);
        QVERIFY(!profile->sources[0].partial && profile->warnings.empty());
    }
    void headings_carry_units() {
        const auto profile = read(
            "Kernel,Duration [us], flops (GFLOP),dram_bytes_MiB,L2_bytes [kB],smem_bytes\nk,250,1.5,2,4,8\r\n");
        QVERIFY(profile);
        const Launch& launch = profile->launches[0];
        QCOMPARE(launch.duration->value(), 250e-6);
        QCOMPARE(launch.work[0].work.value(), 1.5e9);
        QCOMPARE(bytes(launch, Boundary::hbm_dram_rw), 2097152.0);
        QCOMPARE(bytes(launch, Boundary::l2_sm_sectors), 4e3);
        QCOMPARE(bytes(launch, Boundary::smem_wavefronts), 8.0);
    }
    void precision_operation_and_device_are_told_by_row() {
        const auto profile = read(
            "name,flops,time,precision,operation,device\n"
            "a,1e12,1e-3,Tensor.FP16,gemm m=64 n=64 k=64,H100 SXM\nb,1,1,,,A100 SXM 80GB\n");
        QVERIFY(profile);
        QVERIFY(profile->launches[0].work[0].pipe == Pipe{PipeKind::tensor_fp16});
        QCOMPARE(std::string(profile->texts.view(profile->launches[0].algorithm)),
                 std::string("gemm m=64 n=64 k=64"));
        QCOMPARE(profile->device_of(profile->launches[0]).name, std::string("H100 SXM"));
        QCOMPARE(profile->device_of(profile->launches[1]).name, std::string("A100 SXM 80GB"));
    }
    void work_without_a_precision_is_marked() {
        const auto profile = read("name,time,flops,precision\na,1,1,\nb,1,1,fp32\n");
        QVERIFY(profile && profile->launches[0].precision_assumed && !profile->launches[1].precision_assumed);
    }
    void an_empty_cell_was_not_measured_and_0_was() {
        const auto profile = read("name,time,flops,bytes\nk,1,,0\n");
        QVERIFY(profile);
        QVERIFY(profile->launches[0].work.empty());
        QCOMPARE(bytes(profile->launches[0], Boundary::hbm_dram_rw), 0.0);
    }
    void a_broken_row_is_named_and_the_others_are_kept_data() {
        QTest::addColumn<QString>("row");
        QTest::newRow("no number") << "b,fast,1,1";
        QTest::newRow("negative") << "b,-1,1,1";
        QTest::newRow("infinite") << "b,inf,1,1";
        QTest::newRow("not a number") << "b,nan,1,1";
        QTest::newRow("trailing words") << "b,1 s,1,1";
        QTest::newRow("too many fields") << "b,1,1,1,1";
        QTest::newRow("too few fields") << "b,1";
        QTest::newRow("no name") << ",1,1,1";
    }
    void a_broken_row_is_named_and_the_others_are_kept() {
        QFETCH(QString, row);
        const std::string bad = row.toStdString() + "\nc,1,1,1\n";
        const auto profile = read("name,time,flops,bytes\na,1,1,1\n" + bad);
        QVERIFY(profile);
        QCOMPARE(profile->launches.size(), std::size_t{2});
        QCOMPARE(profile->kernel_of(profile->launches[1]).name, std::string("c"));
        QVERIFY(profile->sources[0].partial);
        QCOMPARE(profile->warnings.size(), std::size_t{1});
        QCOMPARE(message_of(profile->warnings[0]).where, std::string("t.csv, line 3"));
        const Error error = fault("name,time,flops,bytes\n" + row.toStdString() + "\n");
        QVERIFY(error.code == ErrorCode::bad_csv);
        QCOMPARE(error.where, std::string("t.csv, line 2"));
    }
    void of_a_row_that_was_cut_only_that_is_told() {
        const auto profile = read("name,time,flops,bytes\na,1,1,1\nb,1,1");
        QVERIFY(profile && profile->sources[0].partial);
        QCOMPARE(profile->launches.size(), std::size_t{1});
        QCOMPARE(profile->warnings.size(), std::size_t{1});
        QVERIFY(profile->warnings[0].message.code == ErrorCode::truncated);
    }
    void the_last_value_is_kept_where_its_line_lacks_an_end() {
        const auto profile = read("name,time,flops,bytes\na,1,1,1\nb,1,1,70");
        QVERIFY(profile && !profile->sources[0].partial);
        QCOMPARE(profile->launches.size(), std::size_t{2});
        QCOMPARE(bytes(profile->launches[1], Boundary::hbm_dram_rw), 70.0);
        QCOMPARE(profile->warnings.size(), std::size_t{1});
        QVERIFY(profile->warnings[0].message.code == ErrorCode::truncated);
        QCOMPARE(read("name,time,flops,bytes\na,1,1,1\nb,1,1,7e")->launches.size(), std::size_t{1});
    }
    void of_many_broken_rows_all_are_counted() {
        std::string text = "name,time,flops,bytes\na,1,1,1\n";
        for (int i = 0; i < 1000; ++i)
            text += "b,-" + std::to_string(i + 1) + ",1,1\n";
        const auto profile = read(text + "c,1,1,1\n");
        QVERIFY(profile);
        QCOMPARE(profile->launches.size(), std::size_t{2});
        QCOMPARE(profile->warnings.size(), std::size_t{21});
        QVERIFY(profile->warnings.back().message.what.starts_with("980 "));
    }
    void a_header_that_is_not_understood_is_refused_data() {
        QTest::addColumn<QString>("header");
        QTest::newRow("rate") << "name,time,bytes,GFLOPS,device";
        QTest::newRow("rate a second") << "name,time,bytes,achieved_gflop/s,device";
        QTest::newRow("time without a unit") << "name,latency,flops,bytes,device";
        QTest::newRow("misspelt work") << "name,time,flopz,precision,device";
        QTest::newRow("misspelt bytes") << "name,time,byte,precision,device";
        QTest::newRow("unknown unit") << "name,time [min],flops";
        QTest::newRow("unit of another kind") << "name,time,flops [GB]";
        QTest::newRow("twice") << "name,bytes,dram_bytes";
        QTest::newRow("twice the same") << "name,mean_us,mean_ms,flops,bytes";
    }
    void a_header_that_is_not_understood_is_refused() {
        QFETCH(QString, header);
        const Error error = fault(header.toStdString() + "\nk,1,1,1,1\n");
        QVERIFY(error.code == ErrorCode::bad_csv);
        QCOMPARE(error.where, std::string("t.csv, line 1"));
    }
    void columns_that_are_not_known_are_passed_over_and_named() {
        const auto profile = read(
            "op,variant,mean_ms,stddev_ms,gflops,flops,theoretical_bytes,timestamp\n"
            "saxpy,base,2,0.1,100,2e8,12,2026-07-22T21:41:45Z\nsaxpy,fast,1,x,200,2e8,,\n");
        QVERIFY(profile && !profile->sources[0].partial);
        QCOMPARE(profile->launches.size(), std::size_t{2});
        QCOMPARE(profile->kernels[0].name, std::string("saxpy"));
        QCOMPARE(profile->launches[0].duration->value(), 2e-3);
        QCOMPARE(profile->launches[1].work[0].work.value(), 2e8);
        QVERIFY(profile->launches[0].traffic.empty());
        QCOMPARE(profile->warnings.size(), std::size_t{1});
        QVERIFY(profile->warnings[0].message.what.ends_with(
            "variant, stddev_ms, gflops, theoretical_bytes, timestamp"));
        QCOMPARE(read("kernel,latency_us,n\nk,5,1\n")->launches[0].duration->value(), 5e-6);
        QString many = "name,time";
        for (int i = 0; i < 1000; ++i)
            many += "," + QString(100, 'x');
        const auto wide = read(many.toStdString() + "\nk,1" + std::string(1000, ',') + "\n");
        QVERIFY(wide && wide->warnings[0].message.what.ends_with(" and 995 more"));
        QVERIFY(wide->warnings[0].message.what.size() < 300);
    }
    void a_column_that_stands_in_counts_where_no_better_one_is_data() {
        QTest::addColumn<std::string>("table");
        QTest::addColumn<std::string>("passed_over");
        const auto row = [](const char* name, std::string table, std::string passed_over) {
            QTest::newRow(name) << std::move(table) << std::move(passed_over);
        };
        row("operation", "op,kernel,time_us\ngemm,k,5\n", "op");
        row("operation behind", "kernel,time_us,op\nk,5,gemm\n", "op");
        row("mean", "mean_us,kernel,time_us\n6,k,5\n", "mean_us");
        row("latency", "latency_us,kernel,mean_us\n6,k,5\n", "latency_us");
        row("all", "mean_us,latency_us,mean_ms,name,duration_us\n6,7,x,k,5\n",
            "mean_us, latency_us, mean_ms");
    }
    void a_column_that_stands_in_counts_where_no_better_one_is() {
        QFETCH(const std::string, table);
        QFETCH(const std::string, passed_over);
        const auto profile = read(table);
        QVERIFY2(profile, profile ? "" : profile.error().what.c_str());
        QCOMPARE(profile->kernels[0].name, std::string("k"));
        QCOMPARE(profile->launches[0].duration->value(), 5e-6);
        QCOMPARE(profile->warnings.size(), std::size_t{1});
        QVERIFY(profile->warnings[0].message.what.ends_with(": " + passed_over));
    }
    void other_texts_are_no_tables() {
        QVERIFY(!starts_plain_table(""));
        QVERIFY(!starts_plain_table("name\nk\n"));
        QVERIFY(!starts_plain_table("time,flops\n1,2\n"));
        QVERIFY(!starts_plain_table("{\"name\":1,\"time\":2}"));
        QVERIFY(!starts_plain_table(std::string(1 << 20, ',')));
        QVERIFY(fault("step,loss\n1,2\n").code == ErrorCode::unknown_format);
    }
};

}  // namespace tst_plain_table

ROOFWALK_TEST(tst_plain_table, TestPlainTable, NoApplication)
#include "tst_plain_table.moc"
