// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/logging.h"

#include <fmt/format.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <QString>
#include <QtGlobal>
#include <memory>
#include <string>

#include "core/base/text.h"

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

/// spdlog takes unknown words for "off", which would hide why somebody's setting has no effect.
spdlog::level::level_enum level_from(const std::string& wanted) {
    const spdlog::level::level_enum level = spdlog::level::from_str(wanted);
    return level == spdlog::level::off && wanted != "off" ? spdlog::level::warn : level;
}

/// Qt itself ends the program after a fatal message; the line must be out by then.
void log_qt_message(QtMsgType type, const QMessageLogContext& context, const QString& message) {
    const char* category = context.category != nullptr ? context.category : "qt";
    spdlog::log(level_of(type), "{}", printable(fmt::format("{}: {}", category, message.toStdString())));
    if (type == QtFatalMsg) spdlog::default_logger()->flush();
}

}  // namespace

void start_logging() {
    auto logger =
        std::make_shared<spdlog::logger>("roofwalk", std::make_shared<spdlog::sinks::stderr_sink_mt>());
    logger->set_pattern("%H:%M:%S.%e %l %v");
    logger->set_level(level_from(qEnvironmentVariable("ROOFWALK_LOG").toStdString()));
    spdlog::set_default_logger(std::move(logger));
    qInstallMessageHandler(log_qt_message);
}

}  // namespace roofwalk
