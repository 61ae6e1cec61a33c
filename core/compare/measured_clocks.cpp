// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/measured_clocks.h"

namespace roofwalk {

namespace {

class MeanClock {
  public:
    void add(const Provenance& provenance) {
        if (provenance.basis != ClockBasis::measured || !provenance.clock) return;
        sum_ += provenance.clock->value();
        ++count_;
    }
    [[nodiscard]] std::optional<Hertz> mean() const {
        return count_ > 0 ? std::optional(Hertz(sum_ / count_)) : std::nullopt;
    }

  private:
    double sum_ = 0;
    double count_ = 0;
};

}  // namespace

MeasuredClocks measured_clocks(const RunView& run, const KernelPoint& point) {
    MeanClock sm;
    MeanClock memory;
    MeasuredClocks clocks;
    bool first = true;
    for (const LaunchIndex index : run.launches_of(point)) {
        const Launch& launch = run.profile->at(index);
        if (first)
            clocks.locked = launch.clocks_locked;
        else if (clocks.locked != launch.clocks_locked)
            clocks.locked.reset();
        first = false;
        if (!launch.ceilings) continue;
        if (!launch.ceilings->compute.empty()) sm.add(launch.ceilings->compute.front().provenance);
        if (const BandwidthCeiling* hbm = launch.ceilings->find(Boundary::hbm_dram_rw))
            memory.add(hbm->provenance);
    }
    clocks.sm = sm.mean();
    clocks.memory = memory.mean();
    return clocks;
}

}  // namespace roofwalk
