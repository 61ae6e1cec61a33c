// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/file_chooser.h"

#include <QCoreApplication>
#include <QFileDialog>
#include <QFileInfo>

namespace roofwalk {

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("FileChooser", text);
}

}  // namespace

QStringList DesktopFileChooser::files_to_open(QWidget* parent, const QString& folder) {
    return QFileDialog::getOpenFileNames(
        parent, tr("Open profiles"), folder,
        tr("Profiles (*.ncu-rep *.ncu-repz *.nsight-cuprof-report *.json *.jsonl *.csv);;All files (*)"));
}

QString DesktopFileChooser::file_to_open(QWidget* parent, const QString& folder, const QString& filter) {
    return QFileDialog::getOpenFileName(parent, tr("Open"), folder, filter);
}

QString DesktopFileChooser::file_to_save(QWidget* parent, const QString& suggested, const QString& filter) {
    // With the suffix known to the dialog, it is the file really written that it asks about before replacing.
    QFileDialog dialog(parent, tr("Export"), suggested, filter);
    dialog.setAcceptMode(QFileDialog::AcceptSave);
    dialog.setDefaultSuffix(QFileInfo(suggested).suffix());
    dialog.selectFile(suggested);
    return dialog.exec() == QDialog::Accepted ? dialog.selectedFiles().value(0) : QString();
}

}  // namespace roofwalk
