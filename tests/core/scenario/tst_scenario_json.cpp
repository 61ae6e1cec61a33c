// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/scenario_json.h"

#include <QTest>

#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_scenario_json {

using namespace roofwalk;

namespace {

Scenario read(std::string_view text) {
    const Result<Scenario> scenario = read_scenario(text, "walk.json");
    if (scenario) return *scenario;
    qFatal("%s", to_line(scenario.error()).c_str());
}

/// Every member differs from its default.
Scenario whole() {
    Move move;
    move.kernel = {GroupBy::launch, "void f<\"x\">(int\n)", {1, 2, 3}, {128, 1, 1}, 4};
    move.name = "tile by 4";
    move.on = false;
    move.bytes = {0.25, 1.0 / 3, 1e-9, 2};
    move.work = 0.5;
    move.pipe = {{PipeKind::fp32, false}, {PipeKind::tensor_fp16, true}};
    move.time_rule = MoveTime::factor;
    move.time = 0.1;
    move.beyond_model = true;
    move.preset = "tile";
    move.number = 4;
    move.assumption = "the tile fits";
    move.needs = {.bytes = 0.5, .work = 0.25};
    move.inputs = 8;
    move.launches = 0.5;
    move.smem_of_l2 = 1.25;
    Move roof;
    roof.kernel.name = "g";
    roof.time_rule = MoveTime::to_roof;
    return {"Tile, then the roof", {move, roof}, {}};
}

}  // namespace

class TestScenarioJson : public QObject {
    Q_OBJECT

  private slots:
    void what_is_written_reads_back() {
        QVERIFY(read(to_json(whole())) == whole());
        QVERIFY(read(to_json({})) == Scenario());
    }
    void a_kernel_that_another_does_is_no_launch() {
        Scenario fused = whole();
        fused.moves[0].launches = 0;
        QCOMPARE(read(to_json(fused)).moves[0].launches, 0.0);
        QVERIFY(to_json(fused).find(R"("launches":0,)") != std::string::npos);
    }
    void the_same_scenario_gives_the_same_bytes() {
        QCOMPARE(to_json(read(to_json(whole()))), to_json(whole()));
    }
    void the_text_is_as_documented() {
        Scenario scenario{"walk", {{}}, {}};
        scenario.moves[0].kernel.name = "saxpy";
        scenario.moves[0].bytes[MemoryLevel::hbm] = 0.5;
        QCOMPARE(to_json(scenario), std::string(R"({"format":"roofwalk-scenario","version":1,"name":"walk",
"moves":[
{"kernel":"saxpy","group":"kernel","on":true,"bytes":{"hbm":0.5},"time":"keep_efficiency"}]}
)"));
    }
    void a_person_may_write_little() {
        const Scenario scenario = read(R"({"moves":[{"kernel":"saxpy","bytes":{"hbm":0.5}}]})");
        QCOMPARE(scenario.moves.size(), std::size_t{1});
        QVERIFY(scenario.moves[0].on);
        QVERIFY(scenario.moves[0].kernel.group_by == GroupBy::kernel);
        QVERIFY(scenario.moves[0].time_rule == MoveTime::keep_efficiency);
        QCOMPARE(scenario.moves[0].bytes[MemoryLevel::hbm], 0.5);
        QCOMPARE(scenario.moves[0].bytes[MemoryLevel::l2], 1.0);
    }
    void unknown_members_are_kept() {
        const std::string text =
            R"({"later":{"deep":[1,null,"ü"]},"moves":[{"kernel":"k","colour":"red","n":null}]})";
        const Scenario scenario = read(text);
        QCOMPARE(scenario.unknown_members, std::string(R"("later":{"deep":[1,null,"ü"]})"));
        QCOMPARE(scenario.moves[0].unknown_members, std::string(R"("colour":"red","n":null)"));
        QVERIFY(read(to_json(scenario)) == scenario);
        QVERIFY(to_json(scenario).find(R"("colour":"red","n":null})") != std::string::npos);
    }
    void a_byte_order_mark_is_no_matter() {
        QCOMPARE(read("\xEF\xBB\xBF{\"moves\":[]}").moves.size(), std::size_t{0});
    }
};

}  // namespace tst_scenario_json

ROOFWALK_TEST(tst_scenario_json, TestScenarioJson, NoApplication)
#include "tst_scenario_json.moc"
