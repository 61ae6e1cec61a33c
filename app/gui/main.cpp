// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <QApplication>
#include <QCommandLineParser>
#include <QDateTime>
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
#include <utility>
#include <vector>

#include "app/gui/bundled_samples.h"
#include "app/logging.h"
#include "core/base/text.h"
#include "core/import/ceiling_benchmark_backend.h"
#include "core/import/open_profile.h"
#include "core/import/recording_backend.h"
#include "profiler/recording/agent_injection.h"
#include "profiler/recording/capability_check.h"
#include "profiler/recording/ceiling_benchmark.h"
#include "profiler/recording/ceiling_store.h"
#include "profiler/recording/live_source.h"
#include "profiler/recording/machine.h"
#include "profiler/recording/ncu_session.h"
#include "profiler/recording/prepare_session.h"
#include "profiler/recording/processes.h"
#include "ui/shell/main_window.h"
#include "ui/shell/settings.h"
#include "ui/widgets/file_chooser.h"
#include "ui/widgets/qt_text.h"

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

struct QtMessage {
    QtMsgType type = QtDebugMsg;
    QByteArray category;
    QString words;
};

QtMessageHandler handler_before = nullptr;
std::vector<QtMessage> said;  // by Qt, before the fatal message

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
        for (const QtMessage& each : said)
            handler_before(each.type, QMessageLogContext(nullptr, 0, nullptr, each.category.constData()),
                           each.words);
        said.clear();
    }
    NoDisplayNote(const NoDisplayNote&) = delete;
    NoDisplayNote& operator=(const NoDisplayNote&) = delete;
};

constexpr int exit_usage = 2;

void describe(QCommandLineParser& parser) {
    parser.setApplicationDescription(QStringLiteral("Roofline tool for people who write CUDA kernels"));
    parser.addHelpOption();
    parser.addVersionOption();
    parser.addPositionalArgument(
        QStringLiteral("files"),
        QStringLiteral("Files to open: %1, or a session (.roofwalk)").arg(to_qt(list_of_formats())),
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

RunningProgram running_program(const GpuProcess& process, const InjectionTools& tools, uid_t user) {
    RunningProgram program;
    program.process = static_cast<std::uint32_t>(process.process);
    program.name = process.name;
    program.command = fmt::format("{}", fmt::join(process.command, " "));
    const bool ours = process.one_user && process.user == user;
    // What another user started would run with our rights when we start it again.
    if (ours) {
        program.again.command = process.command;
        program.again.directory = process.directory;
    }
    if (process.agent_waits && ours) return program;
    program.obstacle = Error{
        ErrorCode::not_profiled, fmt::format("{}", fmt::join(why_not_attached(process, user), " ")), {}, {}};
    if (const auto reasons = why_not_injected(process, tools, user); !reasons.empty())
        program.no_injection =
            Error{ErrorCode::not_profiled, fmt::format("{}", fmt::join(reasons, " ")), {}, {}};
    return program;
}

RecordingOffer look_for_programs(const std::stop_token& stop) {
    const CuptiChoice cupti =
        choose_cupti(find_cupti_here(), {.driver_cuda = cuda_version_of_driver(), .stop = stop});
    const std::vector<CapabilityFinding> findings = findings_here(cupti);
    const auto error_of = [](const Result<void>& refused) {
        return refused ? std::optional<Error>() : std::optional(refused.error());
    };
    RecordingOffer offer;
    offer.obstacle = error_of(refuse_agent_by_findings(findings, false));
    if (!offer.obstacle) offer.obstacle = error_of(refuse_missing_agent(installed_agent()));
    if (!offer.obstacle) {
        const auto counters = std::ranges::find(findings, "counters", &CapabilityFinding::subject);
        if (counters != findings.end() && counters->readiness == Readiness::missing)
            offer.no_counters = Error{ErrorCode::not_profiled, counters->what, {}, counters->hint};
    }
    if (const auto ncu = ready_ncu(findings); !ncu) offer.no_ncu = ncu.error();
    offer.cost_of_ncu = ncu_passes;
    const Machine machine = read_machine();
    offer.cost = recording_cost(machine.gpus, cupti.library, stop);
    offer.cost_elsewhere = recording_cost({}, {})[ReplayPolicy::never].sampled;
    const InjectionTools tools = injection_tools_here();
    for (const GpuProcess& process : gpu_processes())
        if (process.process != ::getpid())
            offer.programs.push_back(running_program(process, tools, ::geteuid()));
    return offer;
}

CeilingBenchmarkOffer look_for_gpus(const std::stop_token& stop) {
    CeilingBenchmarkOffer offer;
    if (auto refused = refuse_by_findings(findings_here(), false); !refused) {
        offer.obstacle = std::move(refused.error());
        offer.obstacle->hint = "Measured on another machine, its file can be imported here.";
        return offer;
    }
    auto gpus = list_gpus({}, stop);
    if (gpus)
        offer.gpus = *std::move(gpus);
    else
        offer.obstacle = std::move(gpus.error());
    return offer;
}

Result<MeasuredCeilings> measure(const std::string& uuid, const std::stop_token& stop,
                                 const OnCeilingBenchmarkProgress& on_progress) {
    CeilingBenchmarkRequest request;
    request.device = uuid;
    request.date = QDateTime::currentDateTimeUtc().date().toString(Qt::ISODate).toStdString();
    return measure_ceilings(
        request, stop,
        [&](const CeilingBenchmarkProgress& progress, const MeasuredCeilings&) { on_progress(progress); });
}

/// How the window records programs of this machine.
RecordingBackend live_recording() {
    return {look_for_programs,
            [](ProfileRequest request,
               const std::stop_token& stop) -> Result<std::unique_ptr<LiveProfileSource>> {
                RecordingOptions choices;
                if (request.launch.pytorch_ranges && request.launch.through.empty()) {
                    const auto on = switch_pytorch_ranges_on(request.launch);
                    if (!on) return tl::unexpected(on.error());
                    if (on->kept_off) choices.warnings.push_back(*on->kept_off);
                }
                return start_live_source(request, choices, "Roofwalk " ROOFWALK_VERSION, stop);
            },
            [] { return try_injection(injection_tools_here(), installed_agent(), {}); }};
}

/// Measures the GPUs of this machine.
CeilingBenchmarkBackend live_ceiling_benchmark() {
    return {[] { return stored_ceilings(); }, look_for_gpus, measure,
            [](const MeasuredCeilings& measured) { return keep_ceilings(measured); }};
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
