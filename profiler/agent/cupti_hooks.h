// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "profiler/agent/cupti_library.h"
#include "profiler/agent/graph_registry.h"

namespace roofwalk::agent {

/// Hears of contexts and launches, on the thread of the program that makes them.
class LaunchListener {
  public:
    virtual void on_context_created(void* context) = 0;
    virtual void on_context_destroying(void* context) = 0;
    /// The thread makes a graph executable, while no stream is captured.
    /// True where kernels are counted until it is done.
    virtual bool on_instantiate_enter(void* context, void* graph) = 0;
    virtual void on_instantiate_exit() = 0;
    virtual void on_launch_enter(const LaunchCall& call) = 0;
    /// `accepted` is false where the driver refused the launch: nothing ran.
    virtual void on_launch_exit(const LaunchCall& call, bool accepted) = 0;
    /// A launch that must not be touched, because a stream is being captured meanwhile.
    virtual void on_launch_passed() = 0;
    /// CUPTI has given up in this process.
    virtual void on_fatal_error(const CuptiFailure& failure) = 0;

  protected:
    ~LaunchListener() = default;
};

/// The one subscription to CUPTI's callbacks that a process may have.
class CuptiHooks {
  public:
    struct Refusal {
        CuptiFailure failure;
        std::string other;  ///< who has subscribed already; empty when CUPTI does not say
    };

    /// Subscribes; nothing is heard of yet. Ends with the process.
    [[nodiscard]] static std::unique_ptr<CuptiHooks> subscribe(const CuptiLibrary& library,
                                                               LaunchListener& listener,
                                                               GraphRegistry& graphs, Refusal& why);
    ~CuptiHooks();

    /// Watches contexts and graphs from now on, launches when it is told to. Other threads may be heard of
    /// before this returns.
    void watch();
    void watch_launches(bool on);

    [[nodiscard]] std::optional<std::uint32_t> device_of(void* context) const;
    [[nodiscard]] std::uint32_t id_of_context(void* context) const;
    [[nodiscard]] std::uint32_t id_of_stream(const LaunchCall& call) const;

  private:
    struct Functions;
    struct Callbacks;
    CuptiHooks(std::unique_ptr<Functions> functions, LaunchListener& listener, GraphRegistry& graphs);

    void set_launch_callbacks();
    void capture_begins(void* context, void* stream);
    void capture_fails(void* stream);
    void capture_ends(void* stream);
    void captures_end(void* context);

    std::unique_ptr<Functions> functions_;
    LaunchListener& listener_;
    GraphRegistry& graphs_;
    std::mutex enabling_;   ///< of the next five
    bool wanted_ = false;   ///< by watch_launches()
    bool enabled_ = false;  ///< in CUPTI
    bool has_graphics_captures_ = false;
    struct Capture {
        void* context = nullptr;
        int begun = 0;  ///< calls that have not failed
    };
    std::map<void*, Capture> captures_;  ///< by stream; of enabling_
    std::atomic<bool> captures_any_ = false;
    std::atomic<bool> recaptures_ = false;  ///< into a graph that has its nodes
    pid_t process_ = 0;
};

}  // namespace roofwalk::agent
