// SPDX-License-Identifier: GPL-3.0-or-later
#include <optional>

#include "core/base/text.h"
#include "core/import/ncu/ncu_result.h"
#include "core/import/ncu/ncu_wire.h"

namespace roofwalk::ncu {

namespace {

using Stack = std::vector<std::string>;

void append_range(std::string_view message, Stack& stack) {
    std::string_view name;
    for_each_field(message, [&](protozero::pbf_reader& field) {
        if (field.tag_and_type() == bytes(1))
            name = view_of(field);
        else
            field.skip();
    });
    stack.push_back(name.empty() ? "(unnamed range)" : clean_utf8(name));
}

void append_domain(std::string_view message, Stack& stack) {
    for_each_field(message, [&](protozero::pbf_reader& field) {
        if (field.tag_and_type() == bytes(3))
            append_range(view_of(field), stack);
        else
            field.skip();
    });
}

void append_thread(std::string_view message, std::uint32_t wanted, Stack& stack) {
    std::optional<std::uint32_t> thread;
    std::vector<std::string_view> domains;
    for_each_field(message, [&](protozero::pbf_reader& field) {
        switch (field.tag_and_type()) {
            case varint(1):
                thread = field.get_uint32();
                break;
            case bytes(2):
                domains.push_back(view_of(field));
                break;
            default:
                field.skip();
        }
    });
    if (thread != wanted) return;
    for (const std::string_view domain : domains)
        append_domain(domain, stack);
}

}  // namespace

std::vector<std::string> decode_nvtx_stack(std::string_view state, std::uint32_t thread) {
    Stack stack;
    for_each_field(state, [&](protozero::pbf_reader& field) {
        if (field.tag_and_type() == bytes(2))
            append_thread(view_of(field), thread, stack);
        else
            field.skip();
    });
    return stack;
}

}  // namespace roofwalk::ncu
