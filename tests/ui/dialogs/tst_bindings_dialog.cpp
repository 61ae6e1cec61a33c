// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDialogButtonBox>
#include <QFile>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTimer>
#include <QTreeWidget>
#include <functional>

#include "tests/support/folder_tests.h"
#include "tests/ui/shown_window.h"
#include "ui/dialogs/bindings_dialog.h"

namespace tst_bindings_dialog {

using namespace roofwalk;
using test::ShownWindow;

namespace {

constexpr const char* tensor_name = "ampere_fp16_s16816gemm_fp16_128x128_ldg8_f2f_stages_32x5_tn";

/// A GEMM whose work is 2MNK for its grid and tile, launched three times, and copies of three sizes.
QString write_products(const QTemporaryDir& folder) {
    QFile file(folder.filePath("products.json"));
    if (!file.open(QIODevice::WriteOnly)) return {};
    QStringList kernels;
    for (int i = 0; i < 3; ++i)
        kernels.append(QStringLiteral(R"({"name": "%1", "grid": [32, 32, 1], "block": [256, 1, 1],
            "flops": {"tensor.fp16": {"count": 137438953472, "origin": "measured"}}, "bytes": 2e8, "duration_ns": 600000})")
                           .arg(tensor_name));
    for (const int size : {256, 512, 1024})
        kernels.append(
            QStringLiteral(R"({"name": "copy_%1", "flops": 1000, "bytes": 1e8, "duration_ns": 90000})")
                .arg(size));
    file.write(
        QStringLiteral(R"({"device": "A100 SXM4 40GB", "kernels": [%1]})").arg(kernels.join(',')).toUtf8());
    return file.fileName();
}

struct WithProducts : ShownWindow {
    WithProducts() { opened = open({write_products(folder)}); }

    /// Opens the dialog as a person does, and lets `act` work in it.
    void in_dialog(const std::function<void(BindingsDialog&)>& act) {
        QTimer::singleShot(0, &window, [&act] {
            auto* dialog = qobject_cast<BindingsDialog*>(QApplication::activeModalWidget());
            QVERIFY(dialog != nullptr);
            act(*dialog);
            if (dialog->isVisible()) dialog->reject();
        });
        action("bind_all").trigger();
        QVERIFY(settle());
    }
    /// How many launches have an operation from that source.
    [[nodiscard]] int bound_by(BindingSource source) {
        const auto& operations = document().analysis()->options.launch_operations;
        int count = 0;
        for (std::uint32_t i = 0; i < document().profile()->launches.size(); ++i) {
            const auto operation = operations->of(LaunchIndex{i});
            if (operation && operation->source == source) ++count;
        }
        return count;
    }

    bool opened = false;
};

QPlainTextEdit& rules(const BindingsDialog& dialog) {
    return *dialog.findChild<QPlainTextEdit*>("binding_rules");
}

QTreeWidget& suggestions(const BindingsDialog& dialog) {
    return *dialog.findChild<QTreeWidget*>("suggestions");
}

QPushButton* ok(const BindingsDialog& dialog) {
    return dialog.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok);
}

void wait_for_suggestions(const BindingsDialog& dialog) {
    const auto* found = dialog.findChild<QLabel*>("suggestions_found");
    QTRY_VERIFY(!found->accessibleName().startsWith("Looking"));
}

}  // namespace

class TestBindingsDialog : public QObject {
    Q_OBJECT

  private slots:
    void a_rule_with_captures_binds_every_kernel_it_matches() {
        WithProducts s;
        QVERIFY(s.opened);
        s.in_dialog([](BindingsDialog& dialog) {
            QTest::keyClicks(&rules(dialog), R"(^copy_(\d+)$=copy n=$1)");
            QVERIFY(ok(dialog)->isEnabled());
            QTest::mouseClick(ok(dialog), Qt::LeftButton);
        });
        QCOMPARE(s.bound_by(BindingSource::rule), 3);
        QCOMPARE(s.document().spec().bindings.rules.size(), std::size_t(1));
        QVERIFY(s.action("undo").text().contains("operations of all kernels"));
        s.action("undo").trigger();
        QVERIFY(s.settle());
        QCOMPARE(s.bound_by(BindingSource::rule), 0);
    }

    void a_line_that_is_no_rule_is_named_and_cannot_be_taken() {
        WithProducts s;
        s.in_dialog([](BindingsDialog& dialog) {
            rules(dialog).setPlainText("copy=copy n=8\n\nno equals here");
            QVERIFY(!ok(dialog)->isEnabled());
            const QString fault = dialog.findChild<QLabel*>("rules_fault")->accessibleName();
            QVERIFY2(fault.contains("line 3"), qPrintable(fault));
            rules(dialog).setPlainText("copy=copy n=8");
            QVERIFY(ok(dialog)->isEnabled());
        });
        QVERIFY(s.document().spec().bindings.rules.empty());
    }

    void a_suggestion_binds_when_it_is_ticked_and_not_before() {
        WithProducts s;
        s.in_dialog([](BindingsDialog& dialog) {
            wait_for_suggestions(dialog);
            QCOMPARE(suggestions(dialog).topLevelItemCount(), 1);
            const QTreeWidgetItem& item = *suggestions(dialog).topLevelItem(0);
            QCOMPARE(item.text(1), QString("3"));
            QVERIFY2(item.text(2).startsWith("gemm m=4096 n=4096 k=4096"), qPrintable(item.text(2)));
            QCOMPARE(item.checkState(0), Qt::Unchecked);
            QTest::mouseClick(ok(dialog), Qt::LeftButton);
        });
        QCOMPARE(s.bound_by(BindingSource::suggestion), 0);

        s.in_dialog([](BindingsDialog& dialog) {
            wait_for_suggestions(dialog);
            const QRect row = suggestions(dialog).visualItemRect(suggestions(dialog).topLevelItem(0));
            QTest::mouseClick(suggestions(dialog).viewport(), Qt::LeftButton, {},
                              {row.left() + 10, row.center().y()});
            QTest::mouseClick(ok(dialog), Qt::LeftButton);
        });
        QCOMPARE(s.bound_by(BindingSource::suggestion), 3);
        s.in_dialog([](BindingsDialog& dialog) {
            wait_for_suggestions(dialog);
            QCOMPARE(suggestions(dialog).topLevelItemCount(), 0);
        });
    }

    void what_follows_from_an_assumption_is_listed_and_bound_as_assumed() {
        WithProducts s;
        QFile file(s.folder.filePath("square.json"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(R"({"device": "A100 SXM4 40GB", "kernels": [{"name": "wmma_gemm", "bytes": 2e8,
            "flops": {"tensor.fp16": {"count": 137438953472, "origin": "measured"}}, "duration_ns": 600000}]})");
        file.close();
        QVERIFY(s.open({file.fileName()}));
        s.in_dialog([](BindingsDialog& dialog) {
            wait_for_suggestions(dialog);
            QCOMPARE(suggestions(dialog).topLevelItemCount(), 1);
            QTreeWidgetItem& item = *suggestions(dialog).topLevelItem(0);
            QVERIFY2(item.text(2).startsWith("gemm m=4096 n=4096 k=4096"), qPrintable(item.text(2)));
            QVERIFY2(item.text(3).startsWith("Assumed: "), qPrintable(item.text(3)));
            QCOMPARE(item.checkState(0), Qt::Unchecked);
            item.setCheckState(0, Qt::Checked);
            QTest::mouseClick(ok(dialog), Qt::LeftButton);
        });
        QCOMPARE(s.bound_by(BindingSource::user), 1);
        QVERIFY(!s.document().spec().bindings.user.front().assumption.empty());
    }

    void what_a_file_says_further_of_a_rule_is_kept() {
        WithProducts s;
        Bindings bindings;
        bindings.rules.push_back({"copy", "copy n=8", RuleSubject::kernel_name, R"({"author":"me"})"});
        test::set_bindings(s.document(), bindings);
        QVERIFY(s.settle());
        s.in_dialog([](BindingsDialog& dialog) {
            QCOMPARE(rules(dialog).toPlainText(), QString("copy=copy n=8"));
            rules(dialog).appendPlainText("gemm=gemm m=8 n=8 k=8");
            QTest::mouseClick(ok(dialog), Qt::LeftButton);
        });
        QCOMPARE(s.document().spec().bindings.rules.size(), std::size_t(2));
        QCOMPARE(QString::fromStdString(s.document().spec().bindings.rules.front().unknown_members),
                 QString(R"({"author":"me"})"));
    }
};

}  // namespace tst_bindings_dialog

ROOFWALK_TEST(tst_bindings_dialog, TestBindingsDialog, QApplication)
#include "tst_bindings_dialog.moc"
