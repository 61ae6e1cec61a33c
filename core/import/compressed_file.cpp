// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/compressed_file.h"

#include <fmt/format.h>
#include <re2/re2.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>

#include "core/base/text.h"

namespace roofwalk {

namespace {

constexpr std::size_t mebibyte = std::size_t{1} << 20U;

/// What mpirun or a CI service puts before a line, with the tag of the process.
const re2::RE2& line_mark() {
    static const re2::RE2 mark(
        R"((?m)^(?:(\[\d+,\d+\])<std(?:out|err)>: ?|\d{4}-\d\d-\d\dT\d\d:\d\d:[\d.,]+(?:Z|[+-][\d:]+)? |)"
        R"(\[\d{4}-\d\d-\d\d[ T]\d\d:\d\d:[\d.,]+\](?: ?(?:[A-Z]{4,8}:|\[[A-Z]{4,8}\]:?))? ?))",
        re2::RE2::Quiet);
    return mark;
}

/// What came out so far of one file.
class Output {
  public:
    Output(const Progress& progress, const MayBeRead& may_be_read)
        : progress_(progress), may_be_read_(may_be_read) {}

    /// Whether it was stopped; then that is the damage.
    bool cancelled(std::size_t at) {
        if (!progress_.cancelled()) return false;
        set_damage(ErrorCode::cancelled, "Unpacking was stopped before the end of the file", at,
                   "Open the file again to see all of its kernels.");
        return true;
    }
    void set_damage(ErrorCode code, std::string what, std::size_t at,
                    const char* hint = "Copy the file again.") {
        file_.damage = Error{code, std::move(what), fmt::format("compressed offset {}", at), hint};
    }
    /// The next bytes, within the limit of what was read, where `reserve(bytes, needed, limit)` makes room.
    /// Errors: too_large.
    template <class Reserve>
    Result<void> add(std::span<const std::byte> bytes, std::size_t limit, const char* tool, Reserve reserve) {
        const std::size_t needed = file_.bytes.size() + bytes.size();
        if (needed > limit)
            return unexpected(
                ErrorCode::too_large,
                fmt::format("The file unpacks to more than {} MiB, too much for its size", limit / mebibyte),
                "", fmt::format("If you trust it, unpack it with {} and open the result.", tool));
        if (needed > file_.bytes.capacity()) file_.bytes.reserve(reserve(needed));
        file_.bytes.insert(file_.bytes.end(), bytes.begin(), bytes.end());
        return {};
    }
    /// Whether what began is worth the rest; asked once, after the first MiB.
    bool is_worth_the_rest() {
        if (known_ || !may_be_read_ || file_.bytes.size() < mebibyte) return true;
        known_ = may_be_read_(file_.bytes);
        return known_;
    }
    [[nodiscard]] const UnpackedFile& file() const { return file_; }
    /// Errors: the damage when nothing came out.
    [[nodiscard]] Result<UnpackedFile> take() {
        if (file_.bytes.empty() && file_.damage) return tl::unexpected(*std::move(file_.damage));
        return std::move(file_);
    }

  private:
    const Progress& progress_;
    const MayBeRead& may_be_read_;
    UnpackedFile file_;
    bool known_ = false;  // what comes out may be read
};

struct FreeStream {
    void operator()(ZSTD_DStream* stream) const { ZSTD_freeDStream(stream); }
};

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
        const std::size_t piece = std::min(left_.size(), mebibyte);
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

std::size_t unpacked_limit(std::size_t compressed) {
    constexpr std::size_t most = 4096 * mebibyte;
    constexpr std::size_t ratio = 200;
    if (compressed > most / ratio) return most;
    return std::min(most, compressed * ratio + 64 * mebibyte);
}

bool is_utf16(std::span<const std::byte> bytes) {
    constexpr std::byte high{0xFE};
    constexpr std::byte low{0xFF};
    constexpr std::byte ascii_end{0x80};
    constexpr std::byte zero{};
    if (bytes.size() < 4) return false;
    const auto letters_at = [&](std::size_t at) {
        return bytes[1 - at] == zero && bytes[3 - at] == zero && bytes[at] > zero && bytes[at] < ascii_end &&
               bytes[at + 2] > zero && bytes[at + 2] < ascii_end;
    };
    return (bytes[0] == high && bytes[1] == low) || (bytes[0] == low && bytes[1] == high) || letters_at(0) ||
           letters_at(1);
}

std::vector<std::byte> utf8_of_utf16(std::span<const std::byte> bytes) {
    const std::size_t high = bytes[1] == std::byte{} || bytes[1] == std::byte{0xFE} ? 1 : 0;
    const auto unit = [&](std::size_t at) {
        return std::to_integer<std::uint32_t>(bytes[at + high]) << 8U |
               std::to_integer<std::uint32_t>(bytes[at + 1 - high]);
    };
    std::vector<std::byte> text;
    text.reserve(bytes.size() / 2);
    for (std::size_t at = 0; at + 1 < bytes.size(); at += 2) {
        std::uint32_t point = unit(at);
        const std::uint32_t low = at + 3 < bytes.size() ? unit(at + 2) : 0;
        if (point >> 10U == 0xD800U >> 10U && low >> 10U == 0xDC00U >> 10U) {
            point = 0x10000U + ((point & 0x3FFU) << 10U) + (low & 0x3FFU);
            at += 2;
        }
        const unsigned more = point < 0x80U ? 0 : point < 0x800U ? 1 : point < 0x10000U ? 2 : 3;
        const std::uint32_t lead = more == 0 ? 0 : (0xF00U >> (more + 1)) & 0xF0U;
        text.push_back(static_cast<std::byte>(lead | point >> 6U * more));
        for (unsigned left = more; left-- > 0;)
            text.push_back(static_cast<std::byte>(0x80U | (point >> 6U * left & 0x3FU)));
    }
    return text;
}

bool is_terminal_text(std::string_view text) {
    constexpr std::size_t enough = std::size_t{1} << 16U;
    text = text.substr(0, enough);
    return text.find('\0') == std::string_view::npos &&
           (contains(text, "\x1b[") || contains(text, "Section:\u00a0") ||
            re2::RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), line_mark()));
}

std::vector<std::byte> without_terminal_marks(std::string_view text) {
    std::map<std::string, std::string, std::less<>> processes;
    while (!text.empty()) {
        const std::size_t size = std::min(text.find('\n'), text.size() - 1) + 1;
        re2::StringPiece line(text.data(), size);
        text.remove_prefix(size);
        std::string process;
        re2::RE2::Consume(&line, line_mark(), &process);
        processes[process].append(line.data(), line.size());
    }
    std::string plain;
    for (const auto& [process, lines] : processes)
        plain += lines;
    static const re2::RE2 colour(R"(\x1b\[[0-?]*[ -/]*[@-~])", re2::RE2::Quiet);
    re2::RE2::GlobalReplace(&plain, colour, "");
    // Browsers copy a blank of a page as U+00A0, or as U+00A0 and a blank.
    static const re2::RE2 page_blank("\u00a0 ?", re2::RE2::Quiet);
    re2::RE2::GlobalReplace(&plain, page_blank, " ");
    const auto bytes = std::as_bytes(std::span(plain));
    return {bytes.begin(), bytes.end()};
}

bool is_zstd(std::span<const std::byte> bytes) {
    return bytes.size() >= word && (little_endian(bytes) == ZSTD_MAGICNUMBER || is_skippable(bytes));
}

Result<UnpackedFile> unpack_zstd(std::span<const std::byte> compressed, const Progress& progress,
                                 const MayBeRead& may_be_read) {
    const std::unique_ptr<ZSTD_DStream, FreeStream> stream(ZSTD_createDStream());
    std::vector<std::byte> chunk(mebibyte);
    Output unpacked(progress, may_be_read);
    ZSTD_inBuffer input{compressed.data(), compressed.size(), 0};
    std::size_t skipped = 0;  // of the input: frames that hold nothing for us
    std::size_t pending = 0;  // 0 between frames, as ZSTD_decompressStream() returns it
    bool full = false;        // the last call filled the chunk: more may wait inside the stream

    while (input.pos < input.size || (full && pending != 0)) {
        if (unpacked.cancelled(input.pos)) break;
        if (const std::size_t size = pending == 0 ? skippable_frame(compressed.subspan(input.pos)) : 0) {
            input.pos += size;
            skipped += size;
            continue;
        }
        ZSTD_outBuffer output{chunk.data(), chunk.size(), 0};
        pending = ZSTD_decompressStream(stream.get(), &output, &input);
        if (ZSTD_isError(pending) != 0) {
            unpacked.set_damage(ErrorCode::corrupt,
                                fmt::format("The compressed data is damaged: {}", ZSTD_getErrorName(pending)),
                                input.pos);
            break;
        }
        full = output.pos == output.size;
        // Of what was read until now: bytes that follow may be there to make the file look large.
        const std::size_t limit = unpacked_limit(input.pos - skipped);
        // Half of what there is beside it, so that little is moved and little is left over.
        const auto reserve = [&](std::size_t needed) {
            return std::min(limit, std::max(needed, unpacked.file().bytes.capacity() / 2 * 3));
        };
        if (const auto added =
                unpacked.add(std::span(chunk).first(output.pos), limit, "the zstd tool", reserve);
            !added)
            return tl::unexpected(added.error());
        progress.at(static_cast<double>(input.pos) / static_cast<double>(input.size));
        if (!unpacked.is_worth_the_rest()) return unpacked.take();
    }
    if (!unpacked.file().damage && pending != 0)
        unpacked.set_damage(ErrorCode::truncated, "The compressed data ends too early", input.pos);
    return unpacked.take();
}

bool is_gzip(std::span<const std::byte> bytes) {
    constexpr std::size_t smallest = 18;  // its header and its trailer
    return bytes.size() >= smallest && bytes[0] == std::byte{0x1F} && bytes[1] == std::byte{0x8B} &&
           bytes[2] == std::byte{8};
}

Result<UnpackedFile> unpack_gzip(std::span<const std::byte> compressed, const Progress& progress,
                                 const MayBeRead& may_be_read) {
    Inflater inflater(compressed);
    std::vector<std::byte> chunk(mebibyte);
    Output unpacked(progress, may_be_read);
    while (!inflater.ended() && !unpacked.file().damage) {
        const std::size_t at = compressed.size() - inflater.left();
        if (unpacked.cancelled(at)) break;
        const std::size_t filled = inflater.fill(chunk);
        // All that the last four bytes claim once an eighth came, so that a large text is not moved.
        const auto reserve = [&](std::size_t needed) {
            const std::size_t claimed = little_endian(compressed.last(word));
            return needed <= claimed && claimed / 8 <= needed ? claimed : needed / 2 * 3;
        };
        if (const auto added =
                unpacked.add(std::span(chunk).first(filled),
                             unpacked_limit(compressed.size() - inflater.left()), "gunzip", reserve);
            !added)
            return tl::unexpected(added.error());
        progress.at(static_cast<double>(at) / static_cast<double>(compressed.size()));
        if (inflater.damaged())
            unpacked.set_damage(ErrorCode::corrupt, "The compressed data is damaged", at);
        else if (inflater.starved())
            unpacked.set_damage(ErrorCode::truncated, "The compressed data ends too early", at);
        if (!unpacked.is_worth_the_rest()) return unpacked.take();
    }
    return unpacked.take();
}

}  // namespace roofwalk
