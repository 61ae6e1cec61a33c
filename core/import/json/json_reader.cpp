// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/json/json_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "core/base/mapped_file.h"
#include "core/import/json/json_profile_reader.h"
#include "core/import/json/json_split.h"
#include "core/model/profile_builder.h"
#include "core/model/recording_parts.h"

namespace roofwalk {

namespace {

constexpr std::size_t kernels_between_progress = 4096;

Error no_kernels() {
    return {ErrorCode::bad_schema, "The profile has no kernels", "",
            "A profile lists at least one kernel with a name."};
}

/// Nothing but who it is.
bool has_no_figure(const Launch& launch) {
    return !launch.duration && launch.work.empty() && launch.traffic.empty() && launch.metrics.empty();
}

/// Reads one text: the header first, then kernels until the end or the first damage. A bad one of several
/// lines is left out.
class JsonReader {
  public:
    JsonReader(std::string_view text, const Progress& progress) : text_(text), progress_(progress) {}

    Result<Profile> read();
    /// All was read, and there was no kernel in it.
    [[nodiscard]] bool found_nothing() const {
        return reader_.profile().launches.empty() && !damage_ && !first_bad_line_;
    }

  private:
    bool is_list();
    bool is_other(const std::string& header);
    bool read_header(std::string_view text);
    void read_array(const JsonDocument& document);
    void read_lines(std::size_t begin);
    template <class Next>
    void read_kernels(Next next, std::string_view list);
    template <class PlaceOf>
    void keep_left_out(std::size_t launches_before, PlaceOf place_of);
    /// The lines after it are whole.
    template <class PlaceOf>
    void leave_line_out(JsonFault fault, PlaceOf place_of);
    /// Once for all that have the same fault: what is told of them.
    template <class PlaceOf>
    const Error& tell_left_out(const JsonFault& fault, PlaceOf place_of);
    [[nodiscard]] bool lost_every_kernel() const;
    bool stopped(std::size_t offset);
    void breaks_off(JsonDamage damage);
    /// "kernels[3].bytes.hbm, line 42".
    [[nodiscard]] std::string place(const std::string& path, std::size_t offset) const;
    /// What is left of a damaged file.
    [[nodiscard]] std::string kept() const;
    void settle_recording();
    void settle_warnings();
    Result<Profile> finish(SourceFormat format);

    std::string_view text_;
    const Progress& progress_;
    JsonProfileReader reader_;
    std::optional<Error> damage_;
    std::optional<Error> first_bad_line_;
    std::optional<Error> first_refused_;  ///< of the numbers that their fields cannot have
    std::size_t emptied_ = 0;             ///< kernels that had no other figure
    struct LeftOut {
        Error first;
        std::size_t more = 0;  ///< with the same fault
    };
    std::map<std::string, LeftOut> left_out_;  // by fault
};

/// Whether the whole text is a JSON array, and not the log of a program that begins with a bracket.
bool JsonReader::is_list() {
    const std::size_t start = skip_json_space(text_, 0);
    if (start == text_.size() || text_[start] != '[' || text_.size() > longest_json_element) return false;
    JsonElement element;
    return reader_.decoder().parse(text_, element);
}

/// Neither what a profile nor what a header of lines says first.
bool JsonReader::is_other(const std::string& header) {
    JsonElement root;
    if (!reader_.decoder().parse(header, root)) return false;
    const JsonValue value{root, reader_.decoder()};
    return std::ranges::none_of(std::array<std::string_view, 4>{"format", "kernels", "device", "devices"},
                                [&](std::string_view member) { return value.has(member); });
}

bool JsonReader::read_header(std::string_view text) {
    if (reader_.read_header(text)) return true;
    damage_ = reader_.decoder().error("");
    if (is_other(std::string(text))) {
        damage_->what = "This JSON is not a Roofwalk profile: " + damage_->what;
        damage_->hint = R"(A profile has "format": "roofwalk-profile", or "device" and "kernels".)";
    }
    return false;
}

bool JsonReader::stopped(std::size_t offset) {
    if (reader_.profile().launches.size() % kernels_between_progress != 0) return false;
    progress_.at(static_cast<double>(offset) / static_cast<double>(text_.size()));
    if (!progress_.cancelled()) return false;
    damage_ = Error{ErrorCode::cancelled, "Reading was cancelled", "", ""};
    return true;
}

std::string JsonReader::place(const std::string& path, std::size_t offset) const {
    const std::string line = "line " + std::to_string(line_of(text_, offset));
    return path.empty() ? line : path + ", " + line;
}

std::string JsonReader::kept() const {
    return reader_.profile().launches.empty() ? "No complete kernel stands before the damage."
                                              : "The complete kernels before it are kept.";
}

void JsonReader::breaks_off(JsonDamage damage) {
    damage_ =
        damage.cut_off
            ? Error{ErrorCode::truncated, "The file ends in the middle of a value", place("", damage.offset),
                    "The program that wrote it may have been killed. " + kept()}
            : Error{ErrorCode::bad_json, "This is not JSON: a comma, colon, key or bracket is missing",
                    place("", damage.offset), kept()};
}

template <class PlaceOf>
const Error& JsonReader::tell_left_out(const JsonFault& fault, PlaceOf place_of) {
    const auto [known, is_new] = left_out_.try_emplace(fault.what);
    if (is_new)
        known->second.first = {fault.code, fault.what, place_of(fault), fault.hint};
    else
        ++known->second.more;
    return known->second.first;
}

template <class PlaceOf>
void JsonReader::leave_line_out(JsonFault fault, PlaceOf place_of) {
    static_cast<void>(reader_.decoder().take_left_out());  // of a launch that is not taken
    fault.hint += (fault.hint.empty() ? "" : " ") + std::string("The line is left out.");
    const Error& told = tell_left_out(fault, place_of);
    if (!first_bad_line_) first_bad_line_ = told;
}

template <class PlaceOf>
void JsonReader::keep_left_out(std::size_t launches_before, PlaceOf place_of) {
    bool number = false;
    for (const JsonFault& fault : reader_.decoder().take_left_out()) {
        const Error& told = tell_left_out(fault, place_of);
        if (fault.number && !first_refused_) first_refused_ = told;
        number = number || fault.number;
    }
    if (number && reader_.profile().launches.size() > launches_before &&
        has_no_figure(reader_.profile().launches.back()))
        ++emptied_;
}

/// Of no kernel any figure is left. A launch of a recording may be told again, with figures.
bool JsonReader::lost_every_kernel() const {
    return first_refused_ && emptied_ == reader_.profile().launches.size() &&
           std::ranges::all_of(reader_.profile().launches, has_no_figure);
}

template <class Next>
void JsonReader::read_kernels(Next next, std::string_view list) {
    for (std::size_t index = 0; const std::optional<JsonRange> range = next(); ++index) {
        if (stopped(range->begin)) return;
        const std::size_t launches = reader_.profile().launches.size();
        const auto place_of = [&](const JsonFault& fault) {
            std::string path = list.empty() ? "" : std::string(list) + "[" + std::to_string(index) + "]";
            if (!path.empty() && !fault.path.empty()) path += '.';
            return place(path + fault.path, range->begin);
        };
        const std::string_view text = range->in(text_);
        if (list.empty() ? reader_.read_line(text) : reader_.read_kernel(text)) {
            keep_left_out(launches, place_of);
            continue;
        }
        const JsonFault fault = reader_.decoder().take_fault();
        const bool cut = fault.code == ErrorCode::bad_json && range->end == text_.size();
        if (list.empty() && !cut) {
            leave_line_out(fault, place_of);
            continue;
        }
        damage_ =
            Error{cut ? ErrorCode::truncated : fault.code, cut ? "The last kernel is incomplete" : fault.what,
                  place_of(fault), (fault.hint.empty() ? "" : fault.hint + " ") + kept()};
        return;
    }
}

void JsonReader::read_array(const JsonDocument& document) {
    JsonArrayCursor cursor(text_, *document.kernels);
    read_kernels([&] { return cursor.next(); }, "kernels");
    if (damage_) return;
    if (cursor.damage()) return breaks_off(*cursor.damage());
    if (document.damage) return breaks_off(*document.damage);
    const std::size_t behind = skip_json_space(text_, document.end);
    if (behind < text_.size())
        damage_ = Error{ErrorCode::bad_json, "There is text behind the end of the profile", place("", behind),
                        "It is ignored."};
}

void JsonReader::read_lines(std::size_t begin) {
    const auto next_line = [&]() -> std::optional<JsonRange> {
        begin = skip_json_space(text_, begin);
        if (begin == text_.size()) return std::nullopt;
        const JsonRange line{begin, std::min(text_.find('\n', begin), text_.size())};
        begin = line.end;
        return line;
    };
    read_kernels(next_line, "");
}

void JsonReader::settle_recording() {
    reader_.resolve_like(reader_.profile());
    if (!damage_) damage_ = reader_.cut();
}

/// Launches of a warning may be cut off.
void JsonReader::settle_warnings() {
    for (Warning& warning : reader_.profile().warnings) {
        std::erase_if(warning.launches, [&](LaunchIndex launch) {
            return static_cast<std::size_t>(launch) >= reader_.profile().launches.size();
        });
        std::ranges::sort(warning.launches);
    }
}

Result<Profile> JsonReader::finish(SourceFormat format) {
    if (reader_.profile().launches.empty()) {
        if (first_bad_line_) return tl::unexpected(*first_bad_line_);
        return tl::unexpected(damage_.value_or(no_kernels()));
    }
    if (lost_every_kernel()) return tl::unexpected(*first_refused_);
    settle_recording();
    for (SourceInfo& source : reader_.profile().sources) {
        source.format = format;
        source.partial = source.partial || damage_ || first_bad_line_;
    }
    settle_warnings();
    if (damage_) reader_.profile().warnings.push_back({*damage_, {}});
    for (auto& [what, left_out] : left_out_) {
        if (left_out.more > 0)
            left_out.first.where += ", and " + std::to_string(left_out.more) + " more like it";
        reader_.profile().warnings.push_back({std::move(left_out.first), {}});
    }
    for (const auto& [field, meant] : reader_.decoder().ignored())
        reader_.profile().warnings.push_back(
            {{ErrorCode::bad_schema, "The unknown field \"" + field + "\" is ignored", "",
              meant.empty() ? "Check its spelling against the published schema."
                            : "Did you mean " + meant + "?"},
             {}});
    return std::move(reader_.profile());
}

Result<Profile> JsonReader::read() {
    if (is_list())
        return unexpected(ErrorCode::bad_schema, "This JSON is a list, and a Roofwalk profile is an object",
                          "", R"(Put the kernels into one: {"device": "A100 SXM 80 GB", "kernels": [...]}.)");
    const JsonDocument document = split_json_document(text_);
    if (document.kernels_twice)
        return unexpected(ErrorCode::bad_schema, "The field occurs twice", "kernels", "Keep one of them.");
    if (document.damage && !document.kernels) {
        breaks_off(*document.damage);
        return tl::unexpected(*damage_);
    }
    if (!document.kernels && is_other(document.header))
        return unexpected(ErrorCode::unknown_format, "This JSON is of something else");
    if (!read_header(document.header)) return tl::unexpected(*damage_);
    if (document.kernels) {
        read_array(document);
        return finish(SourceFormat::roofwalk_json);
    }
    if (!reader_.has_format())
        return unexpected(ErrorCode::bad_schema, "This JSON is not a Roofwalk profile", "",
                          R"(A profile has "format": "roofwalk-profile" or a list of "kernels".)");
    read_lines(document.end);
    return finish(SourceFormat::roofwalk_lines);
}

std::map<std::size_t, std::string> texts_of_parts(std::string_view recording) {
    std::map<std::size_t, std::string> texts;
    while (!recording.empty()) {
        const auto end = std::min(recording.find('\n'), recording.size() - 1) + 1;
        const std::string_view line = recording.substr(0, end);
        const RecordingPart part = part_of(line);
        recording.remove_prefix(end);
        if (part.number >= most_recording_parts) continue;
        std::string& text = texts[part.number];
        text += part.line;
        // A line that is cut off stays so.
        if (line.ends_with('\n') && !part.line.ends_with('\n')) text += '\n';
    }
    return texts;
}

/// What can be read of any part is kept; the others are told, but for processes that launched no kernel.
Result<Profile> read_parts(std::string_view recording, const Progress& progress) {
    std::vector<Profile> parts;
    std::vector<Error> problems;
    for (const auto& [number, text] : texts_of_parts(recording)) {
        JsonReader reader(text, progress);
        auto part = reader.read();
        if (!part && reader.found_nothing()) continue;
        const auto tell_part = [place = number == 0 ? "" : fmt::format("part {}", number)](Error& error) {
            error.where = place_in_file(place, error.where);
        };
        if (!part) {
            tell_part(problems.emplace_back(part.error()));
            continue;
        }
        for (Warning& warning : part->warnings)
            tell_part(warning.message);
        parts.push_back(*std::move(part));
    }
    if (parts.empty()) return tl::unexpected(problems.empty() ? no_kernels() : problems.front());
    std::vector<const Profile*> pointers;
    for (const Profile& part : parts)
        pointers.push_back(&part);
    Profile all = merge_profiles(pointers);
    for (Error& problem : problems)
        all.warnings.push_back({std::move(problem), {}});
    return all;
}

}  // namespace

Result<Profile> read_json(std::string_view text, const std::string& name, const Progress& progress) {
    text = without_byte_order_mark(text);
    return of_file(has_parts(text) ? read_parts(text, progress) : JsonReader(text, progress).read(), name);
}

}  // namespace roofwalk
