// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/device_name.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <set>
#include <span>
#include <utility>

#include "app/cli/console.h"
#include "app/cli/input.h"
#include "core/base/nearest_names.h"
#include "core/base/text.h"
#include "core/devices/device_file.h"
#include "core/devices/known_devices.h"
#include "core/devices/match_device.h"
#include "core/workspace/open_file.h"

namespace roofwalk::cli {

namespace {

/// "rtx" and "3090" of "GeForce RTX 3090".
struct ModelNumber {
    std::string family;
    std::string number;
};

ModelNumber model_number(std::string_view name) {
    ModelNumber model;
    for (const char c : lower_case(name)) {
        if (!model.number.empty() && !is_digit(c)) break;
        (is_digit(c) ? model.number : model.family) += c;
    }
    for (const std::string_view brand : {"nvidia ", "geforce ", "tesla ", "quadro "})
        if (model.family.starts_with(brand)) model.family.erase(0, brand.size());
    while (model.family.ends_with(' '))
        model.family.pop_back();
    return model;
}

/// Those alike with the same number: another number is another GPU. Else those of the series, such as 30 of
/// 3050, else of the family, else all.
std::string nearest_devices(const std::string& name) {
    const ModelNumber typed = model_number(name);
    std::vector<std::string_view> same_number;
    std::vector<std::string_view> family;
    std::vector<std::string_view> series;
    const auto series_of = [](const ModelNumber& model) {
        const std::size_t size = model.number.size();
        return std::pair(size, model.number.substr(0, size - std::min<std::size_t>(size, 2)));
    };
    for (const Device& device : known_devices()) {
        const ModelNumber model = model_number(device.name);
        if (model.number == typed.number) same_number.push_back(device.name);
        if (typed.number.empty() || !(model.family + " ").starts_with(typed.family + " ")) continue;
        family.push_back(device.name);
        if (series_of(model) == series_of(typed)) series.push_back(device.name);
    }
    if (!series.empty()) family = std::move(series);
    const std::vector<std::string_view> nearest = nearest_names(name, same_number);
    if (!nearest.empty()) return "Did you mean " + joined(nearest, " or ") + "?";
    return family.empty() ? "Known are " + known_device_names() + "."
                          : "Of that family it has " + joined(family, ", ") + ".";
}

std::string lines_of_devices() {
    return joined(known_devices(), "\n", &Device::name);
}

constexpr const char* described_by_file =
    R"(A JSON file can describe a GPU: {"bandwidth": 9e11, "peak": 4e13}, in byte/s and FLOP/s.)";

bool is_path(const std::string& name) {
    return name.find('/') != std::string::npos || name.ends_with(".json");
}

}  // namespace

MeantDevices table_devices_meant(const std::string& name) {
    return name.empty() || is_path(name) ? MeantDevices{} : devices_meant(name);
}

Result<Device> named_device(const std::string& name, const char* option) {
    const MeantDevices meant = table_devices_meant(name);
    std::error_code ignored;
    if (is_stream(name) || is_path(name) ||
        (meant.devices.empty() && std::filesystem::is_regular_file(name, ignored)))
        return open_input(name, described_by_file).and_then([&](const MappedFile& file) {
            return read_device(file.text(), name_for_display(name));
        });
    if (meant.devices.empty())
        return unexpected(ErrorCode::bad_argument, "There is no device '" + name + "' in the built-in table",
                          option, nearest_devices(name) + " " + described_by_file);
    if (!meant.one_model)
        return unexpected(ErrorCode::bad_argument,
                          "The name '" + name + "' fits more than one device of the built-in table", option,
                          "Name one of them: " + alternatives(meant.devices, 0) + ".");
    if (const std::string words = ambiguous_device_note(name, meant); !words.empty()) say(words);
    return *meant.devices.front();
}

void say_ambiguous_devices(const Profile& profile) {
    std::set<std::string> said;
    for (const Device& device : profile.devices)
        if (const std::string words = ambiguous_device_note(device);
            !words.empty() && said.insert(words).second)
            say_warning(words + " The name in full chooses.");
}

void add_device_option(CLI::App& verb, std::string& name) {
    verb.add_option(
            "--device", name,
            "the GPU that ran what a file without one holds, such as a CSV of ncu or a table of kernels. It "
            "is one of the built-in table, which list prints, or a file that describes it")
        ->type_name("NAME|FILE")
        ->each(print_device_list)
        ->check(device_name_check);
}

void print_device_list(const std::string& text) {
    if (text == "list") throw CLI::CallForVersion(lines_of_devices(), exit_done);
}

std::string device_name_check(const std::string& text) {
    return text.empty() ? "A GPU has a name, or a file that describes it" : "";
}

bool name_unnamed(std::shared_ptr<const Profile>& profile, const Device& device, const std::string& where) {
    const std::shared_ptr<const Profile> read = std::exchange(profile, named_profile(profile, device, where));
    if (std::ranges::equal(read->devices, profile->devices, {}, &Device::name, &Device::name)) return false;
    for (const Warning& warning : std::span(profile->warnings).subspan(read->warnings.size()))
        say_warning(to_line(message_of(warning)));
    return true;
}

Result<void> name_devices(std::shared_ptr<const Profile>& profile, const std::string& name) {
    if (name.empty()) return {};
    return named_device(name).and_then([&](const Device& known) -> Result<void> {
        const std::size_t said = profile->warnings.size();
        if (name_unnamed(profile, known, "--device " + name)) return {};
        if (profile->warnings.size() > said) return tl::unexpected(message_of(profile->warnings.back()));
        return unexpected(ErrorCode::bad_argument, "The file names its GPU itself", "--device",
                          "Leave the option out; compare --device tells what another GPU would "
                          "change.");
    });
}

}  // namespace roofwalk::cli
