// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/descriptor.h"

#include <unistd.h>

#include <cerrno>
#include <utility>

namespace roofwalk {

Descriptor::Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
    if (this != &other) {
        reset();
        number_ = std::exchange(other.number_, -1);
    }
    return *this;
}

void Descriptor::reset() {
    if (open()) ::close(number_);
    number_ = -1;
}

int Descriptor::close() {
    const int number = std::exchange(number_, -1);
    if (number < 0) return EBADF;
    // Interrupted or not, the descriptor is gone: a second close could be that of another file.
    return ::close(number) == 0 || errno == EINTR ? 0 : errno;
}

}  // namespace roofwalk
