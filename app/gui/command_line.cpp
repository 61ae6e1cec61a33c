// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/command_line.h"

#include <fmt/format.h>

#include <QCommandLineParser>
#include <QCoreApplication>
#include <cstdio>
#include <cstdlib>

#include "core/base/text.h"

namespace roofwalk {

QStringList files_from_command_line(const QCoreApplication& application) {
    QCommandLineParser parser;
    parser.setApplicationDescription(
        QCoreApplication::translate("CommandLine", "Roofline tool for people who write CUDA kernels"));
    parser.addHelpOption();
    parser.addVersionOption();
    parser.addPositionalArgument(
        QStringLiteral("files"),
        QCoreApplication::translate("CommandLine",
                                    "Files to open: Nsight Compute reports, Roofwalk JSON, ncu CSV, or a "
                                    "session (.roofwalk)"),
        QStringLiteral("[FILE...]"));
    // Qt would print an option that it does not know as it is.
    if (!parser.parse(QCoreApplication::arguments())) {
        fmt::print(stderr, "roofwalk: {}\n", printable(parser.errorText().toStdString()));
        std::exit(EXIT_FAILURE);
    }
    parser.process(application);
    return parser.positionalArguments();
}

}  // namespace roofwalk
