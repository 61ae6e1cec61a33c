// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <QApplication>
#include <QCommandLineParser>
#include <QDir>
#include <QIcon>
#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/gui/bundled_samples.h"
#include "app/gui/live_backends.h"
#include "app/logging.h"
#include "core/base/text.h"
#include "ui/shell/main_window.h"
#include "ui/shell/settings.h"
#include "ui/widgets/file_chooser.h"

namespace roofwalk {

namespace {

spdlog::level::level_enum level_of(QtMsgType type) {
    switch (type) {
        case QtDebugMsg:
            return spdlog::level::debug;
        case QtInfoMsg:
            return spdlog::level::info;
        case QtWarningMsg:
            return spdlog::level::warn;
        case QtCriticalMsg:
            return spdlog::level::err;
        case QtFatalMsg:
            return spdlog::level::critical;
    }
    return spdlog::level::warn;
}

/// A Qt category is the name in the line. Qt itself ends the program after a fatal message; the line must be
/// out by then.
void log_qt_message(QtMsgType type, const QMessageLogContext& context, const QString& message) {
    const char* category = context.category != nullptr ? context.category : "qt";
    spdlog::log(level_of(type), "{}", printable(fmt::format("{}: {}", category, message.toStdString())));
    if (type == QtFatalMsg) spdlog::default_logger()->flush();
}

constexpr int exit_no_display = 4;

struct Said {
    QtMsgType type = QtDebugMsg;
    QByteArray category;
    QString words;
};

QtMessageHandler handler_before = nullptr;
std::vector<Said> said;  // by Qt, before the fatal message

/// "DISPLAY is :7, WAYLAND_DISPLAY is not set"
QByteArray displays() {
    QByteArray words;
    for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"}) {
        const QByteArray value = qgetenv(name);
        words += (words.isEmpty() ? "" : ", ") + QByteArray(name) +
                 (value.isEmpty() ? QByteArray(" is not set") : " is " + value);
    }
    return words;
}

void tell(QtMsgType type, const QMessageLogContext& context, const QString& words) {
    if (type != QtFatalMsg) {
        said.push_back({type, context.category, words});
        return;
    }
    // The fatal message lists plugins; what was said first is the reason.
    const QByteArray reason = (said.empty() ? words : said.front().words).toLocal8Bit();
    const std::string what = printable(QByteArray(reason.trimmed() + " (" + displays() + ")").toStdString());
    std::fprintf(
        stderr,
        "roofwalk: The window cannot be shown: %s.\n"
        "Without a display, roofwalk-cli chart FILE -o chart.svg draws the same chart, and "
        "roofwalk-cli report FILE lists its numbers.\n"
        "Over SSH, ssh -X shows it on the machine that you sit at. With QT_QPA_PLATFORM=offscreen it runs and is not "
        "shown.\n",
        what.c_str());
    std::_Exit(exit_no_display);
}

/// While it lives, a Qt that finds no display to draw on ends the program with words for a person and exit
/// code 4, instead of a core dump. Its life is the making of the application.
class NoDisplayNote {
  public:
    NoDisplayNote() { handler_before = qInstallMessageHandler(tell); }
    ~NoDisplayNote() {
        qInstallMessageHandler(handler_before);
        for (const Said& each : said)
            handler_before(each.type, QMessageLogContext(nullptr, 0, nullptr, each.category.constData()),
                           each.words);
        said.clear();
    }
    NoDisplayNote(const NoDisplayNote&) = delete;
    NoDisplayNote& operator=(const NoDisplayNote&) = delete;
};

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
    std::fputs(("roofwalk: " + printable(parser.errorText().toStdString()) + '\n').c_str(), stderr);
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

/// Ends the program with exit code 2 where an option is neither ours nor Qt's, before a display is needed.
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

/// Reads `roofwalk [FILE...]`. Help, version and usage errors end the program.
QStringList files_from_command_line(const QCoreApplication& application) {
    QCommandLineParser parser;
    describe(parser);
    parse(parser, QCoreApplication::arguments());
    parser.process(application);
    return parser.positionalArguments();
}

/// Help and version are words on a terminal: they need no display.
bool wants_words_only(int argc, char** argv) {
    constexpr std::array<std::string_view, 5> words{"-h", "--help", "--help-all", "-v", "--version"};
    return std::any_of(argv + 1, argv + argc, [&](std::string_view argument) {
        return std::ranges::find(words, argument) != words.end();
    });
}

/// The icon of the program in every size it was drawn for; it needs no installed theme.
QIcon program_icon() {
    QIcon icon;
    const QDir sizes(QStringLiteral(":/icons"));
    for (const QString& file : sizes.entryList({QStringLiteral("*.png")}))
        icon.addFile(sizes.filePath(file));
    return icon;
}

}  // namespace

}  // namespace roofwalk

int main(int argc, char** argv) {
    using namespace roofwalk;
    // A reader that is gone, and a file above the limit of `ulimit -f`, show as a failed write, not as a
    // signal.
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);
    start_logging(spdlog::level::warn);
    qInstallMessageHandler(log_qt_message);
    spdlog::info("Roofwalk {}, Qt {}", ROOFWALK_VERSION, qVersion());
    QCoreApplication::setApplicationName(QStringLiteral("roofwalk"));
    QCoreApplication::setApplicationVersion(QStringLiteral(ROOFWALK_VERSION));
    QCoreApplication::setOrganizationName(QStringLiteral("roofwalk"));
    if (wants_words_only(argc, argv)) {
        const QCoreApplication terminal(argc, argv);
        static_cast<void>(files_from_command_line(terminal));  // prints and ends the program
        return 0;
    }
    refuse_unknown_options(argc, argv);
    std::optional<NoDisplayNote> note(std::in_place);
    QApplication application(argc, argv);
    note.reset();
    QApplication::setApplicationDisplayName(QStringLiteral("Roofwalk"));
    // The name of the desktop file without its suffix; the icon of the theme has the same name.
    QGuiApplication::setDesktopFileName(QStringLiteral("org.roofwalk.Roofwalk"));
    QApplication::setWindowIcon(program_icon());
    const QStringList files = files_from_command_line(application);

    Settings settings;
    DesktopFileChooser chooser;
    MainWindow window(settings, chooser, bundled_samples(), QApplication::palette(), live_recording(),
                      live_ceiling_benchmark(), lessons_folder());
    // Files are read on the pool while the window is laid out.
    window.open(files);
    window.show();
    return QApplication::exec();
}
