// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/json/json_reader_device.h"
#include "core/import/json/json_tree.h"
#include "core/scenario/scenario_element.h"
#include "core/workspace/session_json.h"
#include "core/workspace/session_parts.h"

namespace roofwalk {

namespace {

constexpr std::size_t start_looked_at = std::size_t{64} << 10U;
constexpr std::string_view space = " \t\r\n";
constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

bool read_path(JsonElement value, const JsonPath& at, JsonChecker& check, SessionSource& source) {
    if (!check.read(value, at, source.path)) return false;
    if (source.path.empty() || source.path.find('\0') != std::string::npos)
        return check.fail(at, "This is no path", "A path from the folder of the session is expected here.");
    return true;
}

constexpr JsonField<SessionSource> source_fields[] = {
    {"path", read_path},
    {"hash", read_member<&SessionSource::hash>},
};

bool read_source(JsonElement value, const JsonPath& at, JsonChecker& check, SessionSource& source) {
    if (!read_fields(value, at, check, source_fields, source)) return false;
    if (source.path.empty())
        return check.fail(at, "The source does not say which file it is", R"("path" names it.)");
    source.further = unknown_members(value, source_fields);
    return true;
}

template <auto Sources>
bool read_sources(JsonElement value, const JsonPath& at, JsonChecker& check, Session& session) {
    std::vector<SessionSource>& sources = session.*Sources;
    return each_item(value, at, check, [&](JsonElement item, const JsonPath& here) {
        if (sources.size() == most_sources) return too_many(here, check, "sources", most_sources);
        return read_source(item, here, check, sources.emplace_back());
    });
}

constexpr JsonField<SessionCeilings> ceilings_fields[] = {
    {"device", read_member<&SessionCeilings::device>},
    {"ceilings",
     [](JsonElement value, const JsonPath& at, JsonChecker& check, SessionCeilings& target) {
         return read_json_ceilings(value, at, check, target.ceilings);
     }},
};

bool read_typed_ceilings(JsonElement value, const JsonPath& at, JsonChecker& check, Session& session) {
    return each_item(value, at, check, [&](JsonElement item, const JsonPath& here) {
        SessionCeilings device;
        if (!read_fields(item, here, check, ceilings_fields, device)) return false;
        if (std::ranges::find(session.ceilings, device.device, &SessionCeilings::device) !=
            session.ceilings.end())
            return check.fail(here, "Ceilings of this device stand twice in the list", "Keep one of them.");
        device.further = unknown_members(item, ceilings_fields);
        session.ceilings.push_back(std::move(device));
        return true;
    });
}

constexpr JsonField<Session> session_fields[] = {
    {"format", read_and_drop<std::string_view>},
    {"version", read_and_drop<std::optional<int>>},
    {"autosave_of", read_member<&Session::autosave_of>},
    {"autosave_of_hash", read_member<&Session::autosave_of_hash>},
    {"notes", read_member<&Session::notes>},
    {"sources", read_sources<&Session::sources>},
    {"baselines", read_sources<&Session::baselines>},
    {"view", [](JsonElement value, const JsonPath& at, JsonChecker& check,
                Session& session) { return read_view(value, at, check, session.view); }},
    {"ceilings", read_typed_ceilings},
    {"bindings", read_bindings},
    {"advice", read_thresholds},
    {"scenario", [](JsonElement value, const JsonPath& at, JsonChecker& check,
                    Session& session) { return read_scenario(value, at, check, session.scenario); }},
};

/// Before all else: members of another version may look wrong for no reason of theirs.
bool check_format(JsonElement root, JsonChecker& check) {
    const JsonPath top;
    simdjson::dom::object object;
    if (root.get(object) != simdjson::SUCCESS) return check.fail(top, "An object is expected here");
    std::string_view format;
    if (object["format"].get(format) != simdjson::SUCCESS || format != session_format)
        return check.fail(top, "This JSON is no session",
                          R"(A session begins with {"format": "roofwalk-session", "version": 1.)");
    std::int64_t version = 0;
    const JsonPath at{&top, "version", {}};
    if (object["version"].get(version) != simdjson::SUCCESS)
        return check.fail(at, "The version of the session is missing", R"(Add "version": 1.)");
    if (version != session_version)
        return check.fail(at, "The session is of a version that is not known here",
                          "Open it with the Roofwalk that wrote it, or a newer one. The file stays as it is.",
                          ErrorCode::unsupported_version);
    return true;
}

/// Moves past a text, with the white space before it.
bool skip(std::string_view& text, std::string_view expected) {
    text.remove_prefix(std::min(text.find_first_not_of(space), text.size()));
    if (!text.starts_with(expected)) return false;
    text.remove_prefix(expected.size());
    return true;
}

}  // namespace

bool looks_like_session(std::string_view start) {
    if (start.starts_with(byte_order_mark)) start.remove_prefix(byte_order_mark.size());
    start = start.substr(0, start_looked_at);
    if (!skip(start, "{")) return false;
    constexpr std::string_view key = "\"format\"";
    for (std::size_t at = start.find(key); at != std::string_view::npos; at = start.find(key, at + 1)) {
        std::string_view rest = start.substr(at + key.size());
        if (skip(rest, ":") && skip(rest, "\"roofwalk-session\"")) return true;
    }
    return false;
}

Result<Session> read_session(std::string_view text, const std::string& name) {
    simdjson::dom::parser parser;
    const Result<JsonElement> root = parse_json_tree(parser, text, "session", name);
    if (!root) return tl::unexpected(root.error());
    JsonChecker check;
    Session session;
    if (!check_format(*root, check) || !read_fields(*root, {}, check, session_fields, session))
        return tl::unexpected(error_of(check.fault(), name));
    session.further = unknown_members(*root, session_fields);
    return session;
}

}  // namespace roofwalk
