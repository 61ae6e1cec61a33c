// SPDX-License-Identifier: GPL-3.0-or-later
#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QToolButton>
#include <algorithm>

#include "tests/core/devices/hopper.h"
#include "tests/support/folder_tests.h"
#include "tests/ui/file_content.h"
#include "tests/ui/message_words.h"
#include "tests/ui/panels/fake_ceiling_benchmark.h"
#include "tests/ui/shown_window.h"
#include "ui/panels/ceiling_benchmark_job.h"

namespace tst_ceiling_benchmark_panel {

using namespace roofwalk;
using test::FakeCeilingBenchmark;
using test::ShownWindow;

namespace {

/// A report of an H100 with FP32 work; `uuid` may be empty.
QString write_report(const QTemporaryDir& folder, const std::string& uuid) {
    const QString path = folder.filePath("report.json");
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly)) return {};
    file.write(QStringLiteral(R"({"format": "roofwalk-profile", "version": 1, "devices": [{"id": "a",
                   "name": "NVIDIA H100 80GB HBM3", "compute_capability": "9.0", "sm_count": 132%1}],
                   "kernels": [{"name": "saxpy", "device": "a", "flops": {"fp32": 2e8},
                                "bytes": {"hbm/dram-rw": 1.2e9}, "duration_ns": 1600000}]})")
                   .arg(uuid.empty() ? QString() : QStringLiteral(R"(, "uuid": "%1")").arg(uuid.c_str()))
                   .toUtf8());
    return path;
}

struct Panel {
    explicit Panel(const FakeCeilingBenchmark& fake) : s({}, {}, fake.backend()) {}

    [[nodiscard]] bool open(const std::string& uuid = hopper::uuid) {
        if (!s.open({write_report(s.folder, uuid)})) return false;
        s.window.findChild<QWidget*>("dock_ceilings")->raise();
        return QTest::qWaitFor([this] { return s.window.findChild<QPushButton*>("measure") != nullptr; });
    }
    template <class T>
    [[nodiscard]] T& the(const char* name) {
        return *s.window.findChild<T*>(name);
    }
    [[nodiscard]] QString words(const char* name) {
        const QLabel& label = the<QLabel>(name);
        return label.isVisible() ? label.accessibleName() : QString();  // without marks for line breaks
    }
    [[nodiscard]] double hbm() {
        return s.document().analysis()->ceilings.find(Boundary::hbm_dram_rw)->rate.value();
    }
    void choose(int row) {
        auto& choice = the<QComboBox>("measured_choice");
        choice.setCurrentIndex(row);
        emit choice.activated(row);
    }

    ShownWindow s;
};

Device board() {
    return hopper::measured().device.device;
}

}  // namespace

class TestCeilingBenchmarkPanel : public QObject {
    Q_OBJECT

  private slots:
    void what_is_kept_of_the_board_is_chosen_first_and_its_curve_drawn() {
        FakeCeilingBenchmark fake;
        fake.keep(hopper::swept());
        Panel p(fake);
        QVERIFY(p.open());
        QTRY_COMPARE(p.hbm(), 3.2e12);
        QCOMPARE(p.s.document().analysis()->ceilings.find(Boundary::hbm_dram_rw)->provenance.source,
                 CeilingSource::benchmark);
        QTRY_VERIFY(p.words("measured_state").startsWith("Used for the roofs drawn: NVIDIA H100"));
        QVERIFY(p.words("measured_state").contains("driver 580.95.05"));
        QTRY_VERIFY(p.s.chart().scene()->measured_roof.has_value());
        p.s.action("measured_roof").trigger();
        QTRY_VERIFY(!p.s.chart().scene()->measured_roof);
        QCOMPARE(p.hbm(), 3.2e12);
    }

    void theory_is_drawn_beside_them_until_a_person_switches_it_off() {
        FakeCeilingBenchmark fake;
        fake.keep(hopper::swept());
        Panel p(fake);
        QVERIFY(p.open());
        const auto theory_is_drawn = [&] {
            return std::ranges::any_of(p.s.chart().scene()->roofs, [](const Roof& roof) {
                return roof.id == "roof-hbm-theory" && roof.line == RoofLine::theory;
            });
        };
        QTRY_VERIFY(theory_is_drawn());
        QVERIFY(p.s.action("theory_roofs").isChecked());
        p.s.action("theory_roofs").trigger();
        QTRY_VERIFY(!theory_is_drawn());
        QCOMPARE(p.hbm(), 3.2e12);
        p.s.chooser.to_save = p.s.folder.filePath("without.roofwalk");
        p.s.action("save").trigger();
        QTRY_VERIFY(test::content(p.s.chooser.to_save).contains(R"("theory_roofs":false)"));
    }

    void what_could_not_be_compared_is_said_of_those_that_are_used() {
        FakeCeilingBenchmark fake;
        fake.keep(hopper::swept());
        fake.script->kept.kept.back().here = true;
        fake.script->kept.kept.back().not_compared = {"locked clocks", "ECC"};
        Panel p(fake);
        QVERIFY(p.open());
        QTRY_VERIFY(p.words("measured_state").startsWith("Used for the roofs drawn"));
        QVERIFY(p.words("measured_state")
                    .endsWith("Not compared with its GPU as it is now: locked clocks, ECC."));
    }

    void they_can_be_left_out_and_a_session_remembers_that() {
        FakeCeilingBenchmark fake;
        fake.keep(hopper::swept());
        Panel p(fake);
        QVERIFY(p.open());
        QTRY_COMPARE(p.hbm(), 3.2e12);
        p.choose(1);
        QTRY_VERIFY(p.hbm() != 3.2e12);
        QVERIFY(p.s.settle());
        QVERIFY(!p.s.chart().scene()->measured_roof);
        QVERIFY(p.words("measured_state").startsWith("Kept and not used"));
        p.s.chooser.to_save = p.s.folder.filePath("left_out.roofwalk");
        p.s.action("save").trigger();
        QTRY_VERIFY(test::content(p.s.chooser.to_save).contains(R"("measured_ceilings":"none")"));
        p.choose(0);
        QTRY_COMPARE(p.hbm(), 3.2e12);
        QVERIFY(p.s.open({p.s.chooser.to_save}));
        QTRY_VERIFY(p.hbm() != 3.2e12);
        QCOMPARE(p.the<QComboBox>("measured_choice").currentIndex(), 1);
    }

    void stale_ones_are_named_and_not_used() {
        FakeCeilingBenchmark fake;
        fake.keep(hopper::swept(), {"The power limit was 700 W and is 350 W now."});
        Panel p(fake);
        QVERIFY(p.open());
        QTRY_VERIFY(p.words("measured_state").startsWith("Kept, stale and not used"));
        QVERIFY(p.words("measured_state").endsWith("is 350 W now."));
        QVERIFY(p.hbm() != 3.2e12);
    }

    void a_report_that_names_no_board_gets_them_when_a_person_chooses() {
        FakeCeilingBenchmark fake;
        fake.keep(hopper::swept());
        MeasuredCeilings other = hopper::swept();
        other.device.device.uuid = "GPU-1";
        other.device.device.name = "NVIDIA A100-SXM4-80GB";
        fake.keep(other);
        Panel p(fake);
        QVERIFY(p.open(""));
        QTRY_COMPARE(p.the<QComboBox>("measured_choice").count(), 3);
        QVERIFY(p.hbm() != 3.2e12);
        QVERIFY(p.words("measured_state").contains("does not name the UUID"));
        p.choose(2);
        QTRY_COMPARE(p.hbm(), 3.2e12);
        QTRY_COMPARE(p.the<QComboBox>("measured_choice").currentIndex(), 2);
    }

    void without_a_gpu_the_reason_stands_beside_the_button() {
        FakeCeilingBenchmark fake;
        fake.script->offer.obstacle =
            Error{ErrorCode::not_profiled, "There is no driver.", {}, "Install one."};
        Panel p(fake);
        QVERIFY(p.open());
        QTRY_COMPARE(p.words("measure_obstacle"), QString("There is no driver. Install one."));
        QVERIFY(!p.the<QPushButton>("measure").isEnabled());
        QCOMPARE(p.the<QPushButton>("measure").accessibleDescription(), p.words("measure_obstacle"));
        QVERIFY(p.the<QPushButton>("import_measured").isEnabled());
        QVERIFY(!p.the<QPushButton>("export_measured").isEnabled());
    }

    void what_was_in_the_way_may_be_gone_when_a_person_looks_again() {
        FakeCeilingBenchmark fake;
        fake.script->offer.obstacle =
            Error{ErrorCode::not_profiled, "There is no driver.", {}, "Install one."};
        Panel p(fake);
        QVERIFY(p.open());
        auto& again = p.the<QPushButton>("look_for_gpus_again");
        QTRY_VERIFY(again.isVisible());
        fake.script->offer = {};
        fake.add_gpu(board());
        QTest::mouseClick(&again, Qt::LeftButton);
        QTRY_VERIFY(p.the<QPushButton>("measure").isEnabled());
        QVERIFY(!again.isVisible());
    }

    void a_gpu_in_slices_cannot_be_measured_and_its_neighbour_can() {
        FakeCeilingBenchmark fake;
        fake.add_gpu(board(),
                     Error{ErrorCode::not_profiled, "It is cut into instances", {}, "Switch MIG off."});
        Device second = board();
        second.uuid = "GPU-22222222-0000-0000-0000-000000000000";
        fake.add_gpu(second);
        fake.script->done = true;
        fake.script->result = hopper::swept();
        Panel p(fake);
        QVERIFY(p.open());
        auto& device = p.the<QComboBox>("measured_device");
        QTRY_COMPARE(device.count(), 2);
        QVERIFY(device.isVisible());
        QCOMPARE(p.words("measure_obstacle"), QString("It is cut into instances. Switch MIG off."));
        QVERIFY(!p.the<QPushButton>("measure").isEnabled());
        device.setFocus();
        QTest::keyClick(&device, Qt::Key_Down);
        QTRY_VERIFY(p.the<QPushButton>("measure").isEnabled());
        QVERIFY(p.words("measure_obstacle").isEmpty());
        QTest::mouseClick(&p.the<QPushButton>("measure"), Qt::LeftButton);
        QTRY_VERIFY(p.words("measured_outcome").startsWith("Measured."));
        QCOMPARE(fake.script->asked, second.uuid);
    }

    void measuring_shows_its_benchmark_and_its_roofs_are_used_at_once() {
        FakeCeilingBenchmark fake;
        fake.add_gpu(board());
        fake.script->result = hopper::swept();
        fake.script->progress = {3, 12, "wgmma.bf16"};
        Panel p(fake);
        QVERIFY(p.open());
        auto& measure = p.the<QPushButton>("measure");
        QTRY_VERIFY(measure.isEnabled());
        QVERIFY(!p.the<QComboBox>("measured_device").isVisible());
        QTest::mouseClick(&measure, Qt::LeftButton);
        QTRY_COMPARE(p.words("measured_benchmark"), QString("Measuring wgmma.bf16 (4 of 12)"));
        QCOMPARE(p.the<QProgressBar>("measure_progress").value(), 3);
        QCOMPARE(p.the<QProgressBar>("measure_progress").maximum(), 12);
        QVERIFY(!measure.isEnabled());
        fake.script->end();
        QTRY_COMPARE(p.hbm(), 3.2e12);
        QTRY_COMPARE(p.words("measured_outcome"), QString("Measured. Kept on the shelf."));
        QVERIFY(!p.the<QProgressBar>("measure_progress").isVisible());
        QTRY_VERIFY(measure.isEnabled());
    }

    void what_was_measured_before_a_cancel_is_kept_and_said() {
        FakeCeilingBenchmark fake;
        fake.add_gpu(board());
        MeasuredCeilings cut = hopper::measured();
        cut.rates.resize(2);
        fake.script->result = cut;
        Panel p(fake);
        QVERIFY(p.open());
        QTRY_VERIFY(p.the<QPushButton>("measure").isEnabled());
        QTest::mouseClick(&p.the<QPushButton>("measure"), Qt::LeftButton);
        QTRY_VERIFY(p.the<QPushButton>("cancel_measuring").isVisible());
        QTest::mouseClick(&p.the<QPushButton>("cancel_measuring"), Qt::LeftButton);
        QTRY_VERIFY(p.words("measured_outcome").startsWith("Cancelled. 2 result"));
        QVERIFY(p.words("measured_outcome").endsWith("Kept on the shelf."));
        QTRY_COMPARE(p.hbm(), 3.2e12);
        QVERIFY(!fake.script->kept.kept.back().measured->complete);
    }

    void a_measurement_that_fails_says_why() {
        FakeCeilingBenchmark fake;
        fake.add_gpu(board());
        fake.script->result = tl::unexpected(
            Error{ErrorCode::not_profiled, "Another measurement runs on this GPU", {}, "Wait."});
        fake.script->done = true;
        Panel p(fake);
        QVERIFY(p.open());
        QTRY_VERIFY(p.the<QPushButton>("measure").isEnabled());
        QTest::mouseClick(&p.the<QPushButton>("measure"), Qt::LeftButton);
        QTRY_COMPARE(p.words("measured_outcome"), QString("Another measurement runs on this GPU. Wait."));
    }

    void one_that_cannot_be_kept_holds_while_the_window_is_open() {
        FakeCeilingBenchmark fake;
        fake.add_gpu(board());
        fake.script->result = hopper::swept();
        fake.script->done = true;
        fake.script->not_kept = Error{ErrorCode::write_failed, "The disk is full", "/data", "Make room."};
        Panel p(fake);
        QVERIFY(p.open());
        QTRY_VERIFY(p.the<QPushButton>("measure").isEnabled());
        QTest::mouseClick(&p.the<QPushButton>("measure"), Qt::LeftButton);
        QTRY_COMPARE(p.hbm(), 3.2e12);
        QVERIFY(p.words("measured_outcome").contains("while this window is open"));
        QVERIFY(test::told(p.s).contains("The disk is full"));
    }

    void a_later_one_that_is_kept_replaces_the_one_that_could_not_be() {
        FakeCeilingBenchmark fake;
        fake.add_gpu(board());
        MeasuredCeilings first = hopper::swept();
        first.rates.front().rate = 3.0e12;
        fake.script->result = first;
        fake.script->done = true;
        fake.script->not_kept = Error{ErrorCode::write_failed, "The disk is full", "/data", "Make room."};
        Panel p(fake);
        QVERIFY(p.open());
        auto& measure = p.the<QPushButton>("measure");
        QTRY_VERIFY(measure.isEnabled());
        QTest::mouseClick(&measure, Qt::LeftButton);
        QTRY_COMPARE(p.hbm(), 3.0e12);
        fake.script->not_kept.reset();
        fake.script->result = hopper::swept();
        QTRY_VERIFY(measure.isEnabled());
        QTest::mouseClick(&measure, Qt::LeftButton);
        QTRY_COMPARE(p.hbm(), 3.2e12);
    }

    void of_several_of_a_board_the_last_that_holds_is_spoken_of() {
        FakeCeilingBenchmark fake;
        for (const char* date : {"2026-01-01", "2026-02-02", "2026-03-03"}) {
            MeasuredCeilings measured = hopper::swept();
            measured.date = date;
            std::vector<std::string> stale;
            if (measured.date == "2026-03-03") stale.emplace_back("The driver was 1 and is 2 now.");
            fake.keep(measured, stale);
        }
        Panel p(fake);
        QVERIFY(p.open());
        QTRY_VERIFY(p.words("measured_state").startsWith("Used for the roofs drawn"));
        QVERIFY(p.words("measured_state").contains("2026-02-02"));
        p.choose(1);
        QTRY_VERIFY(p.words("measured_state").startsWith("Kept and not used"));
        QVERIFY(p.words("measured_state").contains("2026-02-02"));
    }

    void the_table_stands_beside_theory_and_published_figures() {
        FakeCeilingBenchmark fake;
        fake.keep(hopper::swept());
        Panel p(fake);
        QVERIFY(p.open());
        auto& fold = p.the<QToolButton>("measured_table");
        QTRY_VERIFY(fold.isVisible());
        fold.click();
        const auto cells = [&] {
            QStringList texts;
            for (const QLabel* label : p.s.window.findChildren<QLabel*>())
                if (label->isVisible()) texts << label->text() << label->accessibleName();
            return texts;
        };
        QTRY_VERIFY(cells().contains("wgmma.bf16"));
        QVERIFY(cells().contains("880 T"));
        QVERIFY(cells().contains("989 T") && cells().contains("FLOP/s"));
        QVERIFY(p.words("measured_notes").contains("Published: the maker's figures"));
        QVERIFY(p.words("measured_notes").contains("Measured roof:"));
        QVERIFY(p.words("measured_notes").contains("No theory of l2.read: no size of L2."));
    }

    void the_name_of_an_export_leads_nowhere_else() {
        FakeCeilingBenchmark fake;
        MeasuredCeilings strange = hopper::swept();
        strange.device.device.uuid = "../../.bashrc";
        fake.keep(strange);
        Panel p(fake);
        QVERIFY(p.open("../../.bashrc"));
        QTRY_VERIFY(p.the<QPushButton>("export_measured").isEnabled());
        QTest::mouseClick(&p.the<QPushButton>("export_measured"), Qt::LeftButton);
        QVERIFY(p.s.chooser.suggested.endsWith("/_______bashrc.ceilings.json"));
    }

    void what_is_exported_can_be_imported() {
        FakeCeilingBenchmark fake;
        fake.keep(hopper::swept());
        Panel p(fake);
        QVERIFY(p.open());
        QTRY_VERIFY(p.the<QPushButton>("export_measured").isEnabled());
        p.s.chooser.to_save = p.s.folder.filePath("h100.json");
        QTest::mouseClick(&p.the<QPushButton>("export_measured"), Qt::LeftButton);
        QCOMPARE(test::content(p.s.chooser.to_save).toStdString(), measured_ceilings_json(hopper::swept()));
        FakeCeilingBenchmark empty;
        Panel elsewhere(empty);
        QVERIFY(elsewhere.open());
        elsewhere.s.chooser.to_open = {p.s.chooser.to_save};
        QTest::mouseClick(&elsewhere.the<QPushButton>("import_measured"), Qt::LeftButton);
        QTRY_COMPARE(elsewhere.hbm(), 3.2e12);
        QVERIFY(*empty.script->kept.kept.back().measured == hopper::swept());
        elsewhere.s.chooser.to_open = {test::write_broken_file(p.s.folder, "broken.json")};
        QTest::mouseClick(&elsewhere.the<QPushButton>("import_measured"), Qt::LeftButton);
        QTRY_VERIFY(elsewhere.words("measured_outcome").contains("JSON"));
        QCOMPARE(elsewhere.hbm(), 3.2e12);
    }
};

}  // namespace tst_ceiling_benchmark_panel

ROOFWALK_TEST(tst_ceiling_benchmark_panel, TestCeilingBenchmarkPanel, QApplication)
#include "tst_ceiling_benchmark_panel.moc"
