// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/enum_array.h"
#include "core/chart/layout/log_axis.h"
#include "core/chart/scene/palette.h"
#include "core/devices/measured_roof.h"
#include "core/model/ceiling.h"
#include "core/model/memory_level.h"
#include "core/roofline/analysis.h"

/// The chart as values in data coordinates (FLOP/byte, FLOP/s): what is drawn, not where on a page. One Scene
/// serves the window, which pans and zooms over it, and the SVG writer.
namespace roofwalk {

/// Where a dot stands when its place is not on the chart.
enum class Rail : std::uint8_t {
    none,
    no_work,     ///< the band under the plot
    no_traffic,  ///< the band at its right
    edge,        ///< of a kernel whose work was not counted: where its KernelLine enters the view
};
template <>
inline constexpr std::size_t enum_size<Rail> = 4;
/// Whether it is a band outside the plot.
[[nodiscard]] constexpr bool is_band(Rail rail) {
    return rail == Rail::no_work || rail == Rail::no_traffic;
}

/// How the line of a path is drawn, so that it can be told in print too.
enum class PathLine : std::uint8_t {
    solid,   ///< for the better
    dashed,  ///< for the worse
    dotted,  ///< neither can be said
};

/// A place on the chart where a kernel was, is or may be.
struct PathPlace {
    double x = 1;                          ///< [FLOP/byte]
    double y = 1;                          ///< [FLOP/s]
    float radius = 4;                      ///< of its dot [px]
    bool ghost = false;                    ///< no dot stands here: an empty marker is drawn
    std::optional<std::uint8_t> colour{};  ///< of the marker, into Scene::dot_colours; faint without
    PathLine line = PathLine::solid;       ///< of the arrow to the next place
    Rail rail = Rail::none;                ///< as of a Dot, which x and y then are those of
    std::string name{};                    ///< beside a ghost: whose place it is
};

/// The way of one kernel over the chart at one level, an arrow from each place to the next.
struct ScenePath {
    std::uint32_t point = 0;  ///< index into Analysis::points
    MemoryLevel level = MemoryLevel::hbm;
    std::vector<PathPlace> places;  ///< at least two
    std::string label;              ///< beside it: "tile by 64: 2.42x faster"
    std::string title;              ///< for tooltips: all that is to be said
    bool selected = false;
    std::string brief = {};    ///< instead of the label, where that has no room: "2.42x faster"
    bool by_scenario = false;  ///< from where it was measured; else from an older report
};

enum class ColourBy : std::uint8_t { kernel_class, precision, kernel, report };
template <>
inline constexpr EnumIds<ColourBy, 4> enum_ids<ColourBy>{"class", "precision", "kernel", "report"};

/// What a person chose to see.
struct SceneOptions {
    Theme theme = Theme::light;
    ColourBy colour_by = ColourBy::kernel_class;
    /// Dots and bandwidth roofs.
    EnumArray<MemoryLevel, bool> levels = of_each_level(&MemoryLevelSpec::shown);
    bool operation_ranges = false;             ///< where classes of operations usually stand
    std::vector<Pipe> hidden_pipes;            ///< compute roofs switched off
    std::vector<Pipe> extra_pipes;             ///< compute roofs switched on although no kernel uses the pipe
    bool practical_roofs = false;              ///< beside those that were not measured
    bool theory_roofs = true;                  ///< beside those that were measured
    bool measured_roof = true;                 ///< the roof with its round knee, where one was measured
    bool zones = true;                         ///< not in print, where they would be ink without news
    std::optional<std::uint32_t> selected;     ///< index into Analysis::points
    std::vector<std::uint32_t> also_selected;  ///< ringed beside it; sorted
    /// Of Analysis::models: whose roofs are drawn while nothing is selected. Absent: the first model's.
    std::optional<DeviceIndex> roofs_of;
    std::uint32_t labelled = 8;  ///< how many kernels get a name, the most to recover first
    std::uint32_t gaps = 0;      ///< both gaps drawn for the first N of them, beside the selection
    /// Kernels are named by their rows in the report's table, from 1 among those shown; Scene::key says who
    /// they are.
    bool numbered = false;
    std::string title;
    std::map<std::string, std::string, std::less<>>
        names{};  ///< what kernels are called, by their whole names

    friend bool operator==(const SceneOptions&, const SceneOptions&) = default;
};

/// Whether a kernel is one of those selected.
[[nodiscard]] bool is_selected(const SceneOptions& options, std::uint32_t point);

/// Beyond so many dots roofs would be hidden: they are painted over the dots, and a selected dot over all.
/// The areas are relative to the kernel with most time then, and dots below `faint_radius` faint.
inline constexpr std::size_t crowd_of_dots = 500;
/// Of more dots marks would be noise where a pointer tells the class.
inline constexpr std::size_t marked_on_screen = 200;
inline constexpr float faint_radius = 3;       // [px]
inline constexpr double least_radius = 4;      // [px]
inline constexpr double least_in_crowd = 1.8;  // [px]

/// One kernel at one level.
struct Dot {
    double x = 1;      ///< intensity [FLOP/byte]; on the bottom rail the share of the rail's length, 0 to 1;
                       ///< at the edge KernelLine::ends_at
    double y = 1;      ///< performance [FLOP/s]; unused on the bottom rail; at the edge KernelLine::rate
    float radius = 4;  ///< [px]; the area grows with the share of time
    std::uint32_t point = 0;               ///< index into Analysis::points
    MemoryLevel level = MemoryLevel::hbm;  ///< gives the shape: circle, square, diamond, triangle
    std::uint8_t colour = 0;               ///< index into Scene::dot_colours
    Rail rail = Rail::none;
    bool other_device = false;  ///< ran on another device than the one whose roofs are drawn: hollow
    bool modelled = false;      ///< its work or HBM bytes are those that its operation needs: hollow, with a
                                ///< broken outline
    bool binds = false;         ///< at the level that binds the kernel: painted over its others

    /// Not a place that was measured under the roofs drawn.
    [[nodiscard]] bool is_hollow() const { return other_device || modelled || rail == Rail::edge; }
};

/// What the line of a roof stands for.
enum class RoofLine : std::uint8_t {
    usual,         ///< the roof that kernels are under; solid
    practical,     ///< what good kernels reach of a roof that was not measured; dashed
    theory,        ///< what theory says where the roof was measured; dotted
    other_device,  ///< of a device drawn for comparison, or that limits its kernels alone; dash-dotted
};

/// One roof. A bandwidth roof is P = rate * I; it ends at the highest compute roof shown. A compute roof is P
/// = rate; it starts at the ridge with the fastest bandwidth roof shown. Both reach the edge of any view.
/// Practical roofs end and start among practical roofs, those of theory among what theory says.
struct Roof {
    std::string id;     ///< "roof-hbm", "roof-fp32"
    std::string name;   ///< "HBM"
    std::string value;  ///< "1.94 TB/s"
    std::string note;   ///< provenance, for tooltips and <title>
    CeilingTarget target;
    RoofLine line = RoofLine::usual;
    bool highlighted = false;    ///< binds the selected kernel
    bool measured = false;       ///< by our benchmarks
    std::string of_theory;       ///< "95.5 % of theory", where that roof is drawn beside this one
    std::optional<Hertz> clock;  ///< that it holds at, where one entered the figure
    double rate = 1;             ///< [byte/s] or [FLOP/s]
    double ends_at = 0;  ///< intensity [FLOP/byte] where a bandwidth roof ends (infinite without a compute
                         ///< roof), or a compute roof starts (0 without a bandwidth roof)

    /// Drawn beside the roofs that kernels are under.
    [[nodiscard]] bool is_beside() const { return line != RoofLine::usual; }
};

/// The roof that parts the chart into a memory side and a compute side.
struct Zones {
    double bandwidth = 1;  ///< [byte/s]
    double peak = 1;       ///< [FLOP/s]
};

/// Where a bandwidth roof meets the compute roof that matters for it: a tick on the x axis.
struct RidgeMark {
    double x = 1;                               ///< [FLOP/byte]
    std::string name;                           ///< of the bandwidth roof: "HBM"
    std::string number;                         ///< "153"
    std::string note;                           ///< "ridge of HBM and FP16 Tensor"
    std::string pipe;                           ///< "FP16 Tensor": the compute ceiling that it refers to
    bool binding = false;                       ///< of the roof that binds the selected kernel
    std::string whose = {};                     ///< after the number: " of H100 PCIe, boost clock"
    std::optional<CeilingTarget> compute = {};  ///< what `pipe` names; absent: the mix of pipes of a kernel
};

/// The piece of roof that is drawn at the end of a gap where no drawn roof is as high: of another clock than
/// that of the drawn ones, of a mix of pipes, or of a level that is not shown.
enum class BindingRoofPiece : std::uint8_t { none, flat, slope };

/// The vertical gap of one kernel, drawn from its dot straight up to the roof at the same intensity.
struct GapMark {
    std::uint32_t point = 0;
    double x = 1;       ///< [FLOP/byte]
    double from = 1;    ///< performance [FLOP/s]
    double to = 1;      ///< roof at x [FLOP/s]
    std::string label;  ///< "3.40x below HBM (29.4 %)", "2.22x below SM (45.0 % busy)"
    std::string brief;  ///< "3.40x below HBM": without its share
    std::string whose;  ///< the kernel's name, shortened; empty when it is selected
    bool selected = false;
    BindingRoofPiece binding_roof_piece = BindingRoofPiece::none;
    std::string decades = {};  ///< "0.53 decades": its length on the axis, where it has one
    std::string side = {};     ///< "memory side", of the ridge, where that is known
};

/// The horizontal gap of one kernel, drawn at its dot's height from its HBM intensity to the tick of its
/// algorithm.
struct TargetMark {
    std::uint32_t point = 0;
    double y = 1;          ///< performance [FLOP/s]
    double from = 1;       ///< intensity at HBM [FLOP/byte]
    double to = 1;         ///< algorithmic intensity [FLOP/byte]; left of `from` where the kernel is past it
    double useful_to = 1;  ///< between both [FLOP/byte]: beyond it more intensity is no lever
    std::string label;     ///< "33.0x left of its algorithm, 1.61x useful until FP32 binds; both gaps: 4.00x
                           ///< faster"
    std::string whose;     ///< the kernel's name, shortened; empty when it is selected
    std::string tick_label;  ///< the operation and who says so: "gemm (rule)"
    std::string note;        ///< the whole operation, for tooltips and <title>
    bool selected = false;
};

/// Where a kernel without counted work stands: Q bytes of a level in time t put it somewhere on P = (Q / t)
/// I, parallel to the roof of that level and below it by the vertical gap.
struct KernelLine {
    std::uint32_t point = 0;
    MemoryLevel level = MemoryLevel::hbm;
    double rate = 1;     ///< Q / t [byte/s]
    double ends_at = 1;  ///< intensity [FLOP/byte] where it meets the most that the SM can have computed: the
                         ///< share of its peak that the profiler found, of the highest compute roof drawn
    std::uint8_t colour = 0;    ///< index into Scene::dot_colours
    bool other_device = false;  ///< as of a Dot: the share of its SM is none of the roofs drawn
    float radius = 4;           ///< of its mark at the edge [px]
    bool whole = true;          ///< drawn to its end; else a short piece beyond its mark
};

/// Its mark at the edge.
[[nodiscard]] Dot dot_of(const KernelLine& line);  // scene_dots.cpp

/// A ceiling of one kernel: a short horizontal piece above the dot of one with mixed pipes, or at the end of
/// a KernelLine.
struct KernelCeiling {
    std::uint32_t point = 0;
    double x = 1;       ///< [FLOP/byte]
    double y = 1;       ///< [FLOP/s]
    std::string label;  ///< "compute ceiling of sgemm 18.1 TFLOP/s"; empty where another line of it tells
    std::string brief;  ///< instead of the label, where that has no room: "sgemm"
};

/// Where a class of operations usually stands, by its algorithm, whatever the GPU and whatever was measured.
struct OperationRange {
    std::string name;  ///< "GEMM"
    Range x;           ///< [FLOP/byte]
    std::string note;  ///< the operations at its ends, for <title>
};

/// A thin line through the dots of one kernel: its levels share one performance.
struct LevelJoin {
    std::uint32_t point = 0;
    double y = 1;     ///< [FLOP/s]
    double from = 1;  ///< lowest intensity [FLOP/byte]
    double to = 1;    ///< highest intensity [FLOP/byte]
    bool selected = false;
};

/// Whiskers on the HBM dot of a kernel whose launches differ, from the lowest to the highest of them. A line
/// has none: they would be at no dot.
struct LaunchRange {
    std::uint32_t point = 0;
    double x = 1;                      ///< of the dot [FLOP/byte]
    double y = 1;                      ///< [FLOP/s]
    std::optional<Range> intensity;    ///< [FLOP/byte] along the horizontal one
    std::optional<Range> performance;  ///< [FLOP/s] along the vertical one
    bool selected = false;
};

/// Name of a kernel beside its dot.
struct DotName {
    std::uint32_t dot = 0;  ///< index into Scene::dots
    std::string text;       ///< shortened
};

/// What a number on the chart stands for.
struct KeyRow {
    std::size_t number = 1;
    std::uint32_t point = 0;  ///< index into Analysis::points
    std::string name;         ///< shortened
    std::string intensity;    ///< of the farthest level shown; "–" where there is none
    std::string share;        ///< of the time
};

/// A roof that was measured over all intensities: P = roof.at(I).
struct RoofCurve {
    MeasuredRoof roof;
    std::string note;  ///< what was measured, for tooltips and <title>
};

/// A line of the legend.
struct LegendRow {
    std::optional<MemoryLevel> shape;  ///< a shape sample
    std::optional<Colour> colour;      ///< a colour sample
    std::string text;
    bool others = false;                          ///< of all without a colour of their own
    bool curve = false;                           ///< a sample of the measured roof
    std::optional<RoofLine> line = std::nullopt;  ///< a sample of a straight one
    bool shading = false;                         ///< a sample of how full cells are shaded
    bool kernel_line = false;                     ///< a sample of a KernelLine, in `colour`
    bool bar = false;                             ///< at its end
    bool whiskers = false;                        ///< of LaunchRanges: a page without bars leaves it out
    bool outlines = false;                        ///< of has_nested_dots(): likewise
    std::span<const MarkStroke> mark = {};        ///< in the colour sample
    std::vector<std::string> classes = {};        ///< class_label() of what has the colour of a class
    std::optional<std::uint8_t> look = {};        ///< of Scene::dot_colours, that `colour` is

    [[nodiscard]] bool has_sample() const {
        return shape || colour || curve || line || shading || kernel_line;
    }
};

struct Scene {
    SceneOptions options;
    GroupBy rows = GroupBy::kernel;  ///< what a point stands for
    std::string unit;                ///< of work: "FLOP"
    std::string x_label;             ///< "Arithmetic intensity [FLOP/byte]"
    std::string y_label;             ///< "Performance [FLOP/s]"
    std::string no_work_label;       ///< of the bottom rail: "no FLOP"
    std::string empty_note;          ///< why no dot stands above the bands; empty when one does
    std::string caption;             ///< device, clock, what was typed, what is not drawn, boundaries: the
                                     ///< weightiest first
    std::size_t caption_device = 0;  ///< how long the caption is to the end of the device; 0: it names none
    std::vector<Rail> rails;         ///< those with dots
    double rail_step = 1;            ///< from dot to dot on the bottom rail, as a share of its length
    Range x;  ///< [FLOP/byte]; holds dots and targets of every kernel, shown or not, and the ridges
    Range y;  ///< [FLOP/s]
    std::vector<Roof> roofs;
    std::optional<RoofCurve> measured_roof;  ///< absent until add_measured_roof()
    std::vector<RidgeMark> ridges;
    std::vector<bool> shown;  ///< by point: those that a filter leaves; empty without a filter
    std::vector<Dot> dots;    ///< by share of time, smallest first: large dots are painted last
    std::vector<Colour> dot_colours;
    std::vector<LevelJoin> joins;  ///< of the selected kernel, and of all kernels while they are few
    std::vector<LaunchRange> launch_ranges;  ///< as many as joins
    std::vector<DotName> names;  ///< foremost first; more than are shown, for kernels at one place share one
    std::vector<KeyRow> key;     ///< by number; empty unless kernels are numbered
    std::vector<GapMark> gaps;
    std::vector<TargetMark> targets;
    std::vector<KernelLine> lines;  ///< whole those of the selected kernels and of those with most time; of
                                    ///< the others none in a crowd of dots
    std::vector<KernelCeiling> kernel_ceilings;
    std::vector<ScenePath> paths;  ///< of kernels that are shown; empty until add_ghosts(), add_comparison()
    std::optional<Zones> zones;
    std::vector<LegendRow> legend;
    std::string scenario;  ///< the sentence of the scenario whose figures these are; empty as measured
    std::string summary;   ///< one sentence for screen readers
    std::vector<OperationRange> operation_ranges;  ///< on an axis of FLOP, where the options ask for them

    [[nodiscard]] bool shows(std::uint32_t point) const { return shown.empty() || shown[point]; }
    /// What tells the class or the report of a colour of dots without it; empty where dots are too many, or
    /// their colour is that of something else.
    [[nodiscard]] std::span<const MarkStroke> mark_of(std::uint8_t colour) const {
        if (dots.size() > (options.theme == Theme::print ? crowd_of_dots : marked_on_screen)) return {};
        if (options.colour_by == ColourBy::report) return mark_of_report(colour);
        if (options.colour_by != ColourBy::kernel_class) return {};
        const bool by_unit = colour == enumerators<KernelClass>.size();
        return roofwalk::mark_of(by_unit ? KernelClass::low_use : enumerators<KernelClass>[colour], by_unit);
    }
};

// scene_builder.cpp
/// The ceilings whose roofs are drawn: the selected kernel's, else those of the device that the options name,
/// else those of the device with most time among those with a dot.
[[nodiscard]] const CeilingSet& ceilings_in_use(const Analysis& analysis, const SceneOptions& options);

/// The device whose roofs are drawn, as an entry of models_of(); absent without points.
[[nodiscard]] std::optional<DeviceIndex> device_in_use(const Profile& profile, const Analysis& analysis,
                                                       const SceneOptions& options);

/// The device whose measured ceilings belong to the roofs that are drawn: the selected kernel's own board,
/// which may be one of several of its model, else device_in_use().
[[nodiscard]] std::optional<DeviceIndex> board_in_use(const Profile& profile, const Analysis& analysis,
                                                      const SceneOptions& options);

/// `shown` tells by point what a filter leaves; empty: everything. Nothing is drawn, counted or named of a
/// kernel that is hidden, but axes and roofs stay those of all.
[[nodiscard]] Scene build_scene(const Profile& profile, const Analysis& analysis, const SceneOptions& options,
                                std::vector<bool> shown = {});

// scene_ghosts.cpp
/// Adds paths to a scene that was built of `moved`, the analysis that a scenario makes of `measured`: to
/// every dot that stands elsewhere now, from an empty marker where it was measured. `note`, a sentence, says
/// what was done: a page has it before the caption, a window in its panel. `moves_of` says by point what
/// moved it, in full and in brief, beside the arrows of the longest kernels and of the selected one.
void add_ghosts(Scene& scene, const Analysis& measured, const Analysis& moved, std::string_view note,
                const std::function<std::pair<std::string, std::string>(std::uint32_t point)>& moves_of = {});

// scene_dots.cpp
/// One line for dots of one kernel: `name`, its class, what limits it, and of each dot place and bandwidth:
/// "copy: near the roof (by throughput), 99.6 % of L1TEX; FLOP not counted, HBM 1.30 GB/s, 0.0322 %".
[[nodiscard]] std::string dots_title(const Analysis& analysis, std::span<const Dot> dots,
                                     const std::string& name);
struct DotTitle {
    std::string name;
    std::string figures;                  ///< maybe none
    std::vector<std::string> lines = {};  ///< the same for a tooltip: time, bytes of each level, place, class

    [[nodiscard]] std::string text() const { return figures.empty() ? name : name + ": " + figures; }
    /// The name and its lines below each other; text() without any.
    [[nodiscard]] std::string tooltip() const;
};
/// The same for a tooltip; a line has the bytes of all levels. Of `profile`, that of an `analysis` as
/// measured, the bytes read and written too. Made on demand: a chart may hold millions of dots.
[[nodiscard]] DotTitle dots_title(const Analysis& analysis, std::span<const Dot> dots,
                                  const Profile* profile = nullptr);
/// The text of that of one dot.
[[nodiscard]] std::string dot_title(const Analysis& analysis, const Dot& dot,
                                    const Profile* profile = nullptr);

}  // namespace roofwalk
