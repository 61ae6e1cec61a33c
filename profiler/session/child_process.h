// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <sys/types.h>

#include <array>
#include <chrono>
#include <functional>
#include <optional>
#include <string_view>

#include "core/error.h"
#include "profiler/session/launch_plan.h"

namespace roofwalk {

/// A descriptor that is closed with its owner.
class Descriptor {
  public:
    Descriptor() = default;
    explicit Descriptor(int number) : number_(number) {}
    Descriptor(Descriptor&& other) noexcept;
    Descriptor& operator=(Descriptor&& other) noexcept;
    ~Descriptor() { reset(); }

    [[nodiscard]] int number() const { return number_; }
    [[nodiscard]] bool open() const { return number_ >= 0; }
    void reset();

  private:
    int number_ = -1;
};

/// How a program ended.
struct ChildEnd {
    std::optional<int> exit_code;
    std::optional<int> signal;  ///< that killed it; then there is no exit code

    /// As a shell tells it: 128 + signal where it was killed.
    [[nodiscard]] int shell_status() const { return signal ? 128 + *signal : exit_code.value_or(0); }

    friend bool operator==(const ChildEnd&, const ChildEnd&) = default;
};

enum class ChildStream { output, error };
using OnChildText = std::function<void(ChildStream, std::string_view)>;

/// A program that was started here, in a process group of its own so that signals reach its children too.
/// Killed with its group when the object goes before it has ended.
class ChildProcess {
  public:
    enum class Streams {
        inherited,  ///< it writes where we write
        piped,      ///< what it writes comes to wait(), and it reads nothing
    };

    [[nodiscard]] static Result<ChildProcess> start(const LaunchPlan& plan, Streams streams);

    ChildProcess(ChildProcess&& other) noexcept;
    ChildProcess& operator=(ChildProcess&&) = delete;
    ~ChildProcess();

    [[nodiscard]] pid_t pid() const { return pid_; }

    /// Gives a signal to the program and its children; nothing after it has ended.
    void pass_on(int signal) const;

    /// Its end; absent when it still runs after `limit`. What it writes is told as it comes, until the
    /// program itself has ended: children that outlive it are not waited for.
    [[nodiscard]] std::optional<ChildEnd> wait(std::chrono::milliseconds limit,
                                               const OnChildText& on_text = {});

    /// Asks it to end, and kills what is left of its group when it has, or after `grace`.
    ChildEnd stop(std::chrono::milliseconds grace, const OnChildText& on_text = {});

  private:
    ChildProcess() = default;
    /// Waits for text, for the end, or for `limit`.
    void watch(std::chrono::milliseconds limit, const OnChildText& on_text);
    void read_some(const OnChildText& on_text);
    void reap_if_ended();

    pid_t pid_ = -1;
    Descriptor process_;  ///< readable when it has ended
    std::array<Descriptor, 2> streams_;
    std::optional<ChildEnd> end_;
};

}  // namespace roofwalk
