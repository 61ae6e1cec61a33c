// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/plan/config_cache.h"

#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <string_view>

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

}  // namespace roofwalk
