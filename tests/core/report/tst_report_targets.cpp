// SPDX-License-Identifier: GPL-3.0-or-later
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include "core/operations/op_binding.h"
#include "core/report/report_table.h"
#include "core/roofline/summary.h"
#include "tests/core/report/report_fixture.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_report_targets {

using namespace roofwalk;

namespace {

/// 1e8 elements need 1.2e9 byte: what the kernel of the fixture moves. `elements` of them make the gap.
Profile stated(const std::string& operation) {
    Profile profile = test::saxpy_profile();
    profile.launches[1].algorithm = profile.texts.intern(operation);
    return profile;
}

Analysis analysed(const Profile& profile) {
    AnalysisOptions options;
    options.launch_operations = std::make_shared<const LaunchOperations>(bind_operations(profile, {}));
    return analyse(profile, options);
}

ReportTable table_of(const Profile& profile) {
    return report_table(profile, analysed(profile));
}

ReportCell cell(const ReportTable& table, std::size_t row, std::string_view id) {
    const auto column = std::ranges::find(table.columns, id, &ReportColumn::id);
    if (column == table.columns.end()) qFatal("no column %.*s", static_cast<int>(id.size()), id.data());
    return table.rows.at(row).at(static_cast<std::size_t>(column - table.columns.begin()));
}

}  // namespace

class TestReportTargets : public QObject {
    Q_OBJECT

  private slots:
    void without_an_operation_a_terminal_has_no_such_columns() {
        const Profile profile = test::saxpy_profile();
        const std::string text = to_text(table_of(profile), TextColumns::every);
        QVERIFY(text.find("Horizontal gap") == std::string::npos);
        QVERIFY(text.find("Operation") == std::string::npos);
        QVERIFY(!cell(table_of(profile), 0, "horizontal_gap").number);
        QVERIFY(to_report_json(profile, analysed(profile)).find(R"("target":null)") != std::string::npos);
    }

    void a_bound_kernel_shows_gap_need_and_source() {
        const ReportTable table = table_of(stated("axpy n=50000000 dtype=fp32"));
        QCOMPARE(cell(table, 0, "algorithmic_intensity").text, std::string("0.167"));
        QCOMPARE(cell(table, 0, "byte_gap").number.value(), 2.0);
        QCOMPARE(cell(table, 0, "byte_gap").text, std::string("2.00x"));
        QCOMPARE(cell(table, 0, "horizontal_gap").number.value(), 2.0);
        QCOMPARE(cell(table, 0, "work_ratio").number.value(), 2.0);
        QCOMPARE(cell(table, 0, "useful_gap").number.value(), 2.0);
        QCOMPARE(cell(table, 0, "potential").number.value(), 8.0 / 3);
        QCOMPARE(cell(table, 0, "operation").text, std::string("axpy n=50000000 dtype=fp32"));
        QCOMPARE(cell(table, 0, "operation_source").text, std::string("algorithm field of the profile"));
    }

    void a_kernel_without_an_operation_says_so() {
        const ReportTable table = table_of(stated("axpy n=50000000 dtype=fp32"));
        QCOMPARE(cell(table, 1, "horizontal_gap").text, std::string("no operation"));
        QVERIFY(!cell(table, 1, "horizontal_gap").number);
        QCOMPARE(cell(table, 1, "operation").text, std::string("none"));
    }

    void a_kernel_that_caches_served_has_no_gap_in_figures() {
        Profile profile = stated("axpy n=50000000 dtype=fp32");
        for (auto& traffic : profile.launches[1].traffic)
            traffic = {.boundary = traffic.boundary, .total = Bytes(0), .read = {}, .write = {}};
        const ReportTable table = table_of(profile);
        QCOMPARE(cell(table, 0, "hbm_intensity").text, std::string("no bytes"));
        QCOMPARE(cell(table, 0, "horizontal_gap").text, std::string("no bytes"));
        const Analysis analysis = analysed(profile);
        const KernelPoint& point = analysis.points[ranked_points(analysis)[0]];
        QVERIFY(horizontal_clause(point).starts_with("moves none of the "));
        QVERIFY(!point.at(MemoryLevel::hbm)->intensity);
        QVERIFY(to_report_json(profile, analysis).find(R"("horizontal_gap":null)") != std::string::npos);
    }

    void a_copy_has_a_gap_by_bytes_only() {
        const ReportTable table = table_of(stated("copy n=75000000 dtype=fp32"));
        QCOMPARE(cell(table, 0, "algorithmic_intensity").text, std::string("–"));
        QCOMPARE(cell(table, 0, "horizontal_gap").text, std::string("–"));
        QCOMPARE(cell(table, 0, "byte_gap").number.value(), 2.0);
    }

    void a_group_that_is_half_bound_says_so() {
        Profile profile = stated("axpy n=50000000 dtype=fp32");
        profile.launches.push_back(profile.launches[1]);
        profile.launches.back().algorithm = TextId::none;
        const ReportTable table = table_of(profile);
        QCOMPARE(cell(table, 0, "horizontal_gap").text, std::string("not all bound"));
        QCOMPARE(cell(table, 0, "algorithmic_intensity").text, std::string("not all bound"));
    }

    void bytes_that_were_not_measured_are_not_measured() {
        Profile profile = stated("axpy n=50000000 dtype=fp32");
        profile.launches[1].traffic.erase(profile.launches[1].traffic.begin());
        QVERIFY(!cell(table_of(profile), 0, "byte_gap").known);
        QVERIFY(!cell(table_of(profile), 0, "horizontal_gap").known);
    }

    void work_that_was_not_counted_is_incomplete() {
        Profile profile = stated("axpy n=50000000 dtype=fp32");
        profile.launches[1].uncounted.tensor = true;
        QCOMPARE(cell(table_of(profile), 0, "horizontal_gap").text, std::string("work incomplete"));
        QCOMPARE(cell(table_of(profile), 0, "byte_gap").number.value(), 2.0);
    }

    void the_json_has_every_figure() {
        const Profile profile = stated("axpy n=50000000 dtype=fp32");
        const auto report =
            QJsonDocument::fromJson(QByteArray::fromStdString(to_report_json(profile, analysed(profile))));
        const QJsonObject target = report["points"][0]["target"].toObject();
        QCOMPARE(target["operation"].toString(), QString("axpy n=50000000 dtype=fp32"));
        QCOMPARE(target["operation_source"].toString(), QString("profile"));
        QCOMPARE(target["bytes"].toDouble(), 6e8);
        QCOMPARE(target["work"].toDouble(), 1e8);
        QCOMPARE(target["byte_gap"].toDouble(), 2.0);
        QCOMPARE(target["binding"]["boundary"].toString(), QString("hbm/dram-rw"));
        QVERIFY(target["useful_until"].isNull());
        QVERIFY(report["points"][1]["target"].isNull());
    }

    void quotation_marks_of_an_operation_are_escaped() {
        const ReportTable quoted = table_of(stated("custom read=1 write=1 flops=\"max(1, 2)\""));
        QVERIFY(to_csv(quoted).find("\"custom read=1 write=1 flops=\"\"max(1, 2)\"\"\"") !=
                std::string::npos);
    }
};

}  // namespace tst_report_targets

ROOFWALK_TEST(tst_report_targets, TestReportTargets, NoApplication)
#include "tst_report_targets.moc"
