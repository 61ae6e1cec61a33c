// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFile>
#include <QStringList>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

/// Texts and paths between core, which speaks UTF-8, and Qt.
namespace roofwalk {

[[nodiscard]] inline QString to_qt(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

[[nodiscard]] inline QStringList to_qt(const std::vector<std::string>& texts) {
    QStringList list;
    for (const std::string& text : texts)
        list.append(to_qt(text));
    return list;
}

[[nodiscard]] inline std::filesystem::path to_path(const QString& path) {
    return std::filesystem::path(QFile::encodeName(path).toStdString());
}

}  // namespace roofwalk
