// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/ncu/ncu_container.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/text.h"
#include "core/import/ncu/ncu_wire.h"

namespace roofwalk::ncu {

namespace {

constexpr std::size_t most_devices_of_a_piece = 128;
constexpr std::size_t most_attributes = 1024;  // of one device; 167 have been seen

std::pair<std::string_view, Value> decode_attribute(std::string_view message) {
    std::pair<std::string_view, Value> attribute;
    read_fields(message, field(1, attribute.first),
                field(2, [&](std::string_view part) { attribute.second = decode_value(part); }));
    return attribute;
}

SessionDevice decode_device(std::string_view message) {
    SessionDevice device;
    read_fields(message, field(1, device.id), field(3, [&](std::string_view part) {
                    add_part(device.attributes, decode_attribute(part), most_attributes);
                }));
    return device;
}

/// "2025.1.1.0" of "2025.1.1.0 (build 35528883) (public-release)" when the provider is the profiler itself.
std::optional<std::string> ncu_version(std::string_view message) {
    std::string_view provider;
    std::string_view version;
    read_fields(message, field(1, provider), field(2, version));
    if (!provider.starts_with("Nsight Compute Target")) return std::nullopt;
    return clean_utf8(version.substr(0, version.find(' ')));
}

constexpr std::string_view magic("NVR\0", 4);
constexpr std::uint32_t known_version = 7;
constexpr std::size_t length_size = 4;
constexpr std::size_t most_session_pieces = 4096;  // of one block; one is usual
constexpr std::string_view copy_again = "Copy the report again, or profile again.";

std::uint32_t read_length(std::string_view bytes) {
    std::uint32_t value = 0;
    for (std::size_t i = length_size; i-- > 0;)
        value = value << 8U | static_cast<unsigned char>(bytes[i]);
    return value;
}

/// A length and that many bytes at the start of `rest`, which moves behind them.
std::optional<std::string_view> take_message(std::string_view& rest) {
    if (rest.size() < length_size) return std::nullopt;
    const std::size_t length = read_length(rest);
    if (length > rest.size() - length_size) return std::nullopt;
    const std::string_view message = rest.substr(length_size, length);
    rest.remove_prefix(length_size + length);
    return message;
}

struct BlockHeader {
    Block block;
    std::vector<std::string_view> strings;
    std::vector<std::string_view> session_pieces;
    std::uint32_t payload_size = 0;
};

void decode_strings(std::string_view message, std::size_t most, std::vector<std::string_view>& strings) {
    read_fields(message, field(1, [&](std::string_view part) { add_part(strings, part, most); }));
}

std::uint32_t decode_process(std::string_view message) {
    std::uint32_t process = 0;
    read_fields(message, field(1, process));
    return process;
}

/// At most `most_names` names. Throws protozero::exception.
BlockHeader decode_header(std::string_view message, std::size_t most_names) {
    BlockHeader header;
    read_fields(
        message, field(1, header.block.sources), field(2, header.block.results),
        field(3, [&](std::string_view part) { add_part(header.session_pieces, part, most_session_pieces); }),
        field(4, [&](std::string_view part) { decode_strings(part, most_names, header.strings); }),
        field(5, header.payload_size),
        field(6, [&](std::string_view part) { header.block.process = decode_process(part); }),
        field(7, header.block.ranges), field(9, header.block.graphs));
    return header;
}

std::uint32_t decode_version(std::string_view message) {
    std::uint32_t version = 0;
    read_fields(message, field(1, version));
    return version;
}

Error overfull(std::string what, std::uint64_t offset) {
    return {ErrorCode::corrupt, std::move(what), at_offset(offset),
            "No profiler writes such a report. " + std::string(copy_again)};
}

/// Takes one block from the start of `rest`, which moves behind it. On damage the block's readable part is
/// kept and the error says what is wrong. The limits are those of the whole report, by its size.
std::optional<Error> take_block(std::string_view& rest, std::uint64_t offset, std::size_t file_size,
                                Container& container) {
    const std::size_t most_parts = most_container_parts(file_size);
    const std::size_t most_devices = most_session_devices(file_size);
    const std::size_t before = rest.size();
    const auto message = take_message(rest);
    if (!message)
        return Error{ErrorCode::truncated, "The report ends inside the header of a block", at_offset(offset),
                     std::string(copy_again)};
    BlockHeader header = decode_header(*message, most_parts - container.names);
    for (const std::string_view piece : header.session_pieces)
        container.session.add_piece(piece, most_devices);
    if (container.tables.back().holds_any(header.strings)) {
        if (container.tables.size() == most_string_tables)
            return overfull(fmt::format("The report starts its list of metric names more than {} times",
                                        most_string_tables),
                            offset);
        container.tables.emplace_back();
    }
    container.tables.back().append(header.strings);
    container.names += header.strings.size();

    Block& block = header.block;
    block.payload_offset = offset + (before - rest.size());
    block.payload = rest.substr(0, header.payload_size);
    block.truncated = block.payload.size() < header.payload_size;
    block.table = container.tables.size() - 1;
    rest.remove_prefix(block.payload.size());
    if (block.results > 0 || block.ranges > 0 || block.graphs > 0 || !block.payload.empty()) {
        if (container.blocks.size() == most_parts)
            return overfull(
                fmt::format("The report has more than {} blocks, too many for its size", most_parts), offset);
        container.blocks.push_back(block);
    }
    if (!block.truncated) return std::nullopt;
    return Error{ErrorCode::truncated,
                 fmt::format("The report ends inside a block: {} of {} bytes are there", block.payload.size(),
                             header.payload_size),
                 at_offset(block.payload_offset), std::string(copy_again)};
}

Error unreadable_start(std::uint32_t version, Error damage) {
    if (version <= known_version) return damage;
    return {ErrorCode::unsupported_version,
            fmt::format("This report has file version {}, and this program knows versions up to {}", version,
                        known_version),
            "", "A newer release of this program may read it; ncu --csv --page raw prints it as CSV."};
}

}  // namespace

const Value* SessionDevice::find(std::string_view name) const {
    const auto it = std::ranges::find(attributes, name, &std::pair<std::string_view, Value>::first);
    return it == attributes.end() ? nullptr : &it->second;
}

void ReportHeader::add_piece(std::string_view message, std::size_t most_devices) {
    std::size_t listed = 0;
    read_fields(message, field(2, [&](std::uint64_t number) { created = static_cast<std::int64_t>(number); }),
                field(6,
                      [&](std::string_view part) {
                          if (++listed > most_devices_of_a_piece) throw TooManyParts();
                          if (const auto [known, added] = device_messages_.insert(part); added)
                              add_part(devices, decode_device(*known), most_devices);
                      }),
                field(8,
                      [&](std::string_view part) {
                          if (auto version = ncu_version(part)) tool_version = std::move(*version);
                      }),
                field(11, [&](std::string_view part) { command_line = clean_utf8(part); }));
}

const SessionDevice* ReportHeader::device(std::optional<double> id) const {
    if (!id) return devices.size() == 1 ? &devices.front() : nullptr;
    const auto it = std::ranges::find_if(
        devices, [&](const SessionDevice& device) { return static_cast<double>(device.id) == *id; });
    return it == devices.end() ? nullptr : &*it;
}

std::string at_offset(std::uint64_t offset) {
    return fmt::format("offset {}", offset);
}

bool starts_report(std::string_view file) {
    return !file.empty() && (file.starts_with(magic) || magic.starts_with(file));
}

Result<Container> scan_container(std::string_view file) {
    if (!starts_report(file))
        return unexpected(ErrorCode::unknown_format, "This is not an Nsight Compute report", "",
                          "A report starts with the letters NVR and a zero byte.");
    std::string_view rest = file.substr(std::min(file.size(), magic.size()));
    const auto file_header = take_message(rest);
    if (!file_header)
        return unexpected(ErrorCode::truncated, "The report ends inside its file header",
                          at_offset(std::min(file.size(), magic.size())), std::string(copy_again));
    if (rest.empty())
        return unexpected(ErrorCode::truncated, "The report ends after its file header",
                          at_offset(file.size()), std::string(copy_again));
    Container container;
    container.tables.emplace_back();
    std::uint32_t version = 0;
    std::uint64_t offset = 0;
    bool first = true;
    try {
        version = decode_version(*file_header);
        while (!rest.empty() && !container.damage) {
            offset = file.size() - rest.size();
            container.damage = take_block(rest, offset, file.size(), container);
            if (first && container.damage && container.blocks.empty())
                return tl::unexpected(unreadable_start(version, *container.damage));
            first = false;
        }
    } catch (const TooManyParts&) {
        container.damage =
            overfull("A block of the report lists more names or devices than any report has", offset);
    } catch (const protozero::exception&) {
        Error damage{ErrorCode::corrupt, "A block header of the report cannot be read", at_offset(offset),
                     std::string(copy_again)};
        if (first) return tl::unexpected(unreadable_start(version, std::move(damage)));
        container.damage = std::move(damage);
    }
    return container;
}

EntryCursor::EntryCursor(const Block& block)
    : rest_(block.payload),
      rest_offset_(block.payload_offset),
      offset_(block.payload_offset),
      results_(block.results),
      ranges_end_(results_ + block.ranges),
      total_(ranges_end_ + block.graphs),
      sources_(block.sources) {}

std::optional<std::string_view> EntryCursor::next_entry() {
    offset_ = rest_offset_;
    const std::size_t before = rest_.size();
    const auto message = take_message(rest_);
    damaged_ = !message;
    rest_offset_ += before - rest_.size();
    return message;
}

std::optional<std::string_view> EntryCursor::next() {
    for (; sources_ > 0 && !damaged_; --sources_)
        (void)next_entry();
    if (damaged_) return std::nullopt;
    if (returned_ == total_) {
        damaged_ = !rest_.empty();
        offset_ = rest_offset_;
        return std::nullopt;
    }
    ++returned_;
    return next_entry();
}

}  // namespace roofwalk::ncu
