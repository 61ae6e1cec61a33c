// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPlainTextEdit>

namespace roofwalk {

class Document;

/// What a person writes about the document; saved with the session. Of very long notes from a session the
/// beginning is shown, and nothing can be written.
class NotesPanel : public QPlainTextEdit {
    Q_OBJECT

  public:
    /// The most characters that are edited; far more than anybody writes.
    static constexpr qsizetype most_shown = 100'000;

    NotesPanel(Document& document, QWidget* parent);

  private:
    void show_notes();

    Document& document_;
};

}  // namespace roofwalk
