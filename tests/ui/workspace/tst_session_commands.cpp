// SPDX-License-Identifier: GPL-3.0-or-later
// What the commands make of a session that the window saved.
#include <QProcess>

#include "core/devices/match_device.h"
#include "core/scenario/move.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"
#include "tests/ui/shown_window.h"
#include "ui/export/export_bytes.h"

namespace tst_session_commands {

using namespace roofwalk;
using test::ShownWindow;

namespace {

/// A session in which everything is looked at otherwise than is usual.
struct Saved : ShownWindow {
    Saved() {
        ready = open({test::write_three_kernels(folder, "new.json"),
                      test::write_many_kernels(folder, "more.json", 3)});
        chooser.to_open = {test::write_many_kernels(folder, "older.json", 3),
                           test::write_three_kernels(folder, "oldest.json")};
        action("compare_with").trigger();
        ready = QTest::qWaitFor([this] { return document().result().comparison != nullptr; }) && ready;
        AnalysisOptions analysis = document().analysis_options();
        analysis.group_by = GroupBy::launch;
        analysis.levels = {true, true, true, false};
        analysis.clock = ClockBasis::boost;
        analysis.overrides["A100 SXM4 80GB"].bandwidth.push_back(
            {Boundary::hbm_dram_rw, ByteRate(1.5e12), {}});
        document().set_analysis_options(analysis);
        test::set_bindings(document(), {{}, {{"sgemm", "gemm m=64 n=64 k=64"}}});
        ready = settle() && ready;
        document().change_scene([](SceneOptions& scene) {
            scene.colour_by = ColourBy::kernel;
            scene.practical_roofs = true;
            scene.gaps = 2;
            scene.labelled = 3;
        });
        Scenario scenario;
        scenario.name = "Half";
        Move& move = scenario.moves.emplace_back();
        move.kernel = key_of(*document().profile(), *document().analysis(), document().analysis()->points[0]);
        move.bytes[MemoryLevel::hbm] = 0.5;
        test::set_scenario(document(), scenario);
        document().set_filter("time > 1% and not name ~ copy");
        document().change([](WorkspaceSpec& spec) { set_other_device(spec, find_known_device("H100 SXM")); });
        document().change([&](WorkspaceSpec& spec) { spec.view.comparison = {.noise = 0.01, .arrows = 2}; });
        document().select_points({0, 1}, 1);
        ready = settle() && QTest::qWaitFor([this] {
                    const WorkspaceResult& result = document().result();
                    return result.projection && !result.matches.empty() && !document().scene()->paths.empty();
                }) &&
                ready;
        chart().look_at({1e-2, 1e4}, {1e8, 1e15});
        chooser.to_save = walk;
        action("save").trigger();
    }
    /// What the window exports.
    [[nodiscard]] QByteArray exported(ExportFormat format) {
        ExportRequest request;
        request.format = format;
        request.axes = chart().part_seen();
        const Result<QByteArray> bytes =
            export_bytes(export_source(document().result(), document().scene_options()), request);
        return bytes ? *bytes : QByteArray();
    }
    /// What a command prints of the session.
    [[nodiscard]] QByteArray printed(QStringList arguments) const {
        QProcess command;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("XDG_STATE_HOME", folder.path());
        command.setProcessEnvironment(environment);
        arguments.insert(1, walk);
        command.start(ROOFWALK_CLI, arguments);
        if (!command.waitForFinished() || command.exitCode() != 0)
            qWarning("%s", command.readAllStandardError().constData());
        return command.readAllStandardOutput();
    }

    QString walk = folder.filePath("walk.roofwalk");
    bool ready = false;
};

}  // namespace

class TestSessionCommands : public QObject {
    Q_OBJECT

  private slots:
    void the_chart_is_that_of_the_window() {
        Saved s;
        QVERIFY(s.ready);
        const QByteArray svg = s.exported(ExportFormat::svg);
        for (const char* part : {"Scenario &quot;Half&quot;", "H100 SXM", "roof-hbm", "class=\"gap"})
            QVERIFY2(svg.contains(part), part);
        QCOMPARE(s.printed({"chart", "--size", "900x600", "-o", "-"}), svg);
    }

    void the_report_is_that_of_the_window() {
        Saved s;
        QVERIFY(s.ready);
        for (const ExportFormat format : {ExportFormat::csv, ExportFormat::json, ExportFormat::markdown}) {
            const QByteArray numbers = s.exported(format);
            QVERIFY(numbers.contains("sgemm") && !numbers.contains("copy_indices"));
            const QString name = format == ExportFormat::markdown ? "markdown" : suffix_of(format);
            QCOMPARE(s.printed({"report", "--format", name}), numbers);
        }
    }
};

}  // namespace tst_session_commands

ROOFWALK_TEST(tst_session_commands, TestSessionCommands, QApplication)
#include "tst_session_commands.moc"
