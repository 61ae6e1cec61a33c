// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/plan/counter_planner.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <string_view>
#include <utility>

#include "core/base/file_writer.h"
#include "profiler/wire/frame.h"

namespace roofwalk {

namespace {

namespace fs = std::filesystem;

std::uint32_t checksum_of(std::span<const char> text) {
    return wire::checksum_of(std::as_bytes(text));
}

/// The key as it stands at the start of a file. An availability image is named by size and checksum.
std::string text_of(const ConfigKey& key) {
    std::string text = fmt::format("roofwalk config image 1\ncupti {}\nchip {}\navailability {} {:08x}\n",
                                   key.cupti_version, key.chip, key.availability.size(),
                                   wire::checksum_of(std::as_bytes(std::span(key.availability))));
    for (const std::string& metric : key.metrics)
        text += metric + '\n';
    return text + '\n';
}

constexpr const char* image_wanted = "image";         // chip, availability, metrics
constexpr const char* unknown_wanted = "unknown";     // chip, nothing, metrics
constexpr const char* passes_wanted = "passes";       // image
constexpr const char* values_wanted = "values";       // range, chip, availability, counter data, metrics
constexpr const char* values_of_same = "values too";  // range; the rest as before

std::string text_of(std::span<const std::uint8_t> bytes) {
    return {bytes.begin(), bytes.end()};
}

std::span<const std::uint8_t> bytes_of_text(const std::string& text) {
    return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

CuptiAnswer question(const char* wanted, std::initializer_list<std::string> texts,
                     std::span<const std::string> metrics = {}) {
    CuptiAnswer asked{wanted};
    asked.insert(asked.end(), texts.begin(), texts.end());
    asked.insert(asked.end(), metrics.begin(), metrics.end());
    return asked;
}

/// In the process of CUPTI: names, each with its value behind it.
Result<CuptiAnswer> values_of(const CuptiHost& host, const CuptiAnswer& asked, const std::string& range) {
    return host
        .evaluate(asked[2], bytes_of_text(asked[3]), bytes_of_text(asked[4]),
                  std::strtoul(range.c_str(), nullptr, 10), std::span(asked).subspan(5))
        .map([](const std::map<std::string, double>& values) {
            CuptiAnswer texts;
            for (const auto& [name, value] : values)
                texts.insert(texts.end(),
                             {name, std::string(reinterpret_cast<const char*>(&value), sizeof(value))});
            return texts;
        });
}

/// In the process of CUPTI.
Result<CuptiAnswer> answer(const CuptiHost& host, const CuptiAnswer& asked, CuptiAnswer& evaluated) {
    const std::string& wanted = asked.front();
    if (wanted == values_of_same) return values_of(host, evaluated, asked[1]);
    if (wanted == values_wanted) return values_of(host, evaluated = asked, asked[1]);
    if (wanted == passes_wanted)
        return host.pass_count(bytes_of_text(asked[1])).map([](std::size_t passes) {
            return CuptiAnswer{std::to_string(passes)};
        });
    const auto metrics = std::span(asked).subspan(3);
    if (wanted == unknown_wanted) return host.unknown_metrics(asked[1], metrics);
    return host.config_image(asked[1], metrics, bytes_of_text(asked[2])).map([](const ConfigImage& image) {
        return CuptiAnswer{text_of(image)};
    });
}

}  // namespace

fs::path ConfigCache::file_of(std::string_view key_text) const {
    return folder_ / fmt::format("config-{:08x}.bin", checksum_of(key_text));
}

std::optional<ConfigImage> ConfigCache::find(const ConfigKey& key) const {
    const std::string key_text = text_of(key);
    std::ifstream file(file_of(key_text), std::ios::binary);
    const std::string content{std::istreambuf_iterator<char>(file), {}};
    std::uint32_t written_checksum = 0;
    const std::size_t before_image = key_text.size() + sizeof(written_checksum);
    if (content.size() <= before_image || !content.starts_with(key_text)) return std::nullopt;
    std::memcpy(&written_checksum, content.data() + key_text.size(), sizeof(written_checksum));
    const auto image = std::string_view(content).substr(before_image);
    if (checksum_of(image) != written_checksum) return std::nullopt;
    return ConfigImage(image.begin(), image.end());
}

Result<void> ConfigCache::keep(const ConfigKey& key, std::span<const std::uint8_t> image) const {
    constexpr std::string_view failure = "A config image cannot be kept";
    std::string content = text_of(key);
    const fs::path file = file_of(content);
    const std::uint32_t checksum = wire::checksum_of(std::as_bytes(image));
    content.append(reinterpret_cast<const char*>(&checksum), sizeof(checksum));
    content.append(reinterpret_cast<const char*>(image.data()), image.size());
    std::error_code failed;
    fs::create_directories(folder_, failed);
    const Result<void> kept = failed ? tl::unexpected(write_error(failure, folder_, failed.value()))
                                     : write_file(file, content, failure);
    return kept.map_error([](Error error) {
        error.hint = "Profiling works without it, and starts a little later.";
        return error;
    });
}

CuptiPlanner::CuptiPlanner(std::filesystem::path library, std::uint32_t version,
                           std::optional<ConfigCache> cache)
    : process_(std::move(library),
               [evaluated = CuptiAnswer()](const CuptiHost& host, const CuptiAnswer& asked) mutable {
                   return answer(host, asked, evaluated);
               }),
      version_(version),
      cache_(std::move(cache)) {}

Result<ConfigImage> CuptiPlanner::image_of(const std::string& chip, const std::vector<std::string>& metrics,
                                           std::span<const std::uint8_t> availability) {
    const ConfigKey key{version_, chip, metrics, {availability.begin(), availability.end()}};
    if (cache_)
        if (auto kept = cache_->find(key)) return *std::move(kept);
    auto image = process_.ask(question(image_wanted, {chip, text_of(availability)}, metrics))
                     .map([](const CuptiAnswer& texts) {
                         const auto bytes = bytes_of_text(texts.at(0));
                         return ConfigImage(bytes.begin(), bytes.end());
                     });
    // A cache that cannot be written costs time and nothing else.
    if (image && cache_) std::ignore = cache_->keep(key, *image);
    return image;
}

Result<std::size_t> CuptiPlanner::passes_of(const ConfigImage& image) {
    return process_.ask(question(passes_wanted, {text_of(image)})).map([](const CuptiAnswer& texts) {
        return static_cast<std::size_t>(std::strtoul(texts.at(0).c_str(), nullptr, 10));
    });
}

std::optional<Error> CuptiPlanner::drop_unknown(const std::string& chip, MetricPlan& plan) {
    const auto unknown = process_.ask(question(unknown_wanted, {chip, ""}, plan.metrics));
    if (!unknown || unknown->empty() || unknown->size() == plan.metrics.size()) return std::nullopt;
    std::erase_if(plan.metrics, [&](const std::string& metric) {
        return std::ranges::find(*unknown, metric) != unknown->end();
    });
    return Error{ErrorCode::unsupported_version,
                 fmt::format("This CUPTI does not know {} of plan {}: what rests on it is not counted",
                             fmt::join(*unknown, ", "), letter_of(plan.kind)),
                 "chip " + chip, "Use the CUPTI of a newer CUDA toolkit; --cupti names it."};
}

Result<DeviceCounters> CuptiPlanner::counters_of(const std::string& chip,
                                                 std::span<const std::uint8_t> availability) {
    const Chip* known = find_chip(chip);
    if (known == nullptr)
        return unexpected(ErrorCode::unsupported_version,
                          fmt::format("There are no counter plans for the chip {}", chip), "",
                          "Its kernels are timed. A newer Roofwalk may know the chip.");
    DeviceCounters counters;
    for (MetricPlan& plan : metric_plans(*known)) {
        auto image = image_of(chip, plan.metrics, availability);
        if (!image)
            if (auto dropped = drop_unknown(chip, plan)) {
                if (plan.kind != PlanKind::replay) counters.left_out.push_back(*std::move(dropped));
                image = image_of(chip, plan.metrics, availability);
            }
        const auto passes = image.and_then([&](const ConfigImage& bytes) { return passes_of(bytes); });
        if (passes)
            counters.plans.push_back({plan.kind, std::move(plan.metrics), *std::move(image), *passes});
        else if (plan.kind != PlanKind::replay)  // A and C have said it
            counters.left_out.push_back(passes.error());
    }
    // What was counted could not be evaluated.
    if (process_.gone()) return tl::unexpected(*process_.gone());
    if (counters.plans.empty()) return tl::unexpected(counters.left_out.front());
    return counters;
}

Result<std::map<std::string, double>> CuptiPlanner::evaluate(const std::string& chip,
                                                             std::span<const std::uint8_t> availability,
                                                             std::span<const std::uint8_t> counter_data,
                                                             std::size_t range,
                                                             std::span<const std::string> metrics) {
    CuptiAnswer asked =
        question(values_wanted, {"", chip, text_of(availability), text_of(counter_data)}, metrics);
    const bool same = asked == evaluated_;
    if (!same) evaluated_ = asked;
    asked[1] = std::to_string(range);
    const auto told = process_.ask(same ? question(values_of_same, {asked[1]}) : asked);
    if (!told) return tl::unexpected(told.error());
    std::map<std::string, double> values;
    for (std::size_t at = 0; at + 1 < told->size(); at += 2)
        std::memcpy(&values[(*told)[at]], (*told)[at + 1].data(), sizeof(double));
    return values;
}

}  // namespace roofwalk
