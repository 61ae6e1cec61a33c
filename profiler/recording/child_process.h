// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <sys/types.h>
#include <array>
#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/descriptor.h"
#include "core/base/error.h"
#include "core/import/profile_request.h"

namespace roofwalk {

/// The agent that is to be loaded into the program, and where it reports to.
struct AgentPaths {
    std::filesystem::path library;
    std::filesystem::path socket;
    std::filesystem::path cupti;  ///< the library it should load; empty: it looks for one
};

/// A program that is ready to be started.
struct LaunchPlan {
    std::filesystem::path program;         ///< absolute
    std::vector<std::string> arguments;    ///< argv, argv[0] as it was typed
    std::filesystem::path directory;       ///< empty: the current one
    std::vector<std::string> environment;  ///< "NAME=value"
};

/// The environment of this process: "NAME=value".
[[nodiscard]] std::vector<std::string> environment_here();
/// Of a variable in such an environment; absent where it is not set.
[[nodiscard]] std::optional<std::string_view> value_in(const std::vector<std::string>& environment,
                                                       std::string_view name);

/// Whether it is a file that we may run.
[[nodiscard]] bool can_run(const std::filesystem::path& file);
/// The program in the first folder of `path`, a variable PATH, that has it; absent where none does. Relative
/// folders are taken from `directory`; where that is empty they are passed over.
[[nodiscard]] std::optional<std::filesystem::path> program_on(std::string_view path, std::string_view name,
                                                              const std::filesystem::path& directory = {});

/// The program as it is asked for, without an agent. `inherited` is the environment of this process. A
/// program without a slash is looked for on PATH, a relative one in the directory it will run in.
[[nodiscard]] Result<LaunchPlan> plan_program(const ProgramStart& request,
                                              const std::vector<std::string>& inherited);

/// The same with the agent in it.
[[nodiscard]] Result<LaunchPlan> plan_launch(const ProgramStart& request, const AgentPaths& agent,
                                             const std::vector<std::string>& inherited);

/// How a program ended. Neither code nor signal: it has ended and nobody can tell how, because its status
/// was taken by another or SIGCHLD is ignored here.
struct ChildEnd {
    std::optional<int> exit_code;
    std::optional<int> signal;  ///< that killed it; then there is no exit code

    /// As a shell tells it: 128 + signal where it was killed; absent where nobody can tell.
    [[nodiscard]] std::optional<int> shell_status() const { return signal ? 128 + *signal : exit_code; }

    friend bool operator==(const ChildEnd&, const ChildEnd&) = default;
};

/// "ended with exit code 0", "was killed by signal 11 (Segmentation fault)".
[[nodiscard]] std::string words_for(const ChildEnd& end);

enum class ChildStream { output, error };
using OnChildText = std::function<void(ChildStream, std::string_view)>;

/// A program that was started here. Killed, with its group where it has one of its own, when the object goes
/// before it has ended.
class ChildProcess {
  public:
    enum class Streams {
        /// It reads and writes where we do and stays in our process group: it may read the terminal, and what
        /// is typed there (Ctrl-C, Ctrl-Z) reaches it and its children as it reaches us.
        inherited,
        /// What it writes comes to wait(), it reads nothing, and it has a session and so a process group of
        /// its own: signals reach its children too, and it has no terminal that it could wait at for a word.
        piped,
        /// As piped, and when we are killed it goes on: what it writes from then on is dropped.
        surviving,
        /// As piped, but its standard input stays open until close_input().
        held,
    };

    /// It starts with no signal blocked or handled; signals ignored here stay so, but for SIGPIPE,
    /// SIGXFSZ and SIGCHLD.
    [[nodiscard]] static Result<ChildProcess> start(const LaunchPlan& plan, Streams streams);

    ChildProcess(ChildProcess&& other) noexcept;
    ChildProcess& operator=(ChildProcess&&) = delete;
    ~ChildProcess();

    [[nodiscard]] pid_t pid() const { return pid_; }

    /// A program whose input is held reads the end of it from here on.
    void close_input() { input_.reset(); }

    /// Descriptors that are readable when wait() has something to do.
    [[nodiscard]] std::vector<int> watched() const;

    /// Gives a signal to the program, and to its children where it has a group of its own; nothing after it
    /// has ended.
    void pass_on(int signal) const;

    /// The signal that has stopped the program, such as SIGSTOP; absent while it runs or when it has ended.
    [[nodiscard]] std::optional<int> stopped() const;

    /// Its end; absent when it still runs after `limit`. What it writes is told as it comes, until the
    /// program itself has ended: children that outlive it are not waited for.
    [[nodiscard]] std::optional<ChildEnd> wait(std::chrono::milliseconds limit,
                                               const OnChildText& on_text = {});

    /// It goes on without us, and its number is told.
    pid_t leave() &&;

    /// Asks it to end, and kills it, or what is left of a group of its own, when it has or after `grace`.
    /// Sends nothing when its end is known already.
    ChildEnd stop(std::chrono::milliseconds grace, const OnChildText& on_text = {});

  private:
    ChildProcess() = default;
    /// Waits for text, for the end, or for `limit`.
    void watch(std::chrono::milliseconds limit, const OnChildText& on_text);
    void watch_until_end(std::chrono::milliseconds limit, const OnChildText& on_text);
    void read_some(const OnChildText& on_text);
    void look_for_end();
    void reap();
    [[nodiscard]] bool holds_pid() const;
    void send(int signal) const;

    pid_t pid_ = -1;
    bool own_group_ = false;
    bool reaped_ = false;  ///< from then on the pid may be that of another program
    Descriptor process_;   ///< readable when it has ended
    std::array<Descriptor, 2> streams_;
    Descriptor input_;  ///< held
    Descriptor life_;   ///< surviving: others see here that we are gone
    std::optional<ChildEnd> end_;
};

}  // namespace roofwalk
