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
    connect(this, &QPlainTextEdit::textChanged, this, [this] {
        if (!isReadOnly()) document_.set_notes(toPlainText());
    });
    connect(&document_, &Document::notes_changed, this, &NotesPanel::show_notes);
    show_notes();
}

void NotesPanel::show_notes() {
    const QString& notes = document_.notes();
    if (toPlainText() == notes) return;
    // Laying out one line of megabytes takes minutes: of notes from elsewhere a part is shown, and all are
    // kept.
    const bool whole = notes.size() <= most_shown;
    setReadOnly(!whole);
    setPlainText(whole ? notes
                       : tr("These notes are too long to be edited here. The session keeps all of their %L1 "
                            "characters; the first %L2 are:\n\n")
                                 .arg(notes.size())
                                 .arg(most_shown) +
                             notes.left(most_shown));
}

}  // namespace roofwalk
