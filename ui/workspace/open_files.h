// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "core/base/error.h"

namespace roofwalk {

class Document;

/// Refuses to write over a report that is open, newer or older: by the file itself, whatever its name.
[[nodiscard]] Result<void> refuse_open_report(const Document& document, const QString& path);

/// For what is no session: refuses to write over sessions too.
[[nodiscard]] Result<void> refuse_open_file(const Document& document, const QString& path);

}  // namespace roofwalk
