// SPDX-License-Identifier: GPL-3.0-or-later
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include "core/workspace/session_json.h"
#include "tests/core/workspace/whole_session.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"
#include "tests/support/samples.h"
#include "tests/support/schema.h"

namespace tst_session_schema {

using namespace roofwalk;

namespace {

QJsonObject schema() {
    const auto path = test::data_folder() / ".." / ".." / "resources" / "schema" / "session.schema.json";
    QFile file(QString::fromStdString(path.string()));
    if (!file.open(QIODevice::ReadOnly)) return {};
    return QJsonDocument::fromJson(file.readAll()).object();
}

std::string written_text() {
    WorkspaceSpec session = test::whole_session();
    session.unknown_members = R"("$schema":"urn:roofwalk:schema:session:1")";
    return to_json(session);
}

QJsonObject written() {
    return QJsonDocument::fromJson(QByteArray::fromStdString(written_text())).object();
}

}  // namespace

class TestSessionSchema : public QObject {
    Q_OBJECT

  private slots:
    void a_session_fits_its_schema() { QCOMPARE(test::against_schema(written_text()), std::string()); }

    void a_session_has_exactly_the_fields_of_its_schema() {
        const QJsonObject published = schema();
        const QJsonObject defs = published["$defs"].toObject();
        const QJsonObject session = written();
        const auto fields = [&](const char* def) { return defs[def]["properties"].toObject().keys(); };
        QVERIFY(!session.isEmpty());
        QCOMPARE(session.keys(), published["properties"].toObject().keys());
        for (const char* list : {"sources", "baselines"})
            QCOMPARE(session[list][0].toObject().keys(), fields("source"));
        const QJsonObject view = session["view"].toObject();
        QCOMPARE(view.keys(), fields("view"));
        QCOMPARE(view["selection"][0].toObject().keys(), fields("kernel_key"));
        const QJsonObject known = defs["view"]["properties"].toObject();
        for (const char* gpu : {"other_device", "ran_on"})
            QCOMPARE(view[gpu].toObject().keys(), fields("gpu"));
        for (const char* part : {"practical", "axes", "comparison"})
            QCOMPARE(view[part].toObject().keys(), known[part]["properties"].toObject().keys());
        QCOMPARE(session["ceilings"][0].toObject().keys(), fields("device"));
        const QJsonObject bindings = session["bindings"].toObject();
        QCOMPARE(bindings.keys(), fields("bindings"));
        for (const char* list : {"kernels", "rules"})
            QCOMPARE(bindings[list][0].toObject().keys(),
                     defs["bindings"]["properties"][list]["items"]["properties"].toObject().keys());
    }
    void the_schema_lists_every_name_that_is_read() {
        const QJsonObject published = schema();
        const QJsonObject view = published["$defs"]["view"]["properties"].toObject();
        const auto lists = [](const QJsonValue& field, std::string_view id) {
            return field.toObject()["enum"].toArray().contains(
                QString::fromUtf8(id.data(), qsizetype(id.size())));
        };
        for (const GroupBy group : {GroupBy::launch, GroupBy::kernel, GroupBy::nvtx, GroupBy::operation})
            QVERIFY(lists(view["group"], id_of(group)));
        for (const ClockBasis clock : {ClockBasis::measured, ClockBasis::boost})
            QVERIFY(lists(view["clock"], id_of(clock)));
        for (const OperationClass work :
             {OperationClass::floating, OperationClass::integer, OperationClass::all})
            QVERIFY(lists(view["operations"], id_of(work)));
        for (const MemoryLevel level : all_levels)
            QVERIFY(lists(view["levels"].toObject()["items"], id_of(level)));
    }
};

}  // namespace tst_session_schema

ROOFWALK_TEST(tst_session_schema, TestSessionSchema, NoApplication)
#include "tst_session_schema.moc"
