// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/file_chooser.h"

#include <QCoreApplication>
#include <QFileDialog>

namespace roofwalk {

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("FileChooser", text);
}

}  // namespace

QStringList DesktopFileChooser::files_to_open(QWidget* parent, const QString& folder) {
    return QFileDialog::getOpenFileNames(
        parent, tr("Open profiles"), folder,
        tr("Profiles (*.ncu-rep *.nsight-cuprof-report *.json *.jsonl *.csv);;All files (*)"));
}

QString DesktopFileChooser::file_to_save(QWidget* parent, const QString& suggested, const QString& filter) {
    return QFileDialog::getSaveFileName(parent, tr("Export"), suggested, filter);
}

}  // namespace roofwalk
