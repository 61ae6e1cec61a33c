// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPlainTextEdit>

namespace roofwalk {

class Document;

/// What a person writes about the document; saved with the session.
class NotesPanel : public QPlainTextEdit {
    Q_OBJECT

  public:
    NotesPanel(Document& document, QWidget* parent);

  private:
    void show_notes();

    Document& document_;
};

}  // namespace roofwalk
