// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/export/pdf_content.h"

#include <QHash>
#include <QMap>
#include <QRegularExpression>
#include <QSet>

namespace roofwalk::test {

namespace {

using Letters = QHash<uint, QString>;  // by glyph

QRegularExpressionMatch found(const char* pattern, const QString& text) {
    return QRegularExpression(QString::fromLatin1(pattern), QRegularExpression::DotMatchesEverythingOption)
        .match(text);
}

/// Objects by number, as Latin-1: one character a byte.
QMap<int, QString> objects_of(const QByteArray& pdf) {
    QMap<int, QString> objects;
    static const QRegularExpression whole(R"((\d+) 0 obj\b(.*?)endobj)",
                                          QRegularExpression::DotMatchesEverythingOption);
    for (auto it = whole.globalMatch(QString::fromLatin1(pdf)); it.hasNext();) {
        const QRegularExpressionMatch match = it.next();
        objects.insert(match.captured(1).toInt(), match.captured(2));
    }
    return objects;
}

/// The stream of an object, inflated when it is packed.
QString stream_of(const QString& object) {
    const QRegularExpressionMatch match = found(R"(stream\r?\n(.*)endstream)", object);
    if (!match.hasMatch()) return {};
    const QByteArray bytes = match.captured(1).toLatin1();
    if (!object.contains("/FlateDecode")) return QString::fromLatin1(bytes);
    constexpr char expected_size[] = {0, 1, 0, 0};  // qUncompress() wants one, and grows past it
    return QString::fromLatin1(qUncompress(QByteArray(expected_size, sizeof expected_size) + bytes));
}

/// The objects that a dictionary names: "/F7 7 0 R /F8 8 0 R".
QMap<QString, int> references(const QString& dictionary) {
    QMap<QString, int> named;
    static const QRegularExpression reference(R"(/(\w+)\s+(\d+) 0 R)");
    for (auto it = reference.globalMatch(dictionary); it.hasNext();) {
        const QRegularExpressionMatch match = it.next();
        named.insert(match.captured(1), match.captured(2).toInt());
    }
    return named;
}

/// "<0003> <0007> [<0020> <0041> ...]" or "<0003> <0003> <0020>".
Letters letters_of(const QString& map) {
    Letters letters;
    static const QRegularExpression range(
        R"(<([0-9a-fA-F]+)>\s*<([0-9a-fA-F]+)>\s*(?:<([0-9a-fA-F]+)>|\[([^\]]*)\]))");
    static const QRegularExpression code("<([0-9a-fA-F]+)>");
    for (auto it = range.globalMatch(map); it.hasNext();) {
        const QRegularExpressionMatch match = it.next();
        const uint first = match.captured(1).toUInt(nullptr, 16);
        const uint last = match.captured(2).toUInt(nullptr, 16);
        uint glyph = first;
        if (!match.captured(3).isEmpty()) {
            for (uint letter = match.captured(3).toUInt(nullptr, 16); glyph <= last; ++glyph, ++letter)
                letters.insert(glyph, QString(QChar(letter)));
        }
        for (auto codes = code.globalMatch(match.captured(4)); codes.hasNext(); ++glyph)
            letters.insert(glyph, QString(QChar(codes.next().captured(1).toUInt(nullptr, 16))));
    }
    return letters;
}

void read_page(const QString& stream, const QMap<QString, Letters>& fonts, PdfContent& content) {
    static const QRegularExpression token(R"(<[0-9a-fA-F]*>|/\w+|[A-Za-z*']+|[^\s<>/]+)");
    const Letters* letters = nullptr;
    QString name;
    QString text;
    QString glyphs;
    static const QSet<QString> stroking{"S", "s", "B", "B*", "b", "b*"};
    static const QSet<QString> filling{"f", "f*", "B", "B*", "b", "b*"};
    for (auto it = token.globalMatch(stream); it.hasNext();) {
        const QString word = it.next().captured();
        if (word.startsWith('/')) {
            name = word.mid(1);
        } else if (word.startsWith('<')) {
            glyphs += word.mid(1, word.size() - 2);
        } else if (word == "Tf") {
            const auto font = fonts.constFind(name);
            letters = font == fonts.constEnd() ? nullptr : &*font;
        } else if (word == "Tj" || word == "TJ") {
            for (qsizetype at = 0; letters != nullptr && at + 4 <= glyphs.size(); at += 4)
                text += letters->value(glyphs.mid(at, 4).toUInt(nullptr, 16), "?");
            glyphs.clear();
        } else if (word == "ET") {
            content.texts.append(text.simplified());  // Qt maps the glyph of a space to a tab
            text.clear();
        }
        content.strokes += stroking.contains(word) ? 1 : 0;
        content.fills += filling.contains(word) ? 1 : 0;
    }
}

}  // namespace

PdfContent read_pdf(const QByteArray& pdf) {
    PdfContent content;
    const QMap<int, QString> objects = objects_of(pdf);
    QMap<QString, Letters> fonts;
    QString page;
    for (const QString& object : objects) {
        if (object.contains("/Subtype /Image")) ++content.pictures;
        if (!found(R"(/Type\s*/Page\b(?!s))", object).hasMatch()) continue;
        ++content.pages;
        page = object;
    }
    const QRegularExpressionMatch box = found(R"(/MediaBox\s*\[\s*0\s+0\s+([\d.]+)\s+([\d.]+)\s*\])", pdf);
    content.size = {box.captured(1).toDouble(), box.captured(2).toDouble()};
    const QMap<QString, int> parts = references(page);
    const QMap<QString, int> named =
        references(found(R"(/Font\s*<<(.*?)>>)", objects.value(parts.value("Resources"), page)).captured(1));
    for (auto font = named.begin(); font != named.end(); ++font) {
        const QString& object = objects.value(font.value());
        fonts.insert(font.key(), letters_of(stream_of(objects.value(references(object).value("ToUnicode")))));
        content.fonts.append(found(R"(/BaseFont\s*/(?:[A-Z]+\+)?([\w-]+))", object).captured(1));
    }
    content.fonts.sort();
    read_page(stream_of(objects.value(parts.value("Contents"))), fonts, content);
    return content;
}

}  // namespace roofwalk::test
