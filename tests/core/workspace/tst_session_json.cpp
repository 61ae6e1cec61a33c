// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workspace/session_json.h"

#include <QTest>

#include "tests/core/workspace/whole_session.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_session_json {

using namespace roofwalk;
using test::whole_session;

namespace {

WorkspaceSpec read(std::string_view text) {
    const Result<WorkspaceSpec> session = read_session(text, "walk.roofwalk");
    if (session) return *session;
    qFatal("%s", to_line(session.error()).c_str());
}

bool same_view(const SessionView& a, const SessionView& b) {
    const auto analysis = [](const AnalysisOptions& o) {
        return std::tuple(o.group_by, o.clock, o.operations, o.boundaries, o.levels, o.l1_where_it_binds,
                          o.practical.compute, o.practical.bandwidth, o.practical_limits.little_room,
                          o.practical_limits.some_room, o.launch_floor);
    };
    const auto scene = [](const SceneOptions& o) {
        return std::tuple(o.colour_by, o.levels, o.hidden_pipes, o.extra_pipes, o.practical_roofs,
                          o.theory_roofs, o.measured_roof, o.zones, o.operation_ranges, o.labelled, o.gaps);
    };
    return analysis(a.analysis) == analysis(b.analysis) && scene(a.scene) == scene(b.scene) &&
           a.measured == b.measured && a.roofs_of == b.roofs_of && a.filter == b.filter &&
           a.selection == b.selection && a.axes == b.axes && a.other_device == b.other_device &&
           a.ran_on == b.ran_on && a.comparison == b.comparison;
}

}  // namespace

class TestSessionJson : public QObject {
    Q_OBJECT

  private slots:
    void everything_that_is_written_reads_back() {
        const WorkspaceSpec before = whole_session();
        const WorkspaceSpec after = read(to_json(before));
        QVERIFY(after.sources == before.sources);
        QVERIFY(after.joined);
        QVERIFY(after.baselines == before.baselines);
        QVERIFY(same_view(after.view, before.view));
        QVERIFY(after.ceilings == before.ceilings);
        QVERIFY(after.bindings == before.bindings);
        QVERIFY(after.thresholds == before.thresholds);
        QVERIFY(after.scenario == before.scenario);
        QCOMPARE(after.notes, before.notes);
        QCOMPARE(after.autosave_of, before.autosave_of);
        QCOMPARE(after.autosave_of_hash, before.autosave_of_hash);
        QCOMPARE(to_json(after), to_json(before));
    }

    void a_session_of_nothing_reads_back() {
        const WorkspaceSpec after = read(to_json(WorkspaceSpec()));
        QVERIFY(after.sources.empty() && after.scenario.moves.empty() && after.bindings == Bindings());
        QVERIFY(same_view(after.view, {}));
    }

    void a_person_may_write_little() {
        const WorkspaceSpec session = read(R"({"version": 1, "sources": [{"path": "a.json"}],
                                         "format": "roofwalk-session"})");
        QCOMPARE(session.sources[0].path, std::string("a.json"));
        QVERIFY(session.sources[0].hash.empty());
        QVERIFY(same_view(session.view, {}));
    }

    void another_gpu_that_is_known_by_its_name_is_written_as_before() {
        const std::string text =
            R"({"format":"roofwalk-session","version":1,"view":{"other_device":"H100 SXM"}})";
        const WorkspaceSpec session = read(text);
        QCOMPARE(session.view.other_device->name, std::string("H100 SXM"));
        QVERIFY(session.view.other_device->ceilings.empty());
        QVERIFY(to_json(session).find(R"("other_device":"H100 SXM")") != std::string::npos);
        QVERIFY(!read(R"({"format":"roofwalk-session","version":1,"view":{"other_device":""}})")
                     .view.other_device);
        QVERIFY(!read_session(R"({"format":"roofwalk-session","version":1,"view":{"other_device":7}})", "7"));
    }

    void members_that_are_not_known_are_kept_wherever_they_stand() {
        const std::string text =
            R"json({"format":"roofwalk-session","version":1,"later":{"deep":[1,null,"ü"]},
            "sources":[{"path":"a.json","size":12}],"baselines":[{"path":"b.json","run":3}],
            "view":{"panels":["notes"],"comparison":{"noise":0.1,"by":"time"}},
            "ceilings":[{"device":"A100","ceilings":[],"measured":false}],
            "bindings":{"kernels":[{"kernel":"k","operation":"copy n=8","by":"me"}],
                        "rules":[{"pattern":"k","operation":"copy n=8","why":"x"}],"order":1},
            "advice":{"occupancy":0.25,"new_limit":3},
            "scenario":{"moves":[{"kernel":"k","colour":"red"}],"mood":null}})json";
        const std::string written = to_json(read(text));
        for (const char* kept :
             {R"("later":{"deep":[1,null,"ü"]})", R"("size":12)", R"("run":3)", R"("panels":["notes"])",
              R"("measured":false)", R"("by":"me")", R"("by":"time")", R"("why":"x")", R"("order":1)",
              R"("new_limit":3)", R"("colour":"red")", R"("mood":null)"})
            QVERIFY2(written.find(kept) != std::string::npos, kept);
        QCOMPARE(to_json(read(written)), written);
    }

    void sessions_are_recognised_by_their_start() {
        QVERIFY(looks_like_session(to_json(whole_session()).substr(0, 200)));
        QVERIFY(looks_like_session("\xEF\xBB\xBF {\"version\": 9,\n \"format\" : \"roofwalk-session\""));
        QVERIFY(!looks_like_session(
            R"({"format": "roofwalk-profile", "kernels": [{"name": "roofwalk-session"}]})"));
        QVERIFY(!looks_like_session(R"("format":"roofwalk-session")"));
        QVERIFY(!looks_like_session("NVR"));
        QVERIFY(!looks_like_session(""));
    }
};

}  // namespace tst_session_json

ROOFWALK_TEST(tst_session_json, TestSessionJson, NoApplication)
#include "tst_session_json.moc"
