// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/user_guide.h"

#include <QPushButton>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTextDocument>
#include <QTextTable>
#include <QVBoxLayout>

#include "ui/dialogs/ask_about.h"
#include "ui/widgets/theme.h"

namespace roofwalk {

namespace {

const QUrl contents(QStringLiteral("qrc:/help/README.md"));

/// Shows what is built in, and nothing else, whatever a page names.
class GuidePages : public QTextBrowser {
  public:
    using QTextBrowser::QTextBrowser;
    QVariant loadResource(int type, const QUrl& name) override {
        const QUrl whole = source().resolved(name);
        return whole.scheme() == QLatin1String("qrc") ? QTextBrowser::loadResource(type, whole) : QVariant();
    }
};

/// Lines of one pixel in a colour of the window, where a document draws each cell with a frame of white.
void rule_tables(QTextDocument& document, const QColor& line) {
    for (QTextFrame* frame : document.rootFrame()->childFrames())
        if (auto* table = qobject_cast<QTextTable*>(frame)) {
            QTextTableFormat format = table->format();
            format.setBorder(1);
            format.setBorderStyle(QTextFrameFormat::BorderStyle_Solid);
            format.setBorderBrush(line);
            format.setBorderCollapse(true);
            format.setCellPadding(3);
            table->setFormat(format);
        }
}

/// As the places that show Markdown on the web make it: "Which kernel?" is "which-kernel".
QString anchor_of(const QString& heading) {
    QString anchor;
    for (const QChar c : heading.toLower()) {
        if (c.isLetterOrNumber() || c == '-' || c == '_') anchor.append(c);
        if (c == ' ') anchor.append('-');
    }
    return anchor;
}

}  // namespace

UserGuide::UserGuide(QWidget* parent) : QDialog(parent), pages_(new GuidePages(this)) {
    setWindowTitle(tr("User guide"));
    setAccessibleName(windowTitle());
    pages_->setObjectName("user_guide_pages");
    pages_->setAccessibleName(windowTitle());
    pages_->setOpenExternalLinks(true);
    pages_->setFrameShape(QFrame::NoFrame);
    pages_->document()->setDocumentMargin(18);

    auto* buttons = make_buttons(*this, QDialogButtonBox::Close);
    auto* start = buttons->addButton(tr("&Contents"), QDialogButtonBox::ActionRole);
    auto* back = buttons->addButton(tr("&Back"), QDialogButtonBox::ActionRole);
    auto* forward = buttons->addButton(tr("&Forward"), QDialogButtonBox::ActionRole);
    back->setEnabled(false);
    forward->setEnabled(false);
    for (QPushButton* button : {start, back, forward})
        button->setAutoDefault(false);
    connect(start, &QPushButton::clicked, pages_, [this] { pages_->setSource(contents); });
    connect(back, &QPushButton::clicked, pages_, &QTextBrowser::backward);
    connect(forward, &QPushButton::clicked, pages_, &QTextBrowser::forward);
    connect(pages_, &QTextBrowser::backwardAvailable, back, &QPushButton::setEnabled);
    connect(pages_, &QTextBrowser::forwardAvailable, forward, &QPushButton::setEnabled);
    connect(pages_, &QTextBrowser::sourceChanged, this, [this](const QUrl& page) {
        rule_tables(*pages_->document(), window_colours(current_theme()).border);
        if (page.hasFragment()) show_heading(page.fragment());
    });

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 12);
    layout->addWidget(pages_, 1);
    auto* foot = new QHBoxLayout;
    foot->setContentsMargins(20, 0, 20, 0);
    foot->addWidget(buttons);
    layout->addLayout(foot);
    pages_->setSource(contents);
    resize(860, 680);
}

void UserGuide::show_heading(const QString& anchor) {
    for (QTextBlock block = pages_->document()->begin(); block.isValid(); block = block.next()) {
        if (block.blockFormat().headingLevel() == 0 || anchor_of(block.text()) != anchor) continue;
        pages_->moveCursor(QTextCursor::End);  // from below, the heading ends up at the top
        pages_->setTextCursor(QTextCursor(block));
        pages_->ensureCursorVisible();
        return;
    }
}

}  // namespace roofwalk
