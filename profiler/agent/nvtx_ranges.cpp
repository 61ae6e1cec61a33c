// SPDX-License-Identifier: Apache-2.0
#include "profiler/agent/nvtx_ranges.h"

#include <unistd.h>

#include <atomic>
#include <cwchar>
#include <exception>
#include <map>
#include <mutex>
#include <span>

#include "profiler/agent/per_thread.h"

namespace roofwalk::agent {

namespace {

/// The part of NVTX's interface for tools that ranges need; it is the same in all releases of NVTX 3.
struct EventAttributes {
    std::uint16_t version;
    std::uint16_t size;
    std::uint32_t category;
    std::int32_t color_type;
    std::uint32_t color;
    std::int32_t payload_type;
    std::int32_t reserved;
    std::uint64_t payload;
    std::int32_t message_type;
    const void* message;
};

enum class MessageType : std::int32_t { ascii = 1, wide = 2, registered = 3 };
enum class Module : std::int32_t { core = 1, core2 = 5 };
enum class Core : unsigned {
    start_ex = 4,
    start_ascii = 5,
    start_wide = 6,
    end = 7,
    push_ex = 8,
    push_ascii = 9,
    push_wide = 10,
    pop = 11,
};
enum class Core2 : unsigned {
    start_ex = 2,
    end = 3,
    push_ex = 4,
    pop = 5,
    register_ascii = 10,
    register_wide = 11,
    create_ascii = 12,
    create_wide = 13,
};

using Function = void (*)();
using FunctionTable = Function**;

struct CallbackTable {
    std::size_t size;
    int (*get_module_functions)(int module, FunctionTable*, unsigned*);
};

constexpr std::uint32_t callback_table_id = 1;

struct ThreadRanges {
    std::vector<std::string> names;
    std::vector<const void*> domains;  ///< of each of them
};

ThreadRanges& ranges_of_thread() {
    return PerThread<ThreadRanges>::get();
}

using RangeId = std::uint64_t;

/// Ranges that any thread may end.
struct StartedRanges {
    explicit StartedRanges(RangeId before) : last(before) {}

    std::mutex mutex;
    std::map<RangeId, std::string> names;
    std::atomic<std::size_t> count = 0;  ///< of names: launches look at it first
    std::atomic<bool> overflowed = false;
    std::atomic<RangeId> last;  ///< given to a range
    const pid_t process = getpid();
};

/// Never destroyed: programs end ranges while they end themselves. A child of fork() begins anew and leaves
/// its parent's alone, whose mutex may be held by a thread that is not there; numbers go on, so that one of
/// the parent is not that of another range.
StartedRanges& ranges_of_process() {
    static std::atomic<StartedRanges*> newest = nullptr;
    StartedRanges* ranges = newest;
    while (ranges == nullptr || ranges->process != getpid()) {
        auto* const made = new StartedRanges(ranges != nullptr ? ranges->last.load() : 0);
        if (newest.compare_exchange_strong(ranges, made)) return *made;
        delete made;
    }
    return *ranges;
}

std::string text_of(const wchar_t* text) {
    std::string narrowed;
    for (; text != nullptr && *text != L'\0'; ++text) {
        const auto code = static_cast<std::uint32_t>(*text);
        const auto add = [&](std::uint32_t byte) { narrowed += static_cast<char>(byte); };
        if (code < 0x80) {
            add(code);
        } else if (code < 0x800) {
            add(0xC0U | (code >> 6U));
            add(0x80U | (code & 0x3FU));
        } else if (code < 0x10000) {
            add(0xE0U | (code >> 12U));
            add(0x80U | ((code >> 6U) & 0x3FU));
            add(0x80U | (code & 0x3FU));
        } else {
            add(0xF0U | (code >> 18U));
            add(0x80U | ((code >> 12U) & 0x3FU));
            add(0x80U | ((code >> 6U) & 0x3FU));
            add(0x80U | (code & 0x3FU));
        }
    }
    return narrowed;
}

std::string text_of(const char* text) {
    return text != nullptr ? text : "";
}

/// Handles of domains and registered strings point at the names, which live as long as the process. None
/// where there is no memory for it: nothing may be thrown into the C of the program.
template <class Name>
const std::string* keep(const Name& name) noexcept {
    try {
        return new std::string(name());
    } catch (const std::exception&) {
        return nullptr;
    }
}

std::string text_of(const EventAttributes* event) {
    if (event == nullptr || event->message == nullptr) return {};
    switch (static_cast<MessageType>(event->message_type)) {
        case MessageType::ascii:
            return text_of(static_cast<const char*>(event->message));
        case MessageType::wide:
            return text_of(static_cast<const wchar_t*>(event->message));
        case MessageType::registered:
            return *static_cast<const std::string*>(event->message);
    }
    return {};
}

std::string named_in(const void* domain, std::string name) {
    if (domain != nullptr) name.insert(0, *static_cast<const std::string*>(domain) + "/");
    return name;
}

template <class Name>
RangeId start(const void* domain, const Name& name) noexcept {
    RangeId id = 0;
    try {
        StartedRanges& ranges = ranges_of_process();
        id = ++ranges.last;
        std::string full = named_in(domain, name());
        const std::lock_guard lock(ranges.mutex);
        if (ranges.names.size() < most_started_ranges)
            ranges.names.emplace(id, std::move(full));
        else
            ranges.overflowed = true;
        ranges.count = ranges.names.size();
    } catch (const std::exception&) {
        // Without memory the range has no name.
    }
    return id;
}

void end(RangeId id) noexcept {
    try {
        StartedRanges& ranges = ranges_of_process();
        const std::lock_guard lock(ranges.mutex);
        ranges.names.erase(id);
        ranges.count = ranges.names.size();
    } catch (const std::exception&) {
        // There are none in a child that has no memory for them.
    }
}

/// The level of the range, from 0; NVTX has it that an error is negative.
template <class Name>
int push(const void* domain, const Name& name) noexcept {
    try {
        ThreadRanges& ranges = ranges_of_thread();
        std::string full = named_in(domain, name());
        ranges.domains.reserve(ranges.names.size() + 1);
        ranges.names.push_back(std::move(full));
        ranges.domains.push_back(domain);
        return static_cast<int>(ranges.names.size()) - 1;
    } catch (const std::exception&) {
        return -1;
    }
}

/// Ranges of different domains need not be nested.
int pop(const void* domain) noexcept {
    try {
        ThreadRanges& ranges = ranges_of_thread();
        for (std::size_t at = ranges.names.size(); at-- > 0;) {
            if (ranges.domains[at] != domain) continue;
            ranges.names.erase(ranges.names.begin() + static_cast<std::ptrdiff_t>(at));
            ranges.domains.erase(ranges.domains.begin() + static_cast<std::ptrdiff_t>(at));
            return static_cast<int>(at);
        }
    } catch (const std::exception&) {
        // Nothing was pushed on a thread that has no memory for it.
    }
    return -1;
}

// What NVTX calls, with the text of a range as an attribute, in ASCII or in wide letters.

template <class Text>
RangeId start_range(Text text) {
    return start(nullptr, [&] { return text_of(text); });
}
RangeId domain_start_ex(const void* domain, const EventAttributes* event) {
    return start(domain, [&] { return text_of(event); });
}
void domain_end(const void*, RangeId id) {
    end(id);
}
template <class Text>
int push_range(Text text) {
    return push(nullptr, [&] { return text_of(text); });
}
int pop_default() {
    return pop(nullptr);
}
int domain_push_ex(const void* domain, const EventAttributes* event) {
    return push(domain, [&] { return text_of(event); });
}
int domain_pop(const void* domain) {
    return pop(domain);
}
template <class Text>
const void* create_domain(Text name) {
    return keep([&] { return text_of(name); });
}
template <class Text>
const void* register_text(const void*, Text text) {
    return keep([&] { return text_of(text); });
}

template <class Id, class Result, class... Arguments>
void set(std::span<Function* const> table, Id id, Result (*function)(Arguments...)) {
    const auto at = static_cast<std::size_t>(id);
    if (at < table.size() && table[at] != nullptr) *table[at] = reinterpret_cast<Function>(function);
}

}  // namespace

const std::vector<std::string>& current_ranges() {
    return ranges_of_thread().names;
}

std::vector<std::string> started_ranges() {
    StartedRanges& ranges = ranges_of_process();
    if (ranges.count == 0) return {};
    const std::lock_guard lock(ranges.mutex);
    std::vector<std::string> names;
    for (const auto& [id, name] : ranges.names)
        names.push_back(name);
    return names;
}

bool started_ranges_overflowed() {
    return ranges_of_process().overflowed;
}

bool watch_nvtx(NvtxExportTable get_export_table) {
    if (get_export_table == nullptr) return false;
    const auto* callbacks = static_cast<const CallbackTable*>(get_export_table(callback_table_id));
    if (callbacks == nullptr || callbacks->get_module_functions == nullptr) return false;
    const auto functions_of = [&](Module module) {
        FunctionTable table = nullptr;
        unsigned size = 0;
        if (callbacks->get_module_functions(static_cast<int>(module), &table, &size) == 0 || table == nullptr)
            size = 0;
        return std::span<Function* const>(table, size);
    };
    const auto core = functions_of(Module::core);
    set(core, Core::start_ex, &start_range<const EventAttributes*>);
    set(core, Core::start_ascii, &start_range<const char*>);
    set(core, Core::start_wide, &start_range<const wchar_t*>);
    set(core, Core::end, &end);
    set(core, Core::push_ex, &push_range<const EventAttributes*>);
    set(core, Core::push_ascii, &push_range<const char*>);
    set(core, Core::push_wide, &push_range<const wchar_t*>);
    set(core, Core::pop, &pop_default);
    const auto core2 = functions_of(Module::core2);
    set(core2, Core2::start_ex, &domain_start_ex);
    set(core2, Core2::end, &domain_end);
    set(core2, Core2::push_ex, &domain_push_ex);
    set(core2, Core2::pop, &domain_pop);
    set(core2, Core2::register_ascii, &register_text<const char*>);
    set(core2, Core2::register_wide, &register_text<const wchar_t*>);
    set(core2, Core2::create_ascii, &create_domain<const char*>);
    set(core2, Core2::create_wide, &create_domain<const wchar_t*>);
    return true;
}

}  // namespace roofwalk::agent
