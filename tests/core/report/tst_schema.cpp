// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QTest>

#include "core/report/report_table.h"
#include "core/workspace/workspace_spec.h"
#include "tests/core/report/report_fixture.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"
#include "tests/support/samples.h"
#include "tests/support/schema.h"

namespace tst_schema {

using namespace roofwalk;

namespace {

QDir schema_folder() {
    return {QString::fromStdString((test::data_folder() / ".." / ".." / "resources" / "schema").string())};
}

/// Every "$ref" in a value.
QStringList references(const QJsonValue& value) {
    QStringList found;
    for (const QJsonValue& item : value.toArray())
        found += references(item);
    const QJsonObject object = value.toObject();
    for (auto member = object.begin(); member != object.end(); ++member)
        found += member.key() == "$ref" ? QStringList(member->toString()) : references(*member);
    return found;
}

QJsonObject schema(const std::string& name) {
    QFile file(schema_folder().filePath(QString::fromStdString(name)));
    if (!file.open(QIODevice::ReadOnly)) return {};
    return QJsonDocument::fromJson(file.readAll()).object();
}

std::string report() {
    const Profile profile = test::saxpy_profile();
    return to_report_json(profile, analyse(profile, {}));
}

}  // namespace

class TestSchema : public QObject {
    Q_OBJECT

  private slots:
    void the_schemas_list_every_boundary() {
        for (const char* name : {"profile.schema.json", "report.schema.json"}) {
            QJsonArray known;
            for (const Boundary boundary : all_boundaries)
                known.append(QString::fromStdString(std::string(id_of(boundary))));
            const QJsonObject published = schema(name);
            QCOMPARE(published["$defs"]["boundary"]["enum"].toArray(), known);
        }
    }

    void the_schemas_accept_every_pipe_and_no_other() {
        for (const char* name : {"profile.schema.json", "report.schema.json"}) {
            const QJsonObject published = schema(name);
            const QRegularExpression pattern(published["$defs"]["pipe"]["pattern"].toString());
            QVERIFY(pattern.isValid() && !pattern.pattern().isEmpty());
            for (const PipeKind kind : all_pipe_kinds)
                for (const bool sparse : {false, true}) {
                    const std::string id = id_of(Pipe{kind, sparse});
                    QVERIFY2(pattern.match(QString::fromStdString(id)).hasMatch(), id.c_str());
                }
            QVERIFY(!pattern.match("fp23").hasMatch());
            QVERIFY(!pattern.match("tensor.fp128").hasMatch());
        }
    }

    void a_schema_refers_to_nothing_outside_its_file_data() {
        QTest::addColumn<QString>("name");
        for (const QString& name : schema_folder().entryList({"*.schema.json"}))
            QTest::newRow(qPrintable(name)) << name;
    }

    void a_schema_refers_to_nothing_outside_its_file() {
        QFETCH(QString, name);
        const QJsonObject published = schema(name.toStdString());
        QVERIFY(!published.isEmpty());
        for (const QString& target : references(published)) {
            QVERIFY2(target.startsWith("#/"), qPrintable(target));
            QJsonValue at = published;
            for (const QString& key : target.mid(2).split('/'))
                at = at[key];
            QVERIFY2(at.isObject(), qPrintable(target));
        }
    }

    void a_session_holds_no_more_than_is_read() {
        const QJsonObject session = schema("session.schema.json");
        const QJsonObject scenario = schema("scenario.schema.json");
        const QJsonValue view = session["$defs"]["view"]["properties"];
        const QJsonValue bindings = session["$defs"]["bindings"]["properties"];
        const auto limit = [](std::size_t most) { return QJsonValue(static_cast<qint64>(most)); };
        QCOMPARE(session["properties"]["sources"]["maxItems"], limit(most_sources));
        QCOMPARE(session["properties"]["baselines"]["maxItems"], limit(most_sources));
        QCOMPARE(view["names"]["maximum"], limit(most_drawn));
        QCOMPARE(view["gaps"]["maximum"], limit(most_drawn));
        QCOMPARE(view["selection"]["maxItems"], limit(most_selected));
        QCOMPARE(bindings["kernels"]["maxItems"], limit(most_bound));
        QCOMPARE(bindings["rules"]["maxItems"], limit(most_rules));
        QCOMPARE(scenario["properties"]["moves"]["maxItems"], limit(most_moves));
    }

    void a_ceiling_of_a_report_is_that_of_a_profile() {
        const QJsonValue ceiling = schema("report.schema.json")["$defs"].toObject()["ceiling"];
        QVERIFY(ceiling.isObject());
        QCOMPARE(ceiling, schema("profile.schema.json")["$defs"].toObject().value("ceiling"));
    }

    void the_report_has_exactly_the_fields_of_its_schema() {
        const QJsonObject published = schema("report.schema.json");
        const std::string text = report();
        QCOMPARE(test::against_schema(text), std::string());
        const QJsonObject written = QJsonDocument::fromJson(QByteArray::fromStdString(text)).object();
        QCOMPARE(written.keys(), published["properties"].toObject().keys());
        const QJsonObject point = written["points"][0].toObject();
        QCOMPARE(point.keys(), published["$defs"]["point"]["properties"].toObject().keys());
    }
};

}  // namespace tst_schema

ROOFWALK_TEST(tst_schema, TestSchema, NoApplication)
#include "tst_schema.moc"
