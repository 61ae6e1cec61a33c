// SPDX-License-Identifier: GPL-3.0-or-later
// The sessions that come with the program fit the profiles beside them.
#include <QFile>
#include <QTest>

#include "core/import/json_reader.h"
#include "core/scenario/scenario_effect.h"
#include "core/session/content_hash.h"
#include "core/session/session_json.h"
#include "tests/support/qt_strings.h"
#include "tests/support/samples.h"

using namespace roofwalk;

namespace {

std::string content(const std::string& name) {
    const auto path = test::data_folder() / ".." / ".." / "resources" / "samples" / name;
    QFile file(QString::fromStdString(path.string()));
    return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
}

}  // namespace

class TestSampleSessions : public QObject {
    Q_OBJECT

  private slots:
    void every_part_finds_its_kernel_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("bound");
        QTest::addColumn<int>("moves");
        QTest::newRow("gemm") << "gemm-walk-a100" << 4 << 0;
        QTest::newRow("decode") << "llm-decode-h100" << 5 << 5;
    }
    void every_part_finds_its_kernel() {
        QFETCH(QString, name);
        QFETCH(int, bound);
        QFETCH(int, moves);
        const auto session = read_session(content(name.toStdString() + ".roofwalk"), "sample");
        QVERIFY2(session.has_value(), session ? "" : to_line(session.error()).c_str());
        QVERIFY(session->notes.starts_with("MODELLED, not measured"));
        QCOMPARE(session->sources.size(), std::size_t{1});
        const std::string text = content(session->sources[0].path);
        QCOMPARE(session->sources[0].hash, content_hash(std::as_bytes(std::span(text))));

        const auto profile = read_json(text, "sample");
        QVERIFY(profile.has_value());
        AnalysisOptions options = session->view.analysis;
        options.launch_operations =
            std::make_shared<const LaunchOperations>(bind_operations(*profile, session->bindings));
        QVERIFY(options.launch_operations->problems.empty());
        const Analysis analysis = analyse(*profile, options);
        int with_target = 0;
        for (const KernelPoint& point : analysis.points)
            if (point.target) ++with_target;
        QCOMPARE(with_target, bound);
        const ScenarioEffect effect = effect_of(session->scenario, *profile, analysis);
        QVERIFY(effect.unused.empty());
        QCOMPARE(static_cast<int>(effect.steps.size()), moves);
        for (const KernelKey& key : session->view.selection) {
            const KernelKey* const one = &key;
            QVERIFY(find_kernels(*profile, analysis, {&one, 1}).front().match == KeyMatch::found);
        }
    }
};

QTEST_APPLESS_MAIN(TestSampleSessions)
#include "tst_sample_sessions.moc"
