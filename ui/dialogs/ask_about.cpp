// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/ask_about.h"

#include <QDialog>

#include "ui/workspace/document.h"

namespace roofwalk {

bool ask_about(Document& document, QDialog& dialog) {
    QObject::connect(&document.loader(), &ReportLoader::session_opened, &dialog, &QDialog::reject);
    QObject::connect(&document, &Document::files_changed, &dialog, [&] {
        if (document.empty()) dialog.reject();
    });
    return dialog.exec() == QDialog::Accepted;
}

QDialogButtonBox* make_buttons(QDialog& dialog, QDialogButtonBox::StandardButtons buttons) {
    auto* box = new QDialogButtonBox(buttons, &dialog);
    QObject::connect(box, &QDialogButtonBox::accepted, &dialog, &QDialog::accept);
    QObject::connect(box, &QDialogButtonBox::rejected, &dialog, &QDialog::reject);
    return box;
}

}  // namespace roofwalk
