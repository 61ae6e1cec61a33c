// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/json/recording_reader.h"

#include <algorithm>
#include <utility>

#include "core/import/impossible_figures.h"
#include "core/import/json/json_profile_reader.h"
#include "core/import/json/json_split.h"
#include "core/model/profile_builder.h"

namespace roofwalk {

struct RecordingReader::State {
    explicit State(std::string its_name) : name(std::move(its_name)) {}

    std::string name;
    std::size_t line = 0;
    JsonProfileReader reader;

    /// The fault of the line, if there is one.
    std::optional<JsonFault> take(std::string_view text) {
        if (reader.has_format()) {
            if (reader.read_line(text)) return std::nullopt;
            static_cast<void>(reader.decoder().take_left_out());  // of a launch that is not taken
            return reader.decoder().take_fault();
        }
        JsonProfileReader begun;
        if (!begun.read_header(text)) return begun.decoder().take_fault();
        if (!begun.has_format() || !begun.is_recording())
            return JsonFault{ErrorCode::bad_schema,
                             "This is not the first line of a recording",
                             {},
                             R"(It has "format": "roofwalk-profile" and "recording": true.)"};
        reader = std::move(begun);
        return std::nullopt;
    }

    [[nodiscard]] std::string place(const std::string& path) const {
        return place_in_file("line " + std::to_string(line), path);
    }

    /// The first of each kind: a recording has as many lines as launches.
    void tell_left_out() {
        for (JsonFault& fault : reader.decoder().take_left_out()) {
            const bool told = std::ranges::any_of(reader.profile().warnings, [&](const Warning& warning) {
                return warning.message.what == fault.what;
            });
            if (!told)
                reader.profile().warnings.push_back(
                    {{fault.code, std::move(fault.what), place(fault.path), std::move(fault.hint)},
                     {},
                     false,
                     false,
                     name});
        }
    }
};

RecordingReader::RecordingReader(std::string name) : state_(std::make_unique<State>(std::move(name))) {}

RecordingReader::~RecordingReader() = default;

Result<void> RecordingReader::add(std::string_view line) {
    ++state_->line;
    if (skip_json_space(line, 0) == line.size()) return {};
    std::optional<JsonFault> found = state_->take(line);
    if (!found) {
        state_->tell_left_out();
        return {};
    }
    JsonFault& fault = *found;
    if (fault.hint.empty()) fault.hint = "Read it with the release of Roofwalk that wrote it.";
    return unexpected(fault.code, std::move(fault.what),
                      place_in_file(state_->name, state_->place(fault.path)), std::move(fault.hint));
}

bool RecordingReader::begun() const {
    return state_->reader.has_format();
}

bool RecordingReader::ended() const {
    return state_->reader.ended();
}

std::size_t RecordingReader::launches() const {
    return state_->reader.profile().launches.size();
}

const std::optional<RecordingCounts>& RecordingReader::counts() const {
    return state_->reader.counts();
}

const std::vector<Warning>& RecordingReader::warnings() const {
    return state_->reader.profile().warnings;
}

Profile RecordingReader::profile(bool over) const {
    Profile copy = state_->reader.profile();
    state_->reader.resolve_like(copy);
    const auto cut = over ? state_->reader.cut() : std::nullopt;
    for (SourceInfo& source : copy.sources) {
        source.format = SourceFormat::roofwalk_lines;
        source.partial = source.partial || cut.has_value();
    }
    if (cut) copy.warnings.push_back({*cut, {}});
    copy = *of_file(std::move(copy), state_->name);
    refuse_impossible_figures(copy, state_->name);
    tell_damaged_names(copy, state_->name);
    return copy;
}

}  // namespace roofwalk
