// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/logging.h"

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <cstdlib>
#include <memory>
#include <string_view>

namespace roofwalk {

namespace {

/// spdlog takes unknown words for "off", which would hide why somebody's setting has no effect.
spdlog::level::level_enum level_from(std::string_view wanted) {
    const spdlog::level::level_enum level = spdlog::level::from_str(std::string(wanted));
    return level == spdlog::level::off && wanted != "off" ? spdlog::level::warn : level;
}

}  // namespace

void start_logging(spdlog::level::level_enum usual) {
    const char* const wanted = std::getenv("ROOFWALK_LOG");
    auto sink = std::make_shared<spdlog::sinks::stderr_sink_mt>();
    // Of the sink: the logs of recordings have it too, and have all in their files.
    sink->set_level(wanted == nullptr ? usual : level_from(wanted));
    auto logger = std::make_shared<spdlog::logger>("roofwalk", sink);
    logger->set_pattern("%H:%M:%S.%e %l %v");
    logger->set_level(sink->level());
    spdlog::set_default_logger(std::move(logger));
}

}  // namespace roofwalk
