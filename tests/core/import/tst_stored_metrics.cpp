// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/stored_metrics.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>
#include <fstream>
#include <limits>
#include <map>
#include <stop_token>

#include "core/compare/join_runs.h"
#include "core/import/compressed_file.h"
#include "core/import/csv/csv_tokenizer.h"
#include "core/import/open_profile.h"
#include "core/report/metric_report.h"
#include "tests/core/import/zstd_pack.h"
#include "tests/support/folder_tests.h"
#include "tests/support/ncu_fixtures.h"
#include "tests/support/qt_strings.h"
#include "tests/support/samples.h"
#include "tests/support/separate_runs.h"

namespace tst_stored_metrics {

using namespace roofwalk;
using namespace roofwalk::test;
namespace fs = std::filesystem;

namespace {

std::vector<LaunchIndex> all_launches(const Profile& profile) {
    std::vector<LaunchIndex> launches;
    for (std::size_t i = 0; i < profile.launches.size(); ++i)
        launches.push_back(static_cast<LaunchIndex>(i));
    return launches;
}

MetricChoice choice(const std::string& part = {}, bool instances = false) {
    return {[part](std::string_view name) { return name.find(part) != std::string_view::npos; }, instances};
}

StoredMetrics read_all(const Profile& profile, const MetricChoice& wanted = choice()) {
    return read_stored_metrics(profile, all_launches(profile), wanted);
}

const StoredValue* find(const StoredMetrics& metrics, std::size_t launch, std::string_view name,
                        std::string_view instance = {}) {
    for (const StoredValue& value : metrics.launches.at(launch).values)
        if (metrics.rows[value.row].name == name && metrics.rows[value.row].instance == instance)
            return &value;
    return nullptr;
}

std::string unit_of(const StoredMetrics& metrics, const StoredValue* value) {
    return metrics.rows[value->row].unit;
}

/// So many launches of a kernel, of which the n-th counts n.
Fixture many_launches(std::uint64_t count) {
    Fixture fixture = small_report_fixture();
    fixture.kernels.resize(1);
    fixture.kernels.front().add("breakdown:list", std::string(500, 'a') + "," + std::string(500, 'b'));
    for (std::uint64_t i = 0; i < count; ++i) {
        fixture.kernels.push_back(fixture.kernels.front());
        fixture.kernels.back().add("my__own_counter.sum", i + 1);
    }
    fixture.kernels.erase(fixture.kernels.begin());
    return fixture;
}

/// The cell of a table in the column of an id.
const ReportCell& cell(const ReportTable& table, std::size_t row, std::string_view id) {
    const auto column = std::ranges::find(table.columns, id, &ReportColumn::id);
    return table.rows.at(row).at(static_cast<std::size_t>(column - table.columns.begin()));
}

bool has_column(const ReportTable& table, std::string_view id) {
    return std::ranges::find(table.columns, id, &ReportColumn::id) != table.columns.end();
}

/// What people get of the metrics that hold a part in their name.
ReportTable overview_of(const Profile& profile, const std::string& part) {
    std::vector<MetricRow> rows;
    MetricOverview overview(profile, rows);
    const auto failures = each_stored_metrics(profile, all_launches(profile), choice(part), rows,
                                              [&](const LaunchMetrics& launch) { overview.add(launch); });
    return failures.empty() ? overview.table() : ReportTable();
}

/// Two launches: every kind of value, and a metric that is there twice.
Fixture odd_report() {
    Fixture fixture = small_report_fixture();
    fixture.kernels.resize(1);
    FixtureKernel& kernel = fixture.kernels.front();
    kernel.add("my__own_counter.sum", std::uint64_t{7});
    kernel.add("launch__nothing", std::monostate());
    kernel.add("breakdown:list", std::string("a,b"));
    kernel.add("odd__value", std::numeric_limits<double>::quiet_NaN());
    kernel.add("twice", 1.0);
    kernel.add("twice", 2.0);
    kernel.add("sass__thread_inst_executed_true_per_opcode", 96.0,
               {{std::string("IMAD"), 64.0}, {std::string("LOP3"), 32.0}});
    fixture.kernels.push_back(kernel);
    fixture.kernels.back().set("my__own_counter.sum", std::uint64_t{8});
    return fixture;
}

}  // namespace

class TestStoredMetrics : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

    fs::path write(const char* name, const std::string& content) const {
        const fs::path path = fs::path(folder_.path().toStdString()) / name;
        std::ofstream(path, std::ios::binary) << content;
        return path;
    }

  private slots:
    void a_report_gives_every_metric_of_each_launch_as_it_has_it() {
        const auto profile = open_profile(write("odd.ncu-rep", write_report(odd_report())));
        QVERIFY(profile.has_value());
        const StoredMetrics metrics = read_all(*profile);
        QVERIFY(metrics.failures.empty());
        QCOMPARE(metrics.launches.size(), std::size_t{2});
        QCOMPARE(find(metrics, 0, "my__own_counter.sum")->number, std::optional(7.0));
        QCOMPARE(find(metrics, 1, "my__own_counter.sum")->number, std::optional(8.0));
        QCOMPARE(find(metrics, 0, "twice")->number, std::optional(2.0));
        QCOMPARE(find(metrics, 0, "breakdown:list")->text, std::string("a,b"));
        for (const char* absent : {"launch__nothing", "odd__value"}) {
            const StoredValue* value = find(metrics, 0, absent);
            QVERIFY2(value && !value->number && value->text.empty(), absent);
        }
        // One row for a name, whatever the launch.
        for (const MetricRow& row : metrics.rows)
            QCOMPARE(std::ranges::count(metrics.rows, row.name, &MetricRow::name), 1);
    }
    void instances_come_when_they_are_asked_for() {
        const auto profile = open_profile(write("opcodes.ncu-rep", write_report(odd_report())));
        const std::string name = "sass__thread_inst_executed_true_per_opcode";
        const StoredMetrics whole = read_all(*profile, choice("per_opcode"));
        QCOMPARE(find(whole, 1, name)->instances, std::size_t{2});
        QVERIFY(!find(whole, 1, name, "IMAD"));
        const StoredMetrics parts = read_all(*profile, choice("per_opcode", true));
        QCOMPARE(find(parts, 1, name, "IMAD")->number, std::optional(64.0));
        QCOMPARE(find(parts, 1, name, "LOP3")->number, std::optional(32.0));
        QCOMPARE(unit_of(parts, find(parts, 1, name, "LOP3")), std::string("inst"));
    }
    void launches_and_names_that_are_not_asked_for_are_left() {
        const auto profile = open_profile(write("one.ncu-rep", write_report(odd_report())));
        const StoredMetrics metrics =
            read_stored_metrics(*profile, std::vector{LaunchIndex{1}}, choice("own_counter"));
        QCOMPARE(metrics.rows.size(), std::size_t{1});
        QCOMPARE(metrics.launches.size(), std::size_t{1});
        QVERIFY(metrics.launches[0].launch == LaunchIndex{1});
        QCOMPARE(metrics.launches[0].values.at(0).number, std::optional(8.0));
    }
    void launches_are_handed_out_one_by_one_while_their_file_is_read() {
        const auto profile = open_profile(write("few.ncu-rep", write_report(many_launches(5))));
        QVERIFY(profile.has_value());
        std::vector<MetricRow> rows;
        std::vector<double> values;
        const auto failures = each_stored_metrics(
            *profile, all_launches(*profile), choice("own_counter"), rows, [&](const LaunchMetrics& launch) {
                QCOMPARE(launch.values.size(), std::size_t{1});
                QCOMPARE(rows.size(), std::size_t{1});
                QVERIFY(launch.launch == LaunchIndex(static_cast<std::uint32_t>(values.size())));
                values.push_back(launch.values.front().number.value_or(0));
            });
        QVERIFY(failures.empty());
        QCOMPARE(values, (std::vector<double>{1, 2, 3, 4, 5}));
    }
    void of_a_file_that_changed_nothing_is_handed_out() {
        const fs::path path = write("shorter.ncu-rep", write_report(many_launches(5)));
        const auto profile = open_profile(path);
        write("shorter.ncu-rep", write_report(many_launches(3)));
        std::vector<MetricRow> rows;
        int handed_out = 0;
        const auto failures = each_stored_metrics(*profile, all_launches(*profile), choice(), rows,
                                                  [&](const LaunchMetrics&) { ++handed_out; });
        QCOMPARE(failures.size(), std::size_t{1});
        QCOMPARE(handed_out, 0);
    }
    void a_stop_ends_the_reading() {
        const auto profile = open_profile(write("stopped.ncu-rep", write_report(many_launches(5))));
        std::vector<MetricRow> rows;
        std::stop_source stop;
        int handed_out = 0;
        const auto take = [&](const LaunchMetrics&) {
            ++handed_out;
            stop.request_stop();
        };
        const auto failures = each_stored_metrics(*profile, all_launches(*profile), choice(), rows, take,
                                                  {{}, stop.get_token()});
        QVERIFY(failures.empty());
        QVERIFY(handed_out >= 1 && handed_out < 5);
    }
    void programs_get_launch_by_launch() {
        const auto profile = open_profile(write("stream.ncu-rep", write_report(many_launches(3))));
        for (const auto form : {MetricStream::Form::csv, MetricStream::Form::json}) {
            std::vector<MetricRow> rows;
            MetricStream stream(*profile, rows, form);
            std::vector<std::string> parts;
            const auto failures = each_stored_metrics(
                *profile, all_launches(*profile), choice("own_counter"), rows,
                [&](const LaunchMetrics& launch) { parts.push_back(stream.add(launch)); });
            QVERIFY(failures.empty());
            parts.push_back(stream.end());
            QCOMPARE(parts.size(), std::size_t{4});
            QByteArray whole;
            for (const std::string& part : parts)
                whole += QByteArray::fromStdString(part);
            if (form == MetricStream::Form::csv) {
                QVERIFY(
                    whole.startsWith("kernel,source,launch,metric,instance,value,unit,text,instances\r\n"));
                QCOMPARE(whole.count("\r\n"), 4);
                QVERIFY2(parts[2].find(",2,my__own_counter.sum,,3,") != std::string::npos, parts[2].c_str());
                QVERIFY(parts[3].empty());
            } else {
                const auto launches = QJsonDocument::fromJson(whole).object()["launches"].toArray();
                QCOMPARE(launches.size(), 3);
                QCOMPARE(launches[2].toObject()["metrics"].toArray()[0].toObject()["value"].toDouble(), 3.0);
            }
        }
    }
    void without_launches_programs_get_an_empty_table() {
        const Profile nothing;
        const std::vector<MetricRow> rows;
        QVERIFY(MetricStream(nothing, rows, MetricStream::Form::csv).end().starts_with("kernel,source,"));
        const std::string json = MetricStream(nothing, rows, MetricStream::Form::json).end();
        QVERIFY(QJsonDocument::fromJson(QByteArray::fromStdString(json)).object()["launches"].isArray());
    }
    void people_get_each_launch_of_few_and_the_range_of_many() {
        const auto few = open_profile(write("few.ncu-rep", write_report(many_launches(3))));
        const ReportTable each = overview_of(*few, "own_counter");
        QCOMPARE(each.rows.size(), std::size_t{3});
        QVERIFY(has_column(each, "launch") && !has_column(each, "highest"));
        const auto many = open_profile(write("many.ncu-rep", write_report(many_launches(201))));
        const ReportTable range = overview_of(*many, "own_counter");
        QCOMPARE(range.rows.size(), std::size_t{1});
        QVERIFY(!has_column(range, "launch"));
        QCOMPARE(cell(range, 0, "value").number, std::optional(1.0));
        QCOMPARE(cell(range, 0, "highest").number, std::optional(201.0));
        QCOMPARE(cell(range, 0, "launches").number, std::optional(201.0));
    }
    void a_long_text_loses_its_middle_for_people() {
        const auto profile = open_profile(write("long.ncu-rep", write_report(many_launches(1))));
        const ReportTable table = overview_of(*profile, "breakdown");
        const std::string& text = cell(table, 0, "value").text;
        QVERIFY(text.starts_with("aaa") && text.ends_with("bbb"));
        QVERIFY2(QString::fromStdString(text).size() <= 60, text.c_str());
        QCOMPARE(cell(table, 0, "text").text.size(), std::size_t{1001});
    }
    void a_compressed_report_gives_the_same() {
        const auto profile =
            open_profile(write("packed.ncu-repz", pack_zstd_stream(write_report(odd_report()))));
        QVERIFY(profile.has_value());
        QCOMPARE(find(read_all(*profile), 1, "my__own_counter.sum")->number, std::optional(8.0));
    }
    void files_that_are_open_together_are_read_each() {
        const auto first = open_profile(write("a.ncu-rep", write_report(odd_report())));
        const auto second = open_profile(test::data_folder() / "csv" / "wide.csv");
        QVERIFY(first && second);
        const Profile* both[] = {&*second, &*first};
        const Profile merged = merge_profiles(both);
        const StoredMetrics metrics = read_all(merged);
        QCOMPARE(metrics.launches.size(), merged.launches.size());
        QCOMPARE(find(metrics, merged.launches.size() - 1, "my__own_counter.sum")->number,
                 std::optional(8.0));
    }
    void of_joined_runs_each_file_gives_its_metrics() {
        std::vector<Profile> runs;
        for (const auto& [run, name] :
             {std::pair(SeparateRun::time, "time.ncu-rep"), std::pair(SeparateRun::bytes, "bytes.ncu-rep")}) {
            auto profile = open_profile(write(name, write_report(separate_report(run, separate_launches()))));
            QVERIFY(profile.has_value());
            runs.push_back(*std::move(profile));
        }
        const Profile* both[] = {&runs[0], &runs[1]};
        const Profile joined = join_runs(both).profile;
        const StoredMetrics metrics = read_all(joined);
        QVERIFY(metrics.failures.empty());
        QCOMPARE(metrics.launches.size(), 2 * joined.launches.size());
        const MetricFiles files(joined);
        for (std::size_t i = 0; i < metrics.launches.size(); i += 2) {
            QVERIFY(metrics.launches[i].launch == metrics.launches[i + 1].launch);
            QCOMPARE(files.of(metrics.launches[i]), std::string("time.ncu-rep"));
            QCOMPARE(files.of(metrics.launches[i + 1]), std::string("bytes.ncu-rep"));
            QVERIFY(find(metrics, i, "gpu__time_duration.sum"));
            QVERIFY(!find(metrics, i, "dram__bytes_read.sum"));
            QVERIFY(find(metrics, i + 1, "dram__bytes_read.sum"));
        }
    }
    void a_file_that_changed_gives_nothing_and_says_so() {
        const fs::path path = write("changed.ncu-rep", write_report(odd_report()));
        const auto profile = open_profile(path);
        write("changed.ncu-rep", write_report(full_report_fixture()));
        const StoredMetrics metrics = read_all(*profile);
        QVERIFY(metrics.launches.empty());
        QCOMPARE(metrics.failures.size(), std::size_t{1});
        fs::remove(path);
        QVERIFY(read_all(*profile).failures.at(0).code == ErrorCode::file_not_found);
    }
    void a_file_that_is_gone_leaves_the_metrics_of_the_others() {
        const fs::path path = write("gone.ncu-rep", write_report(odd_report()));
        const auto gone = open_profile(path);
        const auto stays = open_profile(test::data_folder() / "csv" / "wide.csv");
        QVERIFY(gone && stays);
        const Profile* both[] = {&*gone, &*stays};
        const Profile merged = merge_profiles(both);
        fs::remove(path);
        const StoredMetrics metrics = read_all(merged);
        QCOMPARE(metrics.failures.size(), std::size_t{1});
        QCOMPARE(metrics.launches.size(), stays->launches.size());
    }
    void both_forms_of_csv_give_base_units() {
        struct Scaled {
            const char* file;
            const char* metric;
            double value;
            const char* unit;
        };
        // 134.22 Mbyte in one, 500 Gbyte/s in the other.
        for (const Scaled& scaled : {Scaled{"long.csv", "dram__bytes_read.sum", 134.22e6, "byte"},
                                     Scaled{"wide.csv", "dram__bytes.sum.per_second", 5e11, "byte/s"}}) {
            const auto profile = open_profile(test::data_folder() / "csv" / scaled.file);
            QVERIFY(profile.has_value());
            const StoredMetrics metrics = read_all(*profile);
            QVERIFY(metrics.failures.empty());
            QCOMPARE(metrics.launches.size(), profile->launches.size());
            const StoredValue* value = find(metrics, 0, scaled.metric);
            QVERIFY(value && value->number);
            QCOMPARE(*value->number, scaled.value);
            QCOMPARE(unit_of(metrics, value), std::string(scaled.unit));
            for (std::size_t i = 0; i < profile->launches.size(); ++i) {
                const StoredValue* time = find(metrics, i, "gpu__time_duration.sum");
                QVERIFY(time && time->number);
                QCOMPARE(*time->number * 1e-9, profile->launches[i].duration->value());
                QCOMPARE(unit_of(metrics, time), std::string("ns"));
            }
        }
    }
    void launches_of_one_average_share_its_metrics() {
        const auto profile = open_profile(test::data_folder() / "csv" / "summary.csv");
        QVERIFY(profile.has_value());
        const StoredMetrics metrics = read_all(*profile);
        QVERIFY(metrics.failures.empty());
        QCOMPARE(metrics.launches.size(), profile->launches.size());
        for (std::size_t i = 0; i < 4; ++i)
            QCOMPARE(find(metrics, i, "dram__bytes.sum")->number, std::optional(12e6));
    }
    void of_json_what_the_profile_holds_is_all() {
        const auto profile = open_profile(write(
            "own.json",
            R"({"device":"H100 SXM","kernels":[{"name":"k","duration_ns":5,"metrics":{"my.metric":3}}]})"));
        QVERIFY(profile.has_value());
        const StoredMetrics metrics = read_all(*profile);
        QCOMPARE(metrics.launches.at(0).values.size(), std::size_t{1});
        QCOMPARE(find(metrics, 0, "my.metric")->number, std::optional(3.0));
    }
    void units_are_those_that_nsight_compute_prints() {
        const fs::path report = sample("2025.2.1_b200_cublaslt-int8_algo23");
        if (report.empty()) QSKIP("samples are not beside this checkout");
        fs::path raw = report;
        raw.replace_extension(".oracle-raw.csv");
        const auto own = open_profile(report);
        const auto printed = open_profile(raw);
        QVERIFY(own && printed);
        const StoredMetrics metrics = read_all(*own);
        const StoredMetrics expected = read_all(*printed);
        std::size_t compared = 0;
        for (const StoredValue& value : expected.launches.at(0).values) {
            const MetricRow& row = expected.rows[value.row];
            const StoredValue* ours = find(metrics, 0, row.name);
            QVERIFY2(ours, qPrintable(QString::fromStdString(row.name)));
            if (!value.number || !ours->number) continue;
            ++compared;
            // Rounded to two or six digits there.
            const double close = 0.006 * std::max(1.0, std::abs(*value.number));
            if (!row.name.starts_with("derived__"))
                QVERIFY2(std::abs(*value.number - *ours->number) <= close,
                         qPrintable(QString::fromStdString(row.name)));
            const std::string unit = unit_of(metrics, ours);
            const bool named = row.name.starts_with("derived__") || row.name == "launch__block_dim_x" ||
                               row.name == "launch__block_dim_y" || row.name == "launch__block_dim_z";
            if (!named) QCOMPARE(row.name + ": " + unit, row.name + ": " + row.unit);
        }
        QVERIFY(compared > 500);
    }
};

}  // namespace tst_stored_metrics

ROOFWALK_TEST(tst_stored_metrics, TestStoredMetrics, NoApplication)
#include "tst_stored_metrics.moc"
