// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/recording/processes.h"

#include <QTest>

#include "tests/profiler/recording/made_root.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_gpu_processes {

using namespace roofwalk;
using roofwalk::test::MadeRoot;
namespace fs = std::filesystem;
using namespace std::string_literals;

namespace {

constexpr const char* cuda_line =
    "7f0000000000-7f0000001000 r-xp 00000000 08:01 42 /usr/lib/x86_64-linux-gnu/libcuda.so.580.65.06\n";

/// A process of user 1000 with CUDA loaded.
void add_process(const MadeRoot& root, pid_t process, const std::string& maps = cuda_line,
                 const std::string& tracer = "0") {
    const std::string folder = "proc/" + std::to_string(process) + "/";
    root.write(folder + "status",
               "Name:\ttrain.py\nUid:\t1000\t1000\t1000\t1000\nTracerPid:\t" + tracer + "\n");
    root.write(folder + "cmdline", "python3\0train.py\0--name\0two words\0"s);
    root.write(folder + "maps", maps);
    fs::create_directories(root.path() / folder / "fd");
    fs::create_directory_symlink("/home/jane/run", root.path() / folder / "cwd");
}

bool any(const std::vector<std::string>& reasons, std::string_view part) {
    return std::ranges::any_of(
        reasons, [&](const std::string& reason) { return reason.find(part) != std::string::npos; });
}

}  // namespace

class TestGpuProcesses : public QObject {
    Q_OBJECT

  private slots:
    void processes_with_cuda_or_a_gpu_are_listed() {
        const MadeRoot root;
        add_process(root, 300);
        add_process(root, 20, "");
        fs::create_symlink("/dev/nvidia0", root.path() / "proc/20/fd/7");
        add_process(root, 30, "");
        fs::create_symlink("/dev/nvidiactl", root.path() / "proc/30/fd/7");
        add_process(root, 40, "7f00-7f01 r-xp 0 08:01 42 /usr/lib/libc.so.6\n");
        const auto found = gpu_processes(root.path());
        QCOMPARE(found.size(), std::size_t{2});
        QCOMPARE(found[0].process, 20);
        QVERIFY(found[0].holds_gpu && !found[0].uses_cuda && !found[0].readable);
        QCOMPARE(found[1].process, 300);
        QVERIFY(found[1].uses_cuda && !found[1].holds_gpu && !found[1].agent_loaded);
        QCOMPARE(found[1].name, std::string("train.py"));
        QCOMPARE(found[1].user, uid_t{1000});
    }

    void a_process_that_ends_while_it_is_read_is_left_out() {
        const MadeRoot root;
        add_process(root, 300);
        // A folder can be opened, and reading it fails as that of a process that is gone does.
        for (const char* const file : {"status", "cmdline", "maps"})
            fs::create_directories(root.path() / "proc/20" / file);
        const auto found = gpu_processes(root.path());
        QCOMPARE(found.size(), std::size_t{1});
        QCOMPARE(found[0].process, 300);
    }

    void an_agent_that_listens_is_seen() {
        const MadeRoot root;
        add_process(root, 300);
        add_process(root, 301,
                    std::string(cuda_line) + "7f00-7f01 r-xp 0 08:01 43 /opt/libroofwalk_agent.so\n");
        root.write("proc/net/unix",
                   "Num       RefCount Protocol Flags    Type St Inode Path\n"
                   "0000000000000000: 00000002 00000000 00010000 0001 01 12345 @roofwalk-agent-300\n"
                   "0000000000000000: 00000003 00000000 00000000 0001 03 12347 @roofwalk-agent-301\n"
                   "0000000000000000: 00000002 00000000 00010000 0001 01 12346 @roofwalk-agent-3011\n");
        const auto waiting = read_gpu_process(300, root.path());
        QVERIFY(waiting && waiting->agent_waits && waiting->agent_loaded);
        const auto busy = read_gpu_process(301, root.path());
        QVERIFY(busy && !busy->agent_waits && busy->agent_loaded);
        QVERIFY(any(why_not_attached(*busy, 1000), "another collector"));
    }

    void a_process_that_was_stopped_is_told_from_one_that_a_debugger_stops() {
        const MadeRoot root;
        add_process(root, 300);
        QVERIFY(!read_gpu_process(300, root.path())->stopped);
        for (const auto& [state, stopped] :
             {std::pair("T (stopped)", true), std::pair("t (tracing stop)", false)}) {
            root.write("proc/300/status",
                       std::string("Name:\tsu\nState:\t") + state + "\nUid:\t1\t1\t1\t1\n");
            QCOMPARE(read_gpu_process(300, root.path())->stopped, stopped);
        }
    }

    void a_process_with_the_rights_of_several_users_is_nobodys() {
        const MadeRoot root;
        add_process(root, 300);
        QVERIFY(read_gpu_process(300, root.path())->one_user);
        root.write("proc/300/status", "Name:\tsu\nUid:\t1000\t0\t0\t0\nTracerPid:\t0\n");
        const auto process = read_gpu_process(300, root.path());
        QVERIFY(!process->one_user);
        for (const uid_t user : {0U, 1000U})
            QVERIFY(any(why_not_attached(*process, user), "several users"));
    }

    void what_the_system_tells_of_a_process_without_end_is_cut() {
        const MadeRoot root;
        add_process(root, 300);
        fs::remove(root.path() / "proc/300/cmdline");
        fs::create_symlink("/dev/zero", root.path() / "proc/300/cmdline");
        const auto process = read_gpu_process(300, root.path());
        QVERIFY(process && process->command.empty() && process->uses_cuda);
        QVERIFY(restart_command(*process).empty());
    }

    void every_refusal_is_a_sentence() {
        const MadeRoot root;
        add_process(root, 300,
                    std::string(cuda_line) + "7f00-7f01 r-xp 0 08:01 44 /opt/nvidia/libcuda-injection.so\n",
                    "77");
        const auto process = read_gpu_process(300, root.path());
        const auto reasons = why_not_attached(*process, 1001);
        QVERIFY(any(reasons, "another user"));
        QVERIFY(any(reasons, "No agent waits"));
        QVERIFY(any(reasons, "libcuda-injection.so"));
        QVERIFY(any(reasons, "process 77"));
        add_process(root, 301, "7f00-7f01 r-xp 0 08:01 42 /usr/lib/libc.so.6\n");
        QVERIFY(any(why_not_attached(*read_gpu_process(301, root.path()), 1000), "not loaded CUDA"));
    }

    void a_process_in_another_container_is_told() {
        const MadeRoot root;
        add_process(root, 300);
        fs::create_directories(root.path() / "proc/self/ns");
        fs::create_directories(root.path() / "proc/300/ns");
        fs::create_symlink("mnt:[1]", root.path() / "proc/self/ns/mnt");
        fs::create_symlink("mnt:[2]", root.path() / "proc/300/ns/mnt");
        QVERIFY(any(why_not_attached(*read_gpu_process(300, root.path()), 1000), "another container"));
    }

    void a_program_can_be_started_again_as_it_was() {
        const MadeRoot root;
        add_process(root, 300);
        QCOMPARE(
            restart_command(*read_gpu_process(300, root.path())),
            std::string("roofwalk-cli profile -C /home/jane/run -- python3 train.py --name 'two words'"));
        QVERIFY(!read_gpu_process(999, root.path()));
        QVERIFY(restart_command({}).empty());
    }
};

}  // namespace tst_gpu_processes

ROOFWALK_TEST(tst_gpu_processes, TestGpuProcesses, NoApplication)
#include "tst_gpu_processes.moc"
