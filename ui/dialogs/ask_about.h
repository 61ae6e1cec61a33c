// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialogButtonBox>
#include <optional>

#include "core/base/error.h"
#include "core/model/device.h"

class QDialog;

namespace roofwalk {

class Document;
class FileChooser;

/// Runs a dialog about what is open in a document; true when the person agreed to it. It is given up when
/// another session takes the place of what it asks about, or everything is closed.
[[nodiscard]] bool ask_about(Document& document, QDialog& dialog);

/// The GPU that a file describes, for which the person is asked; absent when they changed their mind.
[[nodiscard]] Result<std::optional<Device>> ask_for_device(FileChooser& chooser, QWidget& parent,
                                                           const QString& folder);

/// Buttons that accept and reject the dialog.
[[nodiscard]] QDialogButtonBox* make_buttons(
    QDialog& dialog,
    QDialogButtonBox::StandardButtons buttons = QDialogButtonBox::Ok | QDialogButtonBox::Cancel);

}  // namespace roofwalk
