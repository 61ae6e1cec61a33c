// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/json/json_header.h"

#include <limits>
#include <utility>

namespace roofwalk {

namespace {

constexpr std::string_view format_id = "roofwalk-profile";
constexpr int known_version = 1;
constexpr std::size_t most_devices = std::numeric_limits<std::uint16_t>::max();
constexpr std::size_t most_sources = std::numeric_limits<std::uint16_t>::max();

/// Instead of a list.
struct NoKernels {};

bool read_json(const JsonValue& value, NoKernels) {
    return value.fail("The kernels of a profile are a list",
                      R"(As in "kernels": [{"name": "saxpy", "flops": 2e8, "bytes": 1.2e9}].)");
}

}  // namespace

/// A code that a later Roofwalk may know is no reason to refuse a profile.
static bool read_json(const JsonValue& value, Warning& target) {
    target.message.code = ErrorCode::not_understood;
    return read_object(value, target);
}

namespace {

struct HeaderDraft {
    bool recording = false;
    std::string_view format;
    std::optional<int> version;
    std::optional<Origin> origin;
    std::optional<std::string_view> device;
    std::vector<JsonDevice> devices;
    std::vector<SourceInfo> sources;
    std::vector<Warning> warnings;
    std::vector<std::string_view> texts;
    std::vector<CeilingSet> ceiling_sets;

    friend void each_field(auto& field, HeaderDraft& header) {
        field("$schema", Dropped<std::string_view>{});
        field("description", Dropped<std::string_view>{});
        field("format", header.format);
        field("recording", header.recording);
        field("version", header.version);
        field("origin", header.origin);
        field("sources", lines(header.sources, most_sources, "sources"));
        field("warnings", header.warnings);
        field("device", header.device);
        field("devices", lines(header.devices, most_devices, "devices"));
        field("texts", header.texts);
        field("ceiling_sets", header.ceiling_sets);
        field("kernels", NoKernels{});
    }
};

/// What a later line adds.
struct MoreDraft {
    HeaderDraft header;
    std::optional<RecordingCounts> counts;

    friend void each_field(auto& field, MoreDraft& more) {
        field("counts", more.counts);
        field("devices", lines(more.header.devices, most_devices, "devices"));
        field("texts", more.header.texts);
        field("warnings", more.header.warnings);
    }
};

bool check_format(const JsonValue& root, const HeaderDraft& draft) {
    if (draft.format.empty() && !draft.version) return true;
    if (draft.format == "roofwalk-session")
        return root.fail_member(
            "format", "This is a session, which names reports and holds none",
            "Open it by itself, in the window or with roofwalk-cli report, advise, chart, compare or "
            "scenario; a session can name reports only.");
    if (draft.format == "roofwalk-scenario")
        return root.fail_member(
            "format", "This is a scenario, which moves the kernels of a report and holds none",
            "Name the report, and the scenario with --scenario; in the window open the report "
            "and then File > Open a scenario.");
    if (draft.format != format_id)
        return root.fail_member("format", "The format is not a Roofwalk profile",
                                R"(Profiles say "format": "roofwalk-profile".)");
    if (!draft.version)
        return root.fail_member("version", "The version of the format is missing", R"(Add "version": 1.)");
    if (*draft.version != known_version)
        return root.fail_member("version", "The version of the format is not known to this Roofwalk",
                                "Version 1 can be read; a newer Roofwalk may know this one.",
                                ErrorCode::unsupported_version);
    return true;
}

/// Of a recording, `more` lines may describe a device again, when it is better known.
bool add_devices(const JsonValue& root, HeaderDraft& draft, bool more, JsonHeader& header, Profile& profile) {
    const JsonPath list{&root.path, "devices", {}};
    for (std::size_t i = 0; i < draft.devices.size(); ++i) {
        JsonDevice& entry = draft.devices[i];
        const JsonPath here{&list, {}, i};
        const auto next = static_cast<DeviceIndex>(profile.devices.size());
        if (profile.devices.size() == most_devices)
            return root.decoder.fail(here, "There are too many devices");
        const auto [known, is_new] = header.device_ids.emplace(entry.id, next);
        if (is_new)
            profile.devices.push_back(std::move(entry.device));
        else if (more)
            profile.devices[static_cast<std::size_t>(known->second)] = std::move(entry.device);
        else
            return root.decoder.fail({&here, "id", {}}, "Two devices have the same id",
                                     "Give each device an id of its own.");
    }
    return true;
}

void add_texts(const HeaderDraft& draft, JsonHeader& header, Profile& profile) {
    for (const std::string_view text : draft.texts)
        header.texts.push_back(profile.texts.intern(text));
}

bool take_devices(const JsonValue& root, HeaderDraft& draft, JsonHeader& header, Profile& profile) {
    if (!add_devices(root, draft, false, header, profile)) return false;
    header.devices_by_name = draft.devices.empty() && !draft.recording;
    if (!draft.device) return true;
    if (!draft.devices.empty())
        return root.fail_member("device", R"(A profile has either "device" or "devices")");
    header.device_ids.emplace(*draft.device, DeviceIndex{});
    profile.devices.emplace_back().name = *draft.device;
    return true;
}

}  // namespace

std::optional<Error> JsonRecording::cut(const std::string& name) const {
    if (end && end->whole) return std::nullopt;
    std::string what = !end                ? "The recording has no end: what wrote it was killed"
                       : end->what.empty() ? "The recording was cut"
                                           : end->what;
    return Error{ErrorCode::truncated, std::move(what), name, "The launches recorded until then are kept."};
}

bool read_json_header(const JsonValue& value, JsonHeader& header, Profile& profile) {
    HeaderDraft draft;
    if (!read_json(value, draft) || !check_format(value, draft)) return false;
    if (!take_devices(value, draft, header, profile)) return false;
    header.has_format = !draft.format.empty();
    header.origin = draft.origin.value_or(header.has_format ? Origin::measured : Origin::modelled);
    for (CeilingSet& set : draft.ceiling_sets)
        header.ceiling_sets.push_back(std::make_shared<const CeilingSet>(std::move(set)));
    header.recording = draft.recording;
    add_texts(draft, header, profile);
    profile.warnings = std::move(draft.warnings);
    profile.sources = std::move(draft.sources);
    if (profile.sources.empty()) profile.sources.emplace_back();
    return true;
}

std::optional<bool> read_recording_line(const JsonValue& value, JsonHeader& header, Profile& profile,
                                        JsonRecording& recording) {
    JsonElement content;
    if (!header.recording) return std::nullopt;
    if (value.element["end"].get(content) == simdjson::SUCCESS)
        return read_json(value.member("end", content), recording.end);
    if (value.element["more"].get(content) != simdjson::SUCCESS) return std::nullopt;
    MoreDraft draft;
    const JsonValue more = value.member("more", content);
    if (!read_json(more, draft) || !add_devices(value, draft.header, true, header, profile)) return false;
    if (draft.counts) recording.counts = draft.counts;
    add_texts(draft.header, header, profile);
    for (Warning& warning : draft.header.warnings)
        profile.warnings.push_back(std::move(warning));
    return true;
}

}  // namespace roofwalk
