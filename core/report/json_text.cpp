// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/json_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "core/base/text.h"

namespace roofwalk {

namespace {

/// Beside what JSON forbids, what would steer a terminal is escaped: a file may be printed on one.
void append_escaped(std::string& out, std::string_view text) {
    std::string escaped;
    escaped.reserve(text.size());
    for (const char c : text) {
        switch (c) {
            case '"':
                escaped += "\\\"";
                break;
            case '\\':
                escaped += "\\\\";
                break;
            case '\n':
                escaped += "\\n";
                break;
            case '\t':
                escaped += "\\t";
                break;
            default:
                escaped += c;
        }
    }
    out += with_escapes(escaped);
}

bool is_plain(char c) {
    return c >= 0x20 && c < 0x7F && c != '"' && c != '\\';
}

bool is_usable(double rate) {
    return std::isfinite(rate) && rate > 0;
}

void write_provenance(JsonText& json, const Provenance& provenance) {
    json.key("provenance");
    json.begin_object();
    json.member("source", id_of(provenance.source));
    json.member("basis", id_of(provenance.basis));
    json.known_member("clock_hz", provenance.clock);
    json.known_member("detail", provenance.detail);
    json.known_member("mix", provenance.mix);
    json.known_member("date", provenance.date);
    json.end_object();
}

}  // namespace

void JsonText::separate() {
    if (comma_) out_ += ',';
    if (new_line_) out_ += '\n';
    comma_ = false;
    new_line_ = false;
}

void JsonText::begin_object() {
    separate();
    out_ += '{';
}

void JsonText::end_object() {
    comma_ = false;
    separate();
    out_ += '}';
    comma_ = true;
}

void JsonText::begin_array() {
    separate();
    out_ += '[';
}

void JsonText::end_array() {
    comma_ = false;
    separate();
    out_ += ']';
    comma_ = true;
}

void JsonText::key(std::string_view name) {
    value(name);
    out_ += ':';
    comma_ = false;
}

void JsonText::next_line() {
    new_line_ = !one_line_;
}

void JsonText::end_line() {
    out_ += '\n';
    comma_ = false;
    new_line_ = false;
}

void JsonText::literal(std::string_view text) {
    separate();
    out_ += text;
    comma_ = true;
}

void JsonText::value(std::string_view text) {
    separate();
    append_json_string(out_, text);
    comma_ = true;
}

void JsonText::value(bool truth) {
    literal(truth ? "true" : "false");
}

void JsonText::value(double number) {
    if (!std::isfinite(number)) return null();
    fmt::memory_buffer digits;
    fmt::format_to(std::back_inserter(digits), "{}", number);
    literal({digits.data(), digits.size()});
}

void JsonText::value(std::uint32_t number) {
    literal(fmt::format_int(number).c_str());
}

void JsonText::value(std::int64_t number) {
    literal(fmt::format_int(number).c_str());
}

void JsonText::null() {
    literal("null");
}

void JsonText::known_member(std::string_view name, std::string_view text) {
    if (!text.empty()) member(name, text);
}

void JsonText::known_member(std::string_view name, std::optional<double> number) {
    if (number && std::isfinite(*number)) member(name, *number);
}

void JsonText::members(std::string_view text) {
    if (!text.empty()) literal(text);
}

void append_json_string(std::string& out, std::string_view text) {
    out += '"';
    if (std::ranges::all_of(text, is_plain))
        out += text;
    else
        append_escaped(out, text);
    out += '"';
}

void write_launches(JsonText& json, const Warning& warning) {
    json.key("launches");
    json.begin_array();
    for (const LaunchIndex launch : warning.launches)
        json.value(static_cast<std::uint32_t>(launch));
    json.end_array();
}

void write_ceilings(JsonText& json, const CeilingSet& ceilings) {
    json.begin_array();
    for (const ComputeCeiling& ceiling : ceilings.compute) {
        if (!is_usable(ceiling.rate.value())) continue;
        json.next_line();
        json.begin_object();
        json.member("kind", "compute");
        json.member("pipe", id_of(ceiling.pipe));
        json.member("rate", ceiling.rate.value());
        write_provenance(json, ceiling.provenance);
        json.end_object();
    }
    for (const BandwidthCeiling& ceiling : ceilings.bandwidth) {
        if (!is_usable(ceiling.rate.value())) continue;
        json.next_line();
        json.begin_object();
        json.member("kind", "bandwidth");
        json.member("boundary", id_of(ceiling.boundary));
        json.member("rate", ceiling.rate.value());
        write_provenance(json, ceiling.provenance);
        json.end_object();
    }
    json.end_array();
}

void write_uncounted_work(JsonText& json, const UncountedWork& uncounted) {
    json.key("uncounted_work");
    json.begin_array();
    for (const UncountedKind& kind : uncounted_kinds)
        if (uncounted.*kind.member) json.value(kind.id);
    json.end_array();
}

std::string_view file_name(std::string_view path) {
    const std::size_t slash = path.find_last_of("/\\");
    return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

void write_sources(JsonText& json, const Profile& profile) {
    json.key("sources");
    json.begin_array();
    for (const SourceInfo& source : profile.sources) {
        json.next_line();
        json.begin_object();
        json.member("file", file_name(source.path));
        json.member("format", source.format);
        json.member("tool", source.tool);
        json.member("partial", source.partial);
        json.end_object();
    }
    json.end_array();
}

}  // namespace roofwalk
