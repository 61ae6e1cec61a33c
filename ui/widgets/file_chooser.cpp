// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/file_chooser.h"

#include <QCoreApplication>
#include <QFileDialog>
#include <QFileInfo>
#include <QPushButton>

#include "core/base/file_writer.h"
#include "core/import/open_profile.h"
#include "ui/widgets/plain_text.h"
#include "ui/widgets/qt_text.h"

namespace roofwalk {

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("FileChooser", text);
}

bool may_replace(QWidget* parent, const QString& path) {
    PlainMessageBox box(
        QMessageBox::Warning, tr("Replace the file"), tr("Replace %1?").arg(QFileInfo(path).fileName()),
        tr("There is a file of this name already."), QMessageBox::Yes | QMessageBox::No, parent);
    box.button(QMessageBox::Yes)->setText(tr("Replace it"));
    box.setDefaultButton(QMessageBox::No);
    return box.exec() == QMessageBox::Yes;
}

/// Told while another place can still be chosen.
bool can_be_written(QWidget* parent, const QString& title, const QString& path) {
    const Result<void> free = refuse_unwritable(path);
    if (free) return true;
    const Error& why = free.error();
    PlainMessageBox(QMessageBox::Warning, title, to_qt(to_line({why.code, why.what, why.where, {}})),
                    to_qt(why.hint), QMessageBox::Ok, parent)
        .exec();
    return false;
}

/// "*.ncu-rep *.json", of every format that can be read.
QString profile_patterns() {
    QStringList patterns;
    for (const FileFormat& format : file_formats())
        for (const std::string_view suffix : format.suffixes)
            patterns.append('*' + QString::fromUtf8(suffix.data(), static_cast<qsizetype>(suffix.size())));
    patterns.removeDuplicates();
    return patterns.join(' ');
}

QString title_for(FileChooser::Purpose purpose) {
    switch (purpose) {
        case FileChooser::Purpose::add:
            return tr("Add profiles to the chart");
        case FileChooser::Purpose::compare:
            return tr("Compare with older reports");
        default:
            return tr("Open profiles or a session");
    }
}

}  // namespace

Result<void> refuse_unwritable(const QString& path) {
    FileReplacement file;
    const int code = is_written_into(to_path(path)) ? 0 : file.begin(to_path(path));
    if (code == 0) return {};
    return tl::unexpected(write_error("Nothing can be written there", to_path(path), code));
}

QStringList DesktopFileChooser::files_to_open(QWidget* parent, const QString& folder, Purpose purpose) {
    const QString filter =
        purpose == Purpose::open
            ? tr("Profiles and sessions (%1 *.roofwalk);;Sessions (*.roofwalk);;All files (*)")
                  .arg(profile_patterns())
            : tr("Profiles (%1);;All files (*)").arg(profile_patterns());
    return QFileDialog::getOpenFileNames(parent, title_for(purpose), folder, filter);
}

QString DesktopFileChooser::file_to_open(QWidget* parent, const QString& folder, const QString& filter) {
    return QFileDialog::getOpenFileName(parent, tr("Open"), folder, filter);
}

QString DesktopFileChooser::file_to_save(QWidget* parent, const QString& title, const QString& suggested,
                                         const QString& filter) {
    QFileDialog dialog(parent, title, suggested, filter);
    dialog.setAcceptMode(QFileDialog::AcceptSave);
    dialog.setOption(QFileDialog::DontConfirmOverwrite);  // its own question takes a name for markup
    // With the suffix known to the dialog, it is the file really written that is asked about.
    dialog.setDefaultSuffix(QFileInfo(suggested).suffix());
    dialog.selectFile(suggested);
    while (dialog.exec() == QDialog::Accepted) {
        QString path = dialog.selectedFiles().value(0);
        if (can_be_written(parent, title, path) && (!QFileInfo::exists(path) || may_replace(parent, path)))
            return path;
    }
    return {};
}

FileChooser::Keep DesktopFileChooser::ask_to_keep(QWidget* parent, const QString& name) {
    PlainMessageBox box(QMessageBox::Warning, tr("Unsaved changes"), tr("Save the changes to %1?").arg(name),
                        tr("Operations, what-if moves, typed ceilings and notes are lost otherwise."),
                        QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, parent);
    box.setDefaultButton(QMessageBox::Save);
    switch (box.exec()) {
        case QMessageBox::Save:
            return Keep::save;
        case QMessageBox::Discard:
            return Keep::discard;
        default:
            return Keep::stay;
    }
}

FileChooser::Conflict DesktopFileChooser::ask_about_conflict(QWidget* parent, const QString& name) {
    PlainMessageBox box(
        QMessageBox::Warning, tr("The file has changed"),
        tr("%1 was changed by somebody else since it was read here.").arg(name),
        tr("Save over it, and their changes are lost. Open theirs, and yours are kept: you can go back to "
           "them."),
        QMessageBox::Cancel, parent);
    const auto add = [&](const char* object, const QString& text, QMessageBox::ButtonRole role) {
        QPushButton* button = box.addButton(text, role);
        button->setObjectName(object);
        return button;
    };
    const QPushButton* over = add("save_over", tr("Save over it"), QMessageBox::DestructiveRole);
    QPushButton* other = add("save_as", tr("Save as…"), QMessageBox::AcceptRole);
    const QPushButton* theirs = add("open_theirs", tr("Open theirs"), QMessageBox::ActionRole);
    box.setDefaultButton(other);
    box.setEscapeButton(QMessageBox::Cancel);
    box.exec();
    const QAbstractButton* answer = box.clickedButton();
    if (answer == over) return Conflict::save_over;
    if (answer == other) return Conflict::save_as;
    return answer == theirs ? Conflict::open_theirs : Conflict::stay;
}

bool DesktopFileChooser::ask_to_stop(QWidget* parent, const QString& program) {
    PlainMessageBox box(
        QMessageBox::Warning, tr("End the recording"), tr("%1 is being recorded. End it?").arg(program),
        tr("What was recorded so far stays in its file."), QMessageBox::Ok | QMessageBox::Cancel, parent);
    box.button(QMessageBox::Ok)->setText(tr("End it"));
    box.setDefaultButton(QMessageBox::Cancel);
    return box.exec() == QMessageBox::Ok;
}

bool DesktopFileChooser::ask_to_discard(QWidget* parent, const QString& name) {
    PlainMessageBox box(QMessageBox::Warning, tr("Discard unsaved work"),
                        tr("Discard the unsaved work on %1?").arg(name),
                        tr("There is no other copy of it. Reports and saved sessions stay as they are."),
                        QMessageBox::Discard | QMessageBox::Cancel, parent);
    box.setDefaultButton(QMessageBox::Cancel);
    return box.exec() == QMessageBox::Discard;
}

}  // namespace roofwalk
