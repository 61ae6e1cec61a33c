// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/recording_lines.h"

#include <span>

namespace roofwalk {

namespace {

void write_number(JsonText& json, std::string_view key, std::uint64_t number) {
    json.member(key, static_cast<std::int64_t>(number));
}

}  // namespace

std::string RecordingLines::header(const Profile& profile) {
    JsonText json(true);
    json.begin_object();
    json.member("format", "roofwalk-profile");
    json.member("version", 1U);
    json.member("recording", true);
    write_json_list(json, "sources", profile.sources,
                    [&](const SourceInfo& source, std::size_t) { write_json_source(json, source); });
    json.end_object();
    json.end_line();
    return json.take();
}

std::string RecordingLines::news(const Profile& profile) {
    const bool texts = texts_ < shared_.texts.size();
    const bool warnings = warnings_ < profile.warnings.size();
    std::vector<std::size_t> devices;
    for (std::size_t i = 0; i < profile.devices.size(); ++i)
        if (i >= devices_.size() || devices_[i] != profile.devices[i]) devices.push_back(i);
    if (!texts && devices.empty() && !warnings) return {};
    JsonText json(true);
    json.begin_object();
    json.key("more");
    json.begin_object();
    if (!devices.empty())
        write_json_list(json, "devices", devices, [&](std::size_t index, std::size_t) {
            write_json_device(json, profile.devices[index], index);
        });
    if (texts)
        write_json_list(json, "texts", std::span(shared_.texts).subspan(texts_),
                        [&](std::string_view text, std::size_t) { json.value(text); });
    if (warnings)
        write_json_list(
            json, "warnings", std::span(profile.warnings).subspan(warnings_),
            [&](const Warning& warning, std::size_t) { write_json_warning(json, profile, warning); });
    json.end_object();
    json.end_object();
    json.end_line();
    texts_ = shared_.texts.size();
    devices_ = profile.devices;
    warnings_ = profile.warnings.size();
    return json.take();
}

std::string RecordingLines::launch(const Profile& profile, LaunchIndex index, std::uint64_t number) {
    const Launch& launch = profile.at(index);
    share_texts_of(profile, launch, shared_);
    std::string lines = news(profile);
    JsonText json(true);
    json.begin_object();
    write_kernel_members(json, profile, launch, shared_);
    if (launch.ceilings && !launch.ceilings->empty()) {
        json.key("ceilings");
        write_ceilings(json, *launch.ceilings);
    }
    write_number(json, "launch", number);
    json.end_object();
    json.end_line();
    return lines + json.take();
}

std::string RecordingLines::launch_like(const Profile& profile, LaunchIndex index, std::uint64_t number,
                                        std::uint64_t other) {
    // Figures are what makes a device better known, and this launch has none but perhaps its time.
    std::string lines = devices_.size() < profile.devices.size() ? news(profile) : std::string();
    Launch identity = profile.at(index);
    identity.work.clear();
    identity.uncounted = {};
    identity.traffic.clear();
    identity.metrics.clear();
    identity.ceilings.reset();
    JsonText json(true);
    json.begin_object();
    write_kernel_members(json, profile, identity, shared_);
    write_number(json, "launch", number);
    write_number(json, "like", other);
    json.end_object();
    json.end_line();
    return lines + json.take();
}

std::string RecordingLines::counts(const RecordingCounts& counts) {
    JsonText json(true);
    json.begin_object();
    json.key("more");
    json.begin_object();
    json.key("counts");
    json.begin_object();
    write_number(json, "seen", counts.seen);
    write_number(json, "recorded", counts.recorded);
    write_number(json, "filtered", counts.filtered);
    write_number(json, "sampled_out", counts.sampled_out);
    write_number(json, "dropped", counts.dropped);
    json.end_object();
    json.end_object();
    json.end_object();
    json.end_line();
    return json.take();
}

std::string RecordingLines::end(std::string_view cut) {
    JsonText json(true);
    json.begin_object();
    json.key("end");
    json.begin_object();
    json.member("whole", cut.empty());
    json.known_member("what", cut);
    json.end_object();
    json.end_object();
    json.end_line();
    return json.take();
}

}  // namespace roofwalk
