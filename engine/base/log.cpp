// SPDX-License-Identifier: BSD-3-Clause
#include "engine/base/log.h"

#include <spdlog/sinks/rotating_file_sink.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

namespace skein::log {
namespace {

spdlog::logger& logger() {
    static const std::shared_ptr<spdlog::logger> instance = [] {
        auto created =
            std::make_shared<spdlog::logger>("skein", std::make_shared<spdlog::sinks::stderr_color_sink_mt>());
        created->set_pattern("%^%l%$: %v");
        created->set_level(spdlog::level::warn);
        return created;
    }();
    return *instance;
}

}  // namespace

void setLevel(Level level) {
    switch (level) {
        case Level::Debug:
            return logger().set_level(spdlog::level::debug);
        case Level::Info:
            return logger().set_level(spdlog::level::info);
        case Level::Warning:
            return logger().set_level(spdlog::level::warn);
        case Level::Error:
            return logger().set_level(spdlog::level::err);
    }
}

void alsoTo(const std::filesystem::path& file) {
    try {
        auto sink = std::make_shared<spdlog::sinks::rotating_file_sink_mt>(file.string(), 5U << 20U, 3);
        sink->set_pattern("%Y-%m-%d %H:%M:%S.%e [%t] %l: %v");
        logger().sinks().push_back(std::move(sink));
    } catch (const spdlog::spdlog_ex& e) {
        warning(std::string("No log file will be written: ") + e.what());
    }
}

void debug(std::string_view message) {
    logger().debug("{}", message);
}
void info(std::string_view message) {
    logger().info("{}", message);
}
void warning(std::string_view message) {
    logger().warn("{}", message);
}
void error(std::string_view message) {
    logger().error("{}", message);
}

}  // namespace skein::log
