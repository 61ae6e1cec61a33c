// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/ncu/ncu_session.h"

#include <algorithm>
#include <utility>

#include "core/base/text.h"
#include "core/import/ncu/ncu_wire.h"

namespace roofwalk::ncu {

namespace {

constexpr std::size_t most_devices_of_a_piece = 128;
constexpr std::size_t most_attributes = 1024;  // of one device; 167 have been seen

std::pair<std::string_view, Value> decode_attribute(std::string_view message) {
    std::pair<std::string_view, Value> attribute;
    for_each_field(message, [&](protozero::pbf_reader& field) {
        switch (field.tag_and_type()) {
            case bytes(1):
                attribute.first = view_of(field);
                break;
            case bytes(2):
                attribute.second = decode_value(view_of(field));
                break;
            default:
                field.skip();
        }
    });
    return attribute;
}

SessionDevice decode_device(std::string_view message) {
    SessionDevice device;
    for_each_field(message, [&](protozero::pbf_reader& field) {
        switch (field.tag_and_type()) {
            case varint(1):
                device.id = field.get_uint32();
                break;
            case bytes(3):
                add_part(device.attributes, decode_attribute(view_of(field)), most_attributes);
                break;
            default:
                field.skip();
        }
    });
    return device;
}

/// "2025.1.1.0" of "2025.1.1.0 (build 35528883) (public-release)" when the provider is the profiler itself.
std::optional<std::string> ncu_version(std::string_view message) {
    std::string_view provider;
    std::string_view version;
    for_each_field(message, [&](protozero::pbf_reader& field) {
        switch (field.tag_and_type()) {
            case bytes(1):
                provider = view_of(field);
                break;
            case bytes(2):
                version = view_of(field);
                break;
            default:
                field.skip();
        }
    });
    if (!provider.starts_with("Nsight Compute Target")) return std::nullopt;
    return clean_utf8(version.substr(0, version.find(' ')));
}

}  // namespace

const Value* SessionDevice::find(std::string_view name) const {
    const auto it = std::ranges::find(attributes, name, &std::pair<std::string_view, Value>::first);
    return it == attributes.end() ? nullptr : &it->second;
}

void Session::add_piece(std::string_view message, std::size_t most_devices) {
    std::size_t listed = 0;
    for_each_field(message, [&](protozero::pbf_reader& field) {
        switch (field.tag_and_type()) {
            case varint(2):
                created = static_cast<std::int64_t>(field.get_uint64());
                break;
            case bytes(6):
                if (++listed > most_devices_of_a_piece) throw TooManyParts();
                if (const auto [known, added] = device_messages_.insert(view_of(field)); added)
                    add_part(devices, decode_device(*known), most_devices);
                break;
            case bytes(8):
                if (auto version = ncu_version(view_of(field))) tool_version = std::move(*version);
                break;
            case bytes(11):
                command_line = clean_utf8(view_of(field));
                break;
            default:
                field.skip();
        }
    });
}

const SessionDevice* Session::device(std::optional<double> id) const {
    if (!id) return devices.size() == 1 ? &devices.front() : nullptr;
    const auto it = std::ranges::find_if(
        devices, [&](const SessionDevice& device) { return static_cast<double>(device.id) == *id; });
    return it == devices.end() ? nullptr : &*it;
}

}  // namespace roofwalk::ncu
