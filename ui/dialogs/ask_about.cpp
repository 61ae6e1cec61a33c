// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/ask_about.h"

#include <QDialog>

#include "core/devices/device_file.h"
#include "core/import/open_profile.h"
#include "ui/widgets/file_chooser.h"
#include "ui/widgets/qt_text.h"
#include "ui/workspace/document.h"

namespace roofwalk {

bool ask_about(Document& document, QDialog& dialog) {
    QObject::connect(&document.loader(), &ReportLoader::session_opened, &dialog, &QDialog::reject);
    QObject::connect(&document, &Document::files_changed, &dialog, [&] {
        if (document.empty()) dialog.reject();
    });
    return dialog.exec() == QDialog::Accepted;
}

Result<std::optional<Device>> ask_for_device(FileChooser& chooser, QWidget& parent, const QString& folder) {
    const QString path = chooser.file_to_open(&parent, folder, QObject::tr("GPUs (*.json)"));
    if (path.isEmpty()) return std::nullopt;
    const std::string name = path.toStdString();
    return as_document(MappedFile::open(to_path(path)), name, "Open a JSON file that describes a GPU.")
        .and_then([&](const MappedFile& file) { return read_device(file.text(), name); });
}

QDialogButtonBox* make_buttons(QDialog& dialog, QDialogButtonBox::StandardButtons buttons) {
    auto* box = new QDialogButtonBox(buttons, &dialog);
    QObject::connect(box, &QDialogButtonBox::accepted, &dialog, &QDialog::accept);
    QObject::connect(box, &QDialogButtonBox::rejected, &dialog, &QDialog::reject);
    return box;
}

}  // namespace roofwalk
