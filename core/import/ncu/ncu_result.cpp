// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/ncu/ncu_result.h"

#include "core/base/text.h"
#include "core/import/ncu/ncu_wire.h"

namespace roofwalk::ncu {

namespace {

constexpr std::size_t most_metrics = std::size_t{1} << 16U;
constexpr std::size_t most_sections = 4096;

/// The numbers of the fields that are read; 0, which no message has, where a kind has none. Field 1 is the
/// thread and 2 the call of the API in all of them.
struct ResultFields {
    std::uint32_t metrics = 0;
    std::uint32_t sections = 0;
    std::uint32_t nvtx = 0;
    std::uint32_t context = 0;
    std::uint32_t stream = 0;
    std::uint32_t clocks = 0;
    std::uint32_t mangled_name = 0;
    std::uint32_t function_name = 0;
    std::uint32_t demangled_name = 0;
    std::uint32_t grid = 0;
    std::uint32_t block = 0;
};

/// Ranges and graphs as Nsight Compute 2025.3.1 writes them. Theirs are also 5, the time of creation, and 6,
/// the API, of kernels 14 and 16; the id of the source entry of their code is 15 of a range and 17 of a graph
/// (15.1), results of rules are 20 and 22 (19), the version of the driver is 21 and 23 (35). The NVTX state
/// of a graph has not been seen; it stands in 10 if it does where that of a range is. Names of the kernels
/// are the instances of `launch__kernel_name`, and those of other `launch__` metrics are their figures.
constexpr EnumArray<LaunchKind, ResultFields> result_fields{
    ResultFields{13, 17, 21, 22, 23, 25, 5, 6, 7, 10, 11},  // kernel
    ResultFields{4, 7, 10, 11, 12, 13},                     // graph
    ResultFields{4, 7, 10, 11, 0, 12},                      // range
};

WorkSize decode_size(std::string_view message) {
    WorkSize size{};
    read_fields(message, field(1, size[0]), field(2, size[1]), field(3, size[2]));
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
    read_fields(message, field(1, flags[0]), field(2, flags[1]));
    if (flags[0] != flags[1]) return std::nullopt;
    return flags[0];
}

using Stack = std::vector<std::string>;

void append_range(std::string_view message, Stack& stack) {
    std::string_view name;
    read_fields(message, field(1, name));
    stack.push_back(name.empty() ? "(unnamed range)" : clean_utf8(name));
}

void append_domain(std::string_view message, Stack& stack) {
    read_fields(message, field(3, [&](std::string_view part) { append_range(part, stack); }));
}

void append_thread(std::string_view message, std::uint32_t wanted, Stack& stack) {
    std::optional<std::uint32_t> thread;
    std::vector<std::string_view> domains;
    read_fields(message, field(1, thread), field(2, [&](std::string_view part) { domains.push_back(part); }));
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

ResultEntry decode_result(std::string_view message, LaunchKind kind) {
    ResultEntry read;
    const ResultFields& at = result_fields[kind];
    read_fields(
        message,
        field(at.metrics, [&](std::string_view part) { add_part(read.metrics, part, most_metrics); }),
        field(at.sections, [&](std::string_view part) { add_part(read.sections, part, most_sections); }),
        field(1, read.thread), field(at.mangled_name, read.mangled_name),
        field(at.function_name, read.function_name), field(at.demangled_name, read.demangled_name),
        field(at.grid, [&](std::string_view part) { read.grid = decode_size(part); }),
        field(at.block, [&](std::string_view part) { read.block = size_of(decode_size(part)); }),
        field(at.nvtx, read.nvtx), field(at.context, read.context), field(at.stream, read.stream),
        field(at.clocks, [&](std::string_view part) { read.clocks_locked = decode_clock_state(part); }));
    return read;
}

std::vector<std::string> decode_nvtx_stack(std::string_view state, std::uint32_t thread) {
    Stack stack;
    read_fields(state, field(2, [&](std::string_view part) { append_thread(part, thread, stack); }));
    return stack;
}

}  // namespace roofwalk::ncu
