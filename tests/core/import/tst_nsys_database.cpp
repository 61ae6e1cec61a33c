// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "core/import/open_profile.h"
#include "tests/core/import/nsys_fixture.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_nsys_database {

using namespace roofwalk;
using namespace roofwalk::test;

namespace {

Result<Profile> read(const std::string& bytes) {
    return read_profile(std::as_bytes(std::span(bytes)), "run.sqlite");
}

std::string path_of(const Profile& profile, std::size_t launch) {
    return nvtx_path(profile.nvtx_of(profile.launches[launch]));
}

}  // namespace

class TestNsysDatabase : public QObject {
    Q_OBJECT

  private slots:
    void kernels_have_times_geometry_and_names() {
        const auto profile = read(database_of(nsys_statements()));
        QVERIFY(profile);
        QCOMPARE(profile->launches.size(), std::size_t{3});
        const Launch& launch = profile->launches[1];
        QCOMPARE(profile->kernel_of(launch).name, std::string("void saxpy<float>(int, float*)"));
        QCOMPARE(profile->kernel_of(launch).function_name, std::string("saxpy"));
        QCOMPARE(profile->kernel_of(launch).mangled_name, std::string("_Z5saxpyIfEviPT_"));
        QCOMPARE(launch.duration->value(), 1.5e-6);
        QCOMPARE(launch.start->value(), 13e-6);
        QVERIFY(launch.grid == (Dim3{4096, 2, 1}) && launch.block == (Dim3{128, 2, 1}));
        QCOMPARE(launch.process, 100U);
        QCOMPARE(launch.thread, 102U);
        QVERIFY(!profile->sources[0].partial && profile->warnings.empty());
    }
    // The data sheet of a known GPU goes before such attributes.
    void a_gpu_that_no_table_knows_has_the_bandwidth_and_clock_of_the_file() {
        const auto profile =
            read(database_of(nsys_statements() +
                             "UPDATE TARGET_INFO_GPU SET name = 'NVIDIA GeForce RTX 3070 Laptop GPU', "
                             "memoryBandwidth = 384064000000, clockRate = 1290000000 WHERE id = 1;"));
        QVERIFY(profile);
        QCOMPARE(profile->devices[0].ceilings.find(Boundary::hbm_dram_rw)->rate.value(), 384.064e9);
        QCOMPARE(profile->devices[0].boost_clock->value(), 1.29e9);
        const auto known = read(database_of(nsys_statements()));
        QVERIFY(known && known->devices[0].ceilings.empty() && !known->devices[0].boost_clock);
    }
    void a_kernel_that_ends_before_it_starts_has_no_time_and_is_told() {
        const auto profile = read(database_of(
            nsys_statements() + "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET end = 12999 WHERE start = 13000;"));
        QVERIFY(profile);
        QVERIFY(profile->launches[0].duration && !profile->launches[1].duration);
        QCOMPARE(profile->warnings.size(), std::size_t{1});
        QVERIFY(profile->warnings[0].message.code == ErrorCode::bad_schema);
    }
    void graphs_that_were_traced_whole_are_counted_and_told() {
        const auto profile =
            read(database_of(nsys_statements() +
                             "CREATE TABLE CUPTI_ACTIVITY_KIND_GRAPH_TRACE (start INTEGER, end INTEGER);"
                             "INSERT INTO CUPTI_ACTIVITY_KIND_GRAPH_TRACE VALUES (1, 2), (3, 4);"));
        QVERIFY(profile);
        QCOMPARE(profile->sources[0].range_results, 2U);
        QCOMPARE(profile->warnings.size(), std::size_t{1});
    }
    void ranges_are_those_of_the_calling_thread_when_it_called() {
        const auto profile = read(database_of(nsys_statements()));
        QVERIFY(profile);
        QCOMPARE(path_of(*profile, 0),
                 std::string("step / aten::mm, seq = 12, op_id = 5, sizes = [[64, 4096], [4096, 11008]]"));
        QCOMPARE(path_of(*profile, 1), std::string("step"));
        // Another process with a call of the same number, in a range that was never closed.
        QCOMPARE(path_of(*profile, 2), std::string("open"));
    }
    void a_number_of_calls_in_several_ranges_tells_none() {
        const auto profile = read(
            database_of(nsys_statements() + "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (5000, 5100, 0, "
                                            "281476654432358, 7, 4, 0, NULL), (4200, 4300, 0, "
                                            "281476654432358, 8, 4, 0, NULL);"));
        QVERIFY(profile);
        QVERIFY(profile->launches[0].nvtx == NvtxIndex::none);
        QCOMPARE(path_of(*profile, 1), std::string("step"));
        QCOMPARE(path_of(*profile, 2), std::string("open"));
        QCOMPARE(profile->warnings.size(), std::size_t{1});
        QVERIFY(profile->warnings[0].message.code == ErrorCode::not_understood);
        QCOMPARE(profile->warnings[0].launches, (std::vector<LaunchIndex>{LaunchIndex{0}}));
    }
    void the_gpu_is_the_one_that_the_process_sees() {
        const auto profile = read(database_of(nsys_statements()));
        QVERIFY(profile);
        const Device& first = profile->device_of(profile->launches[0]);
        QCOMPARE(first.name, std::string("NVIDIA H100 80GB HBM3"));
        QCOMPARE(first.chip, std::string("GH100"));
        QCOMPARE(first.uuid, std::string("GPU-99999999-2222-3333-4444-555555555555"));
        QVERIFY(first.compute_capability == (ComputeCapability{9, 0}));
        QCOMPARE(*first.sm_count, 132);
        QCOMPARE(first.l2_size->value(), 52428800.0);
        QCOMPARE(profile->device_of(profile->launches[2]).name, std::string("NVIDIA A100-SXM4-40GB"));
    }
    void without_ranges_and_facts_kernels_are_still_read() {
        const auto profile = read(database_of(
            "CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT);"
            "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INT, end INT, shortName INT);"
            "INSERT INTO StringIds VALUES (1, 'k');"
            "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (5, 7, 1), (8, 8, 1), (9, NULL, 1), (1, 2, 99)"));
        QVERIFY(profile);
        QCOMPARE(profile->launches.size(), std::size_t{3});
        QVERIFY(profile->launches[0].duration && !profile->launches[1].duration &&
                !profile->launches[2].duration);
    }
    void a_database_without_kernels_says_how_to_get_them() {
        const auto profile = read(database_of("CREATE TABLE notes (text TEXT)"));
        QVERIFY(!profile);
        QVERIFY(profile.error().code == ErrorCode::bad_schema);
        QVERIFY(profile.error().hint.find("nsys export") != std::string::npos);
        const auto amd = read(database_of("CREATE TABLE rocpd_kernel_dispatch_1 (id INT)"));
        QVERIFY(!amd);
        QVERIFY(amd.error().code == ErrorCode::unknown_format);
        const auto nvprof = read(database_of(
            "CREATE TABLE StringTable (_id_ INTEGER, value TEXT); INSERT INTO StringTable VALUES (1, 'k');"
            "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INT, end INT, name INT);"
            "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (1, 5, 1)"));
        QVERIFY(!nvprof);
        QVERIFY(nvprof.error().code == ErrorCode::unknown_format);
        const auto nameless = read(database_of(nsys_statements() + "DROP TABLE StringIds;"));
        QVERIFY(!nameless);
        QVERIFY(nameless.error().what.find("StringIds") != std::string::npos);
    }
    void what_a_database_would_run_is_not_run_data() {
        QTest::addColumn<QString>("table");
        QTest::newRow("endless view")
            << "CREATE VIEW CUPTI_ACTIVITY_KIND_KERNEL AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i "
               "+ 1 FROM n) SELECT i AS start, i + 1 AS end, 1 AS shortName FROM n";
        QTest::newRow("virtual table")
            << "CREATE VIRTUAL TABLE CUPTI_ACTIVITY_KIND_KERNEL USING rtree(shortName, start, end);"
               "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (1, 5, 7)";
    }
    void what_a_database_would_run_is_not_run() {
        QFETCH(QString, table);
        const auto profile =
            read(database_of("CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT);"
                             "INSERT INTO StringIds VALUES (1, 'k');" +
                             table.toStdString()));
        QVERIFY(!profile);
    }
    void texts_that_grow_from_nothing_are_not_taken() {
        const auto profile = read(database_of(
            "CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT AS (printf('%d%.*c', id, 300000, 'x')));"
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3) INSERT INTO "
            "StringIds (id) SELECT i FROM n;"
            "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INT, end INT, shortName INT);"
            "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (5, 7, 1)"));
        QVERIFY(!profile);
        QVERIFY(profile.error().code == ErrorCode::corrupt);
    }
    void a_damaged_database_is_told() {
        const std::string whole = database_of(nsys_statements());
        for (const std::size_t size :
             {std::size_t{16}, std::size_t{100}, std::size_t{4096}, whole.size() / 2}) {
            const auto profile = read(whole.substr(0, size));
            QVERIFY(!profile || profile->sources[0].partial);
            if (!profile) QVERIFY(!profile.error().what.empty());
        }
        std::string damaged = whole;
        // Its first byte says what kind of page the last one is.
        damaged[whole.size() - 4096] = 99;
        const auto profile = read(damaged);
        QVERIFY(!profile || profile->sources[0].partial);
    }
    void no_changed_byte_does_harm() {
        const std::string whole = database_of(nsys_statements());
        for (std::size_t at = 0; at < whole.size(); at += 97) {
            std::string changed = whole;
            changed[at] = static_cast<char>(changed[at] ^ 0x5A);
            const auto profile = read(changed);
            QVERIFY(profile || !profile.error().what.empty());
        }
    }
};

}  // namespace tst_nsys_database

ROOFWALK_TEST(tst_nsys_database, TestNsysDatabase, NoApplication)
#include "tst_nsys_database.moc"
