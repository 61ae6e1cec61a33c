// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/record/program_output.h"

#include <QFontDatabase>
#include <QRegularExpression>
#include <QScrollBar>
#include <QTextCursor>

namespace roofwalk {

namespace {

constexpr int most_lines = 10'000;
constexpr int wanted_lines = 5;
constexpr qsizetype longest_sequence = 64;
constexpr QChar escape(0x1b);

/// Control sequences of terminals (ECMA-48): CSI, and OSC up to its end.
const QRegularExpression& control_sequences() {
    static const QRegularExpression pattern(QStringLiteral(
        "\\x1b\\[[0-9;:?<=>]*[ -/]*[@-~]|\\x1b\\][^\\x07\\x1b]*(?:\\x07|\\x1b\\\\)|\\x1b[ -/]*[0-Z\\\\^-~]"));
    return pattern;
}

}  // namespace

ProgramOutput::ProgramOutput(QWidget* parent) : QPlainTextEdit(parent) {
    setObjectName("program_output");
    setAccessibleName(tr("What the program writes"));
    setPlaceholderText(tr("What the program writes comes here."));
    setReadOnly(true);
    setTabChangesFocus(true);
    setMaximumBlockCount(most_lines);
    setFrameShape(QFrame::NoFrame);
    setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
}

QSize ProgramOutput::sizeHint() const {
    const int around = 2 * (frameWidth() + static_cast<int>(document()->documentMargin()));
    return {QPlainTextEdit::sizeHint().width(), wanted_lines * fontMetrics().lineSpacing() + around};
}

void ProgramOutput::begin_anew() {
    clear();
    decoder_.resetState();
    unfinished_.clear();
    returned_ = false;
}

void ProgramOutput::add(const QByteArray& bytes) {
    const QString decoded = decoder_.decode(bytes);
    QString text = unfinished_ + decoded;
    text.remove(control_sequences());
    unfinished_.clear();
    if (const auto start = text.lastIndexOf(escape); start >= 0 && text.size() - start < longest_sequence) {
        unfinished_ = text.mid(start);
        text.truncate(start);
    }
    text.replace(QStringLiteral("\r\n"), QStringLiteral("\n"));
    QScrollBar& bar = *verticalScrollBar();
    const bool at_end = bar.value() == bar.maximum();
    qsizetype from = 0;
    for (qsizetype i = 0; i <= text.size(); ++i) {
        if (i < text.size() && text[i] != u'\r' && text[i] != u'\n') continue;
        add_line_part(text.mid(from, i - from));
        if (i < text.size() && text[i] == u'\n') {
            QTextCursor cursor(document());
            cursor.movePosition(QTextCursor::End);
            cursor.insertBlock();
            returned_ = false;
        } else if (i < text.size()) {
            returned_ = true;
        }
        from = i + 1;
    }
    if (at_end) bar.setValue(bar.maximum());
}

void ProgramOutput::add_line_part(const QString& part) {
    if (part.isEmpty()) return;
    QTextCursor cursor(document());
    cursor.movePosition(QTextCursor::End);
    if (returned_) {
        cursor.movePosition(QTextCursor::StartOfBlock, QTextCursor::KeepAnchor);
        cursor.removeSelectedText();
        returned_ = false;
    }
    cursor.insertText(part);
}

}  // namespace roofwalk
