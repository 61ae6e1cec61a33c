// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/enum_array.h"
#include "core/base/progress.h"
#include "core/devices/device_ceilings.h"
#include "core/model/kernel_group.h"
#include "core/model/profile.h"
#include "core/roofline/gap.h"
#include "core/roofline/launch_floor.h"
#include "core/roofline/practical_roof.h"
#include "core/roofline/timeline/idle_time.h"
#include "core/roofline/unit_throughput.h"
#include "core/roofline/verdict.h"

namespace roofwalk {

/// Which work counts as W.
enum class OperationClass : std::uint8_t {
    floating,  ///< FLOP of the floating-point pipes
    integer,   ///< operations of the integer pipes
    all,       ///< both, in operations
    automatic  ///< integer where the reports hold no other work, else floating; none of an Analysis
};
template <>
inline constexpr EnumIds<OperationClass, 4> enum_ids<OperationClass>{"floating", "integer", "all", "auto"};

struct AnalysisOptions {
    GroupBy group_by = GroupBy::kernel;
    ClockBasis clock = ClockBasis::measured;
    OperationClass operations = OperationClass::floating;
    /// Which bytes each level counts.
    EnumArray<MemoryLevel, Boundary> boundaries = of_each_level(&MemoryLevelSpec::default_boundary);
    /// Levels that are drawn and have columns. A level limits a kernel whether it is
    /// shown or not. L1 is the optional fourth: where it binds a kernel it is shown all the same.
    EnumArray<MemoryLevel, bool> levels = of_each_level(&MemoryLevelSpec::shown);
    bool l1_where_it_binds = true;  ///< false: a person hid it
    VerdictThresholds thresholds;
    PracticalFactors practical;
    PracticalLimits practical_limits;
    std::optional<Seconds> launch_floor;  ///< typed: see launch_floors()
    /// What the view calls memory: HBM unless a device beside those of the profile lacks it; of an Analysis
    /// unless one of the profile does.
    MemoryName memory = MemoryName::hbm;
    /// Ceilings typed by the user, by the model_name() of the device that they are of; they win.
    std::map<std::string, CeilingSet> overrides;
    /// Ceilings that our benchmarks found on the devices, by measured_key(); they go before all others but
    /// the typed ones.
    std::map<std::string, CeilingSet> measured;
    /// Which launch carries out which operation, for the horizontal gap; null: nobody asked.
    std::shared_ptr<const LaunchOperations> launch_operations;

    friend bool operator==(const AnalysisOptions&, const AnalysisOptions&) = default;
};

/// What the user typed for a device, by its name and number of SMs or else by its name alone; empty where
/// nothing.
[[nodiscard]] const CeilingSet& overrides_of(const AnalysisOptions& options, const Device& device);

/// The UUID of a device, or its model_name() where it names none.
[[nodiscard]] std::string measured_key(const Profile& profile, const Device& device);
/// What was measured on a device of the profile; empty where nothing.
[[nodiscard]] const CeilingSet& measured_of(const AnalysisOptions& options, const Device& device);

/// Shows or hides a level; L1 that is hidden is not shown where it binds either.
[[nodiscard]] AnalysisOptions with_level(AnalysisOptions options, MemoryLevel level, bool shown);

/// Nsight Compute's own picture: l2/sm-return and l1/writeback, levels HBM, L2, L1.
[[nodiscard]] AnalysisOptions nsight_view(AnalysisOptions options = {});
/// NERSC's recipe: l2/all and l1/tag, levels HBM, L2, L1.
[[nodiscard]] AnalysisOptions nersc_view(AnalysisOptions options = {});

/// "HBM", "L2", "FP32", "FP16 Tensor".
[[nodiscard]] std::string label_of(const CeilingTarget& target, MemoryName memory);

/// What one level says of a kernel.
struct LevelPoint {
    Boundary boundary = Boundary::hbm_dram_rw;
    Origin origin = Origin::measured;
    Bytes bytes;                         ///< may be a measured 0
    std::optional<Intensity> intensity;  ///< absent when bytes are 0 or the work is unknown
    std::optional<ByteRate> ceiling;     ///< absent when no ceiling of this very boundary is known
    std::optional<Seconds> bound;        ///< T_l = Q_l / beta_l
};

/// What one pipe says of a kernel.
struct PipeLoad {
    Pipe pipe;
    Origin origin = Origin::measured;
    Flops work;
    std::optional<FlopRate> ceiling;
    std::optional<Seconds> bound;  ///< T_p = W_p / pi_p
    bool in_work = true;           ///< a part of W, by the chosen operation class
};

/// Over the launches of a group.
struct Spread {
    double min = 0;
    double median = 0;
    double max = 0;
};

/// The highest over the lowest launch beyond which launches are not alike.
inline constexpr double launch_spread_limit = 2;

/// Where a kernel stands on the chart.
enum class Placement : std::uint8_t {
    chart,
    rail_no_work,     ///< wholly measured, but W = 0: rail at the bottom edge
    rail_no_traffic,  ///< W > 0, but no level has bytes: rail at the right edge
    line,             ///< time and bytes are known and W is not: somewhere on P = (Q / t) I
    not_drawn,        ///< time or every level is unknown, or no level has bytes: table only
};

/// What the report of a kernel is called.
struct ReportName {
    std::string whole;  ///< source_names()
    std::string brief;  ///< the same in 24 characters at most, and not as that of another report
};

/// Those launches of a group that have what others of it lack: they judge it.
struct KnownLaunches {
    std::uint32_t count = 0;
    Seconds time;
    bool alone_timed = false;  ///< not all others have a time
    bool alone_work = false;   ///< nor work
    bool alone_throughput = false;
    EnumArray<MemoryLevel, bool> alone_bytes{};
};

/// What launches take above their speed of light.
struct Recoverable {
    Seconds time;
    Seconds of;                                ///< what these launches take
    std::optional<Seconds> with_needed_bytes;  ///< once HBM moves no more bytes than their operations need
    std::optional<Seconds> with_operation;     ///< above AlgorithmicTarget::least_time
    std::uint32_t launches = 1;                ///< that it is known of
    /// What leaves most of `time`; absent where a launch takes more at least.
    std::optional<LimitTarget> limit;
    bool mixed = false;     ///< other limits than this leave some of `time`
    Seconds of_others{};    ///< of `time`: of launches beside those that judge the group
    bool at_most = false;   ///< of a launch the share of its limit is known at least only
    bool at_least = false;  ///< of a launch it is known at most only
    /// Above the next limit once that of the kernel is relieved: of each launch that this one limits, of
    /// others `time`; absent where nothing tells what is next.
    std::optional<Seconds> once_relieved = {};
    std::optional<LimitTarget> next = {};  ///< which that is, for most of the time of these launches
    bool others_next = false;              ///< for some of it others are

    [[nodiscard]] bool held_by_launches() const { return !limit && !mixed; }
};

/// One row of the table and its dots: a launch or a group of launches.
struct KernelPoint {
    std::uint32_t group = 0;                   ///< index into Analysis::grouping.groups
    std::string name;                          ///< whole demangled name, or NVTX path
    std::shared_ptr<const ReportName> source;  ///< of its report, which its points share
    MemoryName memory = MemoryName::dram;      ///< AnalysisOptions::memory
    std::uint32_t launches = 0;
    std::uint32_t failed = 0;     ///< launches that could not be measured; left out of every sum
    std::optional<Seconds> time;  ///< of all measured launches
    TimeOrigin time_origin = TimeOrigin::measured;  ///< the weakest of its launches
    bool time_doubted = false;                      ///< derived from cycles, and may be far too long
    /// Where work, bytes or throughput of some launches only are known, every other figure is of these: work,
    /// bytes, rates, bounds, gap, class, and throughput where one of them has any. Absent: of all.
    std::optional<KnownLaunches> known;
    double time_share = 0;       ///< of the time of all launches
    bool share_doubted = false;  ///< some of that is time_doubted
    std::optional<Flops> work;   ///< W of the chosen operation class
    std::optional<FlopRate> performance;
    /// Work that was not counted. W, P and every intensity are lower bounds then, and what needs the whole
    /// work is absent: compute ceiling, binding ceiling, speed-of-light time and gap.
    UncountedWork uncounted;
    UncountedWork unchecked;      ///< FLOP that nothing counted or looked for, if there is any
    std::vector<PipeLoad> pipes;  ///< pipes with measured work, every operation class
    bool mostly_integer = false;  ///< W counts FLOP only, and most of the operations are integer ones
    bool precision_assumed =
        false;  ///< its work counts as FP32, since neither it nor an operation has a type
    /// Its time was measured, and no work or bytes counted: they are those that its operations need.
    bool modelled = false;
    /// Its work, or its bytes of HBM, are what its operations need; something else of it was counted.
    bool modelled_work = false;
    bool modelled_bytes = false;
    bool others_have_work = false;   ///< not its own: these bring others of its kernel nearer to a limit
    bool others_have_bytes = false;  ///< likewise
    bool others_have_throughput = false;
    bool contradicted = false;        ///< the reader found counters of its launches that cannot all be true
    bool lacks_contradicted = false;  ///< and took work or bytes of theirs out, which no ceiling allows
    EnumArray<MemoryLevel, std::optional<LevelPoint>> levels;  ///< absent: not measured
    std::shared_ptr<const CeilingSet> ceilings;                ///< the ones used, one for each target
    std::optional<FlopRate> compute_ceiling;  ///< pi_k = W / max_p T_p, of a kernel with mixed pipes too
    std::optional<CeilingTarget> binding;     ///< argmax of the bounds; absent while one is unknown
    std::optional<Seconds> speed_of_light;    ///< T, the largest bound
    std::optional<VerticalGap> gap;
    std::optional<AlgorithmicTarget> target;     ///< horizontal gap; absent without an operation
    LaunchFloor launch_floor;                    ///< of each of its launches
    std::optional<Seconds> idle_before;          ///< without any kernel, right before its launches
    UnitThroughput throughput;                   ///< how busy the profiler itself found the units
    std::uint32_t throughput_launches = 0;       ///< that have some of it: known ones, else any
    std::optional<double> sm_beside_loads;       ///< StoredThroughput::sm_beside_loads()
    SampledUnits sampled;                        ///< of them, by PM sampling
    bool l1tex_scaled = false;                   ///< that of L1TEX, from active to elapsed cycles
    bool l1tex_while_active = false;             ///< it is that of active cycles: of all of them at most
    std::optional<Bytes> hbm_at_least;           ///< reads or writes, where only one of them was counted
    bool hbm_read_alone = false;                 ///< of each launch that is what it read
    bool hbm_written_alone = false;              ///< what it wrote
    std::optional<double> practical_efficiency;  ///< P over the practical roof
    std::optional<Spread> performance_spread;    ///< [FLOP/s] over launches; absent for one launch
    std::optional<Spread> intensity_spread;      ///< [FLOP/byte] at HBM over launches; absent for one launch
    std::optional<Spread> bandwidth_spread;      ///< [byte/s] at HBM over launches; absent for one launch
    /// Its launches differ in grid, or by more than launch_spread_limit in performance, intensity or, where
    /// work is not known, bandwidth: its figures are a mean of unlike ones.
    bool launches_differ = false;
    Placement placement = Placement::not_drawn;
    Verdict verdict;
    /// Of launches that are each of a side of their own: the shares of its time. Absent: all is of its own.
    std::optional<EnumArray<Side, double, 3>> share_by_side;
    /// The sum over its launches, each under its own limits, so that groups add up to what their launches do:
    /// the gap, which is of their sums, may tell another.
    std::optional<Recoverable> recoverable;

    /// The launches that its figures are of, and their time.
    [[nodiscard]] std::uint32_t known_launches() const { return known ? known->count : launches - failed; }
    [[nodiscard]] std::optional<Seconds> known_time() const { return known ? known->time : time; }
    [[nodiscard]] const std::optional<LevelPoint>& at(MemoryLevel level) const { return levels[level]; }
    [[nodiscard]] bool of_operation() const { return modelled || modelled_work || modelled_bytes; }
    /// W, and a level, that are the kernel's own: null of one that was only timed.
    [[nodiscard]] const Flops* measured_work() const {
        return work && !modelled && !modelled_work ? &*work : nullptr;
    }
    [[nodiscard]] const LevelPoint* measured_level(MemoryLevel level) const {
        const bool of_operation = modelled || (modelled_bytes && level == MemoryLevel::hbm);
        return at(level) && !of_operation ? &*at(level) : nullptr;
    }
    /// What its known launches take at least, whatever they do; at most their time. Absent without a time.
    [[nodiscard]] std::optional<Seconds> least_launch_time() const;
    /// Bytes over known_time(); absent without one.
    [[nodiscard]] std::optional<ByteRate> rate_of(Bytes bytes) const;
    /// Q / t at a level: absent where one of the two is not known.
    [[nodiscard]] std::optional<ByteRate> bandwidth(MemoryLevel level) const;
    /// The same over the ceiling of the level.
    [[nodiscard]] std::optional<double> bandwidth_share(MemoryLevel level) const;
};

/// The ceilings that a chart draws for one model of device.
struct ModelCeilings {
    DeviceIndex device{};  ///< the first device of this model; those after it share its roofs
    CeilingSet ceilings;   ///< per target, the time-weighted mean over the points' ceilings
};

/// Everything the chart, the table and the exports show.
struct Analysis {
    /// As asked for; a level that binds a kernel is switched on in addition, so that what binds is seen. Only
    /// L1 can be one that was off, since it counts in any case.
    AnalysisOptions options;
    /// Of a group of which only some launches are known, these come first.
    Grouping grouping;
    /// One for each group, in the order of grouping.groups; fewer when a caller filters them or the analysis
    /// was cancelled. KernelPoint::group tells which is whose, time_share stays a share of total_time.
    std::vector<KernelPoint> points;
    Seconds total_time;                ///< of all measured launches
    bool several_reports = false;      ///< its launches are of more than one
    std::vector<IdleTime> idle;        ///< of the devices of which it is known, with a filter too
    std::vector<Seconds> idle_before;  ///< by launch, see Timeline
    /// Every model of device with points: those with a dot on the chart first, of these that with most time.
    std::vector<ModelCeilings> models;
    /// Ceilings of the chart when nothing is selected: of the first model.
    CeilingSet ceilings;

    [[nodiscard]] bool has_doubted_times() const;
    /// The launches that the figures of a point are of, and those that failed; in the order of the file.
    [[nodiscard]] std::span<const LaunchIndex> known_launches(const KernelPoint& point) const;
};

/// A profile and what the analysis says of it. Both outlive this view.
struct AnalysedProfile {
    const Profile* profile = nullptr;
    const Analysis* analysis = nullptr;

    [[nodiscard]] const KernelPoint& point(std::uint32_t index) const { return analysis->points[index]; }
    [[nodiscard]] std::span<const LaunchIndex> launches_of(const KernelPoint& kernel) const {
        return analysis->grouping.launches_of(analysis->grouping.groups[kernel.group]);
    }
    [[nodiscard]] const Launch& first_launch_of(const KernelPoint& kernel) const {
        return profile->at(launches_of(kernel).front());
    }
    /// The device of its first launch; groups do not span devices.
    [[nodiscard]] const Device& device_of(const KernelPoint& kernel) const {
        return profile->device_of(first_launch_of(kernel));
    }
};

/// The device that stands for each device of the profile: the first of the same name, number of SMs and size
/// of memory, which tells apart slices and boards that share a name. Nameless devices with ceilings of their
/// own stand for themselves.
[[nodiscard]] std::vector<DeviceIndex> models_of(const Profile& profile);
/// The device that a point ran on, as an entry of `models`.
[[nodiscard]] DeviceIndex model_of(const Profile& profile, const std::vector<DeviceIndex>& models,
                                   const Analysis& analysis, const KernelPoint& point);

/// The device that a kernel ran on; of a group over several devices, that of its first launch.
[[nodiscard]] const Device& device_of(const Profile& profile, const KernelPoint& point,
                                      const Analysis& analysis);

/// The first launch of a kernel that could be measured, else the first.
[[nodiscard]] const Launch& leading_launch(const Profile& profile, const KernelPoint& point,
                                           const Analysis& analysis);

/// Whether a kernel comes from a model: its work and its bytes both do, and no profiler looked at it. There
/// is no run to profile again.
[[nodiscard]] bool comes_from_model(const KernelPoint& point);

/// "NVIDIA A100", or "NVIDIA A100, 42 SMs" where another model of the profile has the same name.
[[nodiscard]] std::string model_name(const Profile& profile, const Device& device);

/// By launch, whether the reader found counters that cannot all be true; empty where it found none.
/// `refused`: and took figures out for it.
[[nodiscard]] std::vector<bool> contradicted_launches(const Profile& profile, bool refused = false);

/// Computes gaps, bounds and classes. When cancelled, returns what is done.
[[nodiscard]] Analysis analyse(const Profile& profile, const AnalysisOptions& options,
                               const Progress& progress = {});

/// W, P or an intensity of a kernel, as a person reads it: "≥ 1.2 TFLOP/s" where a part of its work was not
/// counted, else as it is.
[[nodiscard]] std::string at_least(const KernelPoint& point, const std::string& number);

/// "work and bytes of 3 of 12 launches"; empty where the figures are of all of them.
[[nodiscard]] std::string known_launches_words(const KernelPoint& point);

/// What the report of a kernel is called; empty where the profile names none.
[[nodiscard]] std::string_view name_of_report(const KernelPoint& point);

/// Unit words of the chosen operation class: "FLOP" or "OP".
[[nodiscard]] std::string_view work_unit(OperationClass operations);

}  // namespace roofwalk
