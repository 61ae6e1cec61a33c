// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <optional>
#include <system_error>

#include "core/base/descriptor.h"

namespace roofwalk {

namespace {

tl::unexpected<Error> failure(ErrorCode code, std::string what, const std::filesystem::path& file,
                              std::string hint) {
    return unexpected(code, std::move(what), file.string(), std::move(hint));
}

tl::unexpected<Error> system_failure(int error, const std::filesystem::path& file) {
    if (error == ENOENT || error == ENOTDIR)
        return failure(ErrorCode::file_not_found, "There is no such file", file, "Check the path.");
    return failure(ErrorCode::file_not_readable,
                   "The file cannot be read: " + std::generic_category().message(error), file,
                   "Check its permissions.");
}

tl::unexpected<Error> empty_file(const std::filesystem::path& file) {
    return failure(ErrorCode::file_empty, "The file is empty", file,
                   "Profile again; a run that was killed leaves an empty report.");
}

/// Fills `bytes` from the start of the file: how many there were, fewer when the file has been cut short.
/// Absent when reading fails; errno says why.
std::optional<std::size_t> read_start(int descriptor, std::span<std::byte> bytes) {
    std::size_t done = 0;
    while (done < bytes.size()) {
        const ssize_t count = ::read(descriptor, bytes.data() + done, bytes.size() - done);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return std::nullopt;
        if (count == 0) break;
        done += static_cast<std::size_t>(count);
    }
    return done;
}

constexpr std::size_t most_streamed = std::size_t{2} << 30U;

Error unreadable(const std::string& name, int code) {
    return {ErrorCode::file_not_readable, "The data cannot be read: " + std::generic_category().message(code),
            name_for_display(name), "Save it to a file first."};
}

Result<std::string> read_stream(int descriptor, const std::string& name) {
    std::string text;
    std::array<std::byte, std::size_t{64} << 10U> part{};
    while (true) {
        const auto count = read_start(descriptor, part);
        if (!count) return tl::unexpected(unreadable(name, errno));
        text.append(as_text(std::span(part).first(*count)));
        if (text.size() > most_streamed)
            return unexpected(ErrorCode::too_large, "More than 2 GiB come through the pipe",
                              name_for_display(name), "Save the data to a file and name it.");
        if (*count < part.size()) return text;
    }
}

}  // namespace

std::string_view without_byte_order_mark(std::string_view text) {
    constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
    if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
    return text;
}

bool is_stream(const std::string& name) {
    std::error_code ignored;
    const std::filesystem::file_status status = std::filesystem::status(name, ignored);
    return name == "-" || std::filesystem::is_fifo(status) || std::filesystem::is_character_file(status) ||
           std::filesystem::is_socket(status);
}

std::string name_for_display(const std::string& name) {
    return name == "-" ? "standard input" : name;
}

Result<MappedFile> MappedFile::open_or_stream(const std::string& name, std::size_t copy_limit) {
    if (!is_stream(name)) return open(name, copy_limit);
    const Descriptor opened(name == "-" ? -1 : ::open(name.c_str(), O_RDONLY | O_CLOEXEC));
    if (name != "-" && !opened.open()) return tl::unexpected(unreadable(name, errno));
    return read_stream(name == "-" ? STDIN_FILENO : opened.number(), name).map([](std::string text) {
        const auto held = std::make_shared<const std::string>(std::move(text));
        const auto bytes = std::as_bytes(std::span(*held));
        return MappedFile(std::shared_ptr<const std::byte[]>(held, bytes.data()), bytes);
    });
}

Result<MappedFile> MappedFile::open(const std::filesystem::path& file, std::size_t copy_limit) {
    // Without O_NONBLOCK, opening a pipe that nobody writes to would wait for ever.
    const Descriptor descriptor(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (!descriptor.open()) return system_failure(errno, file);
    struct stat status {};
    if (::fstat(descriptor.number(), &status) != 0) return system_failure(errno, file);
    if (S_ISDIR(status.st_mode))
        return failure(ErrorCode::file_not_readable, "This is a folder, not a file", file,
                       "Name a report inside it.");
    if (!S_ISREG(status.st_mode))
        return failure(ErrorCode::file_not_readable, "This is not a regular file", file,
                       "Save the data to a file first.");
    if (status.st_size == 0) return empty_file(file);
    const auto size = static_cast<std::size_t>(status.st_size);
    if (size <= copy_limit) {
        auto copy = std::make_unique_for_overwrite<std::byte[]>(size);
        const auto count = read_start(descriptor.number(), {copy.get(), size});
        if (!count) return system_failure(errno, file);
        if (*count == 0) return empty_file(file);
        const std::span<const std::byte> bytes(copy.get(), *count);
        return MappedFile(std::move(copy), bytes);
    }
    void* address = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor.number(), 0);
    if (address == MAP_FAILED) return system_failure(errno, file);
    return MappedFile(nullptr, {static_cast<const std::byte*>(address), size});
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : copy_(std::move(other.copy_)), bytes_(std::exchange(other.bytes_, {})) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
    std::swap(copy_, other.copy_);
    std::swap(bytes_, other.bytes_);
    return *this;
}

MappedFile::~MappedFile() {
    // munmap() wants a pointer to non-const, though it does not write.
    if (!copy_ && !bytes_.empty()) ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());  // NOLINT
}

}  // namespace roofwalk
