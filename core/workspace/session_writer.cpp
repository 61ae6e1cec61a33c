// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/scenario_element.h"
#include "core/workspace/session_json.h"
#include "core/workspace/session_parts.h"

namespace roofwalk {

namespace {

void write_sources(JsonText& json, const std::vector<SessionSource>& sources) {
    json.begin_array();
    for (const SessionSource& source : sources) {
        json.next_line();
        json.begin_object();
        json.member("path", source.path);
        json.known_member("hash", source.hash);
        json.members(source.further);
        json.end_object();
    }
    json.end_array();
}

void write_typed_ceilings(JsonText& json, const std::vector<SessionCeilings>& devices) {
    json.begin_array();
    for (const SessionCeilings& device : devices) {
        json.next_line();
        json.begin_object();
        json.member("device", device.device);
        json.key("ceilings");
        write_ceilings(json, device.ceilings);
        json.members(device.further);
        json.end_object();
    }
    json.end_array();
}

}  // namespace

std::string to_json(const Session& session) {
    JsonText json;
    const auto part = [&json](std::string_view name) {
        json.next_line();
        json.key(name);
    };
    json.begin_object();
    json.member("format", session_format);
    json.member("version", std::uint32_t{session_version});
    json.members(session.further);
    json.known_member("autosave_of", session.autosave_of);
    json.known_member("autosave_of_hash", session.autosave_of_hash);
    json.known_member("notes", session.notes);
    part("sources");
    write_sources(json, session.sources);
    if (!session.baselines.empty()) {
        part("baselines");
        write_sources(json, session.baselines);
    }
    part("view");
    write_view(json, session.view);
    part("ceilings");
    write_typed_ceilings(json, session.ceilings);
    part("bindings");
    write_bindings(json, session.bindings, session.bindings_further);
    part("advice");
    write_thresholds(json, session.thresholds, session.thresholds_further);
    part("scenario");
    write_scenario(json, session.scenario);
    json.end_object();
    json.end_line();
    return json.take();
}

Result<std::string> to_session_file(const Session& session, const std::string& name) {
    std::string text = to_json(session);
    const Result<Session> read = read_session(text, name);
    if (read) return text;
    return tl::unexpected(Error{
        read.error().code,
        "The session was not written, since it could not be opened again: " + read.error().what,
        read.error().where,
        "Nothing of it is lost while the window is open. Take some of them back, or divide the work among "
        "several sessions."});
}

}  // namespace roofwalk
