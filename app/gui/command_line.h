// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

class QCoreApplication;

namespace roofwalk {

/// Reads `roofwalk [FILE...]`. Help, version and usage errors end the program.
[[nodiscard]] QStringList files_from_command_line(const QCoreApplication& application);

}  // namespace roofwalk
