// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialogButtonBox>

class QDialog;

namespace roofwalk {

class Document;

/// Runs a dialog about what is open in a document; true when the person agreed to it. It is given up when
/// another session takes the place of what it asks about, or everything is closed.
[[nodiscard]] bool ask_about(Document& document, QDialog& dialog);

/// Buttons that accept and reject the dialog.
[[nodiscard]] QDialogButtonBox* make_buttons(
    QDialog& dialog,
    QDialogButtonBox::StandardButtons buttons = QDialogButtonBox::Ok | QDialogButtonBox::Cancel);

}  // namespace roofwalk
