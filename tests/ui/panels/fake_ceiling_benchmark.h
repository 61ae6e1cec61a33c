// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <condition_variable>
#include <mutex>

#include "core/import/ceiling_benchmark_backend.h"

namespace roofwalk::test {

/// Benchmarks that do what a test says, and a shelf for what is kept.
struct FakeCeilingBenchmark {
    struct Script {
        std::mutex mutex;
        std::condition_variable_any news;
        CeilingStoreContent kept;
        CeilingBenchmarkOffer offer;
        Result<MeasuredCeilings> result = MeasuredCeilings{};
        CeilingBenchmarkProgress progress;
        bool done = false;  ///< the benchmarks end
        std::string asked;  ///< UUID that was measured
        std::optional<Error> not_kept;

        void end() {
            {
                const std::scoped_lock lock(mutex);
                done = true;
            }
            news.notify_all();
        }
    };

    std::shared_ptr<Script> script = std::make_shared<Script>();

    void keep(const MeasuredCeilings& measured, std::vector<std::string> stale = {}) const {
        script->kept.kept.push_back({std::make_shared<const MeasuredCeilings>(measured), std::move(stale)});
    }
    void add_gpu(const Device& device, std::optional<Error> obstacle = std::nullopt) const {
        ListedGpu gpu;
        gpu.index = static_cast<std::uint32_t>(script->offer.gpus.size());
        gpu.device.device = device;
        gpu.obstacle = std::move(obstacle);
        script->offer.gpus.push_back(gpu);
    }

    [[nodiscard]] CeilingBenchmarkBackend backend() const {
        return {[script = script] {
                    const std::scoped_lock lock(script->mutex);
                    return script->kept;
                },
                [script = script](const std::stop_token&) { return script->offer; },
                [script = script](const std::string& uuid, const std::stop_token& stop,
                                  const OnCeilingBenchmarkProgress& on_progress) {
                    std::unique_lock lock(script->mutex);
                    script->asked = uuid;
                    on_progress(script->progress);
                    script->news.wait(lock, stop, [&] { return script->done; });
                    Result<MeasuredCeilings> result = script->result;
                    if (result && stop.stop_requested()) result->complete = false;
                    return result;
                },
                [script = script](const MeasuredCeilings& measured) -> Result<StoreOutcome> {
                    const std::scoped_lock lock(script->mutex);
                    if (script->not_kept) return tl::unexpected(*script->not_kept);
                    script->kept.kept.push_back({std::make_shared<const MeasuredCeilings>(measured), {}});
                    return StoreOutcome{"Kept on the shelf.", true};
                }};
    }
};

}  // namespace roofwalk::test
