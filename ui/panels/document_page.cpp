// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/document_page.h"

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

}  // namespace roofwalk
