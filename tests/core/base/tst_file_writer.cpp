// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/file_writer.h"

#include <QTemporaryDir>
#include <QTest>

#include <fcntl.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/xattr.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>

#include "tests/support/folder_tests.h"
#include "tests/support/processes.h"
#include "tests/support/qt_strings.h"
#include "tests/support/small_disk.h"

namespace tst_file_writer {

using namespace roofwalk;
using test::names_in;
using test::SmallDisk;
namespace fs = std::filesystem;

namespace {

std::string no_mounts;  // why the test may not mount; empty where it may

constexpr std::size_t large = 20 << 20U;
constexpr uid_t nobody = 65534;

std::string content_of(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    std::string content(fs::file_size(file), '\0');
    stream.read(content.data(), static_cast<std::streamsize>(content.size()));
    return content;
}

Content writing(std::string_view text) {
    return [text](const WritePart& write) { return write(text); };
}

void put(const fs::path& file, const std::string& content) {
    std::ofstream(file, std::ios::binary) << content;
}

mode_t mode_of(const fs::path& file) {
    struct stat status {};
    return lstat(file.c_str(), &status) == 0 ? status.st_mode & 07777 : 0;
}

/// The reason at the end of an error's sentence.
bool is_for(const Result<void>& written, int number) {
    return !written && written.error().code == ErrorCode::write_failed &&
           written.error().what.ends_with(std::generic_category().message(number));
}

/// As on a file system that knows no files without a name, such as NFS.
bool allow_no_unnamed_files() {
    const auto number = static_cast<__u32>(SYS_openat);
    std::array filter{
        sock_filter BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
        sock_filter BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 4),
        sock_filter BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, args[2])),
        sock_filter BPF_STMT(BPF_ALU | BPF_AND | BPF_K, O_TMPFILE),
        sock_filter BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, O_TMPFILE, 0, 1),
        sock_filter BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EOPNOTSUPP),
        sock_filter BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const sock_fprog program{filter.size(), filter.data()};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

/// As on a file system that fails when it is asked for a list of access.
bool fail_to_read_attributes() {
    std::array filter{
        sock_filter BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
        sock_filter BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<__u32>(SYS_lgetxattr), 0, 1),
        sock_filter BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EIO),
        sock_filter BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const sock_fprog program{filter.size(), filter.data()};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

constexpr const char* access_list = "system.posix_acl_access";
constexpr const char* list_of_new_files = "system.posix_acl_default";

/// Lets the owner, its group and nobody read and write. As the kernel takes it: tag, rights and id, of little
/// endian.
bool set_list(const fs::path& file, const char* name) {
    struct Entry {
        std::uint16_t tag, rights;
        std::uint32_t id;
    };
    struct {
        std::uint32_t version = 2;
        std::array<Entry, 5> entries{
            {{0x01, 6, ~0U}, {0x02, 6, nobody}, {0x04, 6, ~0U}, {0x10, 6, ~0U}, {0x20, 0, ~0U}}};
    } list;
    return setxattr(file.c_str(), name, &list, sizeof(list), 0) == 0;
}

bool has_list(const fs::path& file) {
    return getxattr(file.c_str(), access_list, nullptr, 0) > 0;
}

/// Modes of files hold for root too from here on.
bool give_up_privileges() {
    __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
    const std::array<__user_cap_data_struct, 2> none{};
    return syscall(SYS_capset, &header, none.data()) == 0;
}

/// A fork of the test that writes one of two contents again and again, until it is killed.
pid_t start_writer(const fs::path& file, bool unnamed_files) {
    const pid_t pid = fork();
    if (pid != 0) return pid;
    alarm(120);
    if (!unnamed_files && !allow_no_unnamed_files()) _exit(1);
    for (char letter = 'a';; letter = letter == 'a' ? 'b' : 'a')
        if (!write_file(file, std::string(large, letter))) _exit(2);
}

bool is_whole(const std::string& content) {
    return !content.empty() && content == std::string(large, content.front());
}

}  // namespace

class TestFileWriter : public QObject {
    Q_OBJECT

  private slots:
    void a_content_in_parts_is_written_whole_or_not_at_all() {
        const QTemporaryDir folder;
        const fs::path file = fs::path(folder.path().toStdString()) / "parts.txt";
        const auto parts = [](bool is_there) {
            return [is_there](const WritePart& write) { return write("one ") && write("two") && is_there; };
        };
        QVERIFY(write_file(file, parts(true), "It failed").has_value());
        QCOMPARE(content_of(file), std::string("one two"));
        put(file, "old");
        QVERIFY(write_file(file, parts(false), "It failed").has_value());
        QCOMPARE(content_of(file), std::string("old"));
        QCOMPARE(names_in(folder.path().toStdString()).size(), std::size_t{1});
    }

    void a_file_is_made_and_replaced_and_nothing_else_stays() {
        const QTemporaryDir folder;
        const fs::path place = folder.path().toStdString();
        QVERIFY(write_file(place / "a", "one"));
        QCOMPARE(content_of(place / "a"), std::string("one"));
        QVERIFY(write_file(place / "a", std::string(large, 'x')));
        QCOMPARE(fs::file_size(place / "a"), std::uintmax_t{large});
        QVERIFY(write_file(place / "a", ""));
        QCOMPARE(fs::file_size(place / "a"), std::uintmax_t{0});
        const std::string longest(255, 'n');  // no room for an ending
        QVERIFY(write_file(place / longest, "two"));
        QVERIFY(write_file(place / longest, "three"));
        QCOMPARE(content_of(place / longest), std::string("three"));
        QCOMPARE(names_in(place).size(), std::size_t{2});
    }

    void a_new_file_has_the_usual_mode_and_a_replaced_one_its_own() {
        const QTemporaryDir folder;
        const fs::path place = folder.path().toStdString();
        const mode_t before = umask(027);
        const auto made = write_file(place / "new", "x");
        umask(before);
        QVERIFY(made);
        QCOMPARE(mode_of(place / "new"), mode_t{0640});
        for (const mode_t mode : {mode_t{0600}, mode_t{0664}, mode_t{0755}}) {
            QCOMPARE(chmod((place / "new").c_str(), mode), 0);
            QVERIFY(write_file(place / "new", "y"));
            QCOMPARE(mode_of(place / "new"), mode);
        }
    }

    void who_owned_a_file_still_does() {
        const QTemporaryDir folder;
        const fs::path file = fs::path(folder.path().toStdString()) / "a";
        put(file, "one");
        if (chown(file.c_str(), nobody, nobody) != 0) QSKIP("only root gives files away");
        QVERIFY(write_file(file, "two"));
        struct stat status {};
        QCOMPARE(stat(file.c_str(), &status), 0);
        QCOMPARE(status.st_uid, nobody);
        QCOMPARE(status.st_gid, gid_t{nobody});
    }

    void a_list_of_access_stays_and_one_of_the_folder_is_not_added() {
        const QTemporaryDir folder;
        const fs::path place = folder.path().toStdString();
        put(place / "without", "one");
        put(place / "with", "one");
        for (const char* name : {"without", "with"})
            QCOMPARE(chmod((place / name).c_str(), 0640), 0);
        if (!set_list(place / "with", access_list) || !set_list(place, list_of_new_files))
            QSKIP("this file system has no lists of access");
        QVERIFY(write_file(place / "without", "two") && write_file(place / "with", "two"));
        QVERIFY(!has_list(place / "without"));
        QCOMPARE(mode_of(place / "without"), mode_t{0640});
        QVERIFY(has_list(place / "with"));
        QCOMPARE(mode_of(place / "with"), mode_t{0660});
    }

    void where_a_list_of_access_cannot_be_read_its_mask_gives_the_group_no_rights() {
        const QTemporaryDir folder;
        const fs::path file = fs::path(folder.path().toStdString()) / "a";
        put(file, "one");
        QCOMPARE(chmod(file.c_str(), 0664), 0);
        QCOMPARE(in_a_fork([&] {
                     if (!fail_to_read_attributes()) return 1;
                     return write_file(file, "two") ? 0 : 2;
                 }),
                 0);
        QCOMPARE(content_of(file), std::string("two"));
        QCOMPARE(mode_of(file), mode_t{0604});
    }

    void a_link_stays_one_and_its_target_is_replaced() {
        const QTemporaryDir folder;
        const fs::path place = folder.path().toStdString();
        fs::create_directory(place / "far");
        put(place / "far/target", "one");
        fs::create_symlink("far/target", place / "link");
        fs::create_symlink("link", place / "link of a link");
        QVERIFY(write_file(place / "link of a link", "two"));
        QCOMPARE(content_of(place / "far/target"), std::string("two"));
        QVERIFY(fs::is_symlink(place / "link") && fs::is_symlink(place / "link of a link"));
        fs::create_symlink(place / "far/new", place / "dangling");
        QVERIFY(write_file(place / "dangling", "three"));
        QVERIFY(fs::is_symlink(place / "dangling"));
        QCOMPARE(content_of(place / "far/new"), std::string("three"));
        fs::create_symlink("circle", place / "circle");
        QVERIFY(is_for(write_file(place / "circle", "four"), ELOOP));
        QVERIFY(is_for(write_file(place / "far/target/below", "four"), ENOTDIR));
    }

    void a_link_of_another_user_in_a_folder_for_all_is_not_followed() {
        const QTemporaryDir folder;
        const fs::path place = folder.path().toStdString();
        put(place / "victim", "one");
        fs::create_directory(place / "for all");
        const fs::path link = place / "for all/link";
        fs::create_symlink(place / "victim", link);
        fs::create_symlink("for all/link", place / "ours");
        if (lchown(link.c_str(), nobody, nobody) != 0) QSKIP("only root gives files away");
        QCOMPARE(chmod((place / "for all").c_str(), 01777), 0);
        for (const fs::path& name : {link, place / "ours"}) {
            const auto refused = write_file(name, "two");
            QVERIFY(is_for(refused, EACCES));
            QVERIFY(refused.error().hint != write_error("", place / "victim", EACCES).hint);
            FileReplacement file;
            QCOMPARE(file.begin(name), EACCES);
        }
        QVERIFY(fs::remove(link));
        fs::create_symlink("/dev/null", link);
        QCOMPARE(lchown(link.c_str(), nobody, nobody), 0);
        QVERIFY(is_for(write_file(link, "two"), EACCES));
        QCOMPARE(content_of(place / "victim"), std::string("one"));
    }

    void a_link_of_ones_own_or_of_who_owns_the_folder_is_followed() {
        const QTemporaryDir folder;
        const fs::path place = folder.path().toStdString();
        put(place / "target", "one");
        fs::create_directory(place / "for all");
        const fs::path link = place / "for all/link";
        fs::create_symlink(place / "target", link);
        QCOMPARE(chmod((place / "for all").c_str(), 01777), 0);
        QVERIFY(write_file(link, "of one's own"));
        if (lchown(link.c_str(), nobody, nobody) != 0) QSKIP("only root gives files away");
        QCOMPARE(chmod((place / "for all").c_str(), 0777), 0);
        QVERIFY(write_file(link, "where any name can be taken away"));
        QCOMPARE(chmod((place / "for all").c_str(), 01777), 0);
        QCOMPARE(lchown((place / "for all").c_str(), nobody, nobody), 0);
        QVERIFY(write_file(link, "of who owns the folder"));
        QCOMPARE(content_of(place / "target"), std::string("of who owns the folder"));
        QVERIFY(fs::is_symlink(link));
    }

    void what_is_no_place_for_a_file_is_refused() {
        const QTemporaryDir folder;
        const fs::path place = folder.path().toStdString();
        fs::create_directory(place / "folder");
        QVERIFY(is_for(write_file(place / "folder", "x"), EISDIR));
        QVERIFY(is_for(write_file(place / "folder/", "x"), EISDIR));
        QVERIFY(is_for(write_file(place / "folder/..", "x"), EISDIR));
        QVERIFY(is_for(write_file(place / "none/a", "x"), ENOENT));
        QVERIFY(is_for(write_file("", "x"), ENOENT) || is_for(write_file("", "x"), EISDIR));
        QVERIFY(is_for(write_file(place / std::string(256, 'n'), "x"), ENAMETOOLONG));
        const auto refused = write_file(place / "none/a", "x", "It was not saved");
        QVERIFY(refused.error().what.starts_with("It was not saved: "));
        QCOMPARE(refused.error().where, (place / "none/a").string());
        QVERIFY(!refused.error().hint.empty());
        QCOMPARE(names_in(place), std::vector<std::string>{"folder"});
    }

    void on_a_full_disk_the_old_file_stays() {
        if (!no_mounts.empty()) QSKIP(no_mounts.c_str());
        const QTemporaryDir folder;
        const SmallDisk disk(folder.path().toStdString());
        QVERIFY(disk.mounted());
        const std::string before(109, 'o');
        QVERIFY(write_file(disk.folder() / "old", before));
        disk.fill();
        const auto names = names_in(disk.folder()).size();
        for (const std::size_t size : {1U, 109U, 16'000U, 60'000U, 2'000'000U}) {
            const std::string content(size, 'n');
            QVERIFY(is_for(write_file(disk.folder() / "old", content), ENOSPC));
            QVERIFY(is_for(write_file(disk.folder() / "new", content), ENOSPC));
            QCOMPARE(content_of(disk.folder() / "old"), before);
            QCOMPARE(names_in(disk.folder()).size(), names);
        }
        disk.make_room();
        QVERIFY(is_for(write_file(disk.folder() / "old", std::string(2'000'000, 'n')), ENOSPC));
        QCOMPARE(content_of(disk.folder() / "old"), before);
        QVERIFY(write_file(disk.folder() / "old", "new"));
        QCOMPARE(content_of(disk.folder() / "old"), std::string("new"));
    }

    void on_a_disk_that_cannot_be_written_to_the_old_file_stays() {
        if (!no_mounts.empty()) QSKIP(no_mounts.c_str());
        const QTemporaryDir folder;
        const SmallDisk disk(folder.path().toStdString());
        QVERIFY(write_file(disk.folder() / "old", "one"));
        QVERIFY(disk.make_read_only());
        QVERIFY(is_for(write_file(disk.folder() / "old", "two"), EROFS));
        QVERIFY(is_for(write_file(disk.folder() / "new", "two"), EROFS));
        QCOMPARE(content_of(disk.folder() / "old"), std::string("one"));
        QCOMPARE(names_in(disk.folder()).size(), std::size_t{1});
    }

    void a_file_that_was_read_is_not_replaced_under_any_name() {
        const QTemporaryDir folder;
        const fs::path here = folder.path().toStdString();
        put(here / "report", "figures");
        put(here / "other", "text");
        fs::create_hard_link(here / "report", here / "second");
        fs::create_symlink("report", here / "link");
        const std::vector<fs::path> read{here / "gone", here / "link"};
        for (const char* name : {"report", "second", "link", "./report"}) {
            const Result<void> free = refuse_to_replace(here / name, read);
            QVERIFY2(!free, name);
            QCOMPARE(free.error().code, ErrorCode::bad_argument);
        }
        for (const fs::path& path : {here / "other", here / "none", fs::path("/dev/null"), here})
            QVERIFY2(refuse_to_replace(path, read), path.c_str());
        QVERIFY(refuse_to_replace(here / "report", {}));
    }
    void what_may_not_be_written_to_is_not_replaced() {
        const QTemporaryDir folder;
        const fs::path place = folder.path().toStdString();
        put(place / "protected", "one");
        chmod((place / "protected").c_str(), 0444);
        fs::create_directory(place / "closed");
        put(place / "closed/open", "one");
        chmod((place / "closed/open").c_str(), 0666);
        chmod((place / "closed").c_str(), 0555);
        QCOMPARE(in_a_fork([&] {
                     if (!give_up_privileges()) return 1;
                     if (!is_for(write_file(place / "protected", "two"), EACCES)) return 2;
                     if (!is_for(write_file(place / "closed/open", "two"), EACCES)) return 3;
                     return is_for(write_file(place / "closed/new", "two"), EACCES) ? 0 : 4;
                 }),
                 0);
        QCOMPARE(content_of(place / "protected"), std::string("one"));
        QCOMPARE(content_of(place / "closed/open"), std::string("one"));
        chmod((place / "closed").c_str(), 0755);
        QCOMPARE(names_in(place).size() + names_in(place / "closed").size(), std::size_t{3});
    }

    void devices_and_pipes_are_written_into() {
        const QTemporaryDir folder;
        const fs::path place = folder.path().toStdString();
        QVERIFY(write_file("/dev/null", "x"));
        QVERIFY(fs::is_character_file("/dev/null"));
        if (fs::exists("/dev/full")) QVERIFY(is_for(write_file("/dev/full", "x"), ENOSPC));
        const fs::path pipe = place / "pipe";
        QCOMPARE(mkfifo(pipe.c_str(), 0600), 0);
        const int reader = open(pipe.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
        QVERIFY(write_file(pipe, "through"));
        std::array<char, 16> read_back{};
        QCOMPARE(read(reader, read_back.data(), read_back.size()), ssize_t{7});
        close(reader);
        QVERIFY(fs::is_fifo(pipe));
        QCOMPARE(names_in(place).size(), std::size_t{1});
    }

    void standard_output_gets_it_where_it_stands() {
        const QTemporaryDir folder;
        const fs::path file = fs::path(folder.path().toStdString()) / "out";
        QCOMPARE(in_a_fork([&] {
                     const int out = open(file.c_str(), O_WRONLY | O_CREAT, 0600);
                     if (dup2(out, STDOUT_FILENO) < 0 || write_all(STDOUT_FILENO, "before ") != 0) return 1;
                     if (!write_file("/dev/stdout", "by name ")) return 2;
                     if (!write_into(STDOUT_FILENO, writing("after"), "standard output", "It failed"))
                         return 3;
                     return 0;
                 }),
                 0);
        QCOMPARE(content_of(file), std::string("before by name after"));
    }

    void a_reader_that_leaves_early_is_no_error_and_a_closed_output_is_one() {
        QCOMPARE(in_a_fork([] {
                     signal(SIGPIPE, SIG_IGN);
                     std::array<int, 2> ends{};
                     if (pipe(ends.data()) != 0) return 1;
                     close(ends[0]);
                     if (!write_into(ends[1], writing("x"), "a pipe", "It failed")) return 2;
                     close(ends[1]);
                     return is_for(write_into(ends[1], writing("x"), "a pipe", "It failed"), EBADF) ? 0 : 3;
                 }),
                 0);
    }

    void above_the_limit_of_a_file_the_old_one_stays() {
        const QTemporaryDir folder;
        const fs::path place = folder.path().toStdString();
        put(place / "old", "one");
        QCOMPARE(in_a_fork([&] {
                     signal(SIGXFSZ, SIG_IGN);
                     const rlimit limit{1000, 1000};
                     if (setrlimit(RLIMIT_FSIZE, &limit) != 0) return 1;
                     if (!is_for(write_file(place / "old", std::string(1001, 'x')), EFBIG)) return 2;
                     return write_file(place / "new", std::string(1000, 'x')) ? 0 : 3;
                 }),
                 0);
        QCOMPARE(content_of(place / "old"), std::string("one"));
        QCOMPARE(names_in(place).size(), std::size_t{2});
    }

    void who_is_killed_leaves_the_old_file_or_the_new_one_data() {
        QTest::addColumn<bool>("unnamed_files");
        QTest::newRow("files without a name") << true;
        QTest::newRow("files with a name") << false;
    }
    void who_is_killed_leaves_the_old_file_or_the_new_one() {
        QFETCH(bool, unnamed_files);
        const QTemporaryDir folder;
        const fs::path place = folder.path().toStdString();
        QVERIFY(write_file(place / "a", std::string(large, 'c')));
        std::mt19937 chance(7);  // NOLINT: the same moments each time
        for (int kill_number = 0; kill_number < 12; ++kill_number) {
            const pid_t writer = start_writer(place / "a", unnamed_files);
            usleep(5000 + static_cast<useconds_t>(chance() % 120'000));
            kill(writer, SIGKILL);
            QCOMPARE(signal_that_ended(writer), SIGKILL);
            QVERIFY(is_whole(content_of(place / "a")));
            QVERIFY(names_in(place).size() <= 2);  // what one left, the next one removes
        }
        QCOMPARE(in_a_fork([&] {
                     if (!unnamed_files && !allow_no_unnamed_files()) return 1;
                     return write_file(place / "a", "whole") ? 0 : 2;
                 }),
                 0);
        QCOMPARE(content_of(place / "a"), std::string("whole"));
        QCOMPARE(names_in(place), std::vector<std::string>{"a"});
    }

    void writers_of_one_file_do_not_mix_data() { who_is_killed_leaves_the_old_file_or_the_new_one_data(); }
    void writers_of_one_file_do_not_mix() {
        QFETCH(bool, unnamed_files);
        const QTemporaryDir folder;
        const fs::path place = folder.path().toStdString();
        std::vector<pid_t> writers;
        for (const char letter : {'a', 'b', 'c', 'd'}) {
            writers.push_back(fork());
            if (writers.back() != 0) continue;
            alarm(120);
            if (!unnamed_files && !allow_no_unnamed_files()) _exit(1);
            for (int times = 0; times < 20; ++times)
                if (!write_file(place / "a", std::string(100'000, letter))) _exit(2);
            _exit(0);
        }
        for (const pid_t writer : writers) {
            int status = 0;
            QCOMPARE(waitpid(writer, &status, 0), writer);
            QCOMPARE(status, 0);
        }
        const std::string content = content_of(place / "a");
        QCOMPARE(content.size(), std::size_t{100'000});
        QCOMPARE(content.find_first_not_of(content.front()), std::string::npos);
        QCOMPARE(names_in(place), std::vector<std::string>{"a"});
    }

    void a_file_that_came_meanwhile_is_not_replaced_where_that_is_asked_for() {
        const QTemporaryDir folder;
        const fs::path place = folder.path().toStdString();
        FileReplacement file;
        QCOMPARE(file.begin(place / "a"), 0);
        QCOMPARE(file.write("mine"), 0);
        put(place / "a", "theirs");
        QCOMPARE(file.put_in_place(FileReplacement::Replaceable::what_was_there), EEXIST);
        QVERIFY(!file.in_place());
        QCOMPARE(content_of(place / "a"), std::string("theirs"));
        QCOMPARE(file.put_in_place(), 0);
        QCOMPARE(content_of(place / "a"), std::string("mine"));
    }

    void where_links_are_refused_only_a_file_of_ones_own_with_one_name_is_replaced() {
        const QTemporaryDir folder;
        const fs::path place = folder.path().toStdString();
        const auto begins = [](const fs::path& name) {
            FileReplacement file;
            return file.begin(name, FileReplacement::Links::refuse);
        };
        put(place / "a", "one");
        QCOMPARE(begins(place / "a"), 0);
        QCOMPARE(begins(place / "new"), 0);
        fs::create_symlink("a", place / "link");
        QCOMPARE(begins(place / "link"), ELOOP);
        fs::create_symlink("none", place / "dangling");
        QCOMPARE(begins(place / "dangling"), ELOOP);
        QCOMPARE(mkfifo((place / "pipe").c_str(), 0600), 0);
        QCOMPARE(begins(place / "pipe"), EINVAL);
        QCOMPARE(begins(place), EISDIR);
        fs::create_hard_link(place / "a", place / "second name");
        QCOMPARE(begins(place / "a"), EPERM);
        QVERIFY(fs::remove(place / "second name"));
        if (chown((place / "a").c_str(), nobody, nobody) != 0) QSKIP("only root gives files away");
        QCOMPARE(begins(place / "a"), EPERM);
    }
};

int run_tests(int argc, char** argv) {
    no_mounts = test::begin_own_mounts();
    TestFileWriter tests;
    return QTest::qExec(&tests, argc, argv);
}

}  // namespace tst_file_writer

ROOFWALK_TEST_RUN_BY(tst_file_writer, run_tests)
#include "tst_file_writer.moc"
