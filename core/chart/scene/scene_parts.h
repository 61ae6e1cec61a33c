// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>

#include "core/base/enum_array.h"
#include "core/chart/scene/scene.h"

/// The steps of build_scene(), by their files. Each fills its part of the scene from what stands already.
namespace roofwalk {

// scene_builder.cpp
/// The selected kernel, or null.
[[nodiscard]] const KernelPoint* selected_point(const Analysis& analysis, const SceneOptions& options);
/// The bytes of a level that the options show, or null.
[[nodiscard]] const LevelPoint* shown_level(const KernelPoint& point, MemoryLevel level,
                                            const SceneOptions& options);
/// Where the dot of a level stands [FLOP/byte]; absent where the level is not shown, or has no place on a
/// logarithmic axis.
[[nodiscard]] std::optional<double> shown_intensity(const KernelPoint& point, MemoryLevel level,
                                                    const SceneOptions& options);
/// Q / t of a level that is shown and has bytes, of a kernel with a time [byte/s].
[[nodiscard]] std::optional<double> achieved_rate(const KernelPoint& point, MemoryLevel level,
                                                  const SceneOptions& options);
/// Of a kernel without counted work: the level whose line tells its gap, which is the one nearest to its
/// limit by its bytes of those that are shown. Absent where none has bytes.
[[nodiscard]] std::optional<MemoryLevel> level_of_line(const KernelPoint& point, const SceneOptions& options);
/// At which the bytes of a level were counted: first that of all reports, then those of single ones.
[[nodiscard]] std::vector<Boundary> boundaries_in_use(const Analysis& analysis, MemoryLevel level);
/// Levels that are shown and have a dot; every shown level when there is no dot at all, as only the machine
/// is drawn then.
[[nodiscard]] EnumArray<MemoryLevel, bool> levels_with_dots(const Analysis& analysis,
                                                            const SceneOptions& options);
/// These, and the shown levels that limit a kernel with a dot by throughput, whatever its bytes. Any other
/// roof without dots would suggest that the level was looked at.
[[nodiscard]] EnumArray<MemoryLevel, bool> levels_with_roofs(const Analysis& analysis,
                                                             const SceneOptions& options);
/// x, y
void fit_ranges(Scene& scene, const Analysis& analysis);
// scene_roofs.cpp
/// The highest of the usual compute roofs that are drawn, or null.
[[nodiscard]] const Roof* highest_compute_roof(const Scene& scene);
/// The roofs of one set end at each other: bandwidths at the highest compute roof, compute roofs at the ridge
/// of the fastest bandwidth.
void join_ends(std::span<Roof> roofs);
/// Whether both are of one pipe, or of one memory level, whichever bytes of it they count.
[[nodiscard]] bool same_level(const CeilingTarget& a, const CeilingTarget& b);
/// roofs, ridges, zones
void add_roofs(Scene& scene, const Profile& profile, const Analysis& analysis);
/// No zones where a kernel that is coloured memory-bound would stand on the compute side, or one that is
/// compute-bound on the memory side.
void drop_misleading_zones(Scene& scene, const Analysis& analysis);
// scene_roof_lines.cpp
/// What the lines of the roofs stand for, as words for the caption: "solid: measured roofs; dotted:
/// theoretical roofs at the same clock"; empty where all are usual ones that were not measured.
[[nodiscard]] std::string roof_line_words(const Scene& scene);
/// The same as rows of the legend.
void add_roof_line_rows(Scene& scene);
// scene_operation_ranges.cpp
/// operation_ranges
void add_operation_ranges(Scene& scene);
/// Where they are from: "NVIDIA; Williams et al. 2009".
[[nodiscard]] std::string operation_sources();
// scene_dots.cpp
/// The most that the SM can have computed of a kernel without counted work [FLOP/s]: the share of its peak
/// that the profiler found, of the highest compute roof drawn, or that roof where it is another device's;
/// infinite without one.
[[nodiscard]] double compute_limit(const Scene& scene, const KernelPoint& point, bool other_device = false);
/// Where a mark stands on the line of a level that has bytes [FLOP/byte]: at a share of the way to where
/// line, roof or chart end, no farther left than is seen, and beside the marks `drawn` before, as lines of
/// one level end alike.
[[nodiscard]] double place_on_line(const Scene& scene, const KernelPoint& point, MemoryLevel level,
                                   double share, std::size_t drawn);
/// dots, dot_colours, joins, launch_ranges, lines; `by_share` holds the indices of the points shown, smallest
/// share of time first
void add_dots(Scene& scene, const Profile& profile, const Analysis& analysis,
              const std::vector<std::uint32_t>& by_share);
/// Up to this many dots every kernel has its joins and launch ranges; beyond only the selected one, as lines
/// would be a thicket.
inline constexpr std::size_t few_dots = 60;
/// The share of the bottom rail that dots stand on: along all of it they would seem to stand at intensities.
inline constexpr double rail_length = 0.7;
/// The radius of a dot [px]: its area, not its radius, shows the share of time.
[[nodiscard]] float radius_of(double share);
/// "54.5 % of the time", or that the time is not known.
[[nodiscard]] std::string time_share_words(const KernelPoint& point);
// scene_targets.cpp
/// I_alg where the horizontal gap of a kernel can be drawn.
[[nodiscard]] std::optional<double> target_intensity(const KernelPoint& point, const SceneOptions& options);
/// The horizontal gap of a kernel; absent where there is none to draw. Its figure begins with `whose`.
[[nodiscard]] std::optional<TargetMark> target_mark_of(const Analysis& analysis, std::uint32_t i,
                                                       const SceneOptions& options, std::string whose);
// scene_annotations.cpp
/// Of a kernel's name: so many letters that its longest word stands whole, with "Kernel2<" before it, for
/// there a library says which of its kernels it is.
[[nodiscard]] std::size_t length_of_annotation(std::string_view name);
/// gaps, targets, kernel_ceilings, names
void add_annotations(Scene& scene, const Analysis& analysis, const std::vector<std::uint32_t>& by_share);
// scene_paths.cpp
/// Makes room for all that stands on the paths, and has the legend say what leads where and what a dotted
/// line means; nothing without any.
void finish_paths(Scene& scene, std::string meaning, std::string_view dotted = "neither");
/// Whether one of its arrows is drawn so.
[[nodiscard]] bool has_leg(const ScenePath& path, PathLine line);
/// The words of that row: `meaning`, and those of the arrows there are.
[[nodiscard]] std::string words_of_legs(std::string meaning, bool dashed, bool dotted,
                                        std::string_view dotted_meaning = "neither");
// scene_words.cpp
/// What a kernel is called on the chart: as the options say, else its name shortened.
[[nodiscard]] std::string called(std::string_view name, std::size_t max_chars, const SceneOptions& options);
/// Puts words before those of the caption.
void lead_caption(Scene& scene, const std::string& words);
/// legend, caption, summary
void add_words(Scene& scene, const Profile& profile, const Analysis& analysis,
               const std::vector<std::uint32_t>& by_share);

}  // namespace roofwalk
