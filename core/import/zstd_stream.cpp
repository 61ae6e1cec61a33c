// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/zstd_stream.h"

#include <fmt/format.h>
#include <zstd.h>

#include <algorithm>
#include <cstdint>
#include <memory>

namespace roofwalk {

namespace {

constexpr std::size_t mebibyte = std::size_t{1} << 20U;

struct FreeStream {
    void operator()(ZSTD_DStream* stream) const { ZSTD_freeDStream(stream); }
};

/// Room for `more` bytes: half of what there is beside them, so that little is moved and little is left over.
void make_room(std::vector<std::byte>& bytes, std::size_t more, std::size_t limit) {
    const std::size_t needed = bytes.size() + more;
    if (needed <= bytes.capacity()) return;
    bytes.reserve(std::min(limit, std::max(needed, bytes.capacity() / 2 * 3)));
}

constexpr std::size_t word = 4;

std::uint32_t little_endian(std::span<const std::byte> bytes) {
    std::uint32_t number = 0;
    for (std::size_t i = word; i-- > 0;)
        number = number << 8U | std::to_integer<std::uint32_t>(bytes[i]);
    return number;
}

bool is_skippable(std::span<const std::byte> bytes) {
    return bytes.size() >= word &&
           (little_endian(bytes) & ZSTD_MAGIC_SKIPPABLE_MASK) == ZSTD_MAGIC_SKIPPABLE_START;
}

/// Bytes that the skippable frame at the start takes, its header too; 0 where none starts there whole.
std::size_t skippable_frame(std::span<const std::byte> bytes) {
    if (!is_skippable(bytes) || bytes.size() < 2 * word) return 0;
    const std::size_t size = 2 * word + std::size_t{little_endian(bytes.subspan(word))};
    return size <= bytes.size() ? size : 0;
}

}  // namespace

bool is_zstd(std::span<const std::byte> bytes) {
    return bytes.size() >= word && (little_endian(bytes) == ZSTD_MAGICNUMBER || is_skippable(bytes));
}

std::size_t zstd_output_limit(std::size_t compressed) {
    constexpr std::size_t most = 4096 * mebibyte;
    constexpr std::size_t ratio = 200;
    if (compressed > most / ratio) return most;
    return std::min(most, compressed * ratio + 64 * mebibyte);
}

Result<UnpackedFile> unpack_zstd(std::span<const std::byte> compressed, const std::string& name,
                                 const Progress& progress, const MayBeRead& may_be_read) {
    const std::unique_ptr<ZSTD_DStream, FreeStream> stream(ZSTD_createDStream());
    std::vector<std::byte> chunk(mebibyte);
    UnpackedFile unpacked;
    ZSTD_inBuffer input{compressed.data(), compressed.size(), 0};
    std::size_t skipped = 0;  // of the input: frames that hold nothing for us
    std::size_t pending = 0;  // 0 between frames, as ZSTD_decompressStream() returns it
    bool full = false;        // the last call filled the chunk: more may wait inside the stream
    bool known = false;       // what comes out may be read

    const auto where = [&] { return fmt::format("{}, compressed offset {}", name, input.pos); };
    while (input.pos < input.size || (full && pending != 0)) {
        if (progress.cancelled()) {
            unpacked.damage = Error{ErrorCode::cancelled, "Unpacking was stopped before the end of the file",
                                    where(), "Open the file again to see all of its kernels."};
            break;
        }
        if (const std::size_t size = pending == 0 ? skippable_frame(compressed.subspan(input.pos)) : 0) {
            input.pos += size;
            skipped += size;
            continue;
        }
        ZSTD_outBuffer output{chunk.data(), chunk.size(), 0};
        pending = ZSTD_decompressStream(stream.get(), &output, &input);
        if (ZSTD_isError(pending) != 0) {
            unpacked.damage =
                Error{ErrorCode::corrupt,
                      fmt::format("The compressed data is damaged: {}", ZSTD_getErrorName(pending)), where(),
                      "Copy the file again."};
            break;
        }
        full = output.pos == output.size;
        // Of what was read until now: bytes that follow may be there to make the file look large.
        const std::size_t limit = zstd_output_limit(input.pos - skipped);
        if (unpacked.bytes.size() + output.pos > limit)
            return tl::unexpected(Error{
                ErrorCode::too_large,
                fmt::format("The file unpacks to more than {} MiB, too much for its size", limit / mebibyte),
                name, "If you trust it, unpack it with the zstd tool and open the result."});
        make_room(unpacked.bytes, output.pos, limit);
        unpacked.bytes.insert(unpacked.bytes.end(), chunk.begin(),
                              chunk.begin() + static_cast<std::ptrdiff_t>(output.pos));
        progress.at(static_cast<double>(input.pos) / static_cast<double>(input.size));
        if (!known && may_be_read && unpacked.bytes.size() >= mebibyte) {
            if (!may_be_read(unpacked.bytes)) return unpacked;
            known = true;
        }
    }
    if (!unpacked.damage && pending != 0)
        unpacked.damage = Error{ErrorCode::truncated, "The compressed data ends too early", where(),
                                "Copy the file again."};
    if (unpacked.bytes.empty() && unpacked.damage) return tl::unexpected(*unpacked.damage);
    return unpacked;
}

}  // namespace roofwalk
