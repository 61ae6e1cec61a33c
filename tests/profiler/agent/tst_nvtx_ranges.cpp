// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/agent/nvtx_ranges.h"
#include "tests/support/folder_tests.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <QTest>
#include <array>
#include <atomic>
#include <functional>
#include <thread>

namespace tst_nvtx_ranges {

using namespace roofwalk::agent;

namespace {

/// What the header of NVTX has of a program: the slots that a tool puts its functions into.
struct Program {
    using Function = void (*)();

    static int functions_of(int module, Function*** table, unsigned* size) {
        if (module != 1) return 0;
        *table = places.data();
        *size = static_cast<unsigned>(places.size());
        return 1;
    }
    static const void* export_table(std::uint32_t) {
        struct Table {
            std::size_t size;
            int (*functions_of)(int, Function***, unsigned*);
        };
        static const Table table{sizeof(Table), &functions_of};
        return &table;
    }

    static inline std::array<Function, 16> functions{};
    static inline std::array<Function*, 16> places{};
};

std::uint64_t start(const char* name) {
    constexpr std::size_t start_ascii = 5;
    return reinterpret_cast<std::uint64_t (*)(const char*)>(Program::functions[start_ascii])(name);
}

int push(const char* name) {
    constexpr std::size_t push_ascii = 9;
    return reinterpret_cast<int (*)(const char*)>(Program::functions[push_ascii])(name);
}

void end(std::uint64_t id) {
    constexpr std::size_t range_end = 7;
    reinterpret_cast<void (*)(std::uint64_t)>(Program::functions[range_end])(id);
}

/// Whether `check` holds in a child of fork(), which is ended when it hangs.
bool in_child(const std::function<bool()>& check) {
    const pid_t child = fork();
    if (child == 0) {
        alarm(20);
        _exit(check() ? 0 : 1);
    }
    int status = -1;
    return waitpid(child, &status, 0) == child && status == 0;
}

}  // namespace

class TestNvtxRanges : public QObject {
    Q_OBJECT

  private slots:
    void initTestCase() {
        for (std::size_t at = 0; at < Program::functions.size(); ++at)
            Program::places[at] = &Program::functions[at];
        QVERIFY(watch_nvtx(&Program::export_table));
    }

    void what_is_started_counts_until_it_ends() {
        const std::uint64_t first = start("first");
        const std::uint64_t second = start("second");
        QVERIFY((started_ranges() == std::vector<std::string>{"first", "second"}));
        end(first);
        QVERIFY((started_ranges() == std::vector<std::string>{"second"}));
        end(second);
        QVERIFY(started_ranges().empty());
    }

    void a_child_of_fork_has_ranges_of_its_own() {
        const std::uint64_t of_parent = start("of parent");
        QVERIFY(in_child([&] {
            if (!started_ranges().empty()) return false;
            const std::uint64_t of_child = start("of child");
            end(of_parent);
            if (of_child == of_parent || started_ranges() != std::vector<std::string>{"of child"})
                return false;
            end(of_child);
            return started_ranges().empty();
        }));
        QVERIFY((started_ranges() == std::vector<std::string>{"of parent"}));
        end(of_parent);
    }

    void a_child_does_not_wait_for_a_thread_that_it_does_not_have() {
        const std::uint64_t open = start("open");
        std::atomic<bool> over = false;
        std::thread busy([&] {
            while (!over)
                end(start("busy"));
        });
        for (int time = 0; time < 50; ++time)
            if (!in_child([] { return started_ranges().empty(); })) {
                over = true;
                break;
            }
        const bool failed = over.exchange(true);
        busy.join();
        end(open);
        QVERIFY(!failed);
    }

    /// Nothing may be thrown into the C of the program.
    void a_name_that_memory_does_not_last_for_is_none() {
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WITH_ADDRESS_SANITIZER
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(WITH_ADDRESS_SANITIZER)
        QSKIP("the sanitizer ends a program that asks for too much");
#endif
        const std::string name(std::size_t{64} << 20U, 'n');
        QVERIFY(in_child([&] {
            const rlimit least{std::size_t{32} << 20U, RLIM_INFINITY};  // less than is in use
            if (setrlimit(RLIMIT_AS, &least) != 0) return false;
            const std::uint64_t id = start(name.c_str());
            const int level = push(name.c_str());
            end(id);
            return level < 0 && started_ranges().empty();
        }));
    }

    void too_many_at_a_time_are_told_of() {
        QVERIFY(in_child([] {
            for (std::size_t i = 0; i < most_started_ranges; ++i)
                start("leaked");
            const bool before = started_ranges_overflowed();
            start("one more");
            return !before && started_ranges_overflowed() && started_ranges().size() == most_started_ranges;
        }));
        QVERIFY(!started_ranges_overflowed());
    }
};

}  // namespace tst_nvtx_ranges

ROOFWALK_TEST(tst_nvtx_ranges, TestNvtxRanges, NoApplication)
#include "tst_nvtx_ranges.moc"
