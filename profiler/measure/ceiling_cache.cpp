// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/measure/ceiling_cache.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <system_error>

#include "core/ceilings/measured_json.h"
#include "core/ceilings/uuid_for_file.h"

namespace roofwalk {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view suffix = ".json";

std::string variable(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? "" : value;
}

Error not_kept(const fs::path& file, int code) {
    return {ErrorCode::write_failed, "The measured ceilings could not be kept", file.string(),
            std::generic_category().message(code) +
                "; write them to a file of your choice: Export in the window, -o for the command."};
}

/// 0 or errno.
int write_whole(int descriptor, std::string_view text) {
    while (!text.empty()) {
        const ssize_t written = write(descriptor, text.data(), text.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return errno;
        text.remove_prefix(static_cast<std::size_t>(written));
    }
    return fsync(descriptor) == 0 ? 0 : errno;
}

}  // namespace

std::optional<CeilingCache> CeilingCache::of_user() {
    const std::string data = variable("XDG_DATA_HOME");
    const std::string home = variable("HOME");
    if (data.starts_with('/')) return CeilingCache(fs::path(data) / "roofwalk/ceilings");
    if (home.starts_with('/')) return CeilingCache(fs::path(home) / ".local/share/roofwalk/ceilings");
    return std::nullopt;
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
    const fs::path file = folder_ / (uuid_for_file(measured.device.device.uuid) + std::string(suffix));
    std::error_code failed;
    fs::create_directories(folder_, failed);
    if (failed) return tl::unexpected(not_kept(folder_, failed.value()));
    std::string temporary = file.string() + ".XXXXXX";
    const int descriptor = mkostemp(temporary.data(), O_CLOEXEC);
    if (descriptor < 0) return tl::unexpected(not_kept(file, errno));
    int code = write_whole(descriptor, measured_ceilings_json(measured));
    if (close(descriptor) != 0 && code == 0) code = errno;
    if (code == 0 && rename(temporary.c_str(), file.c_str()) != 0) code = errno;
    if (code == 0) return file;
    unlink(temporary.c_str());
    return tl::unexpected(not_kept(file, code));
}

}  // namespace roofwalk
