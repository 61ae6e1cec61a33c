// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/document_page.h"

#include <QPlainTextEdit>

#include <utility>

#include "ui/workspace/document.h"

namespace roofwalk {

DocumentPage::DocumentPage(Document& document, const char* object_name, const QString& name,
                           MakePage make_page, QWidget* parent)
    : TextPageView(name, parent), make_page_(std::move(make_page)) {
    setObjectName(object_name);
    for (const auto signal :
         {&Document::selection_changed, &Document::matches_changed, &Document::advice_thresholds_changed,
          &Document::what_if_changed, &Document::comparison_changed})
        connect(&document, signal, this, &DocumentPage::show_document);
}

void DocumentPage::showEvent(QShowEvent* event) {
    show_document();
    TextPageView::showEvent(event);
}

void DocumentPage::show_document() {
    if (is_seen(*this)) show_page(make_page_());
}

QWidget* make_notes(Document& document, QWidget* parent) {
    auto* page = new QPlainTextEdit(parent);
    page->setObjectName("notes");
    page->setAccessibleName(DocumentPage::tr("Notes"));
    page->setPlaceholderText(DocumentPage::tr("Notes on these kernels; they are saved with the session."));
    page->setTabChangesFocus(true);
    page->setFrameShape(QFrame::NoFrame);
    const auto show = [page, &document] {
        constexpr qsizetype most_shown = 100'000;  // far more than anybody writes
        const QString& notes = document.notes();
        if (page->toPlainText() == notes) return;
        // Laying out one line of megabytes takes minutes: of notes from elsewhere a part is shown, and all
        // are kept.
        const bool whole = notes.size() <= most_shown;
        page->setReadOnly(!whole);
        page->setPlainText(
            whole ? notes
                  : DocumentPage::tr(
                        "These notes are too long to be edited here. The session keeps all of their "
                        "%L1 characters; the first %L2 are:\n\n")
                            .arg(notes.size())
                            .arg(most_shown) +
                        notes.left(most_shown));
    };
    QObject::connect(page, &QPlainTextEdit::textChanged, &document, [page, &document] {
        if (!page->isReadOnly()) document.set_notes(page->toPlainText());
    });
    QObject::connect(&document, &Document::notes_changed, page, show);
    show();
    return page;
}

}  // namespace roofwalk
