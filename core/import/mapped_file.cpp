// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

namespace roofwalk {

namespace {

tl::unexpected<Error> failure(ErrorCode code, std::string what, const std::filesystem::path& file,
                              std::string hint) {
    return tl::unexpected(Error{code, std::move(what), file.string(), std::move(hint)});
}

tl::unexpected<Error> system_failure(int error, const std::filesystem::path& file) {
    if (error == ENOENT || error == ENOTDIR)
        return failure(ErrorCode::file_not_found, "There is no such file", file, "Check the path.");
    return failure(ErrorCode::file_not_readable,
                   "The file cannot be read: " + std::generic_category().message(error), file,
                   "Check its permissions.");
}

class Descriptor {
  public:
    explicit Descriptor(int number) : number_(number) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() {
        if (number_ >= 0) ::close(number_);
    }
    [[nodiscard]] int number() const { return number_; }

  private:
    int number_;
};

}  // namespace

Result<MappedFile> MappedFile::open(const std::filesystem::path& file) {
    // Without O_NONBLOCK, opening a pipe that nobody writes to would wait for ever.
    const Descriptor descriptor(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (descriptor.number() < 0) return system_failure(errno, file);
    struct stat status {};
    if (::fstat(descriptor.number(), &status) != 0) return system_failure(errno, file);
    if (S_ISDIR(status.st_mode))
        return failure(ErrorCode::file_not_readable, "This is a folder, not a file", file,
                       "Name a report inside it.");
    if (!S_ISREG(status.st_mode))
        return failure(ErrorCode::file_not_readable, "This is not a regular file", file,
                       "Save the data to a file first.");
    if (status.st_size == 0)
        return failure(ErrorCode::file_empty, "The file is empty", file,
                       "Profile again; a run that was killed leaves an empty report.");
    const auto size = static_cast<std::size_t>(status.st_size);
    void* address = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor.number(), 0);
    if (address == MAP_FAILED) return system_failure(errno, file);
    return MappedFile({static_cast<const std::byte*>(address), size});
}

MappedFile::MappedFile(MappedFile&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
    std::swap(bytes_, other.bytes_);
    return *this;
}

MappedFile::~MappedFile() {
    // munmap() wants a pointer to non-const, though it does not write.
    if (!bytes_.empty()) ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());  // NOLINT
}

}  // namespace roofwalk
