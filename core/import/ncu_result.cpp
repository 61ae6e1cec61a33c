// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/ncu_result.h"

#include <array>

#include "core/import/ncu_wire.h"

namespace roofwalk::ncu {

namespace {

constexpr std::size_t most_metrics = std::size_t{1} << 16U;
constexpr std::size_t most_sections = 4096;

Dim3 decode_size(std::string_view message) {
    Dim3 size;
    for_each_field(message, [&](protozero::pbf_reader& field) {
        switch (field.tag_and_type()) {
            case varint(1):
                size.x = saturated(field.get_uint64());
                break;
            case varint(2):
                size.y = saturated(field.get_uint64());
                break;
            case varint(3):
                size.z = saturated(field.get_uint64());
                break;
            default:
                field.skip();
        }
    });
    return size;
}

/// Both flags are set by default and both clear under `--clock-control none`; a mix has not been seen.
std::optional<bool> decode_clock_state(std::string_view message) {
    std::array<bool, 2> flags{};
    for_each_field(message, [&](protozero::pbf_reader& field) {
        switch (field.tag_and_type()) {
            case varint(1):
                flags[0] = field.get_bool();
                break;
            case varint(2):
                flags[1] = field.get_bool();
                break;
            default:
                field.skip();
        }
    });
    if (flags[0] != flags[1]) return std::nullopt;
    return flags[0];
}

}  // namespace

ResultEntry decode_result(std::string_view message) {
    ResultEntry read;
    for_each_field(message, [&](protozero::pbf_reader& field) {
        switch (field.tag_and_type()) {
            case varint(1):
                read.thread = field.get_uint32();
                break;
            case bytes(5):
                read.mangled_name = view_of(field);
                break;
            case bytes(6):
                read.function_name = view_of(field);
                break;
            case bytes(7):
                read.demangled_name = view_of(field);
                break;
            case bytes(10):
                read.grid = decode_size(view_of(field));
                break;
            case bytes(11):
                read.block = decode_size(view_of(field));
                break;
            case bytes(13):
                add_part(read.metrics, view_of(field), most_metrics);
                break;
            case bytes(17):
                add_part(read.sections, view_of(field), most_sections);
                break;
            case bytes(21):
                read.nvtx = view_of(field);
                break;
            case varint(22):
                read.context = field.get_uint32();
                break;
            case varint(23):
                read.stream = field.get_uint32();
                break;
            case bytes(25):
                read.clocks_locked = decode_clock_state(view_of(field));
                break;
            default:
                field.skip();
        }
    });
    return read;
}

}  // namespace roofwalk::ncu
