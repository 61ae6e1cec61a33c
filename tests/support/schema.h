// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QProcess>
#include <string>

#include "tests/support/samples.h"

namespace roofwalk::test {

/// What a validator says against a document of ours by its published schema; empty: nothing.
inline std::string against_schema(const std::string& document) {
    const auto program = data_folder() / ".." / "support" / "against_schema";
    QProcess validator;
    validator.setProcessChannelMode(QProcess::MergedChannels);
    validator.start(QString::fromStdString(program.string()), {"-"});
    validator.write(QByteArray::fromStdString(document));
    validator.closeWriteChannel();
    if (!validator.waitForFinished()) return "The validator does not answer";
    const std::string faults = validator.readAll().toStdString();
    return validator.exitCode() == 0 ? faults : faults + "exit code " + std::to_string(validator.exitCode());
}

}  // namespace roofwalk::test
