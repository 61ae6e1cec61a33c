// SPDX-License-Identifier: GPL-3.0-or-later
// One description of an object, followed by the writer and by the reader.
#include <QTest>

#include "core/base/json_decoder.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_json {

using namespace roofwalk;

namespace {

struct Part {
    double share = 0.5;

    friend void each_field(auto& field, MaybeConst<Part> auto& part) {
        field("share", coded<ShareNumber>(part.share));
    }
};

struct Thing {
    std::string name;
    std::optional<std::uint32_t> count;
    bool on = true;
    std::vector<std::string> words;
    std::vector<Part> parts;
    std::optional<Hertz> clock;
    std::string unknown_members;

    friend void each_field(auto& field, MaybeConst<Thing> auto& thing) {
        field("name", always(thing.name));
        field("count", thing.count);
        field("on", unless(thing.on, true));
        field("words", thing.words);
        field.line("parts", lines(thing.parts, 2, "parts"));
        field.object_unless_empty("clocks", [&](auto& clock) { clock("sm_hz", thing.clock); });
        field.unknown(thing.unknown_members);
    }
};

std::string written(const Thing& thing) {
    JsonWriter json;
    json.value(thing);
    return json.take();
}

Result<Thing> read(const std::string& text) {
    return read_json_document<Thing>(text, "thing", "t.json");
}

}  // namespace

class TestJson : public QObject {
    Q_OBJECT

  private slots:
    void what_is_written_reads_back() {
        const Thing thing{"a \"b\"\n\x1b",      7, false, {"x", "y"}, {{0.25}, {1}}, Hertz(1.5e9),
                          R"("later":[1,null])"};
        const std::string text = written(thing);
        QCOMPARE(text,
                 std::string(
                     "{\"name\":\"a \\\"b\\\"\\n\\u001b\",\"count\":7,\"on\":false,\"words\":[\"x\",\"y\"],"
                     "\n\"parts\":[\n{\"share\":0.25},\n{\"share\":1}],"
                     "\"clocks\":{\"sm_hz\":1500000000},\"later\":[1,null]}"));
        const auto again = read(text);
        QVERIFY(again);
        QCOMPARE(written(*again), text);
    }
    void what_is_usual_or_absent_is_left_out() { QCOMPARE(written({}), std::string(R"({"name":""})")); }
    void null_is_absent_and_unknown_members_are_kept() {
        const auto thing = read(R"({"name":"k","count":null,"n":null,"later":{"deep":[true]}})");
        QVERIFY(thing);
        QVERIFY(!thing->count);
        QCOMPARE(thing->unknown_members, std::string(R"("n":null,"later":{"deep":[true]})"));
    }
    void faults_name_their_place_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("where");
        const auto row = [](const char* name, const char* text, const char* where) {
            QTest::newRow(name) << QString(text) << QString("t.json") + where;
        };
        row("no object", "[]", "");
        row("twice", R"({"name":"a","name":"b"})", ", name");
        row("text", R"({"words":["a",1]})", ", words[1]");
        row("share", R"({"parts":[{"share":0.5},{"share":2}]})", ", parts[1].share");
        row("too many", R"({"parts":[{},{},{}]})", ", parts[2]");
        row("inside", R"({"clocks":{"sm_hz":-1}})", ", clocks.sm_hz");
    }
    void faults_name_their_place() {
        QFETCH(QString, text);
        QFETCH(QString, where);
        const auto thing = read(text.toStdString());
        QVERIFY(!thing);
        QCOMPARE(QString::fromStdString(thing.error().where), where);
    }
    void what_is_no_json_names_its_line_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("line");
        QTest::newRow("nothing") << "" << 1;
        QTest::newRow("comma in an object") << "{\"a\":1\n\"b\":2}" << 2;
        QTest::newRow("comma in a list") << "{\"a\":[1,\n2\n3]}" << 3;
        QTest::newRow("comma at the end") << "{\"a\":1,\n}" << 2;
        QTest::newRow("colon") << "{\n\"a\"\n1}" << 3;
        QTest::newRow("key") << "{\n1:2}" << 2;
        QTest::newRow("wrong bracket") << "{\"a\":[1,2\n}}" << 2;
        QTest::newRow("word") << "{\"a\":true,\n\"b\":nul}" << 2;
        QTest::newRow("cut off") << "{\"a\":{\"b\":[]},\n\"c\":[{}" << 2;
        QTest::newRow("open text") << "{\"a\":\"b" << 1;
        QTest::newRow("behind the end") << "{\"a\":\"]}\"}\n\n]" << 3;
    }
    void what_is_no_json_names_its_line() {
        QFETCH(QString, text);
        QFETCH(int, line);
        const auto thing = read(text.toStdString());
        QVERIFY(!thing);
        QVERIFY(thing.error().code == ErrorCode::bad_json);
        QCOMPARE(QString::fromStdString(thing.error().where), QString("t.json, line %1").arg(line));
    }
};

}  // namespace tst_json

ROOFWALK_TEST(tst_json, TestJson, NoApplication)
#include "tst_json.moc"
