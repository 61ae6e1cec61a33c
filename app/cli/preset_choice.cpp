// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/preset_choice.h"

#include <fmt/format.h>

#include <charconv>

namespace roofwalk::cli {

namespace {

std::string known_presets() {
    std::string list;
    for (const Preset& preset : presets())
        list += (list.empty() ? "" : ", ") + std::string(preset.id);
    return list;
}

std::string parameter_words(const PresetParameter& parameter) {
    const std::string usual =
        parameter.usual ? parameter.format(*parameter.usual) : std::string("found from the report");
    return fmt::format("  {}: {}; {} to {}, {} when left out\n", parameter.name, parameter.meaning,
                       parameter.format(parameter.least), parameter.format(parameter.most), usual);
}

}  // namespace

Result<PresetChoice> read_preset_choice(const std::string& text) {
    const std::size_t sign = text.find('=');
    PresetChoice choice{find_preset(text.substr(0, sign)), std::nullopt};
    if (!choice.preset)
        return tl::unexpected(Error{ErrorCode::bad_argument,
                                    "There is no preset '" + text.substr(0, sign) + "'", "--preset",
                                    "Known are " + known_presets() + "."});
    if (sign == std::string::npos) return choice;
    const char* end = text.data() + text.size();
    double value = 0;
    const auto read = std::from_chars(text.data() + sign + 1, end, value);
    if (read.ec != std::errc() || read.ptr != end)
        return tl::unexpected(Error{ErrorCode::bad_argument,
                                    "'" + text.substr(sign + 1) + "' is not a number", "--preset",
                                    "A preset with its parameter is written as in tile=4."});
    choice.parameter = value;
    return choice;
}

std::string list_presets() {
    std::string text;
    for (const Preset& preset : presets()) {
        text += fmt::format("{}: {} ({})\n", preset.id, preset.label, label_of(preset.axis));
        if (preset.parameter) text += parameter_words(*preset.parameter);
        text += fmt::format("  {}\n", preset.assumption);
    }
    return text;
}

}  // namespace roofwalk::cli
