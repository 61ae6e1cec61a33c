// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/atlas_dialog.h"

#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QLabel>
#include <QPushButton>
#include <QScreen>
#include <QSlider>
#include <QSpinBox>

#include "tests/support/folder_tests.h"
#include "tests/ui/shown_window.h"
#include "ui/export/export_dialog.h"
#include "ui/widgets/text_page_view.h"

namespace tst_atlas_dialog {

using namespace roofwalk;
using namespace roofwalk::test;

namespace {

/// Opens it as a person does.
AtlasDialog& opened(ShownWindow& s) {
    s.action("atlas").trigger();
    auto* dialog = s.window.findChild<AtlasDialog*>();
    if (!dialog || !dialog->isVisible()) qFatal("No atlas opens");
    return *dialog;
}

RooflineChart& chart_of(const AtlasDialog& dialog) {
    return *dialog.findChild<RooflineChart*>("atlas_chart");
}

/// Texts of the pages that are shown, in reading order.
QString words(const AtlasDialog& dialog) {
    QStringList texts;
    for (const auto* page : dialog.findChildren<TextPageView*>())
        if (page->isVisibleTo(&dialog))
            for (const QLabel* label : page->widget()->findChildren<QLabel*>())
                texts.append(label->accessibleName().isEmpty() ? label->text() : label->accessibleName());
    return texts.join('\n');
}

QString title(const AtlasDialog& dialog) {
    return dialog.findChild<QLabel*>("atlas_title")->accessibleName();
}

void type(QSpinBox& field, const char* number) {
    field.setFocus();
    field.selectAll();
    QTest::keyClicks(&field, number);
    QTest::keyClick(&field, Qt::Key_Return);
}

void choose(QComboBox& field, const QString& text) {
    const int row = field.findText(text);
    if (row < 0) qFatal("There is no %s", qPrintable(text));
    field.setCurrentIndex(row);
    emit field.activated(row);
}

QComboBox& field(const AtlasDialog& dialog, const char* name) {
    return *dialog.findChild<QComboBox*>(name);
}

}  // namespace

class TestAtlasDialog : public QObject {
    Q_OBJECT

  private slots:
    void it_opens_without_a_report() {
        ShownWindow s;
        const AtlasDialog& dialog = opened(s);
        QVERIFY(chart_of(dialog).scene() != nullptr);
        QVERIFY(chart_of(dialog).scene()->dots.size() > 5);
        QVERIFY2(title(dialog).startsWith("Llama 2 7B, fp16: decode, batch 1, 4,096 tokens"),
                 qPrintable(title(dialog)));
        QVERIFY(words(dialog).split('\n').contains("328"));  // ridge of down_proj on an H100 SXM
    }
    void it_is_no_higher_than_the_screen() {
        ShownWindow s;
        const AtlasDialog& dialog = opened(s);
        QVERIFY2(dialog.height() < dialog.screen()->availableSize().height(),
                 qPrintable(QString::number(dialog.height())));
    }

    void most_of_it_is_the_chart() {
        ShownWindow s;
        AtlasDialog& dialog = opened(s);
        for (const QSize size : {QSize(1280, 800), QSize(1280, 1000)}) {
            dialog.resize(size);
            QTRY_VERIFY2(2 * chart_of(dialog).height() > size.height(),
                         qPrintable(QString::number(chart_of(dialog).height())));
            QVERIFY(chart_of(dialog).plot_area().height() > size.height() / 4.0);
        }
    }
    void its_table_has_the_columns_of_the_command() {
        ShownWindow s;
        const QStringList shown = words(opened(s)).replace('\n', '|').split('|');
        for (const char* title : {"AI", "Work", "Bytes", "Time", "Share"})
            QVERIFY2(shown.contains(title), title);
        QCOMPARE(shown.count("90.2"), 4);  // MFLOP and MB, of gate_proj and of down_proj
    }
    void it_is_exported_as_the_chart_is() {
        ShownWindow s;
        const AtlasDialog& dialog = opened(s);
        const auto written = [&](const char* name) {
            s.chooser.to_save = s.folder.filePath(name);
            dialog.findChild<QPushButton*>("atlas_export")->click();
            auto* asked = dialog.findChild<ExportDialog*>();
            if (!asked) qFatal("No dialog asks what to export");
            auto& format = *asked->findChild<QComboBox*>("export_format");
            const QString suffix = QFileInfo(s.chooser.to_save).suffix();
            format.setCurrentIndex(format.findData(static_cast<int>(export_format_from_suffix(suffix))));
            asked->findChild<QPushButton*>("export_accept")->click();
            QFile file(s.chooser.to_save);
            if (!QTest::qWaitFor([&] { return file.exists() && file.size() > 0; }))
                qFatal("Nothing is written");
            QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
            return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
        };
        const QByteArray svg = written("a.svg");
        QVERIFY(svg.contains("gate_proj, up_proj") && svg.contains("decode, batch 1, 4,096 tokens"));
        QVERIFY(svg.contains("nothing was run"));
        QVERIFY(written("a.pdf").startsWith("%PDF"));
        QVERIFY(written("a.png").startsWith("\x89PNG"));
        QVERIFY(written("a.json").contains("\"roofwalk-atlas\""));
        QVERIFY(written("a.csv").contains("gate_proj"));
    }

    void fields_and_sliders_change_what_is_drawn() {
        ShownWindow s;
        const AtlasDialog& dialog = opened(s);
        auto* batch = dialog.findChild<QSpinBox*>("atlas_batch");
        auto* slider = dialog.findChild<QSlider*>("atlas_batch_slider");
        const auto before = chart_of(dialog).scene();
        type(*batch, "64");
        QCOMPARE(slider->value(), 6);
        QVERIFY(title(dialog).contains("batch 64,"));
        QVERIFY(chart_of(dialog).scene() != before);
        slider->setFocus();
        QTest::keyClick(slider, Qt::Key_Right);
        QCOMPARE(batch->value(), 128);
        QVERIFY(title(dialog).contains("batch 128,"));
        choose(field(dialog, "atlas_kv"), "int8");
        choose(field(dialog, "atlas_phase"), "prefill");
        QVERIFY(title(dialog).contains("prefill") && title(dialog).contains("KV int8"));
        choose(field(dialog, "atlas_activations"), "fp32");
        QVERIFY(title(dialog).contains("fp16 weights, fp32"));
        QVERIFY(title(dialog).contains("4,096"));
    }
    void two_gpus_stand_side_by_side() {
        ShownWindow s;
        const AtlasDialog& dialog = opened(s);
        const std::size_t roofs = chart_of(dialog).scene()->roofs.size();
        const auto shown = [&] {
            return std::ranges::count_if(dialog.findChildren<TextPageView*>(),
                                         [&](const auto* page) { return page->isVisibleTo(&dialog); });
        };
        QCOMPARE(shown(), 1);
        choose(field(dialog, "atlas_device_2"), "A100 SXM 80 GB");
        QCOMPARE(shown(), 2);
        QVERIFY(words(dialog).split('\n').contains("162"));  // and its ridge there
        QVERIFY(chart_of(dialog).scene()->roofs.size() > roofs);
        choose(field(dialog, "atlas_device_2"), "No other GPU");
        QCOMPARE(shown(), 1);
    }
    void a_report_is_laid_over_it() {
        ShownWindow s;
        const AtlasDialog& empty = opened(s);
        QVERIFY(!empty.findChild<QCheckBox*>("atlas_measured")->isEnabled());
        delete &empty;
        QVERIFY(s.open({write_three_kernels(s.folder, "a.json")}));
        const AtlasDialog& dialog = opened(s);
        QVERIFY(title(dialog).startsWith("Llama 2 7B"));
        QVERIFY(!words(dialog).contains("stream_add"));
        const std::size_t dots = chart_of(dialog).scene()->dots.size();
        auto* measured = dialog.findChild<QCheckBox*>("atlas_measured");
        measured->setFocus();
        QTest::keyClick(measured, Qt::Key_Space);
        QVERIFY2(words(dialog).contains("stream_add"), qPrintable(words(dialog)));
        QVERIFY(chart_of(dialog).scene()->dots.size() > dots);
        s.action("close_all").trigger();
        QVERIFY(s.settle());
        QVERIFY(!words(dialog).contains("stream_add"));
        QCOMPARE(chart_of(dialog).scene()->dots.size(), dots);
    }
    void a_report_that_names_no_gpu_is_of_the_first_of_the_atlas() {
        ShownWindow s;
        QVERIFY(s.open({write_on_device(s.folder, "a.json", "")}));
        const AtlasDialog& dialog = opened(s);
        QVERIFY(!title(dialog).contains("names no GPU"));
        dialog.findChild<QCheckBox*>("atlas_measured")->click();
        QVERIFY2(title(dialog).contains("names no GPU"), qPrintable(title(dialog)));
        QVERIFY(!words(dialog).contains("a GPU without a name"));
    }
    void memory_has_one_name_with_the_report_that_is_laid_over_it() {
        ShownWindow s;
        QVERIFY(s.open({write_on_device(s.folder, "a.json", "RTX 3040")}));
        const AtlasDialog& dialog = opened(s);
        const auto binds = [&](const char* name) { return words(dialog).split('\n').contains(name); };
        QVERIFY(binds("HBM") && !binds("DRAM"));
        dialog.findChild<QCheckBox*>("atlas_measured")->click();
        QVERIFY(binds("DRAM") && !binds("HBM"));
    }
    void usual_operations_are_laid_under_a_measured_chart() {
        ShownWindow s;
        QVERIFY(s.open({write_three_kernels(s.folder, "a.json")}));
        QVERIFY(s.chart().scene()->operation_ranges.empty());
        s.action("operation_ranges").trigger();
        QTRY_VERIFY(!s.chart().scene()->operation_ranges.empty());
        QVERIFY(s.document().spec().view.scene.operation_ranges);
    }
    void a_network_of_images_has_no_context() {
        ShownWindow s;
        const AtlasDialog& dialog = opened(s);
        auto& models = field(dialog, "atlas_model");
        choose(models, models.itemText(models.findData("resnet-50")));
        QVERIFY(!dialog.findChild<QSpinBox*>("atlas_context")->isEnabled());
        QVERIFY2(title(dialog).contains("prefill, batch 1"), qPrintable(title(dialog)));
        choose(models, models.itemText(models.findData("llama-3-8b")));
        QVERIFY(dialog.findChild<QSpinBox*>("atlas_context")->isEnabled());
    }
    void a_config_of_a_hub_opens_and_a_bad_one_is_told() {
        ShownWindow s;
        const AtlasDialog& dialog = opened(s);
        const auto write = [&](const char* name, const char* text) {
            QFile file(s.folder.filePath(name));
            if (!file.open(QIODevice::WriteOnly)) qFatal("cannot write");
            file.write(text);
            return file.fileName();
        };
        auto& models = field(dialog, "atlas_model");
        const QString other = models.itemText(models.count() - 1);
        s.chooser.to_open = {write("config.json", R"({"model_type": "llama", "hidden_size": 64,
            "intermediate_size": 128, "num_attention_heads": 4, "num_hidden_layers": 2, "vocab_size": 100})")};
        choose(models, other);
        QCOMPARE(models.currentData().toString(), s.chooser.to_open.front());
        QVERIFY(title(dialog).startsWith(QDir(s.folder.path()).dirName()));
        for (const char* text : {"{", "name,time_us,flops,bytes\nsaxpy,1600,2e8,1.2e9\n"}) {
            s.chooser.to_open = {write("bad.json", text)};
            choose(models, other);
            QVERIFY2(title(dialog).contains("bad.json"), qPrintable(title(dialog)));
            QCOMPARE(title(dialog).contains("report"), *text == 'n');
        }
        QVERIFY(!chart_of(dialog).isVisibleTo(&dialog));
    }
};

}  // namespace tst_atlas_dialog

ROOFWALK_TEST(tst_atlas_dialog, TestAtlasDialog, QApplication)
#include "tst_atlas_dialog.moc"
