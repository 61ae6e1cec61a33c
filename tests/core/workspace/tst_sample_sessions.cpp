// SPDX-License-Identifier: GPL-3.0-or-later
// The sessions that come with the program fit the profiles beside them.
#include <QFile>
#include <QTest>
#include <array>
#include <cmath>
#include <string_view>

#include "core/chart/scene/scene.h"
#include "core/chart/scene/scene_comparison.h"
#include "core/import/json/json_reader.h"
#include "core/scenario/scenario_effect.h"
#include "core/workspace/content_hash.h"
#include "core/workspace/session_json.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"
#include "tests/support/samples.h"

namespace tst_sample_sessions {

using namespace roofwalk;

namespace {

std::string content(const std::string& name) {
    const auto path = test::data_folder() / ".." / ".." / "resources" / "samples" / name;
    QFile file(QString::fromStdString(path.string()));
    return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
}

WorkspaceSpec session_of(const std::string& name) {
    const auto session = read_session(content(name + ".roofwalk"), "sample");
    if (!session) qFatal("%s", to_line(session.error()).c_str());
    return *session;
}

Profile profile_of(const SessionSource& source) {
    auto profile = read_json(content(source.path), "sample");
    if (!profile) qFatal("%s", to_line(profile.error()).c_str());
    return *std::move(profile);
}

Analysis analysis_of(const Profile& profile, const WorkspaceSpec& session) {
    AnalysisOptions options = session.view.analysis;
    options.launch_operations =
        std::make_shared<const LaunchOperations>(bind_operations(profile, session.bindings));
    return analyse(profile, options);
}

/// The decode layer under its scenario, with the moves of one name switched on and all others off.
struct Decode {
    explicit Decode(std::string_view name) {
        WorkspaceSpec session = session_of("llm-decode-h100");
        for (Move& move : session.scenario.moves)
            move.on = move.name == name;
        profile = profile_of(session.sources[0]);
        measured = analysis_of(profile, session);
        effect = effect_of(session.scenario, profile, measured);
        moved = moved_analysis(measured, effect);
    }
    [[nodiscard]] double intensity(std::string_view kernel) const {
        for (const KernelPoint& point : moved.points)
            if (point.name.find(kernel) != std::string::npos)
                return point.at(MemoryLevel::hbm)->intensity->value();
        return 0;
    }

    Profile profile;
    Analysis measured;
    ScenarioEffect effect;
    Analysis moved;
};

void compare_intensity(double actual, double expected) {
    QVERIFY2(std::abs(actual / expected - 1) < 1e-3, qPrintable(QString::number(actual)));
}

/// The reports of a session in their order, compared.
struct Walk {
    explicit Walk(const std::string& name) : session(session_of(name)) {
        std::vector<SessionSource> reports = session.baselines;
        reports.push_back(session.sources[0]);
        for (const SessionSource& source : reports)
            profiles.push_back(profile_of(source));
        for (const Profile& profile : profiles)
            analyses.push_back(analysis_of(profile, session));
        std::vector<AnalysedProfile> runs;
        for (std::size_t i = 0; i < profiles.size(); ++i)
            runs.push_back({&profiles[i], &analyses[i]});
        comparison = compare_runs(runs);
    }

    WorkspaceSpec session;
    std::vector<Profile> profiles;
    std::vector<Analysis> analyses;
    Comparison comparison;
};

}  // namespace

class TestSampleSessions : public QObject {
    Q_OBJECT

  private slots:
    void every_part_finds_its_kernel_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("older");
        QTest::addColumn<int>("bound");
        QTest::addColumn<int>("moves");
        QTest::newRow("gemm") << "gemm-walk-a100" << 4 << 1 << 0;
        QTest::newRow("gemv") << "gemv-walk-h100" << 2 << 1 << 0;
        QTest::newRow("decode") << "llm-decode-h100" << 0 << 8 << 7;
    }
    void every_part_finds_its_kernel() {
        QFETCH(QString, name);
        QFETCH(int, older);
        QFETCH(int, bound);
        QFETCH(int, moves);
        const WorkspaceSpec session = session_of(name.toStdString());
        QVERIFY(session.notes.starts_with("MODELLED, not measured"));
        QCOMPARE(session.sources.size(), std::size_t{1});
        QCOMPARE(static_cast<int>(session.baselines.size()), older);
        std::vector<SessionSource> reports = session.baselines;
        reports.push_back(session.sources[0]);
        for (const SessionSource& source : reports) {
            const std::string text = content(source.path);
            QCOMPARE(source.hash, content_hash(std::as_bytes(std::span(text))));
        }
        const Profile profile = profile_of(session.sources[0]);
        const Analysis analysis = analysis_of(profile, session);
        QVERIFY(analysis.options.launch_operations->problems.empty());
        int with_target = 0;
        for (const KernelPoint& point : analysis.points)
            if (point.target) ++with_target;
        QCOMPARE(with_target, bound);
        Scenario all = session.scenario;
        QCOMPARE(static_cast<int>(effect_of(all, profile, analysis).steps.size()), moves);
        for (Move& move : all.moves)
            move.on = true;
        const ScenarioEffect effect = effect_of(all, profile, analysis);
        QVERIFY(effect.unused.empty());
        QCOMPARE(effect.steps.size(), all.moves.size());
        for (const KernelKey& key : session.view.selection) {
            const KernelKey* const one = &key;
            QVERIFY(find_kernels(profile, analysis, {&one, 1}).front().match == KeyMatch::found);
        }
    }

    void the_gemm_walks_over_the_chart_from_naive_to_pipelined_and_beyond() {
        const Walk walk("gemm-walk-a100");
        const Comparison& comparison = walk.comparison;
        QCOMPARE(comparison.paths.size(), std::size_t{1});
        const KernelPath& path = comparison.paths.front();
        const std::array expected{ChangeVerdict::both, ChangeVerdict::both, ChangeVerdict::up,
                                  ChangeVerdict::both};
        QCOMPARE(path.steps.size(), expected.size());
        for (std::size_t i = 0; i < expected.size(); ++i)
            QCOMPARE(label_of(path.steps[i].verdict), label_of(expected[i]));
        QVERIFY(path.whole.verdict == ChangeVerdict::both);

        Scene scene = build_scene(walk.profiles.back(), walk.analyses.back(), walk.session.view.scene);
        add_comparison(scene, comparison);
        QCOMPARE(scene.paths.size(), std::size_t{1});
        const std::vector<PathPlace>& places = scene.paths.front().places;
        QCOMPARE(places.size(), std::size_t{5});
        for (std::size_t i = 1; i < places.size(); ++i) {
            QVERIFY(places[i].y > places[i - 1].y);
            QVERIFY(i == 3 ? places[i].x == places[i - 1].x : places[i].x > places[i - 1].x);
        }
    }

    void the_gemv_goes_straight_up() {
        const Walk walk("gemv-walk-h100");
        QCOMPARE(walk.comparison.paths.size(), std::size_t{1});
        const KernelPath& path = walk.comparison.paths.front();
        QCOMPARE(path.steps.size(), std::size_t{2});
        for (const auto& step : path.steps)
            QCOMPARE(label_of(step.verdict), label_of(ChangeVerdict::up));
        QVERIFY(path.whole.verdict == ChangeVerdict::up);
    }

    void the_decode_layer_reaches_the_intensities_of_the_literature() {
        const Decode measured("");
        QVERIFY(measured.effect.kernels.empty());
        for (const char* product : {"<4096, 12288>", "<4096, 4096>", "<4096, 22016>", "<11008, 4096>"}) {
            compare_intensity(measured.intensity(product), 1);
            compare_intensity(Decode("16 bits to INT4, share 1").intensity(product), 4);
        }
        compare_intensity(measured.intensity("attention"), 1);
        compare_intensity(Decode("16 bits to INT8, share 1").intensity("attention"), 2);
        const Decode fused("Fuse SiLU into gate and up");
        compare_intensity(measured.intensity("silu"), 0.5);
        compare_intensity(fused.intensity("silu"), 1.5);
        QVERIFY(fused.intensity("<4096, 22016>") > measured.intensity("<4096, 22016>"));
        // SiLU is no launch then: all but the bytes of its result is saved.
        for (const MovedKernel& kernel : fused.effect.kernels)
            if (fused.measured.points[kernel.point].name.find("silu") != std::string::npos)
                compare_intensity(kernel.counted.time->value(), 22016 / 3.352e12);
        for (const ScenarioStep& step : fused.effect.steps)
            QVERIFY(!step.unpromised);
        compare_intensity(Decode("Batch of 32").intensity("<4096, 4096>"), 32.0 * 4096 / (4096 + 64));
        compare_intensity(Decode("Batch of 256").intensity("<4096, 4096>"), 256.0 * 4096 / (4096 + 512));
        compare_intensity(Decode("Batch of 256").intensity("attention"), 1);
    }

    void batches_exclude_each_other_and_are_off() {
        for (const Move& move : session_of("llm-decode-h100").scenario.moves)
            QCOMPARE(move.on, !move.name.starts_with("Batch"));
    }
};

}  // namespace tst_sample_sessions

ROOFWALK_TEST(tst_sample_sessions, TestSampleSessions, NoApplication)
#include "tst_sample_sessions.moc"
