// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "profiler/plan/cupti_host.h"

namespace roofwalk {

/// All that a config image depends on.
struct ConfigKey {
    std::uint32_t cupti_version = 0;
    std::string chip;
    std::vector<std::string> metrics;
    std::vector<std::uint8_t> availability;  ///< of the device; empty for the chip as such
};

/// Config images in files of a folder: loading CUPTI's planner costs a fifth of a second and 100 MiB, reading
/// a file neither.
class ConfigCache {
  public:
    explicit ConfigCache(std::filesystem::path folder) : folder_(std::move(folder)) {}

    /// The image that was kept for this key; absent when there is none, or its file is damaged.
    [[nodiscard]] std::optional<ConfigImage> find(const ConfigKey& key) const;

    /// Replaces the file as a whole, so that processes that keep the same image do not disturb each other.
    [[nodiscard]] Result<void> keep(const ConfigKey& key, std::span<const std::uint8_t> image) const;

  private:
    [[nodiscard]] std::filesystem::path file_of(std::string_view key_text) const;

    std::filesystem::path folder_;
};

}  // namespace roofwalk
