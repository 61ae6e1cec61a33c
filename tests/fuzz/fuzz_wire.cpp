// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include "profiler/wire/record_reader.h"
#include "profiler/wire/record_writer.h"

namespace {

namespace wire = roofwalk::wire;

/// Bytes of the stream that the readings up to now stand for; what was read must be writable again.
std::uint64_t drain(wire::RecordReader& reader, std::vector<std::byte>& room) {
    std::uint64_t told = 0;
    while (const auto reading = reader.next()) {
        if (const auto* damage = std::get_if<wire::Damage>(&*reading)) {
            told += damage->length;
            continue;
        }
        const auto& found = std::get<wire::ReadRecord>(*reading).record;
        const auto frame =
            std::visit([&](const auto& record) { return wire::RecordWriter(room).frame(record); }, found);
        if (frame.empty()) __builtin_trap();
        told += frame.size();
    }
    return told;
}

/// Gives the reader `stream` in parts of `step` bytes; every byte of it must be told of.
void read_in_steps(std::span<const std::byte> stream, std::size_t step) {
    std::vector<std::byte> room(wire::header_size + stream.size());
    wire::RecordReader reader;
    std::uint64_t told = 0;
    for (auto rest = stream; !rest.empty();) {
        const auto part = rest.first(std::min(step, rest.size()));
        reader.append(part);
        told += drain(reader, room);
        rest = rest.subspan(part.size());
    }
    reader.finish();
    told += drain(reader, room);
    if (told != stream.size()) __builtin_trap();
}

/// A frame with right checksums around `payload`, which no mutation of a stream would find.
std::vector<std::byte> framed(std::uint16_t kind, std::span<const std::byte> payload) {
    std::vector<std::byte> frame(wire::header_size);
    wire::write_header(std::span(frame).first<wire::header_size>(),
                       {wire::wire_version, kind, static_cast<std::uint32_t>(payload.size()),
                        wire::checksum_of(payload), 0});
    frame.insert(frame.end(), payload.begin(), payload.end());
    return frame;
}

}  // namespace

/// The first byte: 255 for one frame whose kind is the second byte and whose payload is the rest; else the
/// rest is a stream that arrives in steps of so many bytes, 0 for all at once.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 2) return 0;
    const auto bytes = std::as_bytes(std::span(data, size));
    if (data[0] == 255)
        read_in_steps(framed(data[1], bytes.subspan(2)), size);
    else
        read_in_steps(bytes.subspan(1), data[0] == 0 ? size : data[0]);
    return 0;
}
