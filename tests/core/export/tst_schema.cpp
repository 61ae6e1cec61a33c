// SPDX-License-Identifier: GPL-3.0-or-later
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QTest>

#include "core/export/report_table.h"
#include "tests/core/export/report_fixture.h"
#include "tests/support/qt_strings.h"
#include "tests/support/samples.h"

using namespace roofwalk;

namespace {

QJsonObject schema(const std::string& name) {
    const auto path = test::data_folder() / ".." / ".." / "resources" / "schema" / name;
    QFile file(QString::fromStdString(path.string()));
    if (!file.open(QIODevice::ReadOnly)) return {};
    return QJsonDocument::fromJson(file.readAll()).object();
}

QJsonObject report() {
    const Profile profile = test::saxpy_profile();
    const std::string text = to_report_json(profile, analyse(profile, {}));
    return QJsonDocument::fromJson(QByteArray::fromStdString(text)).object();
}

}  // namespace

class TestSchema : public QObject {
    Q_OBJECT

  private slots:
    void the_schemas_list_every_boundary() {
        for (const char* name : {"profile.schema.json", "report.schema.json"}) {
            QJsonArray known;
            for (const Boundary boundary : all_boundaries())
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
            for (const PipeKind kind : all_pipe_kinds())
                for (const bool sparse : {false, true}) {
                    const std::string id = id_of(Pipe{kind, sparse});
                    QVERIFY2(pattern.match(QString::fromStdString(id)).hasMatch(), id.c_str());
                }
            QVERIFY(!pattern.match("fp23").hasMatch());
            QVERIFY(!pattern.match("tensor.fp128").hasMatch());
        }
    }

    void the_report_has_exactly_the_fields_of_its_schema() {
        const QJsonObject published = schema("report.schema.json");
        const QJsonObject written = report();
        QCOMPARE(written.keys(), published["properties"].toObject().keys());
        const QJsonObject point = written["points"][0].toObject();
        QCOMPARE(point.keys(), published["$defs"]["point"]["properties"].toObject().keys());
    }
};

QTEST_APPLESS_MAIN(TestSchema)
#include "tst_schema.moc"
