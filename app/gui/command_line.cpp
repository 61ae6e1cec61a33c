// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/command_line.h"

#include <fmt/format.h>

#include <QCommandLineParser>
#include <QCoreApplication>
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>

#include "core/base/text.h"

namespace roofwalk {

namespace {

constexpr int exit_usage = 2;

void describe(QCommandLineParser& parser) {
    parser.setApplicationDescription(
        QCoreApplication::translate("CommandLine", "Roofline tool for people who write CUDA kernels"));
    parser.addHelpOption();
    parser.addVersionOption();
    parser.addPositionalArgument(
        QStringLiteral("files"),
        QCoreApplication::translate(
            "CommandLine",
            "Files to open: Nsight Compute reports, Roofwalk JSON, ncu CSV, traces of "
            "PyTorch, Proton or Nsight Systems, or a session (.roofwalk)"),
        QStringLiteral("[FILE...]"));
}

/// Qt would print an option that it does not know as it is.
void parse(QCommandLineParser& parser, const QStringList& arguments) {
    if (parser.parse(arguments)) return;
    fmt::print(stderr, "roofwalk: {}\n", printable(parser.errorText().toStdString()));
    std::exit(exit_usage);
}

/// The options that QApplication takes for itself, and how many arguments each has after it.
int arguments_of_qt_option(const QString& argument) {
    constexpr std::array with_value{"platform",
                                    "platformpluginpath",
                                    "platformtheme",
                                    "plugin",
                                    "qwindowgeometry",
                                    "qwindowicon",
                                    "qwindowtitle",
                                    "style",
                                    "stylesheet",
                                    "session",
                                    "display",
                                    "name",
                                    "title",
                                    "geometry",
                                    "icon"};
    constexpr std::array alone{"reverse", "widgetcount", "nograb", "dograb", "sync"};
    if (!argument.startsWith(QLatin1Char('-'))) return -1;
    const QString name = argument.mid(argument.startsWith(QLatin1String("--")) ? 2 : 1);
    const QString before_value = name.section(QLatin1Char('='), 0, 0);
    const auto is = [&](const char* option) { return before_value == QLatin1String(option); };
    if (std::ranges::any_of(with_value, is)) return name == before_value ? 1 : 0;
    return std::ranges::any_of(alone, is) || is("qmljsdebugger") ? 0 : -1;
}

}  // namespace

void refuse_unknown_options(int argc, char** argv) {
    QStringList arguments;
    for (int i = 0; i < argc; ++i) {
        const QString argument = QString::fromLocal8Bit(argv[i]);
        if (argument == QLatin1String("--")) break;  // files follow
        if (const int more = arguments_of_qt_option(argument); i > 0 && more >= 0)
            i += more;
        else
            arguments.append(argument);
    }
    QCommandLineParser parser;
    describe(parser);
    parse(parser, arguments);
}

QStringList files_from_command_line(const QCoreApplication& application) {
    QCommandLineParser parser;
    describe(parser);
    parse(parser, QCoreApplication::arguments());
    parser.process(application);
    return parser.positionalArguments();
}

}  // namespace roofwalk
