// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <pty.h>
#include <sys/prctl.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

/// What a signal does here, until the end of the scope.
class SignalHere {
  public:
    SignalHere(int number, void (*handler)(int)) : number_(number) {
        struct sigaction action {};
        action.sa_handler = handler;  // without SA_RESTART
        sigaction(number_, &action, &before_);
    }
    SignalHere(const SignalHere&) = delete;
    SignalHere& operator=(const SignalHere&) = delete;
    ~SignalHere() { sigaction(number_, &before_, nullptr); }

  private:
    int number_;
    struct sigaction before_ {};
};

/// Exit code of `body` in a fork of the test; it is killed when it hangs.
inline int in_a_fork(const std::function<int()>& body) {
    const pid_t pid = fork();
    if (pid == 0) {
        alarm(60);
        _exit(body());
    }
    int status = 0;
    return waitpid(pid, &status, 0) == pid && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/// A fork of the test that has a terminal of its own, and the other end of that.
class Terminal {
  public:
    explicit Terminal(const std::function<int()>& body) {
        pid_ = forkpty(&keyboard_, nullptr, nullptr, nullptr);
        if (pid_ == 0) {
            alarm(60);
            _exit(body());
        }
    }
    Terminal(const Terminal&) = delete;
    Terminal& operator=(const Terminal&) = delete;
    ~Terminal() { close(keyboard_); }

    [[nodiscard]] bool type(std::string_view text) const {
        return write(keyboard_, text.data(), text.size()) == static_cast<ssize_t>(text.size());
    }
    bool shows(const std::string& text) {
        std::array<char, 4096> part{};
        while (shown_.find(text) == std::string::npos) {
            const auto count = read(keyboard_, part.data(), part.size());
            if (count <= 0) return false;
            shown_.append(part.data(), static_cast<std::size_t>(count));
        }
        return true;
    }
    [[nodiscard]] int exit_code() const {
        int status = 0;
        return waitpid(pid_, &status, 0) == pid_ && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }

  private:
    int keyboard_ = -1;
    pid_t pid_ = -1;
    std::string shown_;
};

/// Programs whose parents are gone become children of the test: they can be waited for and end with it.
inline void adopt_orphans() {
    prctl(PR_SET_CHILD_SUBREAPER, 1);
}

inline std::vector<pid_t> children_here() {
    std::ifstream file("/proc/thread-self/children");
    return {std::istream_iterator<pid_t>(file), std::istream_iterator<pid_t>()};
}

inline int signal_that_ended(pid_t pid) {
    int status = 0;
    return waitpid(pid, &status, 0) == pid && WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

/// Ends and reaps every child of this thread; with adopt_orphans(), also what these left behind.
inline void end_children_here() {
    for (auto left = children_here(); !left.empty(); left = children_here())
        for (const pid_t pid : left) {
            kill(pid, SIGKILL);
            waitpid(pid, nullptr, 0);
        }
}
