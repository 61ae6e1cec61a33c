// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/recording/remote_session.h"

#include <QTest>

#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_remote_command {

using namespace roofwalk;

namespace {

std::string joined(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words)
        text += (text.empty() ? "" : " ") + word;
    return text;
}

ProfileRequest through(std::vector<std::string> prefix, std::vector<std::string> command) {
    ProfileRequest request;
    request.launch.through = std::move(prefix);
    request.launch.command = std::move(command);
    request.measuring.filter.except.clear();
    return request;
}

}  // namespace

class TestRemoteCommand : public QObject {
    Q_OBJECT

  private slots:
    void a_command_that_starts_others_gets_words_as_they_are() {
        QCOMPARE(
            joined(remote_command(through({"srun", "-n1"}, {"./my app", "100"}))),
            std::string("srun -n1 roofwalk-cli profile -o - --until-input-ends --except none -- ./my app "
                        "100"));
    }
    void behind_ssh_words_are_quoted_for_the_shell_there() {
        QCOMPARE(
            joined(remote_command(through({"/usr/bin/ssh", "node"}, {"./my app", "it's", "$HOME"}))),
            std::string(R"(/usr/bin/ssh node roofwalk-cli profile -o - --until-input-ends --except none )"
                        R"(-- './my app' 'it'\''s' '$HOME')"));
    }
    void behind_two_they_are_quoted_twice() {
        const auto words = remote_command(through({"ssh", "gate", "ssh", "node"}, {"a b"}));
        QCOMPARE(words.back(), std::string(R"(''\''a b'\''')"));
    }
    void a_program_that_is_named_is_run() {
        const auto words =
            remote_command(through({"ssh", "node", "/opt/roofwalk/bin/roofwalk-cli"}, {"./a"}));
        QCOMPARE(words[2], std::string("/opt/roofwalk/bin/roofwalk-cli"));
        QCOMPARE(words[3], std::string("profile"));
    }
    void its_path_is_quoted_like_every_other_word() {
        const auto words = remote_command(through({"ssh", "node", "/opt/my tools/roofwalk-cli"}, {"./a"}));
        QCOMPARE(words[2], std::string("'/opt/my tools/roofwalk-cli'"));
        QCOMPARE(remote_command(through({"srun", "/opt/my tools/roofwalk-cli"}, {"./a"}))[1],
                 std::string("/opt/my tools/roofwalk-cli"));
    }
    void a_user_named_ssh_is_no_shell() {
        QCOMPARE(remote_command(through({"ssh", "-l", "ssh", "node"}, {"a b"})).back(), std::string("'a b'"));
    }
    void everything_that_is_asked_for_is_passed_on() {
        ProfileRequest request = through({"env"}, {"./a"});
        request.launch.directory = "/work";
        request.launch.environment = {{"A", "1"}, {"B", ""}};
        request.measuring.every_launch = true;
        request.measuring.replay = ReplayPolicy::always;
        request.measuring.filter.kernels = {"gemm*"};
        request.measuring.filter.except = {"nccl*"};
        request.measuring.filter.nvtx_ranges = {"step"};
        request.measuring.filter.skip = 10;
        request.measuring.filter.count = 5;
        QCOMPARE(
            joined(remote_command(request)),
            std::string(
                "env roofwalk-cli profile -o - --until-input-ends --every-launch --replay always "
                "--kernel gemm* --except nccl* --nvtx step --skip 10 --count 5 --directory /work --env A=1 "
                "--env B= -- ./a"));
    }
    void what_only_counting_knows_is_not_asked_of_times() {
        ProfileRequest request = through({"env"}, {"./a"});
        request.measuring.counters = false;
        request.measuring.every_launch = true;
        request.measuring.replay = ReplayPolicy::always;
        QCOMPARE(
            joined(remote_command(request)),
            std::string("env roofwalk-cli profile -o - --until-input-ends --timing --except none -- ./a"));
    }
};

}  // namespace tst_remote_command

ROOFWALK_TEST(tst_remote_command, TestRemoteCommand, NoApplication)
#include "tst_remote_command.moc"
