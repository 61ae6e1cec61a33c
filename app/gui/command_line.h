// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

class QCoreApplication;

namespace roofwalk {

/// Ends the program with exit code 2 where an option is neither ours nor Qt's, before a display is needed.
void refuse_unknown_options(int argc, char** argv);

/// Reads `roofwalk [FILE...]`. Help, version and usage errors end the program.
[[nodiscard]] QStringList files_from_command_line(const QCoreApplication& application);

}  // namespace roofwalk
