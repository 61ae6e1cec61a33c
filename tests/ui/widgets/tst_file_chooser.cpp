// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/file_chooser.h"

#include <QApplication>
#include <QDialogButtonBox>
#include <QFile>
#include <QFileDialog>
#include <QMessageBox>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

#include "tests/support/folder_tests.h"

namespace tst_file_chooser {

using namespace roofwalk;

class TestFileChooser : public QObject {
    Q_OBJECT

  private slots:
    void a_file_that_cannot_be_written_is_asked_for_again() {
        QCoreApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
        DesktopFileChooser chooser;
        const QTemporaryDir folder;
        const QString nowhere = folder.filePath("a.svg");
        QVERIFY(QFile::link(folder.filePath("absent/a.svg"), nowhere));  // root cannot write it either
        QString words;
        QTimer::singleShot(0, this, [&] {
            auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
            QVERIFY(dialog != nullptr);
            QTimer::singleShot(0, this, [&, dialog] {
                auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
                if (box == nullptr) return dialog->reject();
                words = box->text() + box->informativeText();
                QTimer::singleShot(0, this, [&, dialog] {
                    dialog->selectFile(folder.filePath("b.svg"));
                    dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Save)->click();
                });
                box->button(QMessageBox::Ok)->click();
            });
            dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Save)->click();
        });
        QCOMPARE(chooser.file_to_save(nullptr, "Save", nowhere, "SVG (*.svg)"), folder.filePath("b.svg"));
        QVERIFY2(words.remove(QChar(0x200b)).contains(nowhere), qPrintable(words));
    }
};

}  // namespace tst_file_chooser

ROOFWALK_TEST(tst_file_chooser, TestFileChooser, QApplication)
#include "tst_file_chooser.moc"
