// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

#include "ui/widgets/text_page_view.h"

namespace roofwalk {

class Document;

/// Where a person writes about the document; saved with the session. Of very long notes from a session the
/// beginning is shown, and nothing can be written.
[[nodiscard]] QWidget* make_notes(Document& document, QWidget* parent);

/// A page that is made of a document, and made anew when that changes.
class DocumentPage : public TextPageView {
    Q_OBJECT

  public:
    using MakePage = std::function<TextPage()>;

    DocumentPage(Document& document, const char* object_name, const QString& name, MakePage make_page,
                 QWidget* parent = nullptr);

    /// Brings the page up to date if it can be seen: behind another tab it stays as it is.
    void show_document();

  protected:
    void showEvent(QShowEvent* event) override;

  private:
    MakePage make_page_;
};

}  // namespace roofwalk
