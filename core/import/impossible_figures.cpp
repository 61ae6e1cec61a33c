// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/impossible_figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/text.h"
#include "core/devices/device_ceilings.h"
#include "core/devices/match_device.h"
#include "core/roofline/analysis.h"
#include "core/roofline/unit_throughput.h"
#include "core/roofline/utilisation.h"

namespace roofwalk {

namespace {

constexpr double seconds_of_a_year = 366 * 86400.0;
/// What the timer counts in: a part of a nanosecond is no time of a launch.
constexpr double shortest_time = 0.99e-9;
/// Beyond this multiple of a ceiling no clock, cache or wrong unit of a person explains a figure.
constexpr double most_of_ceiling = 1e4;
/// For what has no ceiling: 10^4 times what the fastest GPU of the built-in table does.
constexpr double highest_rate = 1e4 * 2e16;
/// CUDA's, of every compute capability: CUDA C++ Programming Guide, "Technical Specifications".
constexpr std::uint64_t most_threads_of_block = 1024;
constexpr Dim3 most_blocks{2147483647, 65535, 65535};
constexpr double lowest_clock = 1e6;
constexpr double highest_clock = 1e11;
constexpr std::string_view replacement_character = "\xEF\xBF\xBD";

/// Of bytes read or written, as a multiple of the total. The three are counters of their own, and launches
/// that are replayed for several passes differ by a few per cent: up to this a part of nearly all bytes
/// stays. From here to plausible_excess the total stays, but the parts tell no shares of it.
constexpr double most_part = 1.05;

bool is_clock(const std::optional<Hertz>& clock) {
    return !clock || (clock->value() >= lowest_clock && clock->value() <= highest_clock);
}

bool is_grid(const Dim3& grid) {
    return grid.x <= most_blocks.x && grid.y <= most_blocks.y && grid.z <= most_blocks.z;
}

bool is_block(const Dim3& block) {
    const std::uint64_t threads = std::uint64_t{block.x} * block.y;
    return threads <= most_threads_of_block && threads * block.z <= most_threads_of_block;
}

/// The amount of a sample of work or of bytes.
double amount_of(const WorkSample& sample) {
    return sample.work.value();
}
double amount_of(const TrafficSample& sample) {
    return sample.total.value();
}
/// One of its amounts for which `beyond` holds, parts of the sample among them.
template <class Beyond>
std::optional<double> first_beyond(const WorkSample& sample, Beyond beyond) {
    return beyond(amount_of(sample)) ? std::optional(amount_of(sample)) : std::nullopt;
}
template <class Beyond>
std::optional<double> first_beyond(const TrafficSample& sample, Beyond beyond) {
    for (const std::optional<Bytes>& amount : {std::optional(sample.total), sample.read, sample.write})
        if (amount && (beyond(amount->value()) || amount->value() > plausible_excess * sample.total.value()))
            return amount->value();
    return std::nullopt;
}
Bytes larger_part(const TrafficSample& sample) {
    return std::max(sample.read.value_or(Bytes()), sample.write.value_or(Bytes()));
}
CeilingTarget target_of(const WorkSample& sample) {
    return sample.pipe;
}
CeilingTarget target_of(const TrafficSample& sample) {
    return sample.boundary;
}
CeilingTarget target_of(const ComputeCeiling& ceiling) {
    return ceiling.pipe;
}
CeilingTarget target_of(const BandwidthCeiling& ceiling) {
    return ceiling.boundary;
}

/// What one kind of refusal is about: the first of it in words, and all launches.
struct Refusal {
    std::string first;
    std::vector<LaunchIndex> launches;

    void add(LaunchIndex launch, std::string what) {
        if (launches.empty()) first = std::move(what);
        if (launches.empty() || launches.back() != launch) launches.push_back(launch);
    }
};

class Refuser {
  public:
    Refuser(Profile& profile, const std::string& name)
        : profile_(profile), name_(name), contradicted_(contradicted_launches(profile)) {
        for (const std::string_view metric : share_metrics())
            if (const TextId id = profile.texts.find(metric); id != TextId::none)
                shares_of_units_.push_back(id);
    }

    void run() {
        for (std::size_t i = 0; i < profile_.devices.size(); ++i)
            check_device(static_cast<DeviceIndex>(i), profile_.devices[i]);
        for (std::size_t i = 0; i < profile_.launches.size(); ++i)
            check_launch(static_cast<LaunchIndex>(i), profile_.launches[i]);
        for (const Refusal* lost : {&times_, &work_, &bytes_})
            for (const LaunchIndex launch : lost->launches)
                mark_partial(profile_.at(launch));
        tell_of_devices();
        tell(ceilings_, "A ceiling that cannot be was refused", "another source serves where there is one");
        tell(times_, "A time that cannot be was refused", "it counts as not measured");
        tell(work_, "Work that cannot be was refused", "the work of the kernel counts as not measured");
        tell(bytes_, "Bytes that cannot be were refused", "they count as not measured");
        tell(contradictions_, "Counters that contradict each other put a kernel above its ceilings",
             "these figures count as not known", ErrorCode::contradiction);
        tell(parts_, "More bytes were read or written than both together",
             "how many were read and written counts as not measured, and the total stays");
        tell(shapes_, "A grid or block that cannot be was refused", "it counts as not known");
        tell(shares_, "A share of a peak that cannot be was refused", "it counts as not measured");
    }

    void tell_damaged_names() {
        for (const Device& device : profile_.devices)
            if (is_damaged(device.name)) refuse_of_device("The name of a device is not text in UTF-8");
        tell_of_devices();
        find_damaged_names();
        for (std::size_t i = 0; i < profile_.launches.size(); ++i)
            if (const Launch& launch = profile_.launches[i]; has_damaged_name(launch))
                names_.add(static_cast<LaunchIndex>(i), clean(profile_.kernel_of(launch).name));
        tell(names_, "A name is not text in UTF-8",
             fmt::format("{} stands for what cannot be read", replacement_character));
    }

  private:
    struct Theory {
        std::optional<DeviceIndex> device;
        CeilingSet ceilings;
    };

    void check_device(DeviceIndex index, Device& device) {
        for (auto* clock : {&device.boost_clock, &device.memory_clock})
            if (!is_clock(*clock)) {
                refuse_of_device(fmt::format("A clock of {} cannot be", format(**clock)));
                clock->reset();
            }
        const CeilingSet& theory = theory_of(index);
        if (const auto refused = first_unsound(device.ceilings, theory, device)) {
            erase_unsound(device.ceilings, theory);
            refuse_of_device("A ceiling that cannot be was refused: " + *refused);
        }
    }

    void check_launch(LaunchIndex index, Launch& launch) {
        if (launch.failed) return;
        refuse_shape(index, launch);
        refuse_shares(index, launch);
        check_ceilings(index, launch);
        if (launch.duration && !is_possible_duration(*launch.duration)) refuse_time(index, launch);
        if (launch.duration) {
            const std::size_t beyond = count_beyond(launch, *launch.duration);
            if (2 * beyond > count_positive(launch)) return refuse_all(index, launch);
        }
        refuse_samples(index, launch, launch.duration.value_or(Seconds(seconds_of_a_year)));
        if (launch.duration && !contradicted_.empty() && contradicted_[static_cast<std::size_t>(index)])
            refuse_contradicted(index, launch, *launch.duration);
    }

    void check_ceilings(LaunchIndex index, Launch& launch) {
        if (!launch.ceilings) return;
        // Launches that ran with the same clocks share one set.
        if (launch.ceilings != checked_ || launch.device != checked_device_) {
            checked_ = sound_ = launch.ceilings;
            checked_device_ = launch.device;
            const CeilingSet& theory = theory_of(launch.device);
            refused_ = first_unsound(*launch.ceilings, theory, profile_.device_of(launch));
            if (refused_) {
                CeilingSet sound = *launch.ceilings;
                erase_unsound(sound, theory);
                sound_ = std::make_shared<const CeilingSet>(std::move(sound));
            }
        }
        if (!refused_) return;
        launch.ceilings = sound_;
        ceilings_.add(index, *refused_);
    }

    template <class Ceiling>
    static bool is_sound(const Ceiling& ceiling, const CeilingSet& theory) {
        const double rate = ceiling.rate.value();
        const auto expected = ceiling.provenance.source == CeilingSource::user
                                  ? std::nullopt  // people may type any machine
                                  : theory.find(target_of(ceiling));
        if (!expected) return rate >= 0 && rate <= highest_rate;
        return rate <= most_of_ceiling * expected->rate && rate * most_of_ceiling >= expected->rate;
    }

    /// In words.
    static std::optional<std::string> first_unsound(const CeilingSet& set, const CeilingSet& theory,
                                                    const Device& device) {
        const auto first_of = [&](const auto& ceilings) -> std::optional<std::string> {
            for (const auto& ceiling : ceilings)
                if (!is_sound(ceiling, theory))
                    return fmt::format("{} {:.3g}/s", label_of(target_of(ceiling), memory_of(device)),
                                       ceiling.rate.value());
            return std::nullopt;
        };
        const auto compute = first_of(set.compute);
        return compute ? compute : first_of(set.bandwidth);
    }

    static void erase_unsound(CeilingSet& set, const CeilingSet& theory) {
        const auto unsound = [&](const auto& ceiling) { return !is_sound(ceiling, theory); };
        std::erase_if(set.compute, unsound);
        std::erase_if(set.bandwidth, unsound);
    }

    /// What a device can do, without what the file says of its ceilings.
    const CeilingSet& theory_of(DeviceIndex index) {
        Theory& known = theory_[static_cast<std::size_t>(index) % theory_.size()];
        if (known.device != index) {
            Device bare = profile_.at(index);
            bare.ceilings = {};
            known = {index, resolve_ceilings(bare, nullptr, ClockBasis::boost, {})};
        }
        return known.ceilings;
    }

    /// What a figure is judged by: the ceiling of the launch, else of the device, else of theory.
    [[nodiscard]] double most_a_second(const Launch& launch, const CeilingTarget& target,
                                       double of_ceiling = most_of_ceiling) {
        for (const CeilingSet* set :
             {launch.ceilings.get(), &profile_.device_of(launch).ceilings, &theory_of(launch.device)})
            if (const auto ceiling = set != nullptr ? set->find(target) : std::nullopt;
                ceiling && ceiling->rate > 0)
                return of_ceiling * ceiling->rate;
        return highest_rate;
    }

    /// The amount of a sample that cannot be.
    template <class Sample>
    [[nodiscard]] std::optional<double> impossible_amount(const Launch& launch, const Sample& sample,
                                                          Seconds time) {
        const double most = most_a_second(launch, target_of(sample)) * time.value();
        return first_beyond(sample, [most](double amount) {
            const bool part_of_one = amount > 0 && amount < 1;
            return !(amount >= 0 && amount <= most) || part_of_one;
        });
    }

    [[nodiscard]] std::size_t count_beyond(const Launch& launch, Seconds time) {
        const auto beyond = [&](const auto& sample) {
            return impossible_amount(launch, sample, time).has_value();
        };
        return static_cast<std::size_t>(std::ranges::count_if(launch.work, beyond) +
                                        std::ranges::count_if(launch.traffic, beyond));
    }

    static std::size_t count_positive(const Launch& launch) {
        const auto positive = [](const auto& sample) { return amount_of(sample) != 0; };
        return static_cast<std::size_t>(std::ranges::count_if(launch.work, positive) +
                                        std::ranges::count_if(launch.traffic, positive));
    }

    void refuse_shape(LaunchIndex index, Launch& launch) {
        const Vendor vendor = profile_.device_of(launch).vendor;
        if (vendor != Vendor::nvidia && vendor != Vendor::unknown) return;
        const auto refuse = [&](std::string_view what, Dim3& shape) {
            shapes_.add(index, fmt::format("{} {} x {} x {}", what, shape.x, shape.y, shape.z));
            shape = {};
        };
        if (!is_grid(launch.grid)) refuse("grid", launch.grid);
        if (!is_block(launch.block)) refuse("block", launch.block);
    }

    /// Units that are busier than their peak allows, or less than not at all.
    void refuse_shares(LaunchIndex index, Launch& launch) {
        constexpr double most = 100 * plausible_excess;  // [%]
        std::erase_if(launch.metrics, [&](const MetricSample& sample) {
            const bool refused = std::ranges::find(shares_of_units_, sample.name) != shares_of_units_.end() &&
                                 !(sample.value >= 0 && sample.value <= most);
            if (refused)
                shares_.add(index,
                            fmt::format("{} {:.3g} %", profile_.texts.view(sample.name), sample.value));
            return refused;
        });
    }

    void refuse_time(LaunchIndex index, Launch& launch) {
        times_.add(index, fmt::format("{:.3g} s", launch.duration->value()));
        launch.duration.reset();
    }

    void refuse_all(LaunchIndex index, Launch& launch) {
        refuse_samples(index, launch, *launch.duration);
        refuse_time(index, launch);
        launch.work.clear();
        launch.traffic.clear();
    }

    void refuse_samples(LaunchIndex index, Launch& launch, Seconds time) {
        refuse_work(index, launch, time);
        std::erase_if(launch.traffic, [&](const TrafficSample& sample) {
            const auto amount = impossible_amount(launch, sample, time);
            if (amount) bytes_.add(index, fmt::format("{} {:.3g} B", id_of(sample.boundary), *amount));
            return amount.has_value();
        });
        for (TrafficSample& sample : launch.traffic)
            if (const auto part = larger_part(sample); part > most_part * sample.total) {
                parts_.add(index, fmt::format("{} {:.3g} B of {:.3g} B", id_of(sample.boundary), part.value(),
                                              sample.total.value()));
                sample.read.reset();
                sample.write.reset();
            }
    }

    /// The work of the other pipes is not the whole: a sum over them would pass for it, and their zeros for
    /// a kernel without any.
    void refuse_work(LaunchIndex index, Launch& launch, Seconds time) {
        for (const WorkSample& sample : launch.work)
            if (const auto amount = impossible_amount(launch, sample, time)) {
                work_.add(index, fmt::format("{} {:.3g}", label_of(sample.pipe), *amount));
                launch.work.clear();
                return;
            }
    }

    /// Of counters that contradict each other, what no ceiling allows: an amount and the time are then of
    /// different launches, and make no rate together.
    void refuse_contradicted(LaunchIndex index, Launch& launch, Seconds time) {
        std::vector<std::string> labels;
        const auto refused = [&](const auto& sample) {
            const double most =
                most_a_second(launch, target_of(sample), VerdictThresholds{}.above_roof) * time.value();
            if (amount_of(sample) <= most) return false;
            labels.push_back(label_of(target_of(sample), memory_of(profile_.device_of(launch))));
            return true;
        };
        if (std::ranges::any_of(launch.work, refused)) launch.work.clear();
        std::erase_if(launch.traffic, refused);
        if (!labels.empty()) contradictions_.add(index, joined_with_and(labels));
    }

    static bool is_damaged(const std::string& text) { return contains(text, replacement_character); }

    /// Looks at each name once, however many launches have it.
    void find_damaged_names() {
        for (const Kernel& kernel : profile_.kernels)
            damaged_kernels_.push_back(is_damaged(kernel.name) || is_damaged(kernel.function_name) ||
                                       is_damaged(kernel.mangled_name));
        for (const NvtxStack& stack : profile_.nvtx_stacks)
            damaged_stacks_.push_back(std::ranges::any_of(stack, is_damaged));
    }

    [[nodiscard]] bool has_damaged_name(const Launch& launch) const {
        return damaged_kernels_[static_cast<std::size_t>(launch.kernel)] ||
               damaged_stacks_[static_cast<std::size_t>(launch.nvtx)];
    }

    /// Shares of the time, and a gate, lack what was refused.
    void mark_partial(const Launch& launch) {
        if (const auto source = static_cast<std::size_t>(launch.source); source < profile_.sources.size())
            profile_.sources[source].partial = true;
    }

    void tell(Refusal& refusal, const std::string& what, const std::string& effect,
              ErrorCode code = ErrorCode::corrupt) {
        if (refusal.launches.empty()) return;
        const std::string many = refusal.launches.size() == 1 ? ""
                                                              : fmt::format(", of {} kernels, this one first",
                                                                            refusal.launches.size());
        profile_.warnings.push_back(
            {.message = {code, fmt::format("{}{}: {}; {}", what, many, refusal.first, effect),
                         place_of(refusal.launches.front()),
                         code == ErrorCode::corrupt ? "Copy the file again, or profile again."
                                                    : "Profile again."},
             .launches = std::move(refusal.launches),
             .refuses_figures = code == ErrorCode::contradiction,
             .file = name_});
    }

    [[nodiscard]] std::string place_of(LaunchIndex index) const {
        const Kernel& kernel = profile_.kernel_of(profile_.at(index));
        return fmt::format("kernel {}, {}", static_cast<std::size_t>(index),
                           clean(kernel.function_name.empty() ? kernel.name : kernel.function_name));
    }

    static std::string clean(std::string_view text) {
        constexpr std::size_t enough = 80;
        return text.size() <= enough ? std::string(text) : clean_utf8(text.substr(0, enough)) + "...";
    }

    void refuse_of_device(std::string what) {
        if (refused_of_devices_++ == 0) first_of_devices_ = std::move(what);
    }

    void tell_of_devices() {
        if (refused_of_devices_ == 0) return;
        if (refused_of_devices_ > 1)
            first_of_devices_ += fmt::format(", and {} further figures of devices", refused_of_devices_ - 1);
        profile_.warnings.push_back(
            {{ErrorCode::corrupt, std::move(first_of_devices_), "", "Copy the file again, or profile again."},
             {},
             false,
             false,
             name_});
    }

    Profile& profile_;
    const std::string& name_;
    std::vector<bool> contradicted_;  // by launch; empty: none
    std::array<Theory, 64> theory_;   // of the last devices: a file may name very many
    std::vector<bool> damaged_kernels_;
    std::vector<bool> damaged_stacks_;
    std::size_t refused_of_devices_ = 0;
    std::string first_of_devices_;
    DeviceIndex checked_device_{};
    std::shared_ptr<const CeilingSet> checked_;  // the last set that was looked at,
    std::shared_ptr<const CeilingSet> sound_;    // what of it can be,
    std::optional<std::string> refused_;         // and the first that cannot, in words
    Refusal ceilings_;
    Refusal times_;
    Refusal work_;
    Refusal bytes_;
    Refusal contradictions_;
    Refusal parts_;
    Refusal names_;
    Refusal shapes_;
    Refusal shares_;
    std::vector<TextId> shares_of_units_;  // of units whose share the profile holds
};

}  // namespace

bool is_possible_duration(Seconds duration) {
    return duration.value() >= shortest_time && duration.value() <= seconds_of_a_year;
}

void refuse_impossible_figures(Profile& profile, const std::string& name) {
    Refuser(profile, name).run();
}

void tell_damaged_names(Profile& profile, const std::string& name) {
    Refuser(profile, name).tell_damaged_names();
}

}  // namespace roofwalk
