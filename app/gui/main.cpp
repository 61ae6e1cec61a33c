// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <QApplication>
#include <QDir>
#include <QIcon>
#include <algorithm>
#include <array>
#include <csignal>
#include <optional>
#include <string_view>

#include "app/gui/bundled_samples.h"
#include "app/gui/command_line.h"
#include "app/gui/live_backends.h"
#include "app/gui/no_display.h"
#include "app/logging.h"
#include "core/base/text.h"
#include "ui/shell/main_window.h"
#include "ui/shell/settings.h"
#include "ui/widgets/file_chooser.h"

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
    spdlog::log(level_of(type), "{}",
                roofwalk::printable(fmt::format("{}: {}", category, message.toStdString())));
    if (type == QtFatalMsg) spdlog::default_logger()->flush();
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

int main(int argc, char** argv) {
    // A reader that is gone, and a file above the limit of `ulimit -f`, show as a failed write, not as a
    // signal.
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);
    roofwalk::start_logging(spdlog::level::warn);
    qInstallMessageHandler(log_qt_message);
    spdlog::info("Roofwalk {}, Qt {}", ROOFWALK_VERSION, qVersion());
    QCoreApplication::setApplicationName(QStringLiteral("roofwalk"));
    QCoreApplication::setApplicationVersion(QStringLiteral(ROOFWALK_VERSION));
    QCoreApplication::setOrganizationName(QStringLiteral("roofwalk"));
    if (wants_words_only(argc, argv)) {
        const QCoreApplication terminal(argc, argv);
        static_cast<void>(roofwalk::files_from_command_line(terminal));  // prints and ends the program
        return 0;
    }
    roofwalk::refuse_unknown_options(argc, argv);
    std::optional<roofwalk::NoDisplayNote> note(std::in_place);
    QApplication application(argc, argv);
    note.reset();
    QApplication::setApplicationDisplayName(QStringLiteral("Roofwalk"));
    // The name of the desktop file without its suffix; the icon of the theme has the same name.
    QGuiApplication::setDesktopFileName(QStringLiteral("org.roofwalk.Roofwalk"));
    QApplication::setWindowIcon(program_icon());
    const QStringList files = roofwalk::files_from_command_line(application);

    roofwalk::Settings settings;
    roofwalk::DesktopFileChooser chooser;
    roofwalk::MainWindow window(settings, chooser, roofwalk::bundled_samples(), QApplication::palette(),
                                roofwalk::live_recording(), roofwalk::live_ceiling_benchmark(),
                                roofwalk::lessons_folder());
    // Files are read on the pool while the window is laid out.
    window.open(files);
    window.show();
    return QApplication::exec();
}
