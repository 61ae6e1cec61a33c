// SPDX-License-Identifier: GPL-3.0-or-later
#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QStandardItemModel>
#include <fstream>

#include "tests/support/folder_tests.h"
#include "tests/ui/settled_document.h"
#include "tests/ui/shown_window.h"
#include "ui/panels/ceiling_panel.h"
#include "ui/widgets/rate_edit.h"

namespace tst_ceiling_panel {

using namespace roofwalk;
using test::ShownWindow;

namespace {

template <class T>
T* named(ShownWindow& s, const char* accessible_name) {
    for (T* widget : s.window.findChildren<T*>())
        if (widget->accessibleName() == accessible_name) return widget;
    return nullptr;
}

template <class T>
T* named_by_text(ShownWindow& s, const char* text) {
    for (T* widget : s.window.findChildren<T*>())
        if (widget->isVisible() && widget->text() == text) return widget;
    return nullptr;
}

void show_ceilings(ShownWindow& s) {
    s.window.findChild<QWidget*>("dock_ceilings")->raise();
    QCoreApplication::processEvents();
}

void type(RateEdit& edit, const QString& text) {
    edit.setFocus();
    edit.selectAll();
    QTest::keyClicks(&edit, text);
    QTest::keyClick(&edit, Qt::Key_Return);
}

}  // namespace

class TestCeilingPanel : public QObject {
    Q_OBJECT

  private slots:
    void a_file_that_names_no_gpu_gets_the_one_that_is_chosen() {
        ShownWindow s;
        const QString path = s.folder.filePath("unnamed.csv");
        std::ofstream(path.toStdString()) << "name,time_us,flops,bytes [GB]\nsaxpy,1600,2e8,1.2\n";
        QVERIFY(s.open({path}));
        QCOMPARE(s.messages().count(), std::size_t{1});
        QVERIFY(s.document().scene()->roofs.empty());
        // No dialog: the button of the message shows where to choose.
        QPushButton* choose = named_by_text<QPushButton>(s, "Choose the GPU");
        QVERIFY(choose);
        QTest::mouseClick(choose, Qt::LeftButton);
        QTRY_COMPARE(s.messages().count(), std::size_t{0});
        auto* gpu = s.window.findChild<QComboBox*>("ran_on");
        QVERIFY(gpu && gpu->isVisible() && gpu->hasFocus());

        gpu->lineEdit()->selectAll();
        QTest::keyClicks(gpu, "H100 SXM");
        QTest::keyClick(gpu, Qt::Key_Return);
        QVERIFY(QTest::qWaitFor([&] { return !s.document().scene()->roofs.empty(); }));
        QVERIFY(s.settle());
        QCOMPARE(s.document().profile()->devices.at(0).name, std::string("H100 SXM"));
        QCOMPARE(s.document().spec().view.ran_on->name, std::string("H100 SXM"));
        QCOMPARE(gpu->currentText(), QString("H100 SXM"));

        // Another file in its place asks anew.
        const QString other = s.folder.filePath("other.csv");
        std::ofstream(other.toStdString()) << "name,time_us,flops,bytes [GB]\nsaxpy,1600,2e8,1.2\n";
        QVERIFY(s.open({other}));
        QVERIFY(!s.document().spec().view.ran_on);
        QCOMPARE(s.messages().count(), std::size_t{1});
    }
    void the_compute_capability_of_a_file_narrows_the_list_of_gpus() {
        ShownWindow s;
        const QString path = s.folder.filePath("ncu.csv");
        std::ofstream(path.toStdString())
            << "\"ID\",\"Kernel Name\",\"CC\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n"
               "\"0\",\"k\",\"9.0\",\"gpu__time_duration.sum\",\"ns\",\"1000\"\n";
        QVERIFY(s.open({path}));
        show_ceilings(s);
        auto* gpu = s.window.findChild<QComboBox*>("ran_on");
        QVERIFY(gpu->findText("H100 SXM") > 0);
        QVERIFY(gpu->findText("GeForce RTX 4090") < 0);
    }
    void a_gpu_chosen_before_a_close_is_not_that_of_the_next_file() {
        ShownWindow s;
        const QString path = s.folder.filePath("unnamed.csv");
        std::ofstream(path.toStdString()) << "name,time_us,flops,bytes [GB]\nsaxpy,1600,2e8,1.2\n";
        QVERIFY(s.open({path}));
        show_ceilings(s);
        auto* gpu = s.window.findChild<QComboBox*>("ran_on");
        const int row = gpu->findText("H100 SXM");
        gpu->setCurrentIndex(row);
        emit gpu->activated(row);
        s.action("close_all").trigger();
        QVERIFY(s.document().empty());
        s.window.open({test::write_broken_file(s.folder, "broken.json")});
        QVERIFY(s.settle());
        QVERIFY(s.document().empty());
        s.document().loader().open({path}, ReportLoader::Opening::add);
        QVERIFY(s.settle());
        QVERIFY(!s.document().spec().view.ran_on);
        QVERIFY(s.document().profile()->devices.at(0).name.empty());
    }
    void a_file_may_describe_the_gpu() {
        QFETCH(QString, name);
        ShownWindow s;
        const QString board = s.folder.filePath("board.json");
        std::ofstream(board.toStdString())
            << QStringLiteral(R"({"name": "%1", "bandwidth": 9e11, "peak": 4e13})").arg(name).toStdString();
        const QString path = s.folder.filePath("unnamed.csv");
        std::ofstream(path.toStdString()) << "name,time_us,flops,bytes [GB]\nsaxpy,1600,2e8,1.2\n";
        QVERIFY(s.open({path}));
        show_ceilings(s);
        auto* gpu = s.window.findChild<QComboBox*>("ran_on");
        s.chooser.to_open = {board};
        gpu->setCurrentIndex(gpu->count() - 1);
        emit gpu->activated(gpu->count() - 1);
        QVERIFY(QTest::qWaitFor([&] { return !s.document().scene()->roofs.empty(); }));
        QVERIFY(s.settle());
        QCOMPARE(gpu->currentText(), name);
        const CeilingSet& roofs = s.document().analysis()->models.at(0).ceilings;
        QCOMPARE(roofs.find(Boundary::hbm_dram_rw)->rate.value(), 9e11);
    }
    void a_file_may_describe_the_gpu_data() {
        QTest::addColumn<QString>("name");
        QTest::newRow("of its own name") << "our board";
        QTest::newRow("of a known name") << "H100 SXM";
    }
    void a_typed_rate_wins_and_an_empty_field_goes_back() {
        ShownWindow s;
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json")}));
        show_ceilings(s);
        auto* rate = named<RateEdit>(s, "Rate of HBM");
        QVERIFY(rate != nullptr);
        const auto known = s.document().analysis()->ceilings.find(Boundary::hbm_dram_rw)->rate;
        type(*rate, "1 TB/s");
        QVERIFY(s.settle());
        const BandwidthCeiling* typed = s.document().analysis()->ceilings.find(Boundary::hbm_dram_rw);
        QCOMPARE(typed->rate.value(), 1e12);
        QCOMPARE(typed->provenance.source, CeilingSource::user);
        rate->setFocus();
        rate->selectAll();
        QTest::keyClick(rate, Qt::Key_Delete);
        QTest::keyClick(rate, Qt::Key_Return);
        QVERIFY(s.settle());
        QCOMPARE(s.document().analysis()->ceilings.find(Boundary::hbm_dram_rw)->rate.value(), known.value());
    }

    void a_rate_that_is_none_is_marked_and_not_used() {
        ShownWindow s;
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json")}));
        show_ceilings(s);
        auto* rate = named<RateEdit>(s, "Rate of HBM");
        type(*rate, "very fast");
        QVERIFY(rate->property("invalid").toBool());
        QVERIFY(s.document().analysis_options().overrides.empty());
        auto* fault = rate->parentWidget()->findChild<QLabel*>("rate_fault");
        QVERIFY(fault != nullptr && fault->isVisible());
        QVERIFY(fault->text().contains("1.5 TB/s"));
        QCOMPARE(rate->accessibleDescription(), fault->text());
        // It stays while other things change, and goes when the text is mended.
        rate->clearFocus();
        s.action("zones").trigger();
        QVERIFY(s.settle());
        QCOMPARE(rate->text(), QString("very fast"));
        QVERIFY(fault->isVisible());
        type(*rate, "2 TB/s");
        QVERIFY(!fault->isVisible() && !rate->property("invalid").toBool());
        QVERIFY(s.settle());
        QCOMPARE(s.document().analysis()->ceilings.find(Boundary::hbm_dram_rw)->rate.value(), 2e12);
    }

    void the_device_whose_roofs_are_drawn_can_be_chosen() {
        ShownWindow s;
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json")}));
        show_ceilings(s);
        auto* device = s.window.findChild<QComboBox*>("roof_device");
        QVERIFY(!device->isVisible());
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json"),
                        test::write_on_device(s.folder, "h.json", "H100 SXM")}));
        show_ceilings(s);
        QVERIFY(device->isVisible());
        QCOMPARE(device->currentText(), QString("A100 SXM4 80GB"));
        const double before = s.chart().scene()->roofs.front().rate;
        QVERIFY(std::ranges::any_of(s.chart().scene()->dots, &Dot::other_device));
        device->setFocus();
        QTest::keyClick(device, Qt::Key_Down);
        QVERIFY(s.settle());
        QCOMPARE(device->currentText(), QString("H100 SXM"));
        QTRY_VERIFY(s.chart().scene()->roofs.front().rate > before);
        QVERIFY(QString::fromStdString(s.chart().scene()->caption).startsWith("roofs of H100 SXM only"));
    }

    void a_typed_rate_is_of_the_device_whose_roofs_are_drawn() {
        ShownWindow s;
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json"),
                        test::write_on_device(s.folder, "h.json", "H100 SXM")}));
        show_ceilings(s);
        const auto hbm_of = [&](std::size_t model) {
            return s.document().analysis()->models[model].ceilings.find(Boundary::hbm_dram_rw)->rate.value();
        };
        const double a100 = hbm_of(0);
        auto* device = s.window.findChild<QComboBox*>("roof_device");
        auto* rate = named<RateEdit>(s, "Rate of HBM");
        device->setFocus();
        QTest::keyClick(device, Qt::Key_Down);
        QVERIFY(s.settle());
        type(*rate, "9 TB/s");
        QVERIFY(s.settle());
        QCOMPARE(hbm_of(1), 9e12);
        QCOMPARE(hbm_of(0), a100);
        QCOMPARE(rate->text(), QString("9.000 TB/s"));
        device->setFocus();
        QTest::keyClick(device, Qt::Key_Up);
        QVERIFY(s.settle());
        QVERIFY(rate->text() != "9.000 TB/s");
        QCOMPARE(s.document().analysis_options().overrides.size(), std::size_t{1});
    }

    void panel_and_chart_show_the_roofs_of_one_device_when_the_filter_hides_the_selection() {
        ShownWindow s;
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json"),
                        test::write_on_device(s.folder, "h.json", "H100 SXM")}));
        show_ceilings(s);
        auto* device = s.window.findChild<QComboBox*>("roof_device");
        const auto& points = s.document().analysis()->points;
        const auto elsewhere = std::ranges::find(points, "elsewhere", &KernelPoint::name);
        s.document().select(static_cast<std::uint32_t>(elsewhere - points.begin()));
        QVERIFY(s.settle());
        QCOMPARE(device->currentText(), QString("H100 SXM"));
        s.document().set_filter("stream");
        QTRY_VERIFY(s.document().selected_point()->name != "elsewhere");
        QVERIFY(s.settle());
        QVERIFY(QString::fromStdString(s.chart().scene()->caption).startsWith("roofs of A100 SXM4 80GB"));
        QCOMPARE(device->currentText(), QString("A100 SXM4 80GB"));
    }

    void boundaries_and_presets_change_what_a_level_counts() {
        ShownWindow s;
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json")}));
        show_ceilings(s);
        QVERIFY(named<QPushButton>(s, "Default view")->isChecked());
        QTest::mouseClick(named<QPushButton>(s, "Nsight view"), Qt::LeftButton);
        QVERIFY(named<QPushButton>(s, "Nsight view")->isChecked());
        QVERIFY(!named<QPushButton>(s, "Default view")->isChecked());
        constexpr MemoryLevel l2 = MemoryLevel::l2;
        QCOMPARE(s.document().analysis_options().boundaries[l2], Boundary::l2_sm_return);
        QVERIFY(s.document().analysis_options().levels[MemoryLevel::l1]);
        QCOMPARE(named<QComboBox>(s, "Bytes counted at L2")->currentText(), QString("L2 to SMs"));
        QVERIFY(s.action("level_l1").isChecked());
        QTest::mouseClick(named<QPushButton>(s, "Default view"), Qt::LeftButton);
        QCOMPARE(s.document().analysis_options().boundaries[l2], Boundary::l2_sm_sectors);
        QVERIFY(!s.action("level_l1").isChecked());
    }

    void bytes_that_no_launch_counted_cannot_be_chosen() {
        ShownWindow s;
        const QString path = s.folder.filePath("nersc.json");
        std::ofstream(path.toStdString())
            << R"({"device": "A100 SXM 80 GB", "kernels": [{"name": "k", "duration_ns": 1e6,)"
            << R"("bytes": {"hbm": 1e9, "l2/all": 3e9}}]})";
        QVERIFY(s.open({path}));
        show_ceilings(s);
        const auto item = [&](const char* combo, const char* boundary) {
            auto* box = named<QComboBox>(s, combo);
            return static_cast<QStandardItemModel*>(box->model())->item(box->findText(boundary));
        };
        auto* l2 = named<QComboBox>(s, "Bytes counted at L2");
        QCOMPARE(l2->currentText(), QString("L2 all clients"));
        QVERIFY(item("Bytes counted at L2", "L2 all clients")->isEnabled());
        QVERIFY2(l2->toolTip().contains("l2/all"), qPrintable(l2->toolTip()));  // as in commands
        for (const char* other : {"L2 by sectors", "L2 to SMs"}) {
            QVERIFY(!item("Bytes counted at L2", other)->isEnabled());
            QVERIFY(item("Bytes counted at L2", other)->toolTip().contains("l2/sm-"));
        }
        // Of L1 nothing was counted: which of its roofs is drawn is free.
        QVERIFY(item("Bytes counted at L1", "L1 tag stage")->isEnabled());
    }

    void l1_that_is_shown_because_it_binds_can_be_hidden() {
        ShownWindow s;
        QVERIFY(s.open({test::write_kernel_bound_by_l1(s.folder, "l1.json")}));
        constexpr MemoryLevel l1 = MemoryLevel::l1;
        const double gap = s.document().analysis()->points[0].gap->factor;
        QVERIFY(s.action("level_l1").isChecked() && s.document().analysis()->options.levels[l1]);
        s.action("level_l1").trigger();
        QVERIFY(s.settle());
        QVERIFY(!s.action("level_l1").isChecked() && !s.document().analysis()->options.levels[l1]);
        QCOMPARE(s.document().analysis()->points[0].gap->factor, gap);
        s.action("level_l1").trigger();
        QVERIFY(s.settle());
        QVERIFY(s.action("level_l1").isChecked() && s.document().analysis()->options.levels[l1]);
    }

    void compute_roofs_are_switched_on_and_off() {
        ShownWindow s;
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json")}));
        show_ceilings(s);
        const Pipe fp32{PipeKind::fp32, false};
        QVERIFY(shows_pipe(*s.document().scene(), fp32));
        auto* box = s.window.findChild<QCheckBox*>("ceiling_fp32");
        QVERIFY(box != nullptr && box->isChecked());
        box->click();
        QTRY_VERIFY(!shows_pipe(*s.document().scene(), fp32));
        s.window.findChild<QCheckBox*>("ceiling_fp32")->click();
        QTRY_VERIFY(shows_pipe(*s.document().scene(), fp32));
    }

    void the_launch_floor_is_editable() {
        ShownWindow s;
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json")}));
        show_ceilings(s);
        auto& floor = *s.window.findChild<QDoubleSpinBox*>("launch_floor");
        QCOMPARE(floor.text(), "not typed");
        floor.setValue(3);
        QVERIFY(s.settle());
        QCOMPARE(s.document().analysis_options().launch_floor->value(), 3e-6);
        QCOMPARE(s.document().analysis()->points[0].launch_floor.time.value(), 3e-6);
        floor.setValue(0);
        QVERIFY(!s.document().analysis_options().launch_floor);
    }

    void the_band_about_the_ridge_is_editable() {  // S2-14
        ShownWindow s;
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json")}));
        show_ceilings(s);
        auto& low = *s.window.findChild<QDoubleSpinBox*>("near_ridge_low");
        auto& high = *s.window.findChild<QDoubleSpinBox*>("near_ridge_high");
        QCOMPARE(low.value(), 50.0);
        QCOMPARE(high.value(), 150.0);
        low.setValue(80);
        high.setValue(400);
        QVERIFY(s.settle());
        QCOMPARE(s.document().analysis_options().thresholds.near_ridge_low, 0.8);
        QCOMPARE(s.document().analysis_options().thresholds.near_ridge_high, 4.0);
    }

    void the_bands_of_the_practical_roof_are_editable() {
        ShownWindow s;
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json")}));
        show_ceilings(s);
        auto* little_room =
            named<QDoubleSpinBox>(s, "Share of the practical roof from which a kernel has little room");
        QCOMPARE(little_room->value(), 75.0);
        little_room->setValue(90);
        QCOMPARE(s.document().analysis_options().practical_limits.little_room, 0.9);
        auto* room =
            named<QDoubleSpinBox>(s, "Share of the practical roof below which a kernel has much room");
        QCOMPARE(room->value(), 30.0);
        room->setValue(50);
        QCOMPARE(s.document().analysis_options().practical_limits.some_room, 0.5);
        QCOMPARE(s.document().analysis_options().practical.bandwidth, 0.88);
    }

    void an_override_replaces_the_one_before() {
        CeilingSet overrides;
        const CeilingTarget hbm = Boundary::hbm_dram_rw;
        const CeilingTarget fp64 = Pipe{PipeKind::fp64, false};
        set_override(overrides, hbm, 1e12);
        set_override(overrides, hbm, 2e12);
        set_override(overrides, fp64, 3e12);
        QCOMPARE(overrides.bandwidth.size(), std::size_t{1});
        QCOMPARE(override_of(overrides, hbm), std::optional(2e12));
        set_override(overrides, hbm, std::nullopt);
        QVERIFY(!override_of(overrides, hbm).has_value());
        QCOMPARE(override_of(overrides, fp64), std::optional(3e12));
    }
};

}  // namespace tst_ceiling_panel

ROOFWALK_TEST(tst_ceiling_panel, TestCeilingPanel, QApplication)
#include "tst_ceiling_panel.moc"
