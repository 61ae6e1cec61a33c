// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

/// A stream of frames, each a header and a payload. Numbers are little-endian. The header has a checksum of
/// its own, so that a length is believed only when it is what was written.
namespace roofwalk::wire {

static_assert(std::endian::native == std::endian::little, "frames are written as they stand in memory");

inline constexpr std::array<unsigned char, 4> frame_magic{0xD7, 'R', 'W', 0xF1};
inline constexpr std::uint16_t wire_version = 3;
inline constexpr std::size_t header_size = 28;                          ///< [byte]
inline constexpr std::size_t longest_payload = std::size_t{16} << 20U;  ///< [byte]

struct FrameHeader {
    std::uint16_t version = wire_version;
    std::uint16_t kind = 0;
    std::uint32_t length = 0;    ///< of the payload [byte]
    std::uint32_t checksum = 0;  ///< of the payload
    std::uint64_t sequence =
        0;  ///< counts the frames of one writer from 0, those that were never sent and are missed too
};

/// CRC-32 (IEEE 802.3).
[[nodiscard]] inline std::uint32_t checksum_of(std::span<const std::byte> bytes) noexcept {
    static constexpr auto table = [] {
        std::array<std::uint32_t, 256> remainders{};
        for (std::uint32_t byte = 0; byte < 256; ++byte) {
            std::uint32_t value = byte;
            for (int bit = 0; bit < 8; ++bit)
                value = (value >> 1U) ^ ((value & 1U) != 0 ? 0xEDB88320U : 0U);
            remainders[byte] = value;
        }
        return remainders;
    }();
    std::uint32_t value = 0xFFFFFFFFU;
    for (const std::byte byte : bytes)
        value = (value >> 8U) ^ table[(value ^ std::to_integer<std::uint32_t>(byte)) & 0xFFU];
    return ~value;
}

/// Order: magic, version, kind, length, checksum, sequence, checksum of all these.
inline void write_header(std::span<std::byte, header_size> room, const FrameHeader& header) noexcept {
    std::memcpy(room.data(), frame_magic.data(), 4);
    std::memcpy(room.data() + 4, &header.version, 2);
    std::memcpy(room.data() + 6, &header.kind, 2);
    std::memcpy(room.data() + 8, &header.length, 4);
    std::memcpy(room.data() + 12, &header.checksum, 4);
    std::memcpy(room.data() + 16, &header.sequence, 8);
    const std::uint32_t own = checksum_of(room.first<header_size - 4>());
    std::memcpy(room.data() + 24, &own, 4);
}

/// False when these bytes are no header, or one whose length cannot be.
[[nodiscard]] inline bool read_header(std::span<const std::byte, header_size> bytes,
                                      FrameHeader& header) noexcept {
    std::uint32_t own = 0;
    std::memcpy(&own, bytes.data() + 24, 4);
    if (std::memcmp(bytes.data(), frame_magic.data(), 4) != 0 ||
        own != checksum_of(bytes.first<header_size - 4>()))
        return false;
    std::memcpy(&header.version, bytes.data() + 4, 2);
    std::memcpy(&header.kind, bytes.data() + 6, 2);
    std::memcpy(&header.length, bytes.data() + 8, 4);
    std::memcpy(&header.checksum, bytes.data() + 12, 4);
    std::memcpy(&header.sequence, bytes.data() + 16, 8);
    return header.length <= longest_payload;
}

}  // namespace roofwalk::wire
