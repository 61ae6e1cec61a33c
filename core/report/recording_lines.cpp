// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/recording_lines.h"

#include <span>

#include "core/model/profile_codec.h"

namespace roofwalk {

namespace {

/// An object on a line of its own.
template <class Write>
std::string line_of(Write write) {
    JsonWriter json(true);
    json.object([&] { write(json); });
    json.end_line();
    return json.take();
}

template <class Write>
std::string more_line(Write write) {
    return line_of([&](JsonWriter& json) { json.object("more", [&] { write(json); }); });
}

}  // namespace

std::string RecordingLines::header(const Profile& profile) {
    return line_of([&](JsonWriter& json) {
        json.member("format", "roofwalk-profile");
        json.member("version", 1);
        json.member("recording", true);
        json.member("sources", profile.sources);
    });
}

std::string RecordingLines::new_lines(const Profile& profile) {
    const bool texts = texts_ < shared_.texts.size();
    const bool warnings = warnings_ < profile.warnings.size();
    std::vector<std::size_t> devices;
    for (std::size_t i = 0; i < profile.devices.size(); ++i)
        if (i >= devices_.size() || devices_[i] != profile.devices[i]) devices.push_back(i);
    if (!texts && devices.empty() && !warnings) return {};
    std::string line = more_line([&](JsonWriter& json) {
        if (!devices.empty())
            json.array("devices", devices,
                       [&](std::size_t index) { write_device(json, profile.devices[index], index); });
        if (texts)
            json.array("texts", std::span(shared_.texts).subspan(texts_),
                       [&](std::string_view text) { json.value(text); });
        if (warnings)
            json.array("warnings", std::span(profile.warnings).subspan(warnings_),
                       [&](const Warning& warning) { json.value(warning); });
    });
    texts_ = shared_.texts.size();
    devices_ = profile.devices;
    warnings_ = profile.warnings.size();
    return line;
}

std::string RecordingLines::launch(const Profile& profile, LaunchIndex index, std::uint64_t number) {
    const Launch& launch = profile.at(index);
    share_texts_of(profile, launch, shared_);
    std::string lines = new_lines(profile);
    JsonWriter json(true);
    const RecordedLaunch recorded{.ceilings = launch.ceilings.get(), .number = number};
    write_launch(json, profile, launch, shared_, &recorded);
    json.end_line();
    return lines + json.take();
}

std::string RecordingLines::launch_like(const Profile& profile, LaunchIndex index, std::uint64_t number,
                                        std::uint64_t other) {
    // Figures are what makes a device better known, and this launch has none but perhaps its time.
    std::string lines = devices_.size() < profile.devices.size() ? new_lines(profile) : std::string();
    Launch identity = profile.at(index);
    identity.work.clear();
    identity.uncounted = {};
    identity.unchecked = {};
    identity.traffic.clear();
    identity.metrics.clear();
    identity.ceilings.reset();
    JsonWriter json(true);
    const RecordedLaunch recorded{.number = number, .like = other};
    write_launch(json, profile, identity, shared_, &recorded);
    json.end_line();
    return lines + json.take();
}

std::string RecordingLines::counts(const RecordingCounts& counts) {
    return more_line([&](JsonWriter& json) { json.member("counts", counts); });
}

std::string RecordingLines::end(std::string_view cut) {
    return line_of([&](JsonWriter& json) {
        json.member("end", JsonRecordingEnd{.whole = cut.empty(), .what = std::string(cut)});
    });
}

}  // namespace roofwalk
