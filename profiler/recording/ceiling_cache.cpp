// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/recording/ceiling_cache.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <system_error>

#include "core/base/file_writer.h"
#include "core/devices/measured_json.h"
#include "core/devices/uuid_for_file.h"
#include "profiler/recording/xdg_folder.h"

namespace roofwalk {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view suffix = ".json";

/// Where the cache has no room, a file of a person's choice may.
Error with_other_place(Error error) {
    error.hint += " Or write them to a file of your choice: Export in the window, -o for the command.";
    return error;
}

}  // namespace

std::optional<CeilingCache> CeilingCache::of_user() {
    const auto data = xdg_folder("XDG_DATA_HOME", ".local/share");
    return data ? std::optional(CeilingCache(*data / "roofwalk/ceilings")) : std::nullopt;
}

CeilingCache::Kept CeilingCache::read() const {
    std::vector<fs::path> files;
    std::error_code failed;
    for (fs::directory_iterator entry(folder_, failed), end; !failed && entry != end; entry.increment(failed))
        if (entry->path().extension() == suffix) files.push_back(entry->path());
    std::ranges::sort(files);
    Kept kept;
    for (const fs::path& file : files) {
        std::ifstream in(file, std::ios::binary);
        const std::string text{std::istreambuf_iterator<char>(in), {}};
        if (!in.good() && !in.eof()) {
            kept.problems.push_back({ErrorCode::file_not_readable, "Kept ceilings cannot be read",
                                     file.string(), "Measure again, or remove the file."});
            continue;
        }
        auto measured = read_measured_ceilings(text, file.string());
        if (measured)
            kept.measured.push_back(*std::move(measured));
        else
            kept.problems.push_back(measured.error());
    }
    return kept;
}

Result<fs::path> CeilingCache::keep(const MeasuredCeilings& measured) const {
    constexpr std::string_view failure = "The measured ceilings could not be kept";
    const fs::path file = folder_ / (uuid_for_file(measured.device.device.uuid) + std::string(suffix));
    std::error_code failed;
    fs::create_directories(folder_, failed);
    if (failed) return tl::unexpected(with_other_place(write_error(failure, folder_, failed.value())));
    return write_file(file, measured_ceilings_json(measured), failure)
        .map([&] { return file; })
        .map_error(with_other_place);
}

}  // namespace roofwalk
