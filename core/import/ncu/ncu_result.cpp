// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/ncu/ncu_result.h"

#include "core/base/text.h"
#include "core/import/ncu/ncu_wire.h"

namespace roofwalk::ncu {

namespace {

constexpr std::size_t most_metrics = std::size_t{1} << 16U;
constexpr std::size_t most_sections = 4096;

WorkSize decode_size(std::string_view message) {
    WorkSize size{};
    for_each_field(message, [&](protozero::pbf_reader& field) {
        switch (field.tag_and_type()) {
            case varint(1):
                size[0] = field.get_uint64();
                break;
            case varint(2):
                size[1] = field.get_uint64();
                break;
            case varint(3):
                size[2] = field.get_uint64();
                break;
            default:
                field.skip();
        }
    });
    return size;
}

Dim3 size_of(const WorkSize& size) {
    return {saturated(size[0]), saturated(size[1]), saturated(size[2])};
}

double count(const WorkSize& size) {
    return static_cast<double>(size[0]) * static_cast<double>(size[1]) * static_cast<double>(size[2]);
}

/// The grid taken for threads; absent where they do not fill whole blocks.
std::optional<WorkSize> whole_blocks(const WorkSize& threads, const Dim3& block) {
    WorkSize blocks{};
    const WorkSize width{block.x, block.y, block.z};
    for (std::size_t axis = 0; axis < blocks.size(); ++axis) {
        if (width[axis] == 0 || threads[axis] % width[axis] != 0) return std::nullopt;
        blocks[axis] = threads[axis] / width[axis];
    }
    return blocks;
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

BlockCount grid_in_blocks(const ResultEntry& result, const StoredSize& stored, bool counts_threads) {
    const auto divided = whole_blocks(result.grid, result.block);
    const double block_size = count({result.block.x, result.block.y, result.block.z});
    const auto agrees = [&](const WorkSize& blocks) {
        if (stored.blocks) return *stored.blocks == count(blocks);
        return *stored.threads == count(blocks) * block_size;
    };
    if (!stored.blocks && !stored.threads)
        return {size_of(counts_threads && divided ? *divided : result.grid), false};
    if (agrees(result.grid)) return {size_of(result.grid), false};
    if (divided && agrees(*divided)) return {size_of(*divided), false};
    return {size_of(counts_threads && divided ? *divided : result.grid), true};
}

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
                read.block = size_of(decode_size(view_of(field)));
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
