// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/kernels/filter_lexer.h"

#include <QRegularExpression>

namespace roofwalk {

using Kind = FilterToken::Kind;

QList<FilterToken> filter_tokens(const QString& text) {
    static const QRegularExpression pattern(
        R"re(\s*(?:(?<number>\d+(?:\.\d*)?|\.\d+)\s*(?<unit>%|(?!(?:and|or)\b)[A-Za-zµ][A-Za-zµ/]*)?)re"
        R"re(|"(?<quoted>[^"]*)"|(?<comparison><=|>=|!=|==|=|<|>|~)|(?<open>\()|(?<close>\)))re"
        R"re(|(?<word>[A-Za-z_][A-Za-z0-9_.-]*)|(?<unknown>\S)))re");
    QList<FilterToken> tokens;
    auto matches = pattern.globalMatch(text);
    while (matches.hasNext()) {
        const QRegularExpressionMatch match = matches.next();
        const auto add = [&](Kind kind, const char* group) {
            const QString name = QString::fromLatin1(group);
            if (match.capturedStart(name) < 0) return;
            tokens.append({kind, match.captured(name), 0, {}, match.capturedStart(name)});
        };
        add(Kind::word, "word");
        add(Kind::quoted, "quoted");
        add(Kind::comparison, "comparison");
        add(Kind::open, "open");
        add(Kind::close, "close");
        add(Kind::unknown, "unknown");
        add(Kind::number, "number");
        if (!tokens.isEmpty() && tokens.last().kind == Kind::number) {
            tokens.last().number = tokens.last().text.toDouble();
            tokens.last().unit = match.captured("unit");
        }
    }
    tokens.append({Kind::end, {}, 0, {}, text.size()});
    return tokens;
}

}  // namespace roofwalk
