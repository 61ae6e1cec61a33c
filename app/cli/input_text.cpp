// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/input_text.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <filesystem>
#include <system_error>

#include "app/cli/output.h"

namespace roofwalk::cli {

namespace {

constexpr std::size_t most_streamed = std::size_t{2} << 30U;
constexpr std::size_t chunk = std::size_t{64} << 10U;
/// Larger files are mapped, not read: small documents are refused by their size alone.
constexpr std::size_t most_copied = std::size_t{64} << 20U;

Error unreadable(const std::string& file, int code) {
    return {ErrorCode::file_not_readable, "The data cannot be read: " + std::generic_category().message(code),
            said_name(file), "Save it to a file first."};
}

Result<std::string> read_stream(int descriptor, const std::string& file) {
    std::string text;
    std::array<char, chunk> part{};
    while (true) {
        const ssize_t count = ::read(descriptor, part.data(), part.size());
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return tl::unexpected(unreadable(file, errno));
        if (count == 0) return text;
        text.append(part.data(), static_cast<std::size_t>(count));
        if (text.size() > most_streamed)
            return tl::unexpected(Error{ErrorCode::too_large, "More than 2 GiB come through the pipe",
                                        said_name(file), "Save the data to a file and name it."});
    }
}

Result<std::string> read_stream(const std::string& file) {
    if (file == "-") return read_stream(STDIN_FILENO, file);
    const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return tl::unexpected(unreadable(file, errno));
    Result<std::string> text = read_stream(descriptor, file);
    ::close(descriptor);
    return text;
}

}  // namespace

bool is_stream(const std::string& file) {
    std::error_code ignored;
    const std::filesystem::file_status status = std::filesystem::status(file, ignored);
    return file == "-" || std::filesystem::is_fifo(status) || std::filesystem::is_character_file(status) ||
           std::filesystem::is_socket(status);
}

std::string said_name(const std::string& file) {
    return file == "-" ? "standard input" : file;
}

Result<InputText> InputText::read(const std::string& file) {
    InputText input;
    keep_from_output(file);
    if (is_stream(file))
        return read_stream(file).map([&](std::string text) {
            input.streamed_ = std::move(text);
            return std::move(input);
        });
    return MappedFile::open(file, most_copied).map([&](MappedFile content) {
        input.file_ = std::move(content);
        return std::move(input);
    });
}

std::string_view InputText::text() const {
    if (!file_) return streamed_;
    return {reinterpret_cast<const char*>(file_->bytes().data()),
            file_->bytes().size()};  // NOLINT: bytes seen as characters
}

}  // namespace roofwalk::cli
