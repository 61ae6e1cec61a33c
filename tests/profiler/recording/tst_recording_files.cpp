// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/recording/recording_files.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <QTest>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <set>

#include "core/base/file_writer.h"
#include "core/report/recording_lines.h"
#include "tests/profiler/recording/made_root.h"
#include "tests/support/folder_tests.h"
#include "tests/support/processes.h"
#include "tests/support/qt_strings.h"
#include "tests/support/small_disk.h"

namespace tst_recording_files {

using namespace roofwalk;
using roofwalk::test::MadeRoot;
using roofwalk::test::SmallDisk;
namespace fs = std::filesystem;

namespace {

constexpr uid_t nobody = 65534;
std::string no_mounts;  // why the test may not mount; empty where it may

std::string expanded(std::string_view pattern) {
    const auto name = expand_output_pattern(pattern, "node7", 4711);
    return name ? *name : "refused: " + name.error().what;
}

std::string content_of(const fs::path& file) {
    std::ifstream stream(file);
    return {std::istreambuf_iterator<char>(stream), {}};
}

/// Made by either of the two ways; absent where that refuses.
std::optional<RecordingFiles> made(const std::string& pattern, bool own) {
    if (own) {
        auto files = RecordingFiles::make_in_own_folder(pattern, 1);
        return files ? *std::move(files) : std::nullopt;
    }
    auto files = RecordingFiles::make(pattern);
    return files ? std::optional(*std::move(files)) : std::nullopt;
}

}  // namespace

class TestRecordingFiles : public QObject {
    Q_OBJECT

  private slots:
    void patterns_hold_host_process_and_variables() {
        setenv("ROOFWALK_TEST_RANK", "3", 1);
        QCOMPARE(expanded("run.jsonl"), std::string("run.jsonl"));
        QCOMPARE(expanded("%h-%p.jsonl"), std::string("node7-4711.jsonl"));
        QCOMPARE(expanded("r%q{ROOFWALK_TEST_RANK}/100%%.jsonl"), std::string("r3/100%.jsonl"));
    }

    void bad_patterns_are_refused() {
        unsetenv("ROOFWALK_TEST_RANK");
        QVERIFY(expanded("%q{ROOFWALK_TEST_RANK}").find("ROOFWALK_TEST_RANK is not set") !=
                std::string::npos);
        for (const char* pattern : {"%d", "a%", "%q{RANK", "%q"})
            QVERIFY2(expanded(pattern).starts_with("refused"), pattern);
    }

    void a_place_that_cannot_be_written_is_refused_before() {
        const MadeRoot root;
        const auto none = RecordingFiles::make((root.path() / "none/run.jsonl").string());
        QVERIFY(!none);
        QCOMPARE(none.error().code, ErrorCode::write_failed);
        QVERIFY(!RecordingFiles::make(root.path().string()));
        QVERIFY(!RecordingFiles::make("%z.jsonl"));
    }

    void lines_are_in_the_file_at_once() {
        const MadeRoot root;
        auto files = RecordingFiles::make((root.path() / "run.jsonl").string());
        QVERIFY(files);
        QVERIFY(files->write(0, 4711, "one\n"));
        QCOMPARE(content_of(root.path() / "run.jsonl"), std::string("one\n"));
        QVERIFY(files->write(0, 4711, "two\n"));
        QCOMPARE(content_of(root.path() / "run.jsonl"), std::string("one\ntwo\n"));
    }

    void a_line_that_comes_in_pieces_is_written_with_its_end() {
        const MadeRoot root;
        const fs::path file = root.path() / "run.jsonl";
        auto files = RecordingFiles::make(file.string());
        QVERIFY(files && files->write_piece(7, "on"));
        QVERIFY(!fs::exists(file));
        QVERIFY(files->write_piece(7, "e\ntwo\nth"));
        QCOMPARE(content_of(file), std::string("one\ntwo\n"));
        QVERIFY(files->write_piece(7, "ree") && files->write_piece(7, "\n"));
        QCOMPARE(content_of(file), std::string("one\ntwo\nthree\n"));
    }

    void a_line_without_end_does_not_fill_the_memory() {
        const MadeRoot root;
        auto files = RecordingFiles::make((root.path() / "run.jsonl").string());
        const std::string piece(1 << 20U, 'x');
        int pieces = 0;
        while (pieces < 64 && files->write_piece(7, piece))
            ++pieces;
        QVERIFY(pieces < 64);
    }

    void each_recording_has_a_file_of_its_own() {
        const MadeRoot root;
        auto files = RecordingFiles::make((root.path() / "run.jsonl").string());
        QVERIFY(files->write(0, 4711, "a\n") && files->write(1, 4712, "b\n"));
        // A process that became another program records anew.
        QVERIFY(files->write(2, 4712, "c\n") && files->write(0, 4711, "d\n"));
        QCOMPARE(content_of(root.path() / "run.jsonl"), std::string("a\nd\n"));
        QCOMPARE(content_of(root.path() / "run.4712.jsonl"), std::string("b\n"));
        QCOMPARE(content_of(root.path() / "run.4712-2.jsonl"), std::string("c\n"));
        QCOMPARE(files->files().size(), std::size_t{3});
    }

    void two_recorders_of_one_name_do_not_write_into_one_file() {
        const MadeRoot root;
        auto first = RecordingFiles::make((root.path() / "run.jsonl").string());
        auto second = RecordingFiles::make((root.path() / "run.jsonl").string());
        const std::string header = RecordingLines::header({});
        QVERIFY(first->write(0, 4711, header) && second->write(0, 4712, "b\n") &&
                first->write(0, 4711, "c\n"));
        QCOMPARE(content_of(root.path() / "run.jsonl"), header + "c\n");
        QCOMPARE(content_of(root.path() / "run.4712.jsonl"), std::string("b\n"));
        QCOMPARE(second->files(), std::vector<std::string>{(root.path() / "run.4712.jsonl").string()});
    }

    void what_an_earlier_recording_left_is_replaced() {
        const MadeRoot root;
        const std::string header = RecordingLines::header({});
        for (const std::string& lines : {header + "a long line of before\n", header}) {
            auto files = RecordingFiles::make((root.path() / "run.jsonl").string());
            QVERIFY(files->write(0, 1, lines));
        }
        QCOMPARE(content_of(root.path() / "run.jsonl"), header);
    }

    void a_file_that_is_no_recording_is_not_replaced() {
        const MadeRoot root;
        root.write("kernel.cu", "__global__ void kernel() {}\n");
        const std::string name = (root.path() / "kernel.cu").string();
        const auto refused = RecordingFiles::make(name);
        QVERIFY(!refused);
        QCOMPARE(refused.error().where, name);
        root.write("cut.jsonl", std::string(recording_beginning.substr(0, 30)));
        QVERIFY(RecordingFiles::make((root.path() / "cut.jsonl").string()));
        root.write("run.4711.jsonl", "notes\n");
        auto files = RecordingFiles::make((root.path() / "run.%p.jsonl").string());
        QVERIFY(files && files->write(0, 4711, "a\n"));
        QCOMPARE(content_of(root.path() / "run.4711.jsonl"), std::string("notes\n"));
        QCOMPARE(files->files().size(), std::size_t{1});
        QCOMPARE(content_of(files->files().front()), std::string("a\n"));
    }

    void an_empty_file_may_be_written() {
        const MadeRoot root;
        root.write("run.jsonl", "");
        auto files = RecordingFiles::make((root.path() / "run.jsonl").string());
        QVERIFY(files && files->write(0, 1, "a\n"));
        QCOMPARE(content_of(root.path() / "run.jsonl"), std::string("a\n"));
    }

    void without_a_pattern_nothing_is_written() {
        auto files = RecordingFiles::make("");
        QVERIFY(files && files->write(0, 1, "a\n"));
        QVERIFY(files->files().empty());
    }

    void on_a_full_disk_an_earlier_recording_stays_data() {
        QTest::addColumn<bool>("own");
        QTest::newRow("of the user") << false;
        QTest::newRow("in a folder of one's own") << true;
    }
    void on_a_full_disk_an_earlier_recording_stays() {
        QFETCH(bool, own);
        if (!no_mounts.empty()) QSKIP(no_mounts.c_str());
        const MadeRoot root;
        const SmallDisk disk(root.path());
        fs::permissions(root.path(), fs::perms::owner_all);
        const std::string before = RecordingLines::header({}) + "launches of before\n";
        root.write("run.jsonl", before);
        disk.fill();
        auto files = made((disk.folder() / "run.jsonl").string(), own);
        QVERIFY(files);
        const auto written = files->write(0, 1, RecordingLines::header({}));
        QVERIFY(!written);
        QCOMPARE(written.error().code, ErrorCode::write_failed);
        QCOMPARE(content_of(disk.folder() / "run.jsonl"), before);
        QVERIFY(files->files().empty());
        QVERIFY(files->write(0, 1, "more\n"));  // it was told once
        QCOMPARE(content_of(disk.folder() / "run.jsonl"), before);
        QCOMPARE(test::names_in(disk.folder()).size(), std::size_t{2});
    }

    void recorders_that_begin_at_once_have_a_file_each() {
        const MadeRoot root;
        const std::string pattern = (root.path() / "run.jsonl").string();
        std::vector<pid_t> ranks;
        for (int rank = 0; rank < 8; ++rank) {
            ranks.push_back(fork());
            if (ranks.back() != 0) continue;
            alarm(60);
            auto files = RecordingFiles::make(pattern);
            const bool written = files && files->write(0, getpid(), RecordingLines::header({})) &&
                                 files->write(0, getpid(), "rank " + std::to_string(rank) + "\n");
            sleep(3);  // as long as the others begin
            _exit(written ? 0 : 1);
        }
        for (const pid_t rank : ranks) {
            int status = 0;
            QCOMPARE(waitpid(rank, &status, 0), rank);
            QCOMPARE(status, 0);
        }
        std::set<std::string> contents;
        for (const auto& file : fs::directory_iterator(root.path()))
            contents.insert(content_of(file.path()));
        QCOMPARE(contents.size(), ranks.size());
    }

    void a_link_to_a_recording_stays_one() {
        const MadeRoot root;
        root.write("far/run.jsonl", RecordingLines::header({}));
        fs::create_symlink("far/run.jsonl", root.path() / "run.jsonl");
        auto files = RecordingFiles::make((root.path() / "run.jsonl").string());
        QVERIFY(files->write(0, 1, "one\n") && files->write(0, 1, "two\n"));
        QVERIFY(fs::is_symlink(root.path() / "run.jsonl"));
        QCOMPARE(content_of(root.path() / "far/run.jsonl"), std::string("one\ntwo\n"));
    }

    void a_full_disk_is_an_error() {
        auto files = RecordingFiles::make("/dev/full");
        if (!files) QSKIP("there is no /dev/full to write to");
        const auto written = files->write(0, 1, "a\n");
        QVERIFY(!written);
        QCOMPARE(written.error().code, ErrorCode::write_failed);
        QCOMPARE(written.error(), write_error("The recording could not be written", "/dev/full", ENOSPC));
    }

    void in_a_folder_of_ones_own_only_files_of_ones_own_are_written_to() {
        const MadeRoot root;
        fs::permissions(root.path(), fs::perms::owner_all);
        const auto lines = [&](const fs::path& name) {
            auto files = RecordingFiles::make_in_own_folder(name.string(), 7);
            return files && *files ? (*files)->write(0, 7, recording_beginning).has_value() : false;
        };
        QVERIFY(lines(root.path() / "run-%p.jsonl"));
        QVERIFY(fs::file_size(root.path() / "run-7.jsonl") > 0);
        QVERIFY(lines(root.path() / "run-%p%%.jsonl"));
        QVERIFY(fs::file_size(root.path() / "run-7%.jsonl") > 0);
        // A link, and a file that has another name too.
        fs::create_symlink("run-7.jsonl", root.path() / "link.jsonl");
        QVERIFY(!lines(root.path() / "link.jsonl"));
        fs::create_hard_link(root.path() / "run-7.jsonl", root.path() / "second.jsonl");
        QVERIFY(!lines(root.path() / "second.jsonl"));
    }

    void a_pipe_of_a_stranger_is_not_waited_for() {
        const MadeRoot root;
        const std::string name = (root.path() / "run.jsonl").string();
        QCOMPARE(mkfifo(name.c_str(), 0622), 0);
        if (chown(name.c_str(), nobody, nobody) != 0) QSKIP("only root gives files away");
        fs::permissions(root.path(), fs::perms::owner_all);
        const int reader = open(name.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
        QCOMPARE(in_a_fork([&] {
                     auto files = made(name, true);
                     return files && !files->write(0, 1, "a\n") && files->files().empty() ? 0 : 1;
                 }),
                 0);
        char none = 0;
        QCOMPARE(read(reader, &none, 1), ssize_t{0});
        close(reader);
    }

    void a_pipe_of_ones_own_is_written_into_without_loss() {
        const MadeRoot root;
        const std::string name = (root.path() / "run.jsonl").string();
        QCOMPARE(mkfifo(name.c_str(), 0600), 0);
        fs::permissions(root.path(), fs::perms::owner_all);
        const int reader = open(name.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
        const std::string lines(400'000, 'l');  // more than a pipe holds
        const pid_t writer = fork();
        if (writer == 0) {
            alarm(60);
            auto files = made(name, true);
            _exit(files && files->write(0, 1, "a\n") && files->write(0, 1, lines) ? 0 : 1);
        }
        QCOMPARE(fcntl(reader, F_SETFL, 0), 0);
        std::array<char, 4096> part{};
        std::size_t total = 0;
        pollfd watched{reader, POLLIN, 0};
        while (poll(&watched, 1, 60'000) > 0 && (watched.revents & POLLIN) != 0) {
            const auto count = read(reader, part.data(), part.size());
            if (count > 0) total += static_cast<std::size_t>(count);
            if (count <= 0) break;
        }
        int status = 0;
        QCOMPARE(waitpid(writer, &status, 0), writer);
        QCOMPARE(status, 0);
        QCOMPARE(total, lines.size() + 2);
        close(reader);
    }

    void a_link_of_a_stranger_in_a_folder_for_all_is_not_followed() {
        const MadeRoot root;
        const std::string before = RecordingLines::header({}) + "launches\n";
        root.write("victim.jsonl", before);
        fs::create_directory(root.path() / "for-all");
        const fs::path link = root.path() / "for-all/run.jsonl";
        fs::create_symlink(root.path() / "victim.jsonl", link);
        if (lchown(link.c_str(), nobody, nobody) != 0) QSKIP("only root gives files away");
        QCOMPARE(chmod((root.path() / "for-all").c_str(), 01777), 0);
        fs::permissions(root.path(), fs::perms::owner_all);
        for (const bool own : {false, true}) {
            auto files = made(link.string(), own);
            QVERIFY(!files || !files->write(0, 1, RecordingLines::header({})));
            QCOMPARE(content_of(root.path() / "victim.jsonl"), before);
        }
    }

    void a_folder_that_others_can_change_is_not_ones_own() {
        const MadeRoot root;
        const auto is_own = [&](const std::string& folder) {
            const auto files =
                RecordingFiles::make_in_own_folder((root.path() / folder / "run.jsonl").string(), 7);
            return files && files->has_value();
        };
        fs::permissions(root.path(), fs::perms::owner_all);
        fs::create_directories(root.path() / "open/below");
        fs::create_directory_symlink("open/below", root.path() / "link");
        QVERIFY(is_own("open/below") && is_own("link") && is_own("open/below/../.."));
        fs::permissions(root.path() / "open", fs::perms::others_write, fs::perm_options::add);
        QVERIFY(!is_own("open") && !is_own("open/below") && !is_own("link") && !is_own("link/../../open"));
        // As /tmp: others add names there, and take none away.
        fs::permissions(root.path() / "open", fs::perms::sticky_bit, fs::perm_options::add);
        QVERIFY(is_own("open") && is_own("open/below") && is_own("link"));
        fs::create_directory_symlink("loop", root.path() / "loop");
        QVERIFY(!is_own("loop") && !is_own("missing"));
        const auto out = RecordingFiles::make_in_own_folder("-", 7);
        QVERIFY(out && out->has_value());
    }
};

int run_tests(int argc, char** argv) {
    no_mounts = test::begin_own_mounts();
    TestRecordingFiles tests;
    return QTest::qExec(&tests, argc, argv);
}

}  // namespace tst_recording_files

ROOFWALK_TEST_RUN_BY(tst_recording_files, run_tests)
#include "tst_recording_files.moc"
