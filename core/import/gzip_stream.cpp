// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/gzip_stream.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>

namespace roofwalk {

namespace {

constexpr std::size_t gzip_chunk = std::size_t{1} << 20U;

/// The size that the last four bytes claim.
std::size_t claimed_size(std::span<const std::byte> compressed) {
    std::size_t size = 0;
    for (std::size_t i = 0; i < 4; ++i)
        size = size << 8U | std::to_integer<std::size_t>(compressed[compressed.size() - 1 - i]);
    return size;
}

/// Room for `more` bytes: for all that are claimed once an eighth came, so that a large text is not moved.
void make_room_for_gzip(std::vector<std::byte>& bytes, std::size_t more, std::size_t claimed) {
    const std::size_t needed = bytes.size() + more;
    if (needed <= bytes.capacity()) return;
    bytes.reserve(needed <= claimed && claimed / 8 <= needed ? claimed : needed / 2 * 3);
}

class Inflater {
  public:
    explicit Inflater(std::span<const std::byte> input) : left_(input) {
        constexpr int gzip_of_any_window = 15 + 16;
        damaged_ = inflateInit2(&stream_, gzip_of_any_window) != Z_OK;
    }
    Inflater(const Inflater&) = delete;
    Inflater& operator=(const Inflater&) = delete;
    ~Inflater() { inflateEnd(&stream_); }

    /// Fills as much of the chunk as there is, up to the damage.
    std::size_t fill(std::span<std::byte> chunk) {
        if (damaged_) return 0;
        // zlib counts in 32 bits, and says that it does not write what it reads.
        const std::size_t piece = std::min(left_.size(), gzip_chunk);
        stream_.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(left_.data()));  // NOLINT
        stream_.avail_in = static_cast<uInt>(piece);
        stream_.next_out = reinterpret_cast<Bytef*>(chunk.data());  // NOLINT: as bytes of zlib
        stream_.avail_out = static_cast<uInt>(chunk.size());
        const int result = inflate(&stream_, Z_NO_FLUSH);
        left_ = left_.subspan(piece - stream_.avail_in);
        ended_ = result == Z_STREAM_END;
        // A further member; what else stands behind the last one is no data.
        if (ended_ && is_gzip(left_)) {
            ended_ = false;
            inflateReset(&stream_);
        }
        damaged_ = result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR;
        const std::size_t filled = chunk.size() - stream_.avail_out;
        starved_ = left_.empty() && filled < chunk.size();
        return filled;
    }
    [[nodiscard]] bool ended() const { return ended_; }
    [[nodiscard]] bool damaged() const { return damaged_; }
    /// The data stops before its end.
    [[nodiscard]] bool starved() const { return starved_ && !ended_; }
    [[nodiscard]] std::size_t left() const { return left_.size(); }

  private:
    std::span<const std::byte> left_;
    z_stream stream_{};
    bool damaged_ = false;
    bool ended_ = false;
    bool starved_ = false;
};

}  // namespace

bool is_gzip(std::span<const std::byte> bytes) {
    constexpr std::size_t smallest = 18;  // its header and its trailer
    return bytes.size() >= smallest && bytes[0] == std::byte{0x1F} && bytes[1] == std::byte{0x8B} &&
           bytes[2] == std::byte{8};
}

Result<UnpackedFile> unpack_gzip(std::span<const std::byte> compressed, const std::string& name,
                                 const Progress& progress, const MayBeRead& may_be_read) {
    Inflater inflater(compressed);
    std::vector<std::byte> chunk(gzip_chunk);
    UnpackedFile unpacked;
    bool known = false;  // what comes out may be read
    while (!inflater.ended() && !unpacked.damage) {
        const std::size_t at = compressed.size() - inflater.left();
        const auto fail = [&](ErrorCode code, const char* what, const char* hint) {
            unpacked.damage = Error{code, what, fmt::format("{}, compressed offset {}", name, at), hint};
        };
        if (progress.cancelled()) {
            fail(ErrorCode::cancelled, "Unpacking was stopped before the end of the file",
                 "Open the file again to see all of its kernels.");
            break;
        }
        const std::size_t filled = inflater.fill(chunk);
        const std::size_t limit = zstd_output_limit(compressed.size() - inflater.left());
        if (unpacked.bytes.size() + filled > limit)
            return tl::unexpected(
                Error{ErrorCode::too_large,
                      fmt::format("The file unpacks to more than {} MiB, too much for its size",
                                  limit / gzip_chunk),
                      name, "If you trust it, unpack it with gunzip and open the result."});
        make_room_for_gzip(unpacked.bytes, filled, claimed_size(compressed));
        unpacked.bytes.insert(unpacked.bytes.end(), chunk.begin(),
                              chunk.begin() + static_cast<std::ptrdiff_t>(filled));
        progress.at(static_cast<double>(at) / static_cast<double>(compressed.size()));
        if (inflater.damaged())
            fail(ErrorCode::corrupt, "The compressed data is damaged", "Copy the file again.");
        else if (inflater.starved())
            fail(ErrorCode::truncated, "The compressed data ends too early", "Copy the file again.");
        if (!known && may_be_read && unpacked.bytes.size() >= gzip_chunk) {
            if (!may_be_read(unpacked.bytes)) return unpacked;
            known = true;
        }
    }
    if (unpacked.bytes.empty() && unpacked.damage) return tl::unexpected(*unpacked.damage);
    return unpacked;
}

}  // namespace roofwalk
