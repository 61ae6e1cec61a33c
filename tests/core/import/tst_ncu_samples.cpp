// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <algorithm>
#include <cmath>

#include "core/base/text.h"
#include "core/import/ncu/ncu_metric_set.h"
#include "core/import/ncu/ncu_roofline_section.h"
#include "core/import/open_profile.h"
#include "tests/core/import/ncu_oracle.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_ncu_samples {

using namespace roofwalk;
using namespace roofwalk::test;

/// Every real report against an oracle that an independent decoder wrote.
class TestNcuSamples : public QObject {
    Q_OBJECT

    static void rows() {
        if (!add_sample_rows()) QSKIP("samples are not beside this checkout");
    }
    static std::string text(const QJsonValue& value) { return value.toString().toStdString(); }

    static Dim3 size(const QJsonValue& value) {
        const QJsonArray axes = value.toArray();
        const auto axis = [&](int i) { return static_cast<std::uint32_t>(axes.at(i).toDouble()); };
        return {axis(0), axis(1), axis(2)};
    }

    /// Before 2020.3 reports name no version, and their grids count threads.
    static bool counts_threads(const OracleReport& report) {
        return !report.oracle()["session"].toObject()["versions"].toObject().contains(
            "Nsight Compute Target");
    }

    /// A chart value with NaN among its inputs (a failed kernel) counts as absent with us.
    static std::optional<double> chart_number(const QJsonValue& value) {
        const auto number = oracle_number(value);
        return number && std::isfinite(*number) ? number : std::nullopt;
    }

    /// [ns] Two kernels on Pascal have it by the name of 2018; eleven have none, and two that failed have
    /// NaN.
    static std::optional<double> time_of(const QJsonObject& kernel) {
        const QJsonValue old = kernel["metrics"].toObject()["gpu__time_duration"].toObject()["value"];
        const auto stored = chart_number(kernel["duration_ns"].toObject()["value"]);
        return stored ? stored : chart_number(old);
    }
    /// The ranges open on the thread that launched a kernel.
    static std::vector<std::string> nvtx_of(const OracleReport& report, std::size_t index) {
        const QJsonObject kernel = report.kernel(index);
        std::vector<std::string> stack;
        for (const auto& value : kernel["nvtx"].toObject()["push_pop"].toArray()) {
            const QJsonObject thread = value.toObject();
            if (thread["tid"].toDouble() != kernel["thread_id"].toDouble()) continue;
            for (const auto& name : thread["stack"].toArray())
                stack.push_back(text(name));
        }
        return stack;
    }

    static void compare_roofs(const QJsonArray& expected, const NcuRooflineChart& chart) {
        for (const auto& value : expected) {
            const QJsonObject roof = value.toObject();
            const auto found = std::ranges::find(chart.roofs, text(roof["label"]), &NcuRoof::label);
            QVERIFY2(found != chart.roofs.end(), qPrintable(roof["label"].toString()));
            QVERIFY(same_number(found->peak_work, chart_number(roof["peak_work_per_s"])));
            QVERIFY(same_number(found->peak_traffic, chart_number(roof["peak_bytes_per_s"])));
        }
    }
    static void compare_points(const QJsonArray& expected, const NcuRooflineChart& chart) {
        for (const auto& value : expected) {
            const QJsonObject point = value.toObject();
            const auto found = std::ranges::find(chart.points, text(point["label"]), &NcuRooflineDot::label);
            QVERIFY2(found != chart.points.end(), qPrintable(point["label"].toString()));
            QVERIFY(same_number(found->work, chart_number(point["work_per_s"])));
            QVERIFY(same_number(found->traffic, chart_number(point["bytes_per_s"])));
            if (point["work_per_s"].isString()) continue;
            std::vector<std::string> missing;
            for (const auto& name : point["missing"].toArray())
                missing.push_back(text(name));
            QCOMPARE(found->missing, missing);
        }
    }

  private slots:
    void session_facts_match_the_oracle_data() { rows(); }
    void session_facts_match_the_oracle() {
        const OracleReport report(sample_of_row());
        QVERIFY(!report.container().damage);
        QCOMPARE(report.container().tables.size(), std::size_t{1});
        QCOMPARE(int(report.container().tables.front().size()),
                 report.oracle()["file"].toObject()["string_table_total"].toInt());
        const ncu::ReportHeader& session = report.container().session;
        const QJsonObject expected = report.oracle()["session"].toObject();
        QCOMPARE(double(session.created.value()), expected["creation_time_unix"].toDouble());
        QCOMPARE(session.command_line, text(expected["profiler_command_line"]));
        const QString version = expected["versions"].toObject()["Nsight Compute Target"].toString();
        QCOMPARE(session.tool_version, version.section(' ', 0, 0).toStdString());
        const QJsonArray devices = expected["devices"].toArray();
        QCOMPARE(qsizetype(session.devices.size()), devices.size());
        for (std::size_t i = 0; i < session.devices.size(); ++i) {
            const QJsonObject device = devices.at(qsizetype(i)).toObject();
            QCOMPARE(int(session.devices[i].id), device["id"].toInt());
            QCOMPARE(int(session.devices[i].attributes.size()), device["num_attributes"].toInt());
            const ncu::Value* name = session.devices[i].find("device__attribute_display_name");
            QVERIFY(name != nullptr);
            QCOMPARE(std::string(name->text), text(device["name"]));
        }
    }

    void kernels_match_the_oracle_data() { rows(); }
    void kernels_match_the_oracle() {
        const OracleReport report(sample_of_row());
        QCOMPARE(int(report.results().size()), report.oracle()["num_kernels"].toInt());
        for (std::size_t i = 0; i < report.results().size(); ++i) {
            const DecodedResult& result = report.results()[i];
            const QJsonObject kernel = report.kernel(i);
            QCOMPARE(clean_utf8(result.entry.demangled_name), text(kernel["demangled_name"]));
            QCOMPARE(clean_utf8(result.entry.function_name), text(kernel["function_name"]));
            QCOMPARE(clean_utf8(result.entry.mangled_name), text(kernel["mangled_name"]));
            const Dim3 grid = size(kernel["grid"]);
            QVERIFY((result.entry.grid == ncu::WorkSize{grid.x, grid.y, grid.z}));
            QVERIFY(result.entry.block == size(kernel["block"]));
            QCOMPARE(double(result.entry.context), kernel["context_id"].toDouble());
            QCOMPARE(double(result.entry.stream), kernel["stream_id"].toDouble());
            QCOMPARE(double(result.entry.thread), kernel["thread_id"].toDouble());
            QCOMPARE(double(result.process), kernel["process_id"].toDouble());
            QCOMPARE(int(result.entry.metrics.size()), kernel["num_metric_entries"].toInt());
        }
    }

    void nvtx_stacks_match_the_oracle_data() { rows(); }
    void nvtx_stacks_match_the_oracle() {
        const OracleReport report(sample_of_row());
        for (std::size_t i = 0; i < report.results().size(); ++i) {
            const ncu::ResultEntry& entry = report.results()[i].entry;
            QCOMPARE(ncu::decode_nvtx_stack(entry.nvtx, entry.thread), nvtx_of(report, i));
        }
    }

    void the_profile_matches_the_oracle_data() { rows(); }
    void the_profile_matches_the_oracle() {
        const OracleReport report(sample_of_row());
        const auto profile = open_profile(sample_of_row());
        QVERIFY2(profile.has_value(), profile ? "" : to_line(profile.error()).c_str());
        QVERIFY(!profile->sources.front().partial);
        QCOMPARE(int(profile->launches.size()), report.oracle()["num_kernels"].toInt());
        for (std::size_t i = 0; i < profile->launches.size(); ++i) {
            const Launch& launch = profile->launches[i];
            const QJsonObject expected = report.kernel(i);
            const std::string name = text(expected["demangled_name"]);
            QCOMPARE(profile->kernel_of(launch).name, name.empty() ? text(expected["function_name"]) : name);
            QCOMPARE(profile->kernel_of(launch).function_name, text(expected["function_name"]));
            const Dim3 grid = launch.grid;
            QCOMPARE(double(grid.x) * grid.y * grid.z,
                     expected["metrics"].toObject()["launch__grid_size"].toObject()["value"].toDouble());
            if (!counts_threads(report)) QVERIFY(grid == size(expected["grid"]));
            QVERIFY(launch.block == size(expected["block"]));
            QCOMPARE(double(launch.process), expected["process_id"].toDouble());
            const auto nanoseconds = time_of(expected);
            QCOMPARE(launch.duration.has_value(), nanoseconds.has_value());
            if (nanoseconds) QVERIFY(same_number(launch.duration->value() * 1e9, nanoseconds));
            QCOMPARE(launch.failed, expected["duration_ns"].toObject()["value"].toString() == "nan");
            const Device& device = profile->device_of(launch);
            QCOMPARE(device.name, text(expected["device_name"]));
            const QJsonArray cc = expected["cc"].toArray();
            QVERIFY(device.compute_capability.has_value());
            QCOMPARE(device.compute_capability->major, cc.at(0).toInt());
            QCOMPARE(device.compute_capability->minor, cc.at(1).toInt());
            QCOMPARE(profile->nvtx_of(launch), nvtx_of(report, i));
        }
    }

    void metric_values_match_the_oracle_data() { rows(); }
    void metric_values_match_the_oracle() {
        const OracleReport report(sample_of_row());
        ncu::MetricSet metrics;
        for (std::size_t i = 0; i < report.results().size(); ++i) {
            metrics.load(report.results()[i].entry.metrics, *report.results()[i].names);
            QCOMPARE(metrics.unnamed(), std::size_t{0});
            const QJsonObject expected = report.kernel(i)["metrics"].toObject();
            for (auto it = expected.begin(); it != expected.end(); ++it) {
                const ncu::Value* value = metrics.find(it.key().toStdString());
                QVERIFY2(value != nullptr, qPrintable(it.key()));
                const QJsonObject stored = it.value().toObject();
                const bool absent = stored["type"].toString() == "absent";
                QCOMPARE(value->kind == ncu::Value::Kind::none, absent);
                if (!absent)
                    QVERIFY2(same_number(value->number, oracle_number(stored["value"])),
                             qPrintable(it.key()));
            }
        }
    }

    void rooflines_match_the_oracle_data() { rows(); }
    void rooflines_match_the_oracle() {
        const OracleReport report(sample_of_row());
        ncu::MetricSet metrics;
        ncu::RooflineSections sections;
        for (std::size_t i = 0; i < report.results().size(); ++i) {
            const DecodedResult& result = report.results()[i];
            metrics.load(result.entry.metrics, *result.names);
            const QJsonArray cc = report.kernel(i)["cc"].toArray();
            const auto arch = static_cast<std::uint32_t>(cc.at(0).toInt() * 10 + cc.at(1).toInt());
            std::vector<NcuRooflineChart> charts;
            for (const std::string_view section : result.entry.sections)
                ncu::evaluate_roofline_section(
                    sections.decoded(section), arch,
                    [&](std::string_view name) { return metrics.finite(name); }, charts);
            const QJsonArray expected = report.kernel(i)["rooflines"].toArray();
            QCOMPARE(qsizetype(charts.size()), expected.size());
            for (std::size_t c = 0; c < charts.size(); ++c) {
                const QJsonObject chart = expected.at(qsizetype(c)).toObject();
                QCOMPARE(charts[c].section, text(chart["section"]));
                QCOMPARE(charts[c].label, text(chart["chart"]));
                compare_roofs(chart["roofs"].toArray(), charts[c]);
                compare_points(chart["points"].toArray(), charts[c]);
                if (!chart.contains("num_roofs_in_definition")) continue;
                QCOMPARE(int(charts[c].roofs.size()), chart["num_roofs_in_definition"].toInt());
                QCOMPARE(int(charts[c].points.size()), chart["num_points_in_definition"].toInt());
            }
        }
    }
};

}  // namespace tst_ncu_samples

ROOFWALK_TEST(tst_ncu_samples, TestNcuSamples, NoApplication)
#include "tst_ncu_samples.moc"
