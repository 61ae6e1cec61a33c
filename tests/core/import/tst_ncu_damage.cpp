// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <algorithm>
#include <random>

#include "core/base/mapped_file.h"
#include "core/import/ncu/ncu_report.h"
#include "tests/support/folder_tests.h"
#include "tests/support/ncu_fixtures.h"
#include "tests/support/samples.h"

namespace tst_ncu_damage {

using namespace roofwalk;
using namespace roofwalk::test;

namespace {

using Bytes = std::span<const std::byte>;

Result<Profile> read(Bytes report) {
    return read_ncu_report(report, "test.ncu-rep");
}

Bytes bytes_of(const std::string& report) {
    return std::as_bytes(std::span(report));
}

/// What must hold for whatever comes out of a damaged file: indices that stay inside the profile.
bool is_sound(const Profile& profile) {
    return !profile.launches.empty() && profile.sources.size() == 1 &&
           std::ranges::all_of(profile.launches, [&](const Launch& launch) {
               return static_cast<std::size_t>(launch.kernel) < profile.kernels.size() &&
                      static_cast<std::size_t>(launch.device) < profile.devices.size() &&
                      static_cast<std::size_t>(launch.nvtx) < profile.nvtx_stacks.size();
           });
}

bool is_explained(const Error& error) {
    return !error.what.empty() && !error.where.empty() && !error.hint.empty();
}

/// Reads a report of which only the first bytes are left, and checks that nothing is claimed beyond the cut.
bool cut_is_handled(Bytes whole, std::size_t size, const Profile& expected) {
    const auto profile = read(whole.first(size));
    if (!profile) return is_explained(profile.error());
    return is_sound(*profile) && profile->launches.size() <= expected.launches.size() &&
           (profile->sources[0].partial || profile->launches.size() < expected.launches.size() ||
            !profile->warnings.empty());
}

}  // namespace

class TestNcuDamage : public QObject {
    Q_OBJECT

  private slots:
    void every_whole_kernel_before_a_cut_is_kept_data() {
        QTest::addColumn<FixtureLayout>("layout");
        FixtureLayout layout;
        QTest::newRow("as ncu writes it") << layout;
        layout.late_strings = 2;
        QTest::newRow("names behind the results") << layout;
        layout = {};
        layout.results_per_block = 2;
        QTest::newRow("two results a block") << layout;
        layout = {};
        layout.results_before_sources = layout.session_last = true;
        QTest::newRow("results first") << layout;
        layout = {};
        layout.table_per_result = layout.unknown_fields = true;
        QTest::newRow("a table for each result, fields of a later version") << layout;
    }
    void every_whole_kernel_before_a_cut_is_kept() {
        QFETCH(FixtureLayout, layout);
        Fixture fixture = small_report_fixture();
        fixture.kernels.push_back(fixture.kernels.front());
        fixture.kernels.back().name = "third(float *)";
        fixture.layout = layout;
        std::vector<std::size_t> ends;
        const std::string report = write_report(fixture, &ends);
        QCOMPARE(ends.size(), std::size_t{3});
        for (std::size_t size = 0; size <= report.size(); ++size) {
            const auto whole = std::ranges::count_if(ends, [&](std::size_t end) { return end <= size; });
            const auto profile = read(bytes_of(report).first(size));
            QVERIFY2(profile.has_value() == (whole > 0), qPrintable(QString::number(size)));
            if (!profile) {
                QVERIFY(is_explained(profile.error()));
                continue;
            }
            QVERIFY(is_sound(*profile));
            QCOMPARE(std::ssize(profile->launches), whole);
            // A cut between two blocks leaves a report that is whole as far as it goes.
            if (whole < std::ssize(ends) && std::ranges::find(ends, size) == ends.end())
                QVERIFY2(profile->sources[0].partial, qPrintable(QString::number(size)));
        }
    }
    void kernels_before_the_cut_are_all_there() {
        Fixture fixture = full_report_fixture();
        const std::string whole = write_report(fixture);
        fixture.kernels.resize(5);
        const std::size_t five = write_report(fixture).size();
        const auto profile = read(bytes_of(whole).first(five + 100));
        QVERIFY(profile.has_value());
        QCOMPARE(profile->launches.size(), std::size_t{5});
        QVERIFY(profile->sources[0].partial);
        QVERIFY(profile->launches[4].duration.has_value());
        const Error& warning = profile->warnings.back().message;
        QVERIFY(warning.code == ErrorCode::truncated);
        QVERIFY(warning.where.find("offset") != std::string::npos);
        QVERIFY(warning.hint.ends_with("What stands before the damage is shown."));
    }
    void a_cut_before_the_first_kernel_is_an_error_with_a_place() {
        const std::string report = write_report(full_report_fixture());
        const auto profile = read(bytes_of(report).first(400));
        QVERIFY(!profile.has_value());
        QVERIFY(profile.error().code == ErrorCode::truncated);
        QVERIFY(is_explained(profile.error()));
        QVERIFY(profile.error().hint.ends_with("No whole kernel stands before the damage."));
    }
    void flipped_bits_never_break_the_reader_data() {
        QTest::addColumn<bool>("full");
        QTest::newRow("small fixture") << false;
        QTest::newRow("full fixture") << true;
    }
    void flipped_bits_never_break_the_reader() {
        QFETCH(bool, full);
        const std::string report = write_report(full ? full_report_fixture() : small_report_fixture());
        std::mt19937 random(20251121);
        std::uniform_int_distribution<std::size_t> place(0, report.size() - 1);
        std::uniform_int_distribution<int> bit(0, 7);
        for (int round = 0; round < (full ? 1000 : 5000); ++round) {
            std::string damaged = report;
            for (int flips = 1 + round % 4; flips > 0; --flips) {
                char& byte = damaged[place(random)];
                byte = static_cast<char>(static_cast<unsigned char>(byte) ^ (1U << unsigned(bit(random))));
            }
            const auto profile = read(bytes_of(damaged));
            QVERIFY2(profile ? is_sound(*profile) : is_explained(profile.error()),
                     qPrintable(QString::number(round)));
        }
    }
    void real_reports_cut_anywhere_are_handled() {
        const auto reports = sample_reports();
        if (reports.empty()) QSKIP("samples are not beside this checkout");
        std::mt19937 random(7);
        for (const auto& path : reports) {
            const auto file = MappedFile::open(path);
            QVERIFY(file.has_value());
            const auto expected = read(file->bytes());
            QVERIFY2(expected.has_value(), path.c_str());
            QVERIFY(!expected->sources[0].partial);
            std::uniform_int_distribution<std::size_t> place(0, file->bytes().size() - 1);
            for (int round = 0; round < 12; ++round) {
                const std::size_t size = place(random);
                QVERIFY2(cut_is_handled(file->bytes(), size, *expected),
                         qPrintable(QString("%1 cut at %2").arg(path.c_str()).arg(size)));
            }
        }
    }
};

}  // namespace tst_ncu_damage

ROOFWALK_TEST(tst_ncu_damage, TestNcuDamage, NoApplication)
#include "tst_ncu_damage.moc"
