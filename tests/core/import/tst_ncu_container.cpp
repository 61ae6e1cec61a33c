// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/ncu/ncu_container.h"

#include <QTest>
#include <algorithm>

#include "core/import/ncu/ncu_report.h"
#include "core/import/open_profile.h"
#include "tests/core/import/decoded_results.h"
#include "tests/support/folder_tests.h"
#include "tests/support/ncu_fixtures.h"
#include "tests/support/qt_strings.h"

namespace tst_ncu_container {

using namespace roofwalk;
using namespace roofwalk::test;

namespace {

/// The start of a report: magic, file header with that version, nothing else.
std::string report_head(char version = 7) {
    return std::string("NVR\0\2\0\0\0\x08", 9) + version;
}

std::string with_length(std::uint32_t length, const std::string& bytes) {
    std::string out;
    for (unsigned shift = 0; shift < 32; shift += 8)
        out += static_cast<char>((length >> shift) & 0xFFU);
    return out + bytes;
}

Result<Profile> read(const std::string& report) {
    return read_ncu_report(std::as_bytes(std::span(report)), "test.ncu-rep");
}

/// A kernel on each GPU of a node. The number of SMs, which only the list of devices tells, is the id and
/// 100.
Fixture node_fixture(std::uint32_t gpus, std::uint32_t first = 0) {
    Fixture fixture;
    for (std::uint32_t id = first; id < first + gpus; ++id) {
        FixtureKernel kernel;
        kernel.name = "fill(float *)";
        kernel.add("device__attribute_device_index", std::uint64_t{id});
        kernel.add("gpu__time_duration.sum", 1000.0);
        fixture.kernels.push_back(kernel);
        fixture.devices.push_back({id, "GPU", {{"multiprocessor_count", std::uint64_t{100 + id}}}});
    }
    return fixture;
}

/// The parts of several reports under the head of the first.
std::string merged(const std::vector<std::string>& reports) {
    std::string all = report_head();
    for (const std::string& report : reports)
        all += report.substr(report_head().size());
    return all;
}

}  // namespace

class TestNcuContainer : public QObject {
    Q_OBJECT

  private slots:
    void names_are_gathered_over_all_blocks() {
        Fixture fixture = small_report_fixture();
        fixture.layout.late_strings = 4;
        const std::string report = write_report(fixture);
        const ncu::Container container = container_of(report);
        QCOMPARE(container.tables.size(), std::size_t{1});
        QCOMPARE(container.tables[0].size(), std::size_t{5});
        QCOMPARE(container.tables[0].find("sass__inst_executed_per_opcode").value(), std::uint32_t{4});
    }
    void a_table_that_starts_again_is_kept_apart() {
        Fixture fixture = small_report_fixture();
        fixture.kernels[1].metrics.erase(fixture.kernels[1].metrics.begin());
        fixture.layout.table_per_result = true;
        const std::string report = write_report(fixture);
        const ncu::Container container = container_of(report);
        QCOMPARE(container.tables.size(), std::size_t{2});
        QCOMPARE(container.blocks.back().table, std::size_t{1});
        QCOMPARE(container.tables[0].find("gpu__time_duration.sum").value(), std::uint32_t{3});
        QCOMPARE(container.tables[1].find("gpu__time_duration.sum").value(), std::uint32_t{2});

        const auto profile = read(report);
        QVERIFY(profile.has_value());
        QCOMPARE(profile->launches[1].duration->value(), 1000e-9);
        QCOMPARE(profile->warnings.size(), std::size_t{1});
        QVERIFY(profile->warnings[0].message.code == ErrorCode::not_understood);
    }
    void ids_beyond_the_table_are_counted_and_left_out() {
        Fixture fixture = small_report_fixture();
        fixture.layout.late_strings = 1;
        std::string report = write_report(fixture);
        // The last block holds the last name only; without it the report ends in good order.
        report.resize(report.rfind("sass__inst_executed_per_opcode") - 10);
        const auto profile = read(report);
        QVERIFY(profile.has_value());
        QCOMPARE(profile->launches.size(), std::size_t{2});
        QVERIFY(std::ranges::any_of(profile->warnings, [](const Warning& warning) {
            return warning.message.what.starts_with("2 metric values have no name");
        }));
    }
    void merged_reports_are_read_whole_and_list_a_device_once() {
        const std::string one = write_report(node_fixture(1));
        const auto profile = read(merged(std::vector(140, one)));
        QVERIFY(profile.has_value());
        QCOMPARE(profile->launches.size(), std::size_t{140});
        QVERIFY(!profile->sources[0].partial);
        QCOMPARE(profile->devices.size(), std::size_t{1});
        const std::string report = merged(std::vector(140, one));
        QCOMPARE(container_of(report).session.devices.size(), std::size_t{1});
    }
    void merged_reports_of_a_node_keep_each_gpu_under_its_id() {
        const std::string report = merged(std::vector(20, write_report(node_fixture(8))));
        const auto profile = read(report);
        QVERIFY(profile.has_value());
        QCOMPARE(profile->launches.size(), std::size_t{160});
        QVERIFY(!profile->sources[0].partial);
        QCOMPARE(profile->devices.size(), std::size_t{8});
        for (std::size_t i = 0; i < profile->launches.size(); ++i) {
            const auto device = static_cast<std::size_t>(profile->launches[i].device);
            QCOMPARE(profile->devices.at(device).sm_count, std::optional(100 + static_cast<int>(i % 8)));
        }
        QCOMPARE(container_of(report).session.devices.size(), std::size_t{8});
    }
    void one_part_lists_no_more_devices_than_a_node_has() {
        QVERIFY(!read(write_report(node_fixture(128)))->sources[0].partial);
        Fixture overfull = node_fixture(129);
        overfull.layout.session_last = true;  // behind the kernels, so that they are kept
        const auto profile = read(write_report(overfull));
        QVERIFY(profile.has_value());
        QVERIFY(profile->sources[0].partial);
        QVERIFY(profile->warnings[0].message.what.find("more names or devices") != std::string::npos);
    }
    void different_devices_are_bound_by_the_size_of_the_file() {
        std::vector<std::string> parts;
        for (std::uint32_t first = 0; first <= 1024; first += 128)
            parts.push_back(write_report(node_fixture(128, first)));
        const std::string report = merged(parts);
        const ncu::Container container = container_of(report);
        QVERIFY(container.damage.has_value());
        QCOMPARE(container.session.devices.size(), ncu::most_session_devices(report.size()));
    }
    void processes_are_those_of_their_blocks() {
        Fixture fixture = small_report_fixture();
        fixture.kernels[1].process = 77;
        const std::string report = write_report(fixture);
        const ncu::Container container = container_of(report);
        const auto block = [&](std::uint32_t process) {
            return std::ranges::find(container.blocks, process, &ncu::Block::process);
        };
        QVERIFY(block(1000) < block(77) && block(77) != container.blocks.end());
    }
    void sources_are_passed_over() {
        Fixture fixture = small_report_fixture();
        fixture.layout.source_bytes = 1 << 20;
        const std::string report = write_report(fixture);
        const ncu::Container container = container_of(report);
        QCOMPARE(decode_results(container).size(), std::size_t{2});
    }
    void a_later_version_of_the_same_shape_is_read() {
        Fixture fixture = small_report_fixture();
        fixture.layout.version = 8;
        QVERIFY(read(write_report(fixture)).has_value());
    }
    void a_later_version_of_another_shape_is_refused_by_name() {
        const auto profile = read(report_head(9) + with_length(3, "\x07\x07\x07"));
        QVERIFY(!profile.has_value());
        QVERIFY(profile.error().code == ErrorCode::unsupported_version);
        QVERIFY(profile.error().what.find("version 9") != std::string::npos);
    }
    void a_report_without_results_has_no_kernels() {
        const auto profile = read(report_head() + with_length(2, std::string("\x10\0", 2)));
        QVERIFY(!profile.has_value());
        QVERIFY(profile.error().code == ErrorCode::not_understood);
        QCOMPARE(profile.error().what, std::string("The report holds no kernels"));
    }
    void a_report_cut_before_its_first_block_is_told_as_cut() {
        const std::string report = write_report(small_report_fixture());
        for (std::size_t size = 1; size <= report_head().size() + 4; ++size) {
            const std::string cut = report.substr(0, size);
            const auto profile = read_profile(std::as_bytes(std::span(cut)), "cut.ncu-rep");
            QVERIFY(!profile.has_value());
            QVERIFY2(profile.error().code == ErrorCode::truncated,
                     (std::to_string(size) + " bytes: " + profile.error().what).c_str());
        }
    }
    void other_bytes_are_not_taken_for_a_report() {
        const auto profile = read("NVRX plus something");
        QVERIFY(!profile.has_value());
        QVERIFY(profile.error().code == ErrorCode::unknown_format);
    }

    void lengths_that_lie_are_named_data() {
        QTest::addColumn<QByteArray>("tail");
        QTest::addColumn<int>("code");
        const auto row = [](const char* name, const std::string& tail, ErrorCode code) {
            QTest::newRow(name) << QByteArray::fromStdString(tail) << static_cast<int>(code);
        };
        constexpr std::uint32_t huge = 0xFFFFFFFFU;
        row("block header of 4 GiB", with_length(huge, "abc"), ErrorCode::truncated);
        row("half a length", "\x05", ErrorCode::truncated);
        row("payload of 4 GiB", with_length(8, "\x10\x01\x28\xFF\xFF\xFF\xFF\x0F"), ErrorCode::truncated);
        row("result longer than its payload", with_length(4, "\x10\x01\x28\x04") + with_length(huge, ""),
            ErrorCode::corrupt);
        row("more results than payload", with_length(6, std::string("\x10\xFF\x01\x28\x00\x00", 6)),
            ErrorCode::corrupt);
        row("more sources than payload",
            with_length(9, std::string("\x08\xFF\xFF\xFF\x0F\x10\x01\x28\x00", 9)), ErrorCode::corrupt);
        row("string longer than the table", with_length(4, "\x22\x02\x0A\x7F"), ErrorCode::corrupt);
        row("result that is no message", with_length(4, "\x10\x01\x28\x07") + with_length(3, "\x0F\x0F\x0F"),
            ErrorCode::corrupt);
    }
    void lengths_that_lie_are_named() {
        QFETCH(QByteArray, tail);
        QFETCH(int, code);
        const auto alone = read(report_head() + tail.toStdString());
        QVERIFY(!alone.has_value());
        QCOMPARE(static_cast<int>(alone.error().code), code);
        QVERIFY(alone.error().where.find("offset") != std::string::npos);
        QVERIFY(!alone.error().hint.empty());

        const auto after = read(write_report(small_report_fixture()) + tail.toStdString());
        QVERIFY(after.has_value());
        QCOMPARE(after->launches.size(), std::size_t{2});
        QVERIFY(after->sources[0].partial);
        QCOMPARE(static_cast<int>(after->warnings.at(0).message.code), code);
    }
    void a_result_that_no_header_announces_is_named() {
        const std::string result = with_length(3, "\x0F\x0F\x0F");
        for (const std::string& tail : {with_length(4, std::string("\x10\x00\x28\x07", 4)) + result,
                                        with_length(2, "\x28\x07") + result}) {
            const auto profile = read(write_report(small_report_fixture()) + tail);
            QVERIFY(profile.has_value());
            QCOMPARE(profile->launches.size(), std::size_t{2});
            QVERIFY(profile->sources[0].partial);
            QVERIFY(profile->warnings.at(0).message.code == ErrorCode::corrupt);
        }
    }
    void damaged_blocks_are_counted_in_one_warning() {
        std::string report = write_report(small_report_fixture());
        for (int i = 0; i < 100; ++i)
            report += with_length(2, "\x28\x01") + "x";
        const auto profile = read(report);
        QVERIFY(profile.has_value());
        QCOMPARE(profile->warnings.size(), std::size_t{1});
        QVERIFY(profile->warnings[0].message.what.starts_with("100 blocks"));
        QVERIFY(message_of(profile->warnings[0]).where.starts_with("test.ncu-rep, offset "));
    }
    void a_payload_of_zeros_costs_no_kernels() {
        constexpr std::uint32_t results = 1000;
        const std::string header("\x10\xE8\x07\x28\xA0\x1F", 6);  // 1,000 results in 4,000 bytes
        const auto profile = read(write_report(small_report_fixture()) + with_length(6, header) +
                                  std::string(results * 4, '\0'));
        QVERIFY(profile.has_value());
        QCOMPARE(profile->launches.size(), std::size_t{2});
        QCOMPARE(profile->warnings.size(), std::size_t{1});
        QVERIFY(profile->warnings[0].message.what.starts_with("1000 kernels"));
    }
    void unreadable_kernels_are_counted_in_one_warning() {
        const std::string bad = with_length(4, "\x10\x01\x28\x07") + with_length(3, "\x0F\x0F\x0F");
        const auto profile = read(write_report(small_report_fixture()) + bad + bad + bad);
        QVERIFY(profile.has_value());
        QCOMPARE(profile->warnings.size(), std::size_t{1});
        QVERIFY(profile->warnings[0].message.what.starts_with("3 kernels"));
    }
};

}  // namespace tst_ncu_container

ROOFWALK_TEST(tst_ncu_container, TestNcuContainer, NoApplication)
#include "tst_ncu_container.moc"
