// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/ncu/ncu_metric_set.h"

#include <QTest>
#include <cmath>
#include <limits>
#include <map>

#include "tests/core/import/decoded_results.h"
#include "tests/support/folder_tests.h"
#include "tests/support/ncu_report_writer.h"
#include "tests/support/qt_strings.h"

namespace tst_ncu_metric_set {

using namespace roofwalk;
using namespace roofwalk::test;

namespace {

/// Kernels written, read back and taken apart, for as long as this object lives.
class ReadBack {
  public:
    explicit ReadBack(const std::vector<FixtureKernel>& kernels)
        : report_(write_report(fixture_of(kernels))),
          container_(container_of(report_)),
          results_(decode_results(container_)) {}

    const ncu::MetricSet& load(std::size_t index) {
        metrics_.load(results_.at(index).entry.metrics, *results_[index].names);
        return metrics_;
    }

  private:
    static Fixture fixture_of(const std::vector<FixtureKernel>& kernels) {
        Fixture fixture;
        fixture.kernels = kernels;
        return fixture;
    }

    std::string report_;
    ncu::Container container_;
    std::vector<DecodedResult> results_;
    ncu::MetricSet metrics_;
};

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

}  // namespace

class TestNcuMetricSet : public QObject {
    Q_OBJECT

  private slots:
    void all_kinds_of_numbers_read_alike() {
        ReadBack report({FixtureKernel{}
                             .add("as_double", 42.0)
                             .add("as_float", 42.0F)
                             .add("as_uint32", std::uint32_t{42})
                             .add("as_uint64", std::uint64_t{42})});
        const ncu::MetricSet& metrics = report.load(0);
        for (const char* name : {"as_double", "as_float", "as_uint32", "as_uint64"})
            QCOMPARE(metrics.finite(name).value(), 42.0);
    }
    void zero_is_a_value_and_no_value_is_none() {
        ReadBack report({FixtureKernel{}
                             .add("zero", 0.0)
                             .add("zero_count", std::uint64_t{0})
                             .add("not_available", {})
                             .add("not_a_number", not_a_number)
                             .add("infinite", std::numeric_limits<double>::infinity())
                             .add("text", std::string("all"))});
        const ncu::MetricSet& metrics = report.load(0);
        QCOMPARE(metrics.finite("zero").value(), 0.0);
        QCOMPARE(metrics.finite("zero_count").value(), 0.0);
        for (const char* name : {"not_available", "not_a_number", "infinite", "text", "never_heard_of"})
            QVERIFY(!metrics.finite(name).has_value());
        QVERIFY(metrics.find("not_available")->kind == ncu::Value::Kind::none);
        QVERIFY(std::isnan(metrics.find("not_a_number")->number));
        QVERIFY(metrics.find("never_heard_of") == nullptr);
        QCOMPARE(std::string(metrics.text("text").value()), std::string("all"));
        QVERIFY(!metrics.text("zero").has_value());
    }
    void of_repeated_entries_the_last_wins() {
        ReadBack report({FixtureKernel{}.add("passes", 1.0).add("other", 5.0).add("passes", 2.0)});
        const ncu::MetricSet& metrics = report.load(0);
        QCOMPARE(metrics.finite("passes").value(), 2.0);
        int visits = 0;
        metrics.for_each_finite([&](std::string_view, double) { ++visits; });
        QCOMPARE(visits, 2);
    }
    void of_repeated_entries_one_with_instances_goes_first() {
        const std::vector<FixtureInstance> samples{{std::uint64_t{16}, std::uint64_t{3}}};
        ReadBack report({FixtureKernel{}.add("samples", 3.0, samples).add("samples", 0.0),
                         FixtureKernel{}.add("samples", 0.0).add("samples", 3.0, samples)});
        QCOMPARE(report.load(0).finite("samples").value(), 3.0);
        QCOMPARE(report.load(1).finite("samples").value(), 3.0);
    }
    void metrics_of_the_result_before_do_not_shine_through() {
        ReadBack report(
            {FixtureKernel{}.add("first_only", 1.0).add("both", 1.0), FixtureKernel{}.add("both", 2.0)});
        QVERIFY(report.load(0).finite("first_only").has_value());
        const ncu::MetricSet& second = report.load(1);
        QVERIFY(!second.finite("first_only").has_value());
        QCOMPARE(second.finite("both").value(), 2.0);
    }
    void instances_are_summed() {
        ReadBack report({FixtureKernel{}
                             .add("wavefronts", {},
                                  {{std::uint64_t{0x100}, std::uint64_t{40}},
                                   {std::uint64_t{0x110}, 2.5},
                                   {std::uint64_t{0x120}, {}},
                                   {{}, not_a_number}})
                             .add("plain", 7.0)
                             .add("nothing", {})});
        const ncu::MetricSet& metrics = report.load(0);
        QCOMPARE(metrics.instance_sum("wavefronts").value(), 42.5);
        QCOMPARE(metrics.instance_sum("plain").value(), 7.0);
        QVERIFY(!metrics.instance_sum("nothing").has_value());
        QVERIFY(!metrics.instance_sum("never_heard_of").has_value());
    }
    void opcodes_are_counted_when_they_were_stored() {
        ReadBack report(
            {FixtureKernel{}.add(
                 "sass__inst_executed_per_opcode", 12.0,
                 {{std::string("LDS"), 1.0}, {std::string("FFMA"), 8.0}, {std::string("LDS"), 3.0}}),
             FixtureKernel{}.add("sass__inst_executed_per_opcode", 12.0), FixtureKernel{}});
        const ncu::MetricSet& metrics = report.load(0);
        QCOMPARE(metrics.opcode_count("LDS").value(), 4.0);
        QCOMPARE(metrics.opcode_count("STS").value(), 0.0);
        QVERIFY(!report.load(1).opcode_count("LDS").has_value());
        QVERIFY(!report.load(2).opcode_count("LDS").has_value());
    }
    void instances_with_a_name_are_visited() {
        ReadBack report({FixtureKernel{}.add(
            "forms", {},
            {{std::string("HMMA.16816.F32"), 4.0}, {std::uint64_t{1}, 5.0}, {std::string("LDSM"), {}}})});
        std::map<std::string, double> seen;
        report.load(0).for_each_instance(
            "forms", [&](std::string_view name, double value) { seen.emplace(name, value); });
        QCOMPARE(seen.size(), std::size_t{1});
        QCOMPARE(seen["HMMA.16816.F32"], 4.0);
    }
};

}  // namespace tst_ncu_metric_set

ROOFWALK_TEST(tst_ncu_metric_set, TestNcuMetricSet, NoApplication)
#include "tst_ncu_metric_set.moc"
