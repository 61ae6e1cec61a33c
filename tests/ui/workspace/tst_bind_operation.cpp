// SPDX-License-Identifier: GPL-3.0-or-later
#include <QClipboard>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFile>
#include <QLabel>
#include <QPushButton>
#include <QTimer>
#include <functional>

#include "tests/support/folder_tests.h"
#include "tests/ui/shown_window.h"
#include "ui/dialogs/operation_dialog.h"
#include "ui/panels/kernel_panel.h"

namespace tst_bind_operation {

using namespace roofwalk;
using test::ShownWindow;

namespace {

/// Opens the dialog as a person does, and lets `act` type into it.
void in_dialog(ShownWindow& s, const std::function<void(OperationDialog&)>& act) {
    QTimer::singleShot(0, &s.window, [&act] {
        auto* dialog = qobject_cast<OperationDialog*>(QApplication::activeModalWidget());
        QVERIFY(dialog != nullptr);
        act(*dialog);
        if (dialog->isVisible()) dialog->reject();
    });
    s.action("bind_operation").trigger();
}

void type(OperationDialog& dialog, const char* text) {
    auto* field = dialog.findChild<QLineEdit*>("operation");
    field->selectAll();
    QTest::keyClick(field, Qt::Key_Delete);
    QTest::keyClicks(field, text);
}

QPushButton* ok(const OperationDialog& dialog) {
    return dialog.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok);
}

/// "Work 137 GFLOP not measured –": the rows of what is needed and what was measured.
QStringList figures(const OperationDialog& dialog) {
    const auto* grid = dialog.findChild<QWidget*>("operation_figures");
    QStringList cells;
    for (const QLabel* label : grid->findChildren<QLabel*>())
        cells.append(label->accessibleName().isEmpty() ? label->text() : label->accessibleName());
    QStringList rows;
    for (qsizetype i = 4; i + 3 < cells.size(); i += 4)
        rows.append(cells.sliced(i, 4).join(' '));
    return rows;
}

QString contradiction(const OperationDialog& dialog) {
    return dialog.findChild<QLabel*>("operation_fit")->accessibleName();
}

QString needs(const OperationDialog& dialog) {
    return dialog.findChild<QLabel*>("operation_needs")->accessibleName();
}

void bind(ShownWindow& s, const char* operation) {
    in_dialog(s, [&](OperationDialog& dialog) {
        type(dialog, operation);
        QTest::mouseClick(ok(dialog), Qt::LeftButton);
    });
    QVERIFY(s.settle());
}

QString panel_words(ShownWindow& s) {
    QStringList texts;
    for (const QLabel* label : s.window.findChild<KernelPanel*>()->widget()->findChildren<QLabel*>())
        texts.append(label->accessibleName().isEmpty() ? label->text() : label->accessibleName());
    return texts.join('\n');
}

}  // namespace

class TestBindOperation : public QObject {
    Q_OBJECT

  private slots:
    void a_person_says_what_a_kernel_carries_out_and_takes_it_back() {
        ShownWindow s;
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json")}));
        s.action("next").trigger();
        s.action("next").trigger();
        QVERIFY(s.settle());
        QVERIFY(!s.document().selected_point()->target);
        QVERIFY(!s.action("undo").isEnabled());

        bind(s, "gemm m=512 n=512 k=512 dtype=fp32");
        const auto& target = s.document().selected_point()->target;
        QVERIFY(target.has_value());
        QCOMPARE(target->bytes.value(), 2 * 3.0 * 512 * 512 * 4);  // launched twice
        QCOMPARE(target->operation->source, BindingSource::user);
        QVERIFY2(panel_words(s).contains("gemm m=512 n=512 k=512 dtype=fp32"), qPrintable(panel_words(s)));

        QVERIFY(s.action("undo").text().contains("stream_add"));
        s.action("undo").trigger();
        QVERIFY(s.settle());
        QVERIFY(!s.document().selected_point()->target);
        s.action("redo").trigger();
        QVERIFY(s.settle());
        QVERIFY(s.document().selected_point()->target.has_value());

        bind(s, "");
        QVERIFY(!s.document().selected_point()->target);
    }

    void the_dialog_tells_what_an_operation_needs_while_it_is_typed() {
        ShownWindow s;
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json")}));
        s.action("next").trigger();
        in_dialog(s, [](OperationDialog& dialog) {
            type(dialog, "gemm m=4096 n=4096 k=4096 dtype=fp16");
            QVERIFY(ok(dialog)->isEnabled());
            const QStringList rows = figures(dialog);
            QCOMPARE(rows.size(), 3);
            QVERIFY2(rows[0].startsWith("Work 137 GFLOP "), qPrintable(rows[0]));
            QVERIFY2(rows[1].contains(" 101 MB "), qPrintable(rows[1]));
            QVERIFY2(rows[2].startsWith("Intensity 1365 FLOP/byte "), qPrintable(rows[2]));
            type(dialog, "attention_prefill batch=8 heads=32 seq=4096 head_dim=128 dtype=fp16");
            QVERIFY2(dialog.height() <= 700, qPrintable(QString::number(dialog.height())));
            type(dialog, "gemm m=4096");
            QVERIFY(!ok(dialog)->isEnabled());
            QVERIFY2(needs(dialog).contains("n"), qPrintable(needs(dialog)));
            type(dialog, "matmul9 m=1");
            QVERIFY(!ok(dialog)->isEnabled());
        });
        QVERIFY(s.document().spec().bindings.user.empty());
    }

    void what_was_measured_stands_beside_what_is_needed_and_contradictions_are_told_before_ok() {
        ShownWindow s;
        QFile file(s.folder.filePath("a.json"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        // A product of 1024 (2.147 GFLOP, 12.6 MB as FP32), which moves four times its bytes.
        file.write(
            R"({"device": "NVIDIA A100-SXM4-40GB", "kernels": [{"name": "product", "duration_ns": 1000000,
                       "flops": {"fp32": 2147483648}, "bytes": {"hbm": 50331648}}]})");
        file.close();
        QVERIFY(s.open({file.fileName()}));
        s.action("next").trigger();
        in_dialog(s, [](OperationDialog& dialog) {
            QCOMPARE(figures(dialog)[0], QString("Work – 2.15 GFLOP –"));
            type(dialog, "gemm m=1024 n=1024 k=1024 dtype=fp32");
            QCOMPARE(figures(dialog)[0], QString("Work 2.15 GFLOP 2.15 GFLOP 1.00x"));
            QCOMPARE(figures(dialog)[1], QString("HBM bytes 12.6 MB 50.3 MB 4.00x"));
            QVERIFY2(contradiction(dialog).contains("4.00x left"), qPrintable(contradiction(dialog)));
            type(dialog, "gemm m=1024 n=1024 k=512 dtype=fp32");  // half of the work
            QVERIFY2(contradiction(dialog).contains("2.00x the work"), qPrintable(contradiction(dialog)));
            QVERIFY(ok(dialog)->isEnabled());  // who knows better may say so
            type(dialog, "gemm m=4096 n=4096 k=4096 dtype=fp32");
            QVERIFY2(contradiction(dialog).contains("0.0156x"), qPrintable(contradiction(dialog)));
            type(dialog, "gemm m=1024");
            QVERIFY(contradiction(dialog).isEmpty());
        });
    }

    void the_sizes_of_one_launch_are_asked_for_and_others_are_warned_of() {
        ShownWindow s;
        // 100 us each of two launches; FP32 of this A100 does 1.95 GFLOP in that.
        const QString launch = R"({"name": "chain", "bytes": {"hbm": 2e7}, "duration_ns": 100000})";
        QFile file(s.folder.filePath("a.json"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QStringLiteral(R"({"device": "NVIDIA A100-SXM4-40GB", "kernels": [%1, %1]})")
                       .arg(launch)
                       .toUtf8());
        file.close();
        QVERIFY(s.open({file.fileName()}));
        s.action("next").trigger();
        in_dialog(s, [](OperationDialog& dialog) {
            QCOMPARE(dialog.findChild<QLabel*>("operation_launches")->accessibleName(),
                     QString("2 launches; each takes 100 µs and moves 20.0 MB of HBM (mean)."));
            type(dialog, "elementwise n=1e6 ops=1000");
            QVERIFY2(!needs(dialog).contains("above its roof"), qPrintable(needs(dialog)));
            type(dialog, "elementwise n=4e6 ops=1000");
            QVERIFY2(needs(dialog).contains("2.05x above its roof"), qPrintable(needs(dialog)));
        });
    }

    void fields_and_text_say_the_same() {
        ShownWindow s;
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json")}));
        s.action("next").trigger();
        in_dialog(s, [](OperationDialog& dialog) {
            auto* text = dialog.findChild<QLineEdit*>("operation");
            type(dialog, "gemm m=2^10 n=16");
            QCOMPARE(dialog.findChild<QLineEdit*>("field_m")->text(), QString("2^10"));
            QVERIFY(!ok(dialog)->isEnabled());
            QTest::keyClicks(dialog.findChild<QLineEdit*>("field_k"), "32");
            QVERIFY(ok(dialog)->isEnabled());
            QTest::keyClick(dialog.findChild<QComboBox*>("field_dtype"), Qt::Key_Down);
            QCOMPARE(text->text(), QString("gemm m=2^10 n=16 k=32 dtype=fp64"));
            QTest::keyClick(dialog.findChild<QComboBox*>("field_dtype"), Qt::Key_Up);
            QTest::keyClick(dialog.findChild<QLineEdit*>("field_k"), Qt::Key_Backspace);
            QCOMPARE(text->text(), QString("gemm m=2^10 n=16 k=3"));
            type(dialog, "gemm m=8 n=16 k=3 type=half");
            QCOMPARE(dialog.findChild<QComboBox*>("field_dtype")->currentText(), QString("fp16"));
            QTest::mouseClick(dialog.findChild<QPushButton*>("copy_operation"), Qt::LeftButton);
            QCOMPARE(QApplication::clipboard()->text(), text->text());

            auto* choice = dialog.findChild<QComboBox*>("operation_choice");
            choice->setFocus();
            QTest::keyClicks(choice, "gemv");
            QCOMPARE(text->text(), QString("gemv m=8 n=16 dtype=half"));  // without K, which it does not have
            QVERIFY(dialog.findChild<QLineEdit*>("field_k") == nullptr);
            QVERIFY(ok(dialog)->isEnabled());
        });
    }

    void the_chart_marks_the_intensity_that_the_dialog_asks_about() {
        ShownWindow s;
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json")}));
        s.action("next").trigger();
        in_dialog(s, [&](OperationDialog& dialog) {
            QVERIFY(!s.chart().intensity_mark());
            type(dialog, "gemm m=4096 n=4096 k=4096 dtype=fp16");
            QCOMPARE(s.chart().intensity_mark().value_or(0), 4096.0 / 3);
            type(dialog, "gemm m=4096 n=4096 k=4096 dtype=int8");  // OP, on an axis of FLOP
            QVERIFY(!s.chart().intensity_mark());
            type(dialog, "gemm m=4096 n=4096 k=4096");
            QVERIFY(s.chart().intensity_mark().has_value());
        });
        QVERIFY(!s.chart().intensity_mark());
    }

    void what_numbers_prove_is_accepted_with_one_click() {
        ShownWindow s;
        QVERIFY(s.open({test::write_gemm_by_its_numbers(s.folder, "a.json")}));
        const QString operation = "gemm m=4096 n=4096 k=4096 dtype=fp32";
        const auto accept = [&] {
            return s.window.findChild<KernelPanel*>()->findChild<QPushButton*>("accept_operation");
        };
        s.action("next").trigger();
        QVERIFY(s.settle());
        QTRY_VERIFY(accept() != nullptr);
        QVERIFY2(panel_words(s).contains("GEMM 4096 x 4096 x 4096, FP32"), qPrintable(panel_words(s)));
        in_dialog(s, [&](OperationDialog& dialog) {
            QCOMPARE(dialog.findChild<QLineEdit*>("operation")->text(), operation);
            QCOMPARE(dialog.findChild<QComboBox*>("operation_choice")->currentIndex(), 1);
        });

        QTest::mouseClick(accept(), Qt::LeftButton);
        QTRY_VERIFY(!s.document().spec().bindings.user.empty());
        QVERIFY(s.settle());
        const auto& target = s.document().selected_point()->target;
        QVERIFY(target.has_value());
        QCOMPARE(target->operation->source, BindingSource::suggestion);
        QCOMPARE(target->not_bound, 0U);  // the smaller launch carries out another one
        QCOMPARE(target->bytes.value(), 3.0 * (4096 * 4096 + 2048 * 2048) * 4);
        QTRY_VERIFY(accept() == nullptr);
        s.action("undo").trigger();
        QVERIFY(s.settle());
        QVERIFY(!s.document().selected_point()->target);
        QTRY_VERIFY(accept() != nullptr);
    }

    void what_follows_from_an_assumption_is_bound_with_enter_and_says_so() {
        ShownWindow s;
        QFile file(s.folder.filePath("a.json"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(R"({"device": "NVIDIA A100-SXM4-40GB", "kernels": [
            {"name": "wmma_gemm", "flops": {"tensor.fp16": 137438953472}, "bytes": {"hbm": 4e8}, "duration_ns": 2e6},
            {"name": "chain", "bytes": {"hbm": 2e7}, "duration_ns": 1e5}]})");
        file.close();
        QVERIFY(s.open({file.fileName()}));
        s.action("next").trigger();
        QVERIFY(s.settle());
        in_dialog(s, [](OperationDialog& dialog) {
            QCOMPARE(dialog.findChild<QLineEdit*>("operation")->text(),
                     QString("gemm m=4096 n=4096 k=4096 dtype=fp16"));
            QVERIFY2(needs(dialog).endsWith(
                         "It is assumed that its matrices are square, for 137 GFLOP (modelled) is "
                         "2MNK with 4096 of each."),
                     qPrintable(needs(dialog)));
            type(dialog, "gemm m=4096 n=4096 k=4096 dtype=bf16");
            QVERIFY2(!needs(dialog).contains("assumed"), qPrintable(needs(dialog)));
        });
        in_dialog(s, [](OperationDialog& dialog) { QTest::keyClick(&dialog, Qt::Key_Return); });
        QVERIFY(s.settle());
        QVERIFY(s.document().selected_point()->target.has_value());
        QVERIFY2(panel_words(s).contains("bound by hand; it is assumed that its matrices are square"),
                 qPrintable(panel_words(s)));

        // Asked again, the assumption stays with the text until a person types, be it the same.
        in_dialog(s, [](OperationDialog& dialog) {
            QVERIFY2(needs(dialog).contains("It is assumed that its matrices are square"),
                     qPrintable(needs(dialog)));
            QVERIFY(!dialog.is_new());
            type(dialog, "gemm m=4096 n=4096 k=4096 dtype=fp16");
            QVERIFY2(!needs(dialog).contains("assumed"), qPrintable(needs(dialog)));
            QTest::mouseClick(ok(dialog), Qt::LeftButton);
        });
        QVERIFY(s.settle());
        QVERIFY(s.document().spec().bindings.user.back().assumption.empty());
        QVERIFY2(!panel_words(s).contains("it is assumed"), qPrintable(panel_words(s)));
        s.action("undo").trigger();
        QVERIFY(s.settle());
        QVERIFY(!s.document().spec().bindings.user.back().assumption.empty());
        s.action("undo").trigger();
        QVERIFY(s.settle());
        in_dialog(s, [](OperationDialog& dialog) {
            type(dialog, "gemm m=4096 n=4096 k=4096 dtype=fp16");
            QVERIFY(dialog.binding().assumption.empty());
            auto* choice = dialog.findChild<QComboBox*>("operation_choice");
            QVERIFY2(choice->currentText().startsWith("gemm: "), qPrintable(choice->currentText()));
            choice->setCurrentIndex(1);
            emit choice->activated(1);
            QVERIFY(!dialog.binding().assumption.empty());
            QVERIFY2(choice->currentText().endsWith(": assumed"), qPrintable(choice->currentText()));
        });

        s.action("next").trigger();
        QVERIFY(s.settle());
        in_dialog(s, [](OperationDialog& dialog) {
            QVERIFY(dialog.findChild<QLineEdit*>("operation")->text().isEmpty());
            QVERIFY2(needs(dialog).startsWith("No operation follows from what was measured"),
                     qPrintable(needs(dialog)));
        });
    }

    void the_dialog_starts_with_what_was_said_before() {
        ShownWindow s;
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json")}));
        s.action("next").trigger();
        bind(s, "gemm m=8 n=8 k=8");
        in_dialog(s, [](OperationDialog& dialog) {
            QCOMPARE(dialog.findChild<QLineEdit*>("operation")->text(), QString("gemm m=8 n=8 k=8"));
        });
    }

    void the_dialog_tells_the_type_that_will_be_taken() {
        ShownWindow s;
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json")}));
        s.action("next").trigger();
        QVERIFY(s.settle());
        QVERIFY(s.document().selected_point()->name.find("sgemm") != std::string::npos);
        in_dialog(s, [](OperationDialog& dialog) {
            type(dialog, "gemm m=10 n=20 k=30");
            QVERIFY2(figures(dialog)[0].startsWith("Work 12.0 kFLOP "), qPrintable(figures(dialog)[0]));
            QVERIFY2(figures(dialog)[1].contains(" 4.40 kB "), qPrintable(figures(dialog)[1]));
            QVERIFY2(needs(dialog).endsWith("Type: fp32, by the pipe that the kernel ran on."),
                     qPrintable(needs(dialog)));
            QVERIFY2(!needs(dialog).contains("fp16"), qPrintable(needs(dialog)));
            QTest::mouseClick(ok(dialog), Qt::LeftButton);
        });
        QVERIFY(s.settle());
        QCOMPARE(s.document().selected_point()->target->bytes.value(), 4400.0);
    }

    void the_dialog_starts_with_what_a_rule_says() {
        ShownWindow s;
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json")}));
        test::set_bindings(s.document(), {{}, {{"sgemm_tiled<([0-9]+)", "gemm m=$1 n=20 k=30"}}});
        QVERIFY(s.settle());
        s.action("next").trigger();
        QVERIFY(s.settle());
        in_dialog(s, [](OperationDialog& dialog) {
            QCOMPARE(dialog.findChild<QLineEdit*>("operation")->text(),
                     QString("gemm m=128 n=20 k=30 dtype=fp32"));
            const QString origin = dialog.findChild<QLabel*>("operation_origin")->accessibleName();
            QVERIFY2(origin.contains("rule 1: sgemm_tiled<([0-9]+); fp32 by the pipe"), qPrintable(origin));
            QTest::mouseClick(ok(dialog), Qt::LeftButton);
        });
        QVERIFY(s.settle());
        QVERIFY(s.document().spec().bindings.user.empty());  // nothing new was said
        QVERIFY(!s.action("undo").isEnabled());

        bind(s, "gemm m=8 n=8 k=8");
        QCOMPARE(s.document().selected_point()->target->operation->source, BindingSource::user);
        in_dialog(s, [](OperationDialog& dialog) {
            QCOMPARE(dialog.findChild<QLineEdit*>("operation")->text(), QString("gemm m=8 n=8 k=8"));
            QVERIFY(dialog.findChild<QLabel*>("operation_origin") == nullptr);
        });
    }

    void without_a_selection_no_dialog_opens() {
        ShownWindow s;
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json")}));
        s.action("bind_operation").trigger();
        QVERIFY(QApplication::activeModalWidget() == nullptr);
    }
};

}  // namespace tst_bind_operation

ROOFWALK_TEST(tst_bind_operation, TestBindOperation, QApplication)
#include "tst_bind_operation.moc"
