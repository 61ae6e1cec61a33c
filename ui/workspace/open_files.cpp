// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/workspace/open_files.h"

#include <QCoreApplication>

#include "core/base/file_writer.h"
#include "ui/widgets/qt_text.h"
#include "ui/workspace/document.h"
#include "ui/workspace/session_files.h"

namespace roofwalk {

Result<void> refuse_open_report(const Document& document, const QString& path) {
    std::vector<std::filesystem::path> open;
    for (const auto* files : {&document.files(), &document.baselines()})
        for (const OpenFile& file : *files)
            open.push_back(to_path(file.path));
    return refuse_to_replace(to_path(path), open).map_error([](Error error) {
        error.what =
            QCoreApplication::translate("OpenFiles", "Nothing was written: this is a report that is open.")
                .toStdString();
        return error;
    });
}

Result<void> refuse_open_file(const Document& document, const QString& path) {
    if (SessionFiles::is_session(path))
        return tl::unexpected(
            Error{ErrorCode::bad_argument,
                  QCoreApplication::translate("OpenFiles", "Nothing was written: this file is a session.")
                      .toStdString(),
                  path.toStdString(),
                  QCoreApplication::translate("OpenFiles", "Choose another name.").toStdString()});
    return refuse_open_report(document, path);
}

}  // namespace roofwalk
