// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/json/json_reader_header.h"

#include <limits>
#include <utility>

#include "core/import/json/json_reader_device.h"

namespace roofwalk {

namespace {

constexpr std::string_view format_id = "roofwalk-profile";
constexpr int known_version = 1;
constexpr std::size_t most_devices = std::numeric_limits<std::uint16_t>::max();
constexpr std::size_t most_sources = std::numeric_limits<std::uint16_t>::max();

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
    std::vector<std::shared_ptr<const CeilingSet>> ceiling_sets;
    std::optional<RecordingCounts> counts;
};

constexpr JsonField<SourceInfo> source_fields[] = {
    {"tool", read_member<&SourceInfo::tool>},
    {"created", read_member<&SourceInfo::created>},
    {"partial", read_member<&SourceInfo::partial>},
    {"range_results", read_member<&SourceInfo::range_results>},
    {"rank", [](JsonElement value, const JsonPath& at, JsonChecker& check,
                SourceInfo& target) { return check.read(value, at, target.rank.emplace()); }},
};

/// A code that a later Roofwalk may know is no reason to refuse a profile.
bool read_code(JsonElement value, const JsonPath& at, JsonChecker& check, Warning& target) {
    std::string_view name;
    if (!check.read(value, at, name)) return false;
    target.message.code = error_code_from_name(name).value_or(ErrorCode::not_understood);
    return true;
}

template <auto Member>
bool read_words(JsonElement value, const JsonPath& at, JsonChecker& check, Warning& target) {
    return check.read(value, at, target.message.*Member);
}

constexpr JsonField<Warning> warning_fields[] = {
    {"code", read_code},
    {"what", read_words<&Error::what>},
    {"where", read_words<&Error::where>},
    {"hint", read_words<&Error::hint>},
    {"launches",
     [](JsonElement value, const JsonPath& at, JsonChecker& check, Warning& target) {
         return each_item(value, at, check, [&](JsonElement item, const JsonPath& here) {
             std::uint32_t index = 0;
             if (!check.read(item, here, index)) return false;
             target.launches.push_back(LaunchIndex{index});
             return true;
         });
     }},
};

bool read_warnings(JsonElement value, const JsonPath& at, JsonChecker& check, HeaderDraft& target) {
    return each_item(value, at, check, [&](JsonElement item, const JsonPath& here) {
        Warning warning{{ErrorCode::not_understood, {}, {}, {}}, {}};
        if (!read_fields(item, here, check, warning_fields, warning)) return false;
        target.warnings.push_back(std::move(warning));
        return true;
    });
}

bool read_devices(JsonElement value, const JsonPath& at, JsonChecker& check, HeaderDraft& target) {
    return each_item(value, at, check, [&](JsonElement item, const JsonPath& here) {
        if (target.devices.size() == most_devices) return check.fail(here, "There are too many devices");
        return read_json_device(item, here, check, target.devices.emplace_back());
    });
}

bool read_texts(JsonElement value, const JsonPath& at, JsonChecker& check, HeaderDraft& target) {
    return each_item(value, at, check, [&](JsonElement item, const JsonPath& here) {
        return check.read(item, here, target.texts.emplace_back());
    });
}

constexpr JsonField<HeaderDraft> header_fields[] = {
    {"$schema", read_and_drop<std::string_view>},
    {"description", read_and_drop<std::string_view>},
    {"format", read_member<&HeaderDraft::format>},
    {"recording", read_member<&HeaderDraft::recording>},
    {"version", read_member<&HeaderDraft::version>},
    {"origin",
     [](JsonElement value, const JsonPath& at, JsonChecker& check, HeaderDraft& target) {
         return read_json_origin(value, at, check, target.origin.emplace());
     }},
    {"sources",
     [](JsonElement value, const JsonPath& at, JsonChecker& check, HeaderDraft& target) {
         return each_item(value, at, check, [&](JsonElement item, const JsonPath& here) {
             if (target.sources.size() == most_sources) return check.fail(here, "There are too many sources");
             return read_fields(item, here, check, source_fields, target.sources.emplace_back());
         });
     }},
    {"warnings", read_warnings},
    {"device", [](JsonElement value, const JsonPath& at, JsonChecker& check,
                  HeaderDraft& target) { return check.read(value, at, target.device.emplace()); }},
    {"devices", read_devices},
    {"texts", read_texts},
    {"ceiling_sets",
     [](JsonElement value, const JsonPath& at, JsonChecker& check, HeaderDraft& target) {
         return each_item(value, at, check, [&](JsonElement item, const JsonPath& here) {
             auto set = std::make_shared<CeilingSet>();
             if (!read_json_ceilings(item, here, check, *set)) return false;
             target.ceiling_sets.push_back(std::move(set));
             return true;
         });
     }},
    {"kernels",
     [](JsonElement, const JsonPath& at, JsonChecker& check, HeaderDraft&) {
         return check.fail(at, "The kernels of a profile are a list",
                           R"(As in "kernels": [{"name": "saxpy", "flops": 2e8, "bytes": 1.2e9}].)");
     }},
};

template <auto Member>
bool read_count(JsonElement value, const JsonPath& at, JsonChecker& check, RecordingCounts& target) {
    std::optional<std::int64_t> number;
    if (!check.read(value, at, number)) return false;
    if (*number < 0) return check.fail(at, "A count of launches is below 0");
    target.*Member = static_cast<std::uint64_t>(*number);
    return true;
}

constexpr JsonField<RecordingCounts> count_fields[] = {
    {"seen", read_count<&RecordingCounts::seen>},
    {"recorded", read_count<&RecordingCounts::recorded>},
    {"filtered", read_count<&RecordingCounts::filtered>},
    {"sampled_out", read_count<&RecordingCounts::sampled_out>},
    {"dropped", read_count<&RecordingCounts::dropped>},
};

constexpr JsonField<HeaderDraft> more_fields[] = {
    {"counts",
     [](JsonElement value, const JsonPath& at, JsonChecker& check, HeaderDraft& target) {
         return read_fields(value, at, check, count_fields, target.counts.emplace());
     }},
    {"devices", read_devices},
    {"texts", read_texts},
    {"warnings", read_warnings},
};

constexpr JsonField<JsonRecordingEnd> end_fields[] = {
    {"whole", read_member<&JsonRecordingEnd::whole>},
    {"what", read_member<&JsonRecordingEnd::what>},
};

bool check_format(const HeaderDraft& draft, JsonChecker& check) {
    const JsonPath root;
    const JsonPath format{&root, "format", {}};
    const JsonPath version{&root, "version", {}};
    if (draft.format.empty() && !draft.version) return true;
    if (draft.format == "roofwalk-session")
        return check.fail(
            format, "This is a session, which names reports and holds none",
            "Open it by itself, in the window or with roofwalk-cli report, advise, chart, compare or "
            "scenario; a session can name reports only.");
    if (draft.format == "roofwalk-scenario")
        return check.fail(format, "This is a scenario, which moves the kernels of a report and holds none",
                          "Name the report, and the scenario with --scenario; in the window open the report "
                          "and then File > Open a scenario.");
    if (draft.format != format_id)
        return check.fail(format, "The format is not a Roofwalk profile",
                          R"(Profiles say "format": "roofwalk-profile".)");
    if (!draft.version)
        return check.fail(version, "The version of the format is missing", R"(Add "version": 1.)");
    if (*draft.version != known_version)
        return check.fail(version, "The version of the format is not known to this Roofwalk",
                          "Version 1 can be read; a newer Roofwalk may know this one.",
                          ErrorCode::unsupported_version);
    return true;
}

/// Of a recording, `more` lines may describe a device again, when it is better known.
bool add_devices(HeaderDraft& draft, bool more, JsonChecker& check, JsonHeader& header, Profile& profile) {
    const JsonPath root;
    const JsonPath list{&root, "devices", {}};
    for (std::size_t i = 0; i < draft.devices.size(); ++i) {
        JsonDevice& entry = draft.devices[i];
        const JsonPath here{&list, {}, i};
        const JsonPath id{&here, "id", {}};
        const auto next = static_cast<DeviceIndex>(profile.devices.size());
        if (profile.devices.size() == most_devices) return check.fail(here, "There are too many devices");
        const auto [known, is_new] = header.device_ids.emplace(entry.id, next);
        if (is_new)
            profile.devices.push_back(std::move(entry.device));
        else if (more)
            profile.devices[static_cast<std::size_t>(known->second)] = std::move(entry.device);
        else
            return check.fail(id, "Two devices have the same id", "Give each device an id of its own.");
    }
    return true;
}

void add_texts(const HeaderDraft& draft, JsonHeader& header, Profile& profile) {
    for (const std::string_view text : draft.texts)
        header.texts.push_back(profile.texts.intern(text));
}

bool take_devices(HeaderDraft& draft, JsonChecker& check, JsonHeader& header, Profile& profile) {
    const JsonPath root;
    if (!add_devices(draft, false, check, header, profile)) return false;
    header.devices_by_name = draft.devices.empty() && !draft.recording;
    if (!draft.device) return true;
    if (!draft.devices.empty())
        return check.fail({&root, "device", {}}, R"(A profile has either "device" or "devices")");
    header.device_ids.emplace(*draft.device, DeviceIndex{});
    profile.devices.emplace_back().name = *draft.device;
    return true;
}

}  // namespace

bool read_json_origin(JsonElement value, const JsonPath& at, JsonChecker& check, Origin& target) {
    std::string_view id;
    if (!check.read(value, at, id)) return false;
    const auto origin = origin_from_id(id);
    if (!origin) return check.fail(at, "The origin is unknown", "Known are: measured, estimated, modelled.");
    target = *origin;
    return true;
}

std::optional<Error> JsonRecording::cut(const std::string& name) const {
    if (end && end->whole) return std::nullopt;
    std::string what = !end                ? "The recording has no end: what wrote it was killed"
                       : end->what.empty() ? "The recording was cut"
                                           : end->what;
    return Error{ErrorCode::truncated, std::move(what), name, "The launches recorded until then are kept."};
}

bool read_json_header(JsonElement value, JsonChecker& check, JsonHeader& header, Profile& profile) {
    HeaderDraft draft;
    if (!read_fields(value, {}, check, header_fields, draft) || !check_format(draft, check)) return false;
    if (!take_devices(draft, check, header, profile)) return false;
    header.has_format = !draft.format.empty();
    header.origin = draft.origin.value_or(header.has_format ? Origin::measured : Origin::modelled);
    header.ceiling_sets = std::move(draft.ceiling_sets);
    header.recording = draft.recording;
    add_texts(draft, header, profile);
    profile.warnings = std::move(draft.warnings);
    profile.sources = std::move(draft.sources);
    if (profile.sources.empty()) profile.sources.emplace_back();
    return true;
}

std::optional<bool> read_recording_line(JsonElement value, JsonChecker& check, JsonHeader& header,
                                        Profile& profile, JsonRecording& recording) {
    JsonElement content;
    const JsonPath root;
    if (!header.recording) return std::nullopt;
    if (value["end"].get(content) == simdjson::SUCCESS)
        return read_fields(content, {&root, "end", {}}, check, end_fields, recording.end.emplace());
    if (value["more"].get(content) != simdjson::SUCCESS) return std::nullopt;
    HeaderDraft draft;
    if (!read_fields(content, {&root, "more", {}}, check, more_fields, draft) ||
        !add_devices(draft, true, check, header, profile))
        return false;
    if (draft.counts) recording.counts = draft.counts;
    add_texts(draft, header, profile);
    for (Warning& warning : draft.warnings)
        profile.warnings.push_back(std::move(warning));
    return true;
}

}  // namespace roofwalk
