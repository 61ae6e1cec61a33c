// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/plain_text.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QHelpEvent>
#include <QMenu>
#include <QRegularExpression>
#include <QStyle>
#include <QToolTip>

#include "core/base/text.h"
#include "ui/widgets/qt_text.h"

namespace roofwalk {

namespace {

/// Plain tooltips stay on one line: longer ones are given as markup, which wraps.
constexpr qsizetype longest_line = 80;
/// Laying out more would stop the window: a megabyte takes seconds.
constexpr qsizetype longest_tooltip = 4000;
const QLatin1String as_it_stands("<p style='white-space:pre-wrap'>");
const QLatin1String its_end("</p>");

/// Whether tooltip_text() has made it: no markup stands in it but its own.
bool is_tooltip_text(const QString& tip) {
    return tip.startsWith(as_it_stands) && tip.endsWith(its_end) &&
           tip.indexOf(u'<', as_it_stands.size()) == tip.size() - its_end.size();
}

/// What Qt is about to show as the tooltip of a widget.
QString tip_of(QWidget& widget, QPoint place) {
    auto* view = qobject_cast<QAbstractItemView*>(widget.parentWidget());
    if (view == nullptr || view->viewport() != &widget) return widget.toolTip();
    return view->indexAt(place).data(Qt::ToolTipRole).toString();
}

/// Sees every label before it measures its words, and every tooltip before it is shown.
class PlainTextGuard : public QObject {
  public:
    using QObject::QObject;

    bool eventFilter(QObject* receiver, QEvent* event) override {
        if (event->type() == QEvent::Polish) keep_plain(qobject_cast<QLabel*>(receiver));
        auto* widget = event->type() == QEvent::ToolTip ? qobject_cast<QWidget*>(receiver) : nullptr;
        return widget != nullptr && shown_plain(*widget, *static_cast<QHelpEvent*>(event));
    }

  private:
    static void keep_plain(QLabel* label) {
        const bool guesses = label != nullptr && label->textFormat() == Qt::AutoText;
        if (guesses && !label->inherits("QTipLabel")) label->setTextFormat(Qt::PlainText);
    }

    static bool shown_plain(QWidget& widget, const QHelpEvent& help) {
        const QString tip = tip_of(widget, help.pos());
        if (!Qt::mightBeRichText(tip) || is_tooltip_text(tip)) return false;
        show_tooltip_at(help.globalPos(), tip, widget);
        return true;
    }
};

}  // namespace

QString tooltip_text(const QString& words) {
    if (words.size() > longest_tooltip) return tooltip_text(words.left(longest_tooltip - 1) + u'…');
    QString text = to_qt(printable_lines(words.toStdString()));
    if (!Qt::mightBeRichText(text) && text.size() <= longest_line) return text;
    // Else a name without spaces would make it as wide as the screen.
    static const QRegularExpression piece_of_word(QStringLiteral("(\\S{20,39}[_:<,/(]|\\S{40})(?=\\S)"));
    text.replace(piece_of_word, QStringLiteral("\\1") + QChar(0x200b));
    return as_it_stands + text.toHtmlEscaped() + its_end;
}

void name_control(QWidget& widget, const QString& object, const QString& spoken) {
    widget.setObjectName(object);
    widget.setAccessibleName(spoken);
}

void mark_invalid(QWidget& field, bool invalid) {
    if (field.property("invalid").toBool() == invalid) return;
    field.setProperty("invalid", invalid);
    field.style()->unpolish(&field);
    field.style()->polish(&field);
}

void set_tooltip(QWidget& widget, const QString& text) {
    widget.setToolTip(tooltip_text(text));
    widget.setAccessibleDescription(text);
}

void show_tooltip_at(QPoint on_screen, const QString& text, QWidget& widget) {
    QToolTip::showText(on_screen, tooltip_text(text), &widget);
}

QString menu_text(QString name) {
    for (QChar& character : name)
        if (character.category() == QChar::Other_Control) character = u' ';
    return name.replace(u'&', QStringLiteral("&&"));
}

void add_menu_title(QMenu& menu, const QString& title) {
    QAction* line = menu.addAction(menu_text(title));  // Qt's sections leave their words no room
    QFont bold = menu.font();
    bold.setBold(true);
    line->setFont(bold);
    line->setEnabled(false);
}

QString words_of_menu(const QString& text) {
    QString words;
    for (qsizetype i = 0; i < text.size(); ++i) {
        if (text[i] == u'&' && ++i == text.size()) break;
        words += text[i];
    }
    return words;
}

PlainLabel::PlainLabel(const QString& text, QWidget* parent, QWidget* buddy) : QLabel(parent) {
    setTextFormat(Qt::PlainText);
    setText(text);
    if (buddy != nullptr) setBuddy(buddy);
}

PlainMessageBox::PlainMessageBox(Icon icon, const QString& title, const QString& text, const QString& more,
                                 StandardButtons buttons, QWidget* parent)
    : QMessageBox(parent) {
    setIcon(icon);
    setWindowTitle(title);
    setStandardButtons(buttons);
    setTextFormat(Qt::PlainText);
    setText(text);
    setInformativeText(more);
    // Qt makes a label of its own for these words, and gives it no format.
    for (QLabel* label : findChildren<QLabel*>())
        label->setTextFormat(Qt::PlainText);
}

void guard_plain_text() {
    const QString name = QStringLiteral("plain_text_guard");
    if (qApp->findChild<QObject*>(name, Qt::FindDirectChildrenOnly) != nullptr) return;
    auto* guard = new PlainTextGuard(qApp);
    guard->setObjectName(name);
    qApp->installEventFilter(guard);
}

}  // namespace roofwalk
