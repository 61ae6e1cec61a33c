// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/text_label.h"

#include <QClipboard>
#include <QContextMenuEvent>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QLabel>
#include <QMenu>
#include <QRegularExpression>

namespace roofwalk {

namespace {

constexpr QChar break_mark(0x200b);
constexpr QChar join_mark(0x2060);
constexpr QChar hard_space(0xa0);
/// As long as a word may be without a place to break; a panel holds about 45 characters in a line.
constexpr int longest_part = 20;

/// The text with room to break lines inside its long words, behind punctuation where there is any.
QString with_break_marks(const QString& text) {
    const QString punctuation = QStringLiteral("_/.,:;<>()-=*&");
    QString marked;
    int part = 0;
    for (const QChar character : text) {
        marked += character;
        part = character.isSpace() ? 0 : part + 1;
        const bool behind_punctuation = part > longest_part / 2 && punctuation.contains(character);
        if (!behind_punctuation && part < longest_part) continue;
        if (!character.isHighSurrogate()) marked += break_mark;
        part = 0;
    }
    static const QRegularExpression before_its_end(QStringLiteral("\\x{200b}(?=,|[.;:)]+(\\s|$))"));
    return marked.remove(before_its_end);  // no line begins with it
}

/// A line does not end between a figure and its unit, or inside the unit.
QString with_whole_units(QString text) {
    static const QRegularExpression before_unit(
        QStringLiteral("(?<=[0-9]) (?=(%|[kMGTPEµnm]?(FLOP|IOP|OP|byte|B|s|Hz|W)(?![A-Za-z])))"));
    static const QRegularExpression in_unit(QStringLiteral("(?<=FLOP|OP|B)/(?=(s|byte|cycle)(?![A-Za-z]))"));
    text.replace(before_unit, QString(hard_space));
    return text.replace(in_unit, QStringLiteral("/") + join_mark);
}

}  // namespace

TextLabel::TextLabel(const QString& text, QWidget* parent) : PlainLabel(parent) {
    setTextInteractionFlags(Qt::TextSelectableByMouse);
    setWordWrap(true);
    set_text(text);
}

void TextLabel::set_text(const QString& text) {
    setText(with_break_marks(with_whole_units(text)));
    setAccessibleName(text);
}

void TextLabel::show_text(const QString& text) {
    set_text(text);
    setVisible(!text.isEmpty());
}

void TextLabel::keyPressEvent(QKeyEvent* event) {
    if (event->matches(QKeySequence::Copy)) return copy();
    PlainLabel::keyPressEvent(event);
}

void TextLabel::contextMenuEvent(QContextMenuEvent* event) {
    QMenu menu(this);
    QAction* copies = menu.addAction(tr("&Copy"), this, [this] { copy(); });
    copies->setEnabled(hasSelectedText());
    menu.exec(event->globalPos());
}

void TextLabel::copy() const {
    QGuiApplication::clipboard()->setText(
        selectedText().remove(break_mark).remove(join_mark).replace(hard_space, u' '));
}

TextLabel* empty_label(const char* object, QWidget* parent) {
    auto* label = new TextLabel({}, parent);
    label->setObjectName(object);
    return label;
}

void make_heading(QLabel& label, double scale) {
    QFont font = label.font();
    font.setPointSizeF(font.pointSizeF() * scale);
    font.setWeight(QFont::DemiBold);
    label.setFont(font);
}

PlainLabel* heading_label(const QString& text, QWidget* parent, double scale) {
    auto* label = new PlainLabel(text, parent);
    make_heading(*label, scale);
    return label;
}

}  // namespace roofwalk
