// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/notes_panel.h"

#include "ui/workspace/document.h"

namespace roofwalk {

NotesPanel::NotesPanel(Document& document, QWidget* parent) : QPlainTextEdit(parent), document_(document) {
    setObjectName("notes");
    setAccessibleName(tr("Notes"));
    setPlaceholderText(tr("Notes on these kernels; they are saved with the session."));
    setTabChangesFocus(true);
    setFrameShape(QFrame::NoFrame);
    connect(this, &QPlainTextEdit::textChanged, this, [this] { document_.set_notes(toPlainText()); });
    connect(&document_, &Document::notes_changed, this, &NotesPanel::show_notes);
    show_notes();
}

void NotesPanel::show_notes() {
    if (toPlainText() != document_.notes()) setPlainText(document_.notes());
}

}  // namespace roofwalk
