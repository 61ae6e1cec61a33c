// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/number_files.h"

#include <QCoreApplication>
#include <QFileInfo>

#include "core/base/file_writer.h"
#include "ui/widgets/qt_text.h"
#include "ui/workspace/open_files.h"

namespace roofwalk {

namespace {

std::string text(const char* words) {
    return QCoreApplication::translate("NumberFiles", words).toStdString();
}

}  // namespace

Result<void> write_numbers(const Document& document, const QString& path, const Numbers& numbers) {
    if (auto free = refuse_open_file(document, path); !free) return free;
    const QString suffix = QFileInfo(path).suffix().toLower();
    std::string content;
    if (suffix == QLatin1String("json"))
        content = numbers.json();
    else if (suffix == QLatin1String("csv"))
        content = to_csv(numbers.table());
    else if (suffix == QLatin1String("md"))
        content = to_markdown(numbers.table());
    else
        return tl::unexpected(Error{
            ErrorCode::bad_argument,
            text(QT_TRANSLATE_NOOP("NumberFiles", "The numbers were not written: the name tells no format.")),
            path.toStdString(), text(QT_TRANSLATE_NOOP("NumberFiles", "Let it end in .csv, .md or .json."))});
    return write_file(to_path(path), content);
}

}  // namespace roofwalk
