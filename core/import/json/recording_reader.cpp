// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/json/recording_reader.h"

#include <algorithm>
#include <utility>

#include "core/import/impossible_figures.h"
#include "core/import/json/json_kernel_reader.h"
#include "core/import/json/json_split.h"
#include "core/import/warning_place.h"

namespace roofwalk {

struct RecordingReader::State {
    explicit State(std::string its_name) : name(std::move(its_name)) {}

    std::string name;
    std::size_t line = 0;
    JsonDecoder decoder;
    JsonHeader header;
    Profile profile;
    JsonKernelReader kernels{header, profile, decoder};
    JsonRecording recording;

    bool take(std::string_view text) {
        JsonElement element;
        if (!decoder.parse(text, element)) return false;
        const JsonValue value{element, decoder};
        if (!header.has_format) {
            JsonHeader begun;
            Profile empty;
            if (!read_json_header(value, begun, empty)) return false;
            if (begun.has_format && begun.recording) {
                header = std::move(begun);
                profile = std::move(empty);
                return true;
            }
            return value.fail("This is not the first line of a recording",
                              R"(It has "format": "roofwalk-profile" and "recording": true.)");
        }
        const auto read = read_recording_line(value, header, profile, recording);
        return read ? *read : kernels.read(element);
    }

    [[nodiscard]] std::string place(const std::string& path) const {
        const std::string at = name + ", line " + std::to_string(line);
        return path.empty() ? at : at + ", " + path;
    }

    /// The first of each kind: a recording has as many lines as launches.
    void tell_left_out() {
        for (JsonFault& fault : decoder.take_left_out()) {
            const bool told = std::ranges::any_of(
                profile.warnings, [&](const Warning& warning) { return warning.message.what == fault.what; });
            if (!told)
                profile.warnings.push_back(
                    {{fault.code, std::move(fault.what), place(fault.path), std::move(fault.hint)}, {}});
        }
    }
};

RecordingReader::RecordingReader(std::string name) : state_(std::make_unique<State>(std::move(name))) {}

RecordingReader::~RecordingReader() = default;

Result<void> RecordingReader::add(std::string_view line) {
    ++state_->line;
    if (skip_json_space(line, 0) == line.size()) return {};
    if (state_->take(line)) {
        state_->tell_left_out();
        return {};
    }
    static_cast<void>(state_->decoder.take_left_out());  // of a launch that is not taken
    JsonFault fault = state_->decoder.take_fault();
    if (fault.hint.empty()) fault.hint = "Read it with the release of Roofwalk that wrote it.";
    return tl::unexpected(
        Error{fault.code, std::move(fault.what), state_->place(fault.path), std::move(fault.hint)});
}

bool RecordingReader::begun() const {
    return state_->header.has_format;
}

bool RecordingReader::ended() const {
    return state_->recording.end.has_value();
}

std::size_t RecordingReader::launches() const {
    return state_->profile.launches.size();
}

const std::optional<RecordingCounts>& RecordingReader::counts() const {
    return state_->recording.counts;
}

const std::vector<Warning>& RecordingReader::warnings() const {
    return state_->profile.warnings;
}

Profile RecordingReader::profile(bool over) const {
    Profile copy = state_->profile;
    state_->kernels.settle_alike(copy);
    const auto cut = over ? state_->recording.cut(state_->name) : std::nullopt;
    for (SourceInfo& source : copy.sources) {
        source.path = state_->name;
        source.format = "Roofwalk JSON Lines";
        source.partial = source.partial || cut.has_value();
    }
    name_file(copy, state_->name);
    if (cut) copy.warnings.push_back({*cut, {}});
    refuse_impossible_figures(copy, state_->name);
    return copy;
}

}  // namespace roofwalk
