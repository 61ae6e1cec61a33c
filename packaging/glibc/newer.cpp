// SPDX-License-Identifier: GPL-3.0-or-later
// What libstdc++, libgcc and the headers of today's glibc use and glibc 2.28 lacks, made of what it has.
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cstdint>

namespace {

struct Search {
    std::uintptr_t address;
    dl_find_object* found;
};

int is_in_object(dl_phdr_info* object, std::size_t, void* data) {
    const auto& search = *static_cast<const Search*>(data);
    const ElfW(Phdr)* unwinding = nullptr;
    const ElfW(Phdr)* around = nullptr;
    for (const ElfW(Phdr)* part = object->dlpi_phdr; part != object->dlpi_phdr + object->dlpi_phnum; ++part) {
        if (part->p_type == PT_GNU_EH_FRAME) unwinding = part;
        if (part->p_type == PT_LOAD && search.address - object->dlpi_addr - part->p_vaddr < part->p_memsz)
            around = part;
    }
    if (around == nullptr || unwinding == nullptr) return 0;
    *search.found = {};
    search.found->dlfo_eh_frame = reinterpret_cast<void*>(object->dlpi_addr + unwinding->p_vaddr);
    return 1;
}

}  // namespace

extern "C" {

/// A thread may always be there: the counts of shared pointers are then always atomic.
char __libc_single_threaded = 0;

/// As much of it as libgcc asks for: where the tables for unwinding are.
int _dl_find_object(void* address, dl_find_object* found) noexcept {
    Search search{reinterpret_cast<std::uintptr_t>(address), found};
    return dl_iterate_phdr(is_in_object, &search) == 1 ? 0 : -1;
}

// These were inline functions until 2.33; the number says which struct stat is meant.
int __xstat(int, const char*, struct stat*) noexcept;
int __lxstat(int, const char*, struct stat*) noexcept;
int __fxstat(int, int, struct stat*) noexcept;
int __fxstatat(int, int, const char*, struct stat*, int) noexcept;
#ifdef __x86_64__
constexpr int this_stat = 1;
#else
constexpr int this_stat = 0;
#endif

int stat(const char* path, struct stat* found) noexcept {
    return __xstat(this_stat, path, found);
}
int lstat(const char* path, struct stat* found) noexcept {
    return __lxstat(this_stat, path, found);
}
int fstat(int file, struct stat* found) noexcept {
    return __fxstat(this_stat, file, found);
}
int fstatat(int folder, const char* path, struct stat* found, int flags) noexcept {
    return __fxstatat(this_stat, folder, path, found, flags);
}
// Where an address has 64 bits, both are one.
int stat64(const char*, struct stat64*) noexcept __attribute__((alias("stat")));
int lstat64(const char*, struct stat64*) noexcept __attribute__((alias("lstat")));
int fstat64(int, struct stat64*) noexcept __attribute__((alias("fstat")));
int fstatat64(int, const char*, struct stat64*, int) noexcept __attribute__((alias("fstatat")));

/// Until then by the clock of the day: whoever sets that clock meanwhile makes the wait shorter or longer.
int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock,
                           const timespec* until) {
    constexpr long second = 1'000'000'000;
    timespec now{};
    timespec deadline{};
    if (clock_gettime(clock, &now) != 0 || clock_gettime(CLOCK_REALTIME, &deadline) != 0) return EINVAL;
    deadline.tv_sec += until->tv_sec - now.tv_sec;
    deadline.tv_nsec += until->tv_nsec - now.tv_nsec;
    if (deadline.tv_nsec < 0) {
        deadline.tv_nsec += second;
        --deadline.tv_sec;
    } else if (deadline.tv_nsec >= second) {
        deadline.tv_nsec -= second;
        ++deadline.tv_sec;
    }
    return pthread_cond_timedwait(condition, mutex, &deadline);
}

std::uint32_t arc4random() noexcept {
    std::uint32_t number = 0;
    if (getentropy(&number, sizeof number) != 0) abort();
    return number;
}
}
