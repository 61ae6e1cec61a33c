// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/open_profile.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "core/base/mapped_file.h"
#include "core/import/csv/ncu_csv_reader.h"
#include "core/import/impossible_figures.h"
#include "core/import/json/json_reader.h"
#include "core/import/ncu/ncu_container.h"
#include "core/import/ncu/ncu_report.h"
#include "core/import/zstd_stream.h"

namespace roofwalk {

namespace {

using Bytes = std::span<const std::byte>;

constexpr std::string_view white_space = " \t\r\n";

enum class Format { ncu_report, json, ncu_csv, utf16, unknown };

/// Without a byte order mark.
std::string_view text_of(Bytes bytes) {
    std::string_view text(reinterpret_cast<const char*>(bytes.data()),
                          bytes.size());  // NOLINT: as characters
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    return text;
}

/// Whether the CSV of ncu starts soon: its header, or a line that ncu prints before it. What the profiled
/// program itself prints may stand above, and often starts with a bracket like JSON.
bool holds_ncu_csv(std::string_view text) {
    constexpr std::size_t enough = std::size_t{1} << 20U;
    text = text.substr(0, enough);
    while (!text.empty()) {
        if (text.starts_with("\"ID\",") || text.starts_with("ID,Process ID,") || text.starts_with("==PROF=="))
            return true;
        const std::size_t end = text.find('\n');
        if (end == std::string_view::npos) break;
        text.remove_prefix(end + 1);
    }
    return false;
}

Format format_of(std::string_view text) {
    if (ncu::starts_report(text)) return Format::ncu_report;
    if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) return Format::utf16;
    if (holds_ncu_csv(text)) return Format::ncu_csv;
    const std::size_t start = text.find_first_not_of(white_space);
    if (start != std::string_view::npos && (text[start] == '{' || text[start] == '[')) return Format::json;
    return Format::unknown;
}

Result<Profile> read_plain(Bytes bytes, const std::string& name, const Progress& progress) {
    const std::string_view text = text_of(bytes);
    switch (format_of(text)) {
        case Format::ncu_report:
            return read_ncu_report(bytes, name, progress);
        case Format::json:
            return read_json(text, name, progress);
        case Format::ncu_csv:
            return read_ncu_csv(text, name, progress);
        case Format::utf16:
            return tl::unexpected(Error{
                ErrorCode::unknown_format, "This is text in UTF-16", name,
                "Save it as UTF-8; PowerShell writes UTF-16 unless told \"| Out-File -Encoding utf8\"."});
        case Format::unknown:
            break;
    }
    return tl::unexpected(Error{
        ErrorCode::unknown_format, "This is no format that can be read", name,
        "What can be read: Nsight Compute reports (.ncu-rep, .ncu-repz), Roofwalk profile JSON and JSON "
        "Lines, the output of ncu --csv, and Roofwalk sessions (.roofwalk)."});
}

/// The part of `whole` from one share to another.
Progress part_of(const Progress& whole, double from, double to) {
    return {[&whole, from, to](double share) { whole.at(from + share * (to - from)); }, whole.stop};
}

Result<Profile> read_packed(Bytes bytes, const std::string& name, const Progress& progress) {
    constexpr double unpacking = 0.7;  // the larger part of the time
    const auto unpacked = unpack_zstd(bytes, name, part_of(progress, 0, unpacking), [](Bytes start) {
        const std::string_view text = text_of(start);
        return format_of(text) != Format::unknown || text.find_first_not_of(white_space) == text.npos;
    });
    if (!unpacked) return tl::unexpected(unpacked.error());
    Progress reading = part_of(progress, unpacking, 1);
    // A request to stop that came while unpacking is met: what came out until then is read whole.
    if (progress.cancelled()) reading.stop = {};
    auto profile = read_plain(unpacked->bytes, name, reading);
    if (!unpacked->damage) return profile;
    if (!profile) return tl::unexpected(*unpacked->damage);
    for (SourceInfo& source : profile->sources)
        source.partial = true;
    profile->warnings.push_back({*unpacked->damage, {}});
    return profile;
}

}  // namespace

Result<Profile> read_profile(std::span<const std::byte> bytes, const std::string& name,
                             const Progress& progress) {
    if (bytes.empty())
        return tl::unexpected(Error{ErrorCode::file_empty, "The file is empty", name, "Profile again."});
    auto profile = is_zstd(bytes) ? read_packed(bytes, name, progress) : read_plain(bytes, name, progress);
    if (profile) refuse_impossible_figures(*profile, name);
    return profile;
}

Result<Profile> open_profile(const std::filesystem::path& file, const Progress& progress) {
    const auto mapped = MappedFile::open(file);
    if (!mapped) return tl::unexpected(mapped.error());
    return read_profile(mapped->bytes(), file.string(), progress);
}

}  // namespace roofwalk
