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

}  // namespace

bool is_zstd(std::span<const std::byte> bytes) {
    if (bytes.size() < 4) return false;
    std::uint32_t magic = 0;
    for (std::size_t i = 4; i-- > 0;)
        magic = magic << 8U | std::to_integer<std::uint32_t>(bytes[i]);
    return magic == ZSTD_MAGICNUMBER || (magic & ZSTD_MAGIC_SKIPPABLE_MASK) == ZSTD_MAGIC_SKIPPABLE_START;
}

std::size_t zstd_output_limit(std::size_t compressed) {
    constexpr std::size_t most = 4096 * mebibyte;
    constexpr std::size_t ratio = 200;
    if (compressed > most / ratio) return most;
    return std::min(most, compressed * ratio + 64 * mebibyte);
}

Result<Unpacked> unpack_zstd(std::span<const std::byte> compressed, const std::string& name,
                             const Progress& progress) {
    const std::unique_ptr<ZSTD_DStream, FreeStream> stream(ZSTD_createDStream());
    const std::size_t limit = zstd_output_limit(compressed.size());
    std::vector<std::byte> chunk(mebibyte);
    Unpacked unpacked;
    ZSTD_inBuffer input{compressed.data(), compressed.size(), 0};
    std::size_t pending = 0;  // 0 between frames, as ZSTD_decompressStream() returns it
    bool full = false;        // the last call filled the chunk: more may wait inside the stream

    const auto where = [&] { return fmt::format("{}, compressed offset {}", name, input.pos); };
    while (input.pos < input.size || (full && pending != 0)) {
        if (progress.cancelled()) {
            unpacked.damage = Error{ErrorCode::cancelled, "Unpacking was stopped before the end of the file",
                                    where(), "Open the file again to see all of its kernels."};
            break;
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
        if (output.pos > limit - unpacked.bytes.size())
            return tl::unexpected(Error{
                ErrorCode::too_large,
                fmt::format("The file unpacks to more than {} MiB, too much for its size", limit / mebibyte),
                name, "If you trust it, unpack it with the zstd tool and open the result."});
        make_room(unpacked.bytes, output.pos, limit);
        unpacked.bytes.insert(unpacked.bytes.end(), chunk.begin(),
                              chunk.begin() + static_cast<std::ptrdiff_t>(output.pos));
        progress.at(static_cast<double>(input.pos) / static_cast<double>(input.size));
    }
    if (!unpacked.damage && pending != 0)
        unpacked.damage = Error{ErrorCode::truncated, "The compressed data ends too early", where(),
                                "Copy the file again."};
    if (unpacked.bytes.empty() && unpacked.damage) return tl::unexpected(*unpacked.damage);
    return unpacked;
}

}  // namespace roofwalk
