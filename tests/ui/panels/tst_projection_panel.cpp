// SPDX-License-Identifier: GPL-3.0-or-later
#include <QComboBox>
#include <QDockWidget>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QTableView>
#include <fstream>

#include "core/compare/kernel_change.h"
#include "tests/support/folder_tests.h"
#include "tests/ui/settled_document.h"
#include "tests/ui/shown_tip.h"
#include "tests/ui/shown_window.h"

namespace tst_projection_panel {

using namespace roofwalk;
using test::ShownWindow;

namespace {

/// Three kernels of an A100, and the panel of another GPU in front.
struct WithPanel : ShownWindow {
    WithPanel() {
        opened = open({test::write_three_kernels(folder, "a.json")});
        action("show_other_device").trigger();
    }

    [[nodiscard]] QComboBox& devices() { return *window.findChild<QComboBox*>("other_device"); }
    [[nodiscard]] QTableView& kernels() { return *window.findChild<QTableView*>("projection_kernels"); }
    [[nodiscard]] QString sentence() {
        return window.findChild<QLabel*>("projection_sentence")->accessibleName();
    }
    [[nodiscard]] QString cell_of(int row, const char* column) {
        return kernels().model()->index(row, test::column_of(kernels(), column)).data().toString();
    }
    /// Types a name and waits for the roofs of that GPU.
    [[nodiscard]] bool type(const QString& name) {
        devices().lineEdit()->selectAll();
        QTest::keyClicks(&devices(), name);
        QTest::keyClick(&devices(), Qt::Key_Return);
        return QTest::qWaitFor([&] {
                   const Device* device = other_device(document().spec());
                   return device && document().result().projection &&
                          document().result().projection->device.name == device->name;
               }) &&
               settle();
    }

    bool opened = false;
};

}  // namespace

class TestProjectionPanel : public QObject {
    Q_OBJECT

  private slots:
    void a_gpu_that_is_typed_brings_its_roofs_and_what_binds_there() {
        WithPanel s;
        QVERIFY(s.opened);
        QVERIFY(s.window.findChild<QDockWidget*>("dock_elsewhere")->isVisible());
        QVERIFY2(s.sentence().contains("Choose a GPU"), qPrintable(s.sentence()));
        const std::size_t roofs = s.document().scene()->roofs.size();

        QVERIFY(s.type("H100 SXM"));
        QVERIFY(s.document().scene()->roofs.size() > roofs);
        QVERIFY2(s.sentence().startsWith("On H100 SXM what binds changes between compute and memory for 1 of "
                                         "3 kernels: to memory for 1"),
                 qPrintable(s.sentence()));
        QCOMPARE(s.kernels().model()->rowCount(), 3);
        QVERIFY(s.cell_of(1, "kernel").startsWith("stream_add"));
        QCOMPARE(s.cell_of(1, "bound"), QString("memory (HBM)"));
        QCOMPARE(s.cell_of(1, "other_bound"), QString("memory (HBM)"));
        QVERIFY(s.cell_of(1, "ridge_at_level").endsWith(" at HBM"));
        const ProjectedKernels& there = s.document().result().projection->projected;
        QCOMPARE(s.cell_of(1, "speed_up_or_limit"),
                 QString("%1x").arg(*there.kernels[1].speed_up(), 0, 'f', 2));
    }

    void of_a_gpu_without_an_l2_ceiling_the_speed_up_has_a_limit() {
        WithPanel s;
        QVERIFY(s.type("B200"));
        const std::vector<ProjectedKernel>& changes = s.document().result().projection->projected.kernels;
        const auto limited = std::ranges::find_if(
            changes, [](const ProjectedKernel& change) { return change.speed_up_at_most().has_value(); });
        QVERIFY(limited != changes.end());
        const int row = static_cast<int>(limited - changes.begin());
        QCOMPARE(s.cell_of(row, "other_bound"),
                 QString::fromStdString(label_of(*limited->there.at_least_by, MemoryName::hbm)) +
                     " by bytes; no L2 ceiling");
        QCOMPARE(s.cell_of(row, "speed_up_or_limit"),
                 QString("at most %1").arg(QString::fromStdString(ratio_text(*limited->speed_up_at_most()))));
        for (const char* column : {"other_bound", "speed_up_or_limit"}) {
            const QString tooltip = test::tip_words(s.kernels()
                                                        .model()
                                                        ->index(row, test::column_of(s.kernels(), column))
                                                        .data(Qt::ToolTipRole)
                                                        .toString());
            QVERIFY2(tooltip.contains("Time there: at least ") && tooltip.contains("; L2 not judged"),
                     qPrintable(tooltip));
        }
    }

    void a_part_of_a_name_brings_the_usual_gpu_of_that_name() {
        WithPanel s;
        QVERIFY(s.type("h100"));
        QCOMPARE(s.devices().currentText(), QString("H100 SXM"));
    }

    void keys_that_are_typed_switch_nothing_else() {
        WithPanel s;
        const auto levels = s.document().analysis_options().levels;
        QVERIFY(s.type("H100 SXM"));
        QCOMPARE(s.document().analysis_options().levels, levels);
    }

    void what_names_no_gpu_is_put_back() {
        WithPanel s;
        QVERIFY(s.type("H100 SXM"));
        s.devices().lineEdit()->selectAll();
        QTest::keyClicks(&s.devices(), "GeForce 256");
        QTest::keyClick(&s.devices(), Qt::Key_Return);
        QCOMPARE(s.devices().currentText(), QString("H100 SXM"));
        QCOMPARE(QString::fromStdString(other_device(s.document().spec())->name), QString("H100 SXM"));
    }

    void none_takes_the_roofs_away() {
        WithPanel s;
        const std::size_t roofs = s.document().scene()->roofs.size();
        QVERIFY(s.type("H100 SXM"));
        s.devices().setCurrentIndex(0);
        emit s.devices().activated(0);
        QTRY_VERIFY(!s.document().result().projection);
        QVERIFY(s.settle());
        QCOMPARE(s.document().scene()->roofs.size(), roofs);
        QVERIFY(s.kernels().isHidden());
    }

    void a_file_may_describe_the_gpu() {
        WithPanel s;
        const QString board = s.folder.filePath("board.json");
        std::ofstream(board.toStdString()) << R"({"name": "our board", "bandwidth": 9e11, "peak": 4e13})";
        s.chooser.to_open = {board};
        const int row = s.devices().count() - 1;
        s.devices().setCurrentIndex(row);
        emit s.devices().activated(row);
        QTRY_VERIFY(s.document().result().projection);
        QVERIFY(s.settle());
        QCOMPARE(s.devices().currentText(), QString("our board"));
        QCOMPARE(s.document().result().projection->projected.device, std::string("our board"));
        QCOMPARE(s.kernels().model()->rowCount(), 3);

        // A session keeps what the file said, not where it was.
        QVERIFY(QFile::remove(board));
        const QString walk = s.folder.filePath("walk.roofwalk");
        s.chooser.to_save = walk;
        s.action("save").trigger();
        QVERIFY(s.type("H100 SXM"));
        QVERIFY(s.open({walk}));
        QTRY_VERIFY(s.document().result().projection);
        QCOMPARE(other_device(s.document().spec())->name, std::string("our board"));
        const CeilingSet& roofs = s.document().result().projection->device.ceilings;
        QCOMPARE(roofs.find(Boundary::hbm_dram_rw)->rate.value(), 9e11);
        QCOMPARE(s.devices().currentText(), QString("our board"));
    }

    void no_file_leaves_the_gpu_that_was_chosen() {
        WithPanel s;
        QVERIFY(s.type("H100 SXM"));
        const int row = s.devices().count() - 1;
        s.devices().setCurrentIndex(row);
        emit s.devices().activated(row);
        QCOMPARE(s.devices().currentText(), QString("H100 SXM"));
    }

    void a_row_and_the_selected_kernel_follow_each_other() {
        WithPanel s;
        QVERIFY(s.type("H100 SXM"));
        QTest::mouseClick(s.kernels().viewport(), Qt::LeftButton, {},
                          s.kernels().visualRect(s.kernels().model()->index(1, 0)).center());
        QVERIFY(s.settle());
        QCOMPARE(s.document().selection(),
                 std::optional(s.document().result().projection->projected.kernels[1].point));
        s.document().select_ranked(-1);
        QCOMPARE(s.kernels().currentIndex().row(), 0);
    }

    void the_roofs_stay_while_the_kernels_are_grouped_otherwise() {
        WithPanel s;
        QVERIFY(s.type("H100 SXM"));
        AnalysisOptions options = s.document().analysis_options();
        options.group_by = GroupBy::launch;
        s.document().set_analysis_options(options);
        QVERIFY(s.settle());
        QCOMPARE(s.kernels().model()->rowCount(), 4);
        QCOMPARE(s.document().result().projection->analysis, s.document().analysis());
    }
};

}  // namespace tst_projection_panel

ROOFWALK_TEST(tst_projection_panel, TestProjectionPanel, QApplication)
#include "tst_projection_panel.moc"
