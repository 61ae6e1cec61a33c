// SPDX-License-Identifier: GPL-3.0-or-later
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QTest>

#include "core/scenario/scenario_json.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"
#include "tests/support/samples.h"
#include "tests/support/schema.h"

namespace tst_scenario_schema {

using namespace roofwalk;

namespace {

QJsonObject schema() {
    const auto path = test::data_folder() / ".." / ".." / "resources" / "schema" / "scenario.schema.json";
    QFile file(QString::fromStdString(path.string()));
    if (!file.open(QIODevice::ReadOnly)) return {};
    return QJsonDocument::fromJson(file.readAll()).object();
}

/// Every member differs from its default.
std::string written_text() {
    Move move;
    move.kernel = {GroupBy::launch, "k", {1, 2, 3}, {128, 1, 1}, 4};
    move.name = "tile by 4";
    move.bytes = {0.25, 0.5, 2, 4};
    move.work = 0.5;
    move.pipe = {{PipeKind::fp32, false}, {PipeKind::tensor_fp16, false}};
    move.needs = {.bytes = 0.5, .work = 0.25};
    move.inputs = 8;
    move.launches = 0.5;
    move.calls = 0.25;
    move.smem_of_l2 = 1.25;
    move.beyond_model = true;
    move.preset = "tile";
    move.number = 4;
    move.assumption = "the tile fits";
    return to_json({"walk", {move}, R"("$schema":"urn:roofwalk:schema:scenario:1")"});
}

QJsonObject written() {
    const std::string text = written_text();
    return QJsonDocument::fromJson(QByteArray::fromStdString(text)).object();
}

}  // namespace

class TestScenarioSchema : public QObject {
    Q_OBJECT

  private slots:
    void a_scenario_fits_its_schema() { QCOMPARE(test::against_schema(written_text()), std::string()); }

    void a_scenario_has_exactly_the_fields_of_its_schema() {
        const QJsonObject published = schema();

        const QJsonObject move = published["$defs"]["move"]["properties"].toObject();
        const QJsonObject whole = written();
        QCOMPARE(whole.keys(), published["properties"].toObject().keys());
        const QJsonObject written_move = whole["moves"][0].toObject();
        QCOMPARE(written_move.keys(), move.keys());
        QCOMPARE(written_move["bytes"].toObject().keys(), move["bytes"]["properties"].toObject().keys());
        QCOMPARE(written_move["needs"].toObject().keys(), move["needs"]["properties"].toObject().keys());
        QCOMPARE(written_move["pipe"].toObject().keys(), move["pipe"]["properties"].toObject().keys());
    }
    void the_schema_lists_every_rule_and_grouping() {
        const QJsonObject published = schema();
        const QJsonObject move = published["$defs"]["move"]["properties"].toObject();
        const QJsonArray rules = move["time"]["oneOf"][0]["enum"].toArray();
        for (const MoveTime rule : {MoveTime::keep_efficiency, MoveTime::to_roof})
            QVERIFY(rules.contains(QString::fromUtf8(id_of(rule).data())));
        const QJsonArray groups = move["group"]["enum"].toArray();
        for (const GroupBy group : {GroupBy::launch, GroupBy::kernel, GroupBy::nvtx, GroupBy::operation})
            QVERIFY(groups.contains(QString::fromUtf8(id_of(group).data())));
    }
    void the_schema_accepts_every_pipe_and_no_other() {
        const QJsonObject published = schema();
        const QRegularExpression pattern(published["$defs"]["pipe"]["pattern"].toString());
        QVERIFY(pattern.isValid() && !pattern.pattern().isEmpty());
        for (const PipeKind kind : all_pipe_kinds)
            QVERIFY(pattern.match(QString::fromStdString(id_of(Pipe{kind, true}))).hasMatch());
        QVERIFY(!pattern.match("fp23").hasMatch());
    }
};

}  // namespace tst_scenario_schema

ROOFWALK_TEST(tst_scenario_schema, TestScenarioSchema, NoApplication)
#include "tst_scenario_schema.moc"
