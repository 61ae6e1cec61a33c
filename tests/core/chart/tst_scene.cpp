// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <algorithm>
#include <cmath>
#include <set>

#include "core/chart/layout/layout.h"
#include "core/chart/scene/scene.h"
#include "core/chart/svg/svg_writer.h"
#include "core/devices/match_device.h"
#include "core/roofline/point_bounds.h"
#include "core/roofline/summary.h"
#include "tests/core/chart/chart_fixture.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_scene {

using namespace roofwalk;
using namespace roofwalk::test;

namespace {

constexpr Boundary hbm = Boundary::hbm_dram_rw;
constexpr Boundary l2 = Boundary::l2_sm_sectors;
constexpr Boundary l1 = Boundary::l1_unified;
constexpr Boundary smem = Boundary::smem_wavefronts;

bool holds(const Range& range, double value) {
    return value > range.lo && value < range.hi;
}

/// The sum of "3 kernels not drawn: why" over the reasons of a caption.
std::size_t counted_as_not_drawn(const std::string& caption) {
    std::size_t sum = 0;
    for (std::size_t at = caption.find(" not drawn: "); at != std::string::npos;
         at = caption.find(" not drawn: ", at + 1))
        sum += std::stoul(caption.substr(caption.rfind("; ", at) + 2));
    return sum;
}

/// A level's place in a set of them.
constexpr unsigned bit(MemoryLevel level) {
    return 1U << static_cast<unsigned>(level);
}

/// Its first two launches are of rank0.jsonl and rank1.jsonl.
void part_into_reports(ChartFixture& fixture) {
    fixture.profile.sources.resize(2);
    fixture.profile.sources[0].path = "/a/rank0.jsonl";
    fixture.profile.sources[1].path = "/a/rank1.jsonl";
    fixture.profile.launches[1].source = SourceIndex{1};
    fixture.analysis = analyse(fixture.profile, {});
}

}  // namespace

class TestScene : public QObject {
    Q_OBJECT

  private slots:
    void roofs_are_those_of_levels_shown_and_pipes_in_use() {
        const Scene scene = ChartFixture({three_levels()}).scene();
        QCOMPARE(scene.roofs.size(), std::size_t{4});
        QVERIFY(roof(scene, "roof-hbm") && roof(scene, "roof-l2") && roof(scene, "roof-smem") &&
                roof(scene, "roof-fp32"));
        QCOMPARE(roof(scene, "roof-hbm")->value, std::string("2.00 TB/s"));
        QVERIFY(roof(scene, "roof-hbm")->note.find("DRAM read+write") != std::string::npos);
    }
    void kernels_are_called_as_a_person_says() {
        const ChartFixture chart(spread_kernels(3));
        SceneOptions options;
        options.gaps = 2;
        options.names[chart.analysis.points[ranked_points(chart.analysis)[0]].name] = "A name of mine(1)";
        const Scene scene = chart.scene(options);
        QVERIFY(std::ranges::any_of(scene.names,
                                    [](const DotName& name) { return name.text == "A name of mine(1)"; }));
        QCOMPARE(std::ranges::count_if(scene.gaps,
                                       [](const GapMark& gap) { return gap.whose == "A name of mine(1)"; }),
                 1);
    }
    void names_keep_of_scopes_and_numbers_what_tells_them_apart() {
        const auto names_of = [](const std::vector<std::string>& called) {
            std::vector<KernelFacts> kernels = spread_kernels(called.size());
            for (std::size_t i = 0; i < called.size(); ++i)
                kernels[i].name = called[i];
            QStringList names;
            for (const DotName& name : ChartFixture(kernels).scene().names)
                names << QString::fromStdString(name.text);
            names.sort();
            return names;
        };
        QCOMPARE(names_of({"void sgemm::tiled<(int)128, (bool)1>(float*)", "void copy<float, 4>(float*)"}),
                 (QStringList{"copy<float, 4>", "tiled"}));
        QCOMPARE(names_of({"void sgemm::tiled<128, 8>(float*)", "void sgemm::tiled<64, 8>(float*)"}),
                 (QStringList{"sgemm::tiled<128, 8>", "sgemm::tiled<64, 8>"}));
        const QString made("Kernel2<cutlass_80_tensorop_s1688gemm_128x128_16x5_nn_align4>");
        QCOMPARE(names_of({"void cutlass::" + made.toStdString() + "(T1::Params)"}), QStringList{made});
        QCOMPARE(names_of({"a::run(int*)", "b::run(int*)", "c::operator()(int)"}),
                 (QStringList{"a::run", "b::run", "c::operator()"}));
    }
    void roofs_meet_at_the_highest_and_the_fastest() {
        SceneOptions options;
        options.extra_pipes = {tensor};
        const Scene scene = ChartFixture({three_levels()}).scene(options);
        QCOMPARE(roof(scene, "roof-hbm")->ends_at, 150.0);
        QCOMPARE(roof(scene, "roof-tensor-fp16")->ends_at, 15.0);
        QCOMPARE(roof(scene, "roof-fp32")->ends_at, 1.0);
    }
    void hidden_pipes_and_levels_have_no_roof() {
        SceneOptions options;
        options.hidden_pipes = {fp32};
        options.levels = {true, false, false, false};
        const Scene scene = ChartFixture({three_levels()}).scene(options);
        QCOMPARE(scene.roofs.size(), std::size_t{1});
        QVERIFY(std::isinf(scene.roofs[0].ends_at));
        QCOMPARE(scene.dots.size(), std::size_t{1});
    }
    void a_level_without_dots_has_no_roof_but_a_word_why() {
        KernelFacts kernel = three_levels();
        kernel.traffic = {{Boundary::hbm_dram_rw, 1e9}, {Boundary::smem_wavefronts, 0}};
        const Scene scene = ChartFixture({kernel}).scene();
        QVERIFY(roof(scene, "roof-hbm") && !roof(scene, "roof-l2") && !roof(scene, "roof-smem"));
        QCOMPARE(scene.ridges.size(), std::size_t{1});
        QCOMPARE(roof(scene, "roof-fp32")->ends_at, 10.0);
        QCOMPARE(
            scene.caption,
            std::string(
                "Test GPU; bytes: DRAM read+write; roofs at the boost clock 1.410 GHz; no roof for L2: bytes not "
                "measured; no roof for SMEM: no bytes are counted there"));
    }
    void a_level_that_limits_by_throughput_has_a_roof_without_dots() {
        KernelFacts kernel = three_levels();
        kernel.traffic = {{Boundary::hbm_dram_rw, 1e9}, {Boundary::l2_sm_sectors, 0}};
        ChartFixture fixture({kernel});
        fixture.profile.launches.front().metrics.push_back(
            {fixture.profile.texts.intern(metric_of(HardwareUnit::l2)), 70});
        fixture.analysis = analyse(fixture.profile, {});
        const Scene scene = fixture.scene();
        QVERIFY(roof(scene, "roof-l2") && !roof(scene, "roof-smem"));
        QVERIFY(
            std::ranges::none_of(scene.dots, [](const Dot& dot) { return dot.level == MemoryLevel::l2; }));
        QVERIFY2(
            scene.caption.find("L2 limits by throughput: 0 bytes were counted there") != std::string::npos,
            scene.caption.c_str());
    }
    void every_kernel_is_a_dot_on_a_rail_or_counted_whatever_levels_are_shown() {
        ChartFixture fixture(
            {{"three", 1e-3, {{fp32, 1e9}}, {{hbm, 1e9}, {l2, 2e9}, {smem, 4e9}, {l1, 5e9}}},
             {"l1 binds", 1e-3, {{fp32, 1e9}}, {{hbm, 1e6}, {l2, 1e6}, {smem, 0}, {l1, 9e9}}},
             {"l1 only", 1e-3, {{fp32, 1e9}}, {{l1, 9e9}}},
             {"no work", 1e-3, {{fp32, 0}}, {{hbm, 1e9}, {l1, 1e9}}},
             {"unknown", 1e-3, {}, {{hbm, 1e9}}}});
        fixture.profile.devices.front().ceilings.bandwidth.push_back({l1, ByteRate(10e12), {}});
        for (unsigned set = 1; set < 1U << enum_size<MemoryLevel>; ++set) {
            AnalysisOptions how;
            for (const MemoryLevel level : all_levels)
                how.levels[level] = (set & bit(level)) != 0;
            fixture.analysis = analyse(fixture.profile, how);
            QCOMPARE(label_of(fixture.analysis.points[2].binding.value(), MemoryName::dram),
                     std::string("L1"));
            fixture.analysis.options.levels = how.levels;
            place_points(fixture.analysis);
            SceneOptions options;
            options.levels = how.levels;
            const Scene scene = fixture.scene(options);
            std::size_t missing = 0;
            for (std::size_t i = 0; i < fixture.analysis.points.size(); ++i)
                if (std::ranges::none_of(scene.dots, [&](const Dot& dot) { return dot.point == i; }))
                    ++missing;
            QVERIFY2(counted_as_not_drawn(scene.caption) == missing,
                     (std::to_string(set) + ": " + scene.caption).c_str());
        }
    }
    void a_kernel_measured_only_at_a_hidden_level_is_said_to_be() {
        AnalysisOptions how;
        how.levels = {true, false, false, true};
        ChartFixture fixture({{"both", 1e-3, {{fp32, 1e9}}, {{hbm, 1e9}, {l2, 2e9}}},
                              {"l2 only", 1e-3, {{fp32, 1e9}}, {{l2, 2e9}}},
                              {"l2 and l1", 1e-3, {{fp32, 1e9}}, {{l2, 2e9}, {Boundary::l1_unified, 2e9}}},
                              {"unknown", 1e-3, {}, {}}},
                             how);
        fixture.analysis.options.levels = how.levels;  // L1 off, though it may bind
        place_points(fixture.analysis);
        SceneOptions options;
        options.levels = how.levels;
        const std::string caption = fixture.scene(options).caption;
        for (const char* words : {"; 1 kernel not drawn: not measured; ",
                                  "; 1 kernel not drawn: only measured at L2, which is hidden; ",
                                  "; 1 kernel not drawn: only measured at L2, L1, which are hidden; "})
            QVERIFY2(caption.find(words) != std::string::npos, caption.c_str());
    }
    void a_level_that_is_said_to_hide_a_kernel_shows_it_and_no_other_reason_does_data() {
        QTest::addColumn<int>("facts");
        const char* const kinds[] = {
            "work",   "no FLOP, integers not counted", "no FLOP, FP16 not counted", "no work", "no FLOP",
            "no time"};
        for (int kind = 0; kind < 6; ++kind)
            QTest::newRow(kinds[kind]) << kind;
    }
    void a_level_that_is_said_to_hide_a_kernel_shows_it_and_no_other_reason_does() {
        QFETCH(int, facts);
        constexpr EnumArray<MemoryLevel, Boundary> boundaries{hbm, l2, l1, smem};
        for (unsigned sets = 0; sets < 1U << (2 * enum_size<MemoryLevel>); ++sets) {
            const unsigned shown = sets >> enum_size<MemoryLevel>;
            KernelFacts kernel{"k", facts == 5 ? 0 : 1e-3, {{fp32, facts == 0 ? 1e9 : 0}}, {}};
            if (facts == 3) kernel.work.clear();
            for (const MemoryLevel level : all_levels)
                if (sets & bit(level))
                    kernel.traffic.emplace_back(boundaries[level], level == MemoryLevel::smem ? 0 : 1e9);
            AnalysisOptions how;
            how.l1_where_it_binds = false;
            if (facts == 1) how.operations = OperationClass::all;
            ChartFixture fixture({kernel}, how);
            fixture.profile.launches.front().uncounted.fp16 = facts == 2;
            const auto scene_of = [&](unsigned levels) {
                SceneOptions options;
                for (const MemoryLevel level : all_levels)
                    options.levels[level] = how.levels[level] = (levels & bit(level)) != 0;
                fixture.analysis = analyse(fixture.profile, how);
                return fixture.scene(options);
            };
            const Scene scene = scene_of(shown);
            QVERIFY2(counted_as_not_drawn(scene.caption) == (scene.dots.empty() ? 1U : 0U),
                     scene.caption.c_str());
            if (!scene.dots.empty()) continue;
            const std::size_t told = scene.caption.find("only measured at ");
            const std::string hidden =
                told == std::string::npos
                    ? std::string()
                    : scene.caption.substr(told, scene.caption.find("hidden", told) - told);
            for (const MemoryLevel level : all_levels) {
                const bool promised = hidden.find(label_of(level, MemoryName::dram)) != std::string::npos;
                QVERIFY2(scene_of(shown | bit(level)).dots.empty() != promised, scene.caption.c_str());
            }
        }
    }
    void what_no_axis_can_show_has_no_dot() {
        for (const double bytes : {1e-300, 1e-310}) {
            const Scene scene = ChartFixture({{"k", 1e-3, {{fp32, 1e9}}, {{hbm, bytes}}}}).scene();
            QVERIFY(scene.dots.empty());
            QVERIFY(std::isfinite(scene.x.hi) && scene.x.lo > 0);
            (void)lay_out(scene, whole(scene));
        }
    }
    void a_level_whose_kernels_have_no_dot_is_not_said_to_move_no_bytes() {
        const ChartFixture fixture({{"drawn", 1e-3, {{fp32, 1e9}}, {{hbm, 1e9}, {smem, 0}}},
                                    {"no time", 0, {{fp32, 1e9}}, {{hbm, 1e9}, {l2, 1e9}}}});
        const std::string caption = fixture.scene().caption;
        const std::size_t unused = caption.find("no bytes are counted there");
        QVERIFY2(unused != std::string::npos && caption.find("no roof for SMEM") < unused, caption.c_str());
        const std::size_t l2_told = caption.find("no roof for L2");
        QVERIFY2(l2_told != std::string::npos && l2_told > unused, caption.c_str());
    }
    void a_chart_whose_levels_are_hidden_does_not_call_them_unmeasured() {
        AnalysisOptions how;
        how.levels = {true, false, false, false};
        const ChartFixture fixture({{"l2 only", 1e-3, {{fp32, 1e9}}, {{l2, 2e9}}}}, how);
        SceneOptions options;
        options.levels = how.levels;
        QCOMPARE(fixture.scene(options).empty_note,
                 std::string("No kernel can be placed at the levels shown"));
    }
    void zones_follow_the_level_that_binds_the_selected_kernel_or_are_off() {
        SceneOptions options;
        QVERIFY(!ChartFixture({three_levels()}).scene(options).zones.has_value());
        options.selected = 0;
        const Scene alone = ChartFixture({three_levels()}).scene(options);
        const auto bound = std::ranges::find(alone.roofs, true, &Roof::highlighted);
        QVERIFY(bound != alone.roofs.end() && alone.zones.has_value());
        QCOMPARE(alone.zones->bandwidth, bound->rate);
        ChartFixture two({three_levels(), three_levels()});
        KernelPoint& other = two.analysis.points[1];
        other.verdict.kernel_class = KernelClass::memory_bound;
        const double ridge = alone.zones->peak / alone.zones->bandwidth;
        other.levels[MemoryLevel::hbm]->intensity = Intensity(ridge * 2);  // memory-bound at another level
        QVERIFY(!two.scene(options).zones.has_value());
        other.verdict.kernel_class = KernelClass::compute_bound;
        QVERIFY(two.scene(options).zones.has_value());
        other.levels[MemoryLevel::hbm]->intensity = Intensity(ridge / 2);  // of a slower pipe
        QVERIFY(!two.scene(options).zones.has_value());
        other.levels[MemoryLevel::hbm]->intensity = Intensity(ridge * 2);
        other.verdict.kernel_class = KernelClass::near_roof;  // that of a level
        QVERIFY(limiting_level(other) && !two.scene(options).zones.has_value());
    }
    void a_chart_without_a_flat_roof_says_why_and_is_no_higher_than_the_roof_that_is_next() {
        KernelFacts integer = three_levels();
        integer.work = {{Pipe{PipeKind::int32}, 1e9}};
        integer.traffic[1].second = 1e5;  // L2 leaves as much as 5e16
        AnalysisOptions options;
        options.operations = OperationClass::integer;
        const Scene scene = ChartFixture({integer}, options).scene();
        QVERIFY(std::ranges::none_of(
            scene.roofs, [](const Roof& roof) { return std::holds_alternative<Pipe>(roof.target); }));
        QVERIFY2(scene.caption.find("no ceiling known for INT32") != std::string::npos,
                 scene.caption.c_str());
        QVERIFY(scene.y.hi > 2e12 && scene.y.hi < 1e15);
        QVERIFY(ChartFixture({three_levels()}).scene().caption.find("no ceiling") == std::string::npos);
    }
    void print_has_no_zones() {
        SceneOptions options;
        options.selected = 0;
        QVERIFY(ChartFixture({three_levels()}).scene(options).zones.has_value());
        options.theme = Theme::print;
        QVERIFY(!ChartFixture({three_levels()}).scene(options).zones.has_value());
        options.theme = Theme::dark;
        options.zones = false;
        QVERIFY(!ChartFixture({three_levels()}).scene(options).zones.has_value());
    }
    void practical_roofs_stand_beside() {
        SceneOptions options;
        options.practical_roofs = true;
        const Scene scene = ChartFixture({three_levels()}).scene(options);
        QCOMPARE(roof(scene, "roof-hbm-practical")->rate, 0.88 * 2e12);
        QCOMPARE(roof(scene, "roof-fp32-practical")->rate, 0.80 * 20e12);
        QVERIFY(roof(scene, "roof-hbm-practical")->is_beside() && !roof(scene, "roof-hbm")->is_beside());
    }
    void every_measured_level_is_a_dot_at_its_own_intensity() {
        const Scene scene = ChartFixture({three_levels()}).scene();
        QCOMPARE(scene.dots.size(), std::size_t{3});
        for (const Dot& dot : scene.dots)
            QCOMPARE(dot.y, 1e12);
        QCOMPARE(scene.dots[0].x, 1.0);
        QCOMPARE(scene.dots[1].x, 0.5);
        QCOMPARE(scene.dots[2].x, 0.25);
        QCOMPARE(scene.joins.size(), std::size_t{1});
        QCOMPARE(scene.joins[0].from, 0.25);
        QCOMPARE(scene.joins[0].to, 1.0);
    }
    void beyond_sixty_dots_only_the_selected_kernel_has_whiskers_and_the_legend_says_so() {
        ChartFixture fixture(spread_kernels(31));  // with two dots each
        add_unlike_launch(fixture);
        const auto row_of = [](const Scene& scene) {
            const auto row = std::ranges::find_if(
                scene.legend, [](const LegendRow& legend) { return legend.text.starts_with("whiskers"); });
            return row != scene.legend.end() ? row->text : std::string();
        };
        QVERIFY(fixture.scene().launch_ranges.empty() && row_of(fixture.scene()).empty());
        SceneOptions options;
        options.selected = 30U;
        const Scene scene = fixture.scene(options);
        QCOMPARE(scene.launch_ranges.size(), std::size_t{1});
        QVERIFY(row_of(scene).ends_with("of the selected kernel"));
        options.levels[MemoryLevel::l2] = false;
        QVERIFY(row_of(fixture.scene(options)).ends_with("differ"));
    }
    void launches_that_differ_have_whiskers_on_their_dot() {
        ChartFixture fixture({three_levels()});
        QVERIFY(fixture.scene().launch_ranges.empty());
        add_unlike_launch(fixture);
        const Scene scene = fixture.scene();
        QCOMPARE(scene.launch_ranges.size(), std::size_t{1});
        const LaunchRange& range = scene.launch_ranges[0];
        QCOMPARE(range.intensity->lo, 0.25);
        QCOMPARE(range.intensity->hi, 1.0);
        QCOMPARE(range.performance->lo, 0.5e12);
        QCOMPARE(range.performance->hi, 1e12);
        QCOMPARE(range.x, 1.25 / 2);
        // The axes hold them, though no more than a decade of them beyond all else.
        fixture.analysis.points[0].intensity_spread->min = scene.x.lo / 2;
        QVERIFY(fixture.scene().x.lo <= scene.x.lo / 2);
        fixture.analysis.points[0].intensity_spread->min = scene.x.lo * 1e-6;
        QVERIFY(fixture.scene().x.lo > scene.x.lo * 1e-3);
        fixture.analysis.points[0].intensity_spread->min = 0.25;
        QVERIFY(dot_title(fixture.analysis, scene.dots[0])
                    .find("2 launches, 0.500 to 1.00 TFLOP/s, AI 0.250 to 1.00 at DRAM") !=
                std::string::npos);
        // Two whiskers through the middle of the dot and four caps; in a part of the view fewer, none of them
        // outside.
        const Layout all = lay_out(scene, whole(scene));
        QCOMPARE(all.whiskers.size(), std::size_t{6});
        const PointF middle = dot_position(scene.dots[0], whole(scene));
        QCOMPARE(std::ranges::count_if(all.whiskers,
                                       [&](const PlacedLine& line) {
                                           return line.from.y == middle.y && line.to.y == middle.y;
                                       }),
                 1);
        const View part{plot_area, {0.5, 2}, scene.y};
        const Layout layout = lay_out(scene, part);
        // Instead of a cap the head of an arrow at the frame, where it goes on.
        QCOMPARE(layout.whiskers.size(), std::size_t{7});
        QCOMPARE(std::ranges::count_if(layout.whiskers,
                                       [](const PlacedLine& line) {
                                           return line.to.x == plot_area.x && line.from.x > plot_area.x &&
                                                  line.from.y != line.to.y;
                                       }),
                 2);
        for (const PlacedLine& line : layout.whiskers)
            QVERIFY(line.from.x >= plot_area.x && line.to.x <= plot_area.right());
    }
    void area_is_the_share_of_time() {
        auto kernels = std::vector{three_levels(), three_levels()};
        kernels[1].name = "quarter";
        kernels[0].time = 3e-3;
        const Scene scene = ChartFixture(kernels).scene();
        const auto small = static_cast<double>(scene.dots.front().radius);
        const auto large = static_cast<double>(scene.dots.back().radius);
        QVERIFY(std::abs((large * large) / (small * small) - 3) < 1e-3);
        QVERIFY(small >= 4 && large <= 18);
    }
    void the_gap_of_the_selected_kernel_ends_on_its_roof() {
        SceneOptions options;
        options.selected = 0;
        const ChartFixture fixture({three_levels()});
        const Scene scene = fixture.scene(options);
        QCOMPARE(scene.gaps.size(), std::size_t{1});
        const GapMark& gap = scene.gaps[0];
        QVERIFY(gap.selected);
        // HBM 0.5 ms, L2 0.4 ms, SMEM 0.2 ms, FP32 0.05 ms of 1 ms: HBM binds.
        QVERIFY(roof(scene, "roof-hbm")->highlighted && !roof(scene, "roof-l2")->highlighted);
        QVERIFY(std::abs(gap.to / (roof(scene, "roof-hbm")->rate * gap.x) - 1) < 1e-12);
        QCOMPARE(gap.label, std::string("2.00x below DRAM (50.0 %)"));
        QCOMPARE(gap.brief, std::string("2.00x below DRAM"));
    }
    void a_kernel_above_its_roof_is_said_to_be() {
        KernelFacts kernel = three_levels();
        kernel.time = 0.4e-3;
        SceneOptions options;
        options.selected = 0;
        const Scene scene = ChartFixture({kernel}).scene(options);
        QCOMPARE(scene.gaps[0].label, std::string("above the DRAM roof: 1.25x (125.0 %)"));
        QCOMPARE(scene.gaps[0].brief, std::string("above the DRAM roof: 1.25x"));
        QVERIFY(scene.gaps[0].to < scene.gaps[0].from);
    }
    void mixed_pipes_have_a_ceiling_of_their_own() {
        KernelFacts kernel = three_levels();
        kernel.work = {{fp32, 0.5e9}, {fp64, 0.5e9}};
        const Scene scene = ChartFixture({kernel}).scene();
        QCOMPARE(scene.kernel_ceilings.size(),
                 std::size_t{0});  // W / max T = 20 TFLOP/s, the FP32 roof itself
        kernel.work = {{fp32, 0.25e9}, {fp64, 0.75e9}};
        const Scene own = ChartFixture({kernel}).scene();
        QCOMPARE(own.kernel_ceilings.size(), std::size_t{1});
        const auto explains = [](const LegendRow& row) { return row.text.starts_with("bar: "); };
        QVERIFY(std::ranges::any_of(own.legend, explains) && std::ranges::none_of(scene.legend, explains));
        QVERIFY(std::abs(own.kernel_ceilings[0].y / (1e9 / 0.075e-3) - 1) < 1e-12);
        QCOMPARE(own.kernel_ceilings[0].label, std::string("compute ceiling of three_levels 13.3 TFLOP/s"));
    }
    void names_go_to_as_many_kernels_as_there_are_names() {
        std::vector<KernelFacts> kernels(20, three_levels());
        KernelFacts other = three_levels();
        other.name = "another_kernel(int)";
        other.time = 1e-5;
        kernels.push_back(other);
        SceneOptions options;
        options.labelled = 2;
        const Scene scene = ChartFixture(kernels).scene(options);
        std::vector<std::string> names;
        for (const DotName& name : scene.names)
            names.push_back(name.text);
        QCOMPARE(names, (std::vector<std::string>{"three_levels", "another_kernel"}));
        options.selected = 20;
        const Scene selected = ChartFixture(kernels).scene(options);
        QCOMPARE(selected.names.size(), std::size_t{2});
        QCOMPARE(selected.names.front().text, std::string("another_kernel"));
        options.labelled = 1;
        QCOMPARE(ChartFixture(kernels).scene(options).names.size(), std::size_t{2});
    }
    void calls_of_pytorch_are_named_by_their_operator() {
        KernelFacts call = three_levels();
        call.name =
            "aten::cudnn_convolution_transpose, sizes = [[16, 64, 56, 56], [64, 32, 2, 2], [], [], [], []], "
            "types = [c10::BFloat16, c10::BFloat16, Scalar, Scalar, Scalar, Scalar]";
        const Scene scene = ChartFixture({call, three_levels()}).scene();
        QVERIFY(std::ranges::any_of(scene.names, [](const DotName& name) {
            return name.text.starts_with("cudnn_convolution_transpose");
        }));
    }
    void kernels_without_work_or_traffic_stand_on_rails() {
        KernelFacts copy = three_levels();
        copy.name = "copy";
        copy.work = {{fp32, 0}};
        KernelFacts registers = three_levels();
        registers.name = "registers";
        registers.traffic = {{Boundary::hbm_dram_rw, 0}, {Boundary::l2_sm_sectors, 0}};
        const Scene scene = ChartFixture({copy, registers, three_levels()}).scene();
        QCOMPARE(scene.rails, (std::vector{Rail::no_work, Rail::no_traffic}));
        QCOMPARE(std::ranges::count(scene.dots, Rail::no_work, &Dot::rail), 1);
        QCOMPARE(std::ranges::count(scene.dots, Rail::no_traffic, &Dot::rail), 1);
        QCOMPARE(std::ranges::count(scene.dots, Rail::none, &Dot::rail), 3);
    }
    void ranges_hold_dots_ridges_and_roofs() {
        const Scene scene = ChartFixture(spread_kernels(40)).scene();
        for (const Dot& dot : scene.dots)
            QVERIFY(holds(scene.x, dot.x) && holds(scene.y, dot.y));
        for (const RidgeMark& ridge : scene.ridges)
            QVERIFY(holds(scene.x, ridge.x));
        QVERIFY(holds(scene.y, 20e12));
        const Scene one = ChartFixture({three_levels()}).scene();
        QVERIFY(std::log10(one.x.hi / one.x.lo) > 3.999);
    }
    void ridges_refer_to_the_pipe_that_matters() {
        SceneOptions options;
        options.selected = 0;
        const Scene scene = ChartFixture({three_levels()}).scene(options);
        QCOMPARE(scene.ridges.size(), std::size_t{3});
        QCOMPARE(scene.ridges[0].x, 10.0);
        QCOMPARE(scene.ridges[0].name, std::string("DRAM"));
        QCOMPARE(scene.ridges[0].number, std::string("10.0"));
        QVERIFY(scene.zones.has_value());
        QCOMPARE(scene.zones->peak, 20e12);
        QVERIFY(scene.caption.find("ridges") == std::string::npos);

        KernelFacts mixed = three_levels();
        mixed.work = {{fp32, 0.25e9}, {fp64, 0.75e9}};
        const Scene several = ChartFixture({mixed}).scene();
        QCOMPARE(several.ridges[0].pipe, std::string("FP64"));
        QVERIFY(several.caption.find("; ridges: with FP64") != std::string::npos);
        SceneOptions selected;
        selected.selected = 0;
        const Scene own = ChartFixture({mixed}).scene(selected);
        QVERIFY(std::abs(own.ridges[0].x / (own.kernel_ceilings[0].y / roof(own, "roof-hbm")->rate) - 1) <
                1e-12);
        QVERIFY(own.caption.find("; ridges: with the kernel's compute ceiling") != std::string::npos);
    }
    void those_with_most_to_recover_are_named_once() {
        SceneOptions options;
        options.labelled = 3;
        const ChartFixture fixture(spread_kernels(10));
        const Scene scene = fixture.scene(options);
        QCOMPARE(lay_out(scene, whole(scene)).names.size(), std::size_t{3});
        for (std::size_t i = 0; i < 3; ++i)
            QCOMPARE(scene.dots[scene.names[i].dot].point, ranked_points(fixture.analysis)[i]);
        QCOMPARE(scene.dots[scene.names[0].dot].level, MemoryLevel::hbm);
        options.selected = 9;
        const Scene selected = ChartFixture(spread_kernels(10)).scene(options);
        QCOMPARE(lay_out(selected, whole(selected)).names.size(), std::size_t{4});
        auto same = spread_kernels(6);
        for (KernelFacts& kernel : same)
            kernel.name = "same()";
        AnalysisOptions each;
        each.group_by = GroupBy::launch;
        QCOMPARE(ChartFixture(same, each).scene().names.size(), std::size_t{1});
    }
    void equal_roofs_of_one_level_are_one_line_with_one_name() {
        ChartFixture fixture({three_levels(), three_levels()});
        fixture.analysis.points[1].levels[MemoryLevel::l2]->boundary = Boundary::l2_sm_return;
        auto& ceilings = fixture.analysis.ceilings.bandwidth;
        BandwidthCeiling returned = *fixture.analysis.ceilings.find(Boundary::l2_sm_sectors);
        returned.boundary = Boundary::l2_sm_return;
        std::erase_if(ceilings, [&](const auto& one) { return one.boundary == returned.boundary; });
        ceilings.push_back(returned);
        const auto lines = [&] {
            const Scene scene = fixture.scene();
            return std::ranges::count_if(scene.roofs,
                                         [](const Roof& roof) { return roof.id.starts_with("roof-l2"); });
        };
        QCOMPARE(lines(), std::ptrdiff_t{1});
        QVERIFY(roof(fixture.scene(), "roof-l2")->note.find("L2 to SMs") != std::string::npos);
        ceilings.back().rate = ByteRate(returned.rate.value() * 0.9);
        QCOMPARE(lines(), std::ptrdiff_t{2});
    }
    void without_kernels_the_ceilings_still_stand() {
        KernelFacts unknown{"unknown", 1e-3, {}, {}};
        const Scene scene = ChartFixture({unknown}).scene();
        QVERIFY(scene.dots.empty());
        QVERIFY(roof(scene, "roof-hbm") && roof(scene, "roof-fp32"));
        QVERIFY(!scene.empty_note.empty());
        QVERIFY(scene.caption.find("1 kernel not drawn") != std::string::npos);
        const Scene nothing = build_scene(Profile{}, Analysis{}, SceneOptions{});
        QVERIFY(nothing.roofs.empty() && nothing.dots.empty());
        QVERIFY(nothing.x.lo < nothing.x.hi && nothing.y.lo < nothing.y.hi);
    }
    void the_caption_gives_every_roof_its_clock() {
        KernelFacts kernel = three_levels();
        kernel.work.push_back({tensor, 1e9});
        ChartFixture fixture({kernel});
        for (ComputeCeiling& ceiling : fixture.analysis.ceilings.compute)
            if (ceiling.pipe == tensor) ceiling.provenance.clock = Hertz(1.3e9);
        const std::string caption = fixture.scene().caption;
        QVERIFY2(
            caption.starts_with(
                "Test GPU; bytes: DRAM read+write, L2 by sectors, SMEM wavefronts; FP32 at the boost clock "
                "1.410 GHz, FP16 Tensor at the boost clock 1.300 GHz"),
            caption.c_str());
    }
    void the_caption_says_whose_measured_clock_it_is() {
        ChartFixture fixture({three_levels()});
        for (ComputeCeiling& ceiling : fixture.analysis.ceilings.compute)
            ceiling.provenance.basis = ClockBasis::measured;
        CeilingSet own = fixture.analysis.ceilings;
        for (ComputeCeiling& ceiling : own.compute)
            ceiling.provenance.clock = Hertz(1.39e9);
        fixture.analysis.points[0].ceilings = std::make_shared<const CeilingSet>(own);
        const auto says = [&](const SceneOptions& options, const char* words) {
            return fixture.scene(options).caption.find(words) != std::string::npos;
        };
        QVERIFY(says({}, "; roofs at the measured clock 1.410 GHz"));
        SceneOptions selected;
        selected.selected = 0;
        QVERIFY(says(selected, "; roofs at the selected kernel's measured clock 1.390 GHz"));
    }
    void the_caption_tells_the_bandwidth_over_all_kernels_where_the_selected_ones_differs() {
        ChartFixture fixture({three_levels()});
        SceneOptions options;
        options.selected = 0;
        QVERIFY(fixture.scene(options).caption.find("over all") == std::string::npos);
        CeilingSet own = fixture.analysis.ceilings;
        const auto scene_at = [&](double rate) {
            own.bandwidth.front().rate = ByteRate(rate);
            fixture.analysis.points[0].ceilings = std::make_shared<const CeilingSet>(own);
            return fixture.scene(options);
        };
        // Two clocks of the same memory, counted twice, are one roof to a reader.
        QVERIFY(scene_at(2.01e12).caption.find("over all") == std::string::npos);
        const Scene scene = scene_at(2.04e12);
        QCOMPARE(roof(scene, "roof-hbm")->value, std::string("2.04 TB/s"));
        QVERIFY2(scene.caption.find("; DRAM roof over all kernels: 2.00 TB/s") != std::string::npos,
                 scene.caption.c_str());
        QVERIFY(fixture.scene().caption.find("over all") == std::string::npos);
    }
    void caption_and_summary_say_what_is_drawn() {
        const Scene scene = ChartFixture({three_levels()}).scene();
        QCOMPARE(scene.caption,
                 std::string(
                     "Test GPU; bytes: DRAM read+write, L2 by sectors, SMEM wavefronts; roofs at the boost "
                     "clock 1.410 GHz"));
        QVERIFY2(scene.summary.starts_with("Roofline of 1 kernel on Test GPU; roofs: DRAM 2.00 TB/s, "),
                 scene.summary.c_str());
    }
    void the_title_of_a_dot_tells_bandwidth_and_share_at_its_level() {
        KernelFacts copy = three_levels();
        copy.name = "copy";
        copy.work = {{fp32, 0}};
        const ChartFixture fixture({three_levels(), copy});
        const Scene scene = fixture.scene();
        const auto l2 = std::ranges::find_if(
            scene.dots, [](const Dot& dot) { return dot.point == 0 && dot.level == MemoryLevel::l2; });
        QVERIFY(dot_title(fixture.analysis, *l2).find(", 50.0 % of DRAM; L2 ") != std::string::npos);
        QVERIFY(
            dot_title(fixture.analysis, *l2).find("; L2 2.00 GB at 2.00 TB/s (40.0 %); 1.00 ms, 50.0 % of") !=
            std::string::npos);
        const auto binds = std::ranges::find_if(
            scene.dots, [](const Dot& dot) { return dot.point == 0 && dot.level == MemoryLevel::hbm; });
        QVERIFY(dot_title(fixture.analysis, *binds).find(" TFLOP/s; DRAM 1.00 GB at 1.00 TB/s (50.0 %); ") !=
                std::string::npos);
        // A tooltip has a line each: name, time, the bytes of each level, the place and last the class.
        const std::vector<Dot> both{*binds, *l2};
        const DotTitle title = dots_title(fixture.analysis, both);
        QCOMPARE(title.lines.size(), std::size_t{5});
        QVERIFY(title.lines[0].starts_with("1.00 ms, 50.0 % of"));
        QVERIFY(title.lines[1].starts_with("DRAM 1.00 GB at") && title.lines[2].starts_with("L2 2.00 GB at"));
        QVERIFY(title.lines[4].ends_with("50.0 % of DRAM"));
        for (const std::string& line : title.lines)
            QVERIFY2(title.text().find(line) != std::string::npos, line.c_str());
        QCOMPARE(std::ranges::count(title.tooltip(), '\n'), 5);
        const auto moved = std::ranges::find(scene.dots, Rail::no_work, &Dot::rail);
        QVERIFY(dot_title(fixture.analysis, *moved)
                    .find(", 50.0 % of DRAM; DRAM 1.00 GB at 1.00 TB/s (50.0 %); ") != std::string::npos);
    }
    void the_title_of_a_dot_tells_reads_and_writes_of_a_measured_kernel() {
        ChartFixture fixture({three_levels()});
        for (TrafficSample& sample : fixture.profile.launches.front().traffic)
            if (level_of(sample.boundary) == MemoryLevel::hbm) {
                sample.read = sample.total * 0.75;
                sample.write = sample.total * 0.25;
            }
        const Scene scene = fixture.scene();
        const auto dot = std::ranges::find(scene.dots, MemoryLevel::hbm, &Dot::level);
        QVERIFY(dot_title(fixture.analysis, *dot, &fixture.profile)
                    .find("; DRAM read 750 MB (750 GB/s), written 250 MB (250 GB/s); ") != std::string::npos);
        QVERIFY(dot_title(fixture.analysis, *dot).find("written") == std::string::npos);
        const auto l2 = std::ranges::find(scene.dots, MemoryLevel::l2, &Dot::level);
        QVERIFY(dot_title(fixture.analysis, *l2, &fixture.profile).find("written") == std::string::npos);
    }
    void a_unit_nearer_to_its_limit_than_the_level_of_the_dot_stands_in_its_title() {
        ChartFixture fixture({{"line", 1e-3, {}, {{hbm, 1e6}}}});
        for (const auto& [unit, percent] :
             {std::pair(HardwareUnit::l1tex, 99.6), std::pair(HardwareUnit::sm, 1.0)})
            fixture.profile.launches.front().metrics.push_back(
                {fixture.profile.texts.intern(metric_of(unit)), percent});
        fixture.analysis = analyse(fixture.profile, {});
        const Scene scene = fixture.scene();
        const std::string title = dot_title(fixture.analysis, scene.dots.at(0));
        QVERIFY(title.starts_with("line: near the roof (by throughput"));
        QVERIFY(
            title.find(
                ", 99.6 % of L1TEX, 1.00 % of SM; FLOP not counted: the mark tells bandwidth, not performance; DRAM 1.00 MB at 1.00 GB/s (0.05") !=
            std::string::npos);
        QVERIFY(scene.summary.find(", 99.6 % of L1TEX") != std::string::npos);
        const std::string svg = to_svg(scene, fixture.analysis, {});
        QVERIFY(svg.find("<title>" + title + "</title>") != std::string::npos);
        QVERIFY(svg.find("\"near_roof\"") != std::string::npos);
    }
    void where_shares_alone_are_known_more_than_the_time_was_measured() {
        ChartFixture fixture({{"shares", 1e-3, {}, {}}});
        QVERIFY(fixture.scene().empty_note.starts_with("Only time"));
        fixture.profile.launches.front().metrics.push_back(
            {fixture.profile.texts.intern(metric_of(HardwareUnit::dram)), 3});
        fixture.analysis = analyse(fixture.profile, {});
        QVERIFY(!fixture.scene().empty_note.starts_with("Only time"));
        QVERIFY(fixture.scene().caption.find("not drawn: bytes not measured") != std::string::npos);
    }
    void a_level_without_a_ceiling_says_where_it_can_be_measured() {
        ChartFixture fixture({three_levels()});
        fixture.profile.devices.front() = *find_known_device("B300");
        fixture.analysis = analyse(fixture.profile, {});
        const std::string caption = fixture.scene().caption;
        QVERIFY2(caption.find("no roof for L2: no ceiling known") != std::string::npos, caption.c_str());
        QVERIFY(caption.find("can be measured") != std::string::npos);
        QVERIFY(caption.find("roofwalk-cli") == std::string::npos);
        // Of a device that somebody typed nobody knows whether that measures it.
        fixture.profile.devices.front() = {};
        fixture.profile.devices.front().ceilings.bandwidth.push_back(
            {Boundary::hbm_dram_rw, ByteRate(2e12), {}});
        fixture.analysis = analyse(fixture.profile, {});
        QVERIFY(fixture.scene().caption.find("no roof for L2, SMEM: no ceiling known") != std::string::npos);
        QVERIFY(fixture.scene().caption.find("can be measured") == std::string::npos);
    }
    void an_unknown_time_is_no_share_of_it() {
        KernelFacts copy = three_levels();
        copy.work = {{fp32, 0}};
        ChartFixture fixture({copy});
        fixture.profile.launches.front().duration.reset();
        fixture.analysis = analyse(fixture.profile, {});
        Dot dot;
        dot.rail = Rail::no_work;
        QCOMPARE(dot_title(fixture.analysis, dot),
                 std::string("three_levels: not measured; no FLOP; DRAM 1.00 GB; time not measured"));
        QVERIFY(fixture.scene().summary.find("of the time") == std::string::npos);
        SceneOptions selected;
        selected.selected = 0;
        QVERIFY(fixture.scene(selected).summary.find("three_levels, time not measured") != std::string::npos);
    }
    void a_typed_ceiling_is_said_to_be_typed() {
        const ChartFixture measured({three_levels()});
        AnalysisOptions options;
        options.overrides["Test GPU"].bandwidth = {{hbm, ByteRate(3e12), {}}};
        options.overrides["Other GPU"].bandwidth = {{l2, ByteRate(7e12), {}}};
        const Analysis analysis = analyse(measured.profile, options);
        QCOMPARE(build_scene(measured.profile, analysis, {}).caption,
                 std::string(
                     "Test GPU; bytes: DRAM read+write, L2 by sectors, SMEM wavefronts; roofs at the boost "
                     "clock 1.410 GHz; DRAM 3.00 TB/s typed"));
        SceneOptions practical;
        practical.practical_roofs = true;
        QVERIFY(build_scene(measured.profile, analysis, practical).caption.find("DRAM practical") ==
                std::string::npos);
    }
    void colours_follow_the_choice_data() {
        QTest::addColumn<int>("by");
        QTest::addColumn<QString>("words");
        QTest::newRow("class") << 0 << "latency-bound";
        QTest::newRow("precision") << 1 << "FP64|FP32";
        QTest::newRow("kernel") << 2 << "heavy|light";
    }
    void several_reports_are_told_apart() {
        ChartFixture fixture({three_levels(), three_levels()});
        part_into_reports(fixture);
        SceneOptions options;
        options.colour_by = ColourBy::report;
        const Scene scene = fixture.scene(options);
        int marked = 0;
        QStringList legend;
        for (const LegendRow& row : scene.legend)
            if (row.colour) {
                legend << QString::fromStdString(row.text);
                marked += row.mark.empty() ? 0 : 1;
            }
        QCOMPARE(marked, 1);  // the first of two is told by having none
        legend.sort();
        QCOMPARE(legend, (QStringList{"rank0.jsonl", "rank1.jsonl"}));
        for (const Dot& dot : scene.dots) {
            const std::string report = dot.point == 0 ? "rank0.jsonl" : "rank1.jsonl";
            QVERIFY(dot_title(fixture.analysis, dot).starts_with("three_levels, " + report + ": "));
        }
        QCOMPARE(scene.names.size(), 2U);
        QVERIFY(scene.names[0].text != scene.names[1].text);
    }
    void a_label_that_was_given_tells_the_report_only_where_those_of_two_are_alike() {
        KernelFacts first = three_levels();
        KernelFacts second = three_levels();
        second.name = "other";
        ChartFixture fixture({first, second});
        part_into_reports(fixture);
        const auto names = [&](const std::string& label) {
            SceneOptions options;
            options.names = {{first.name, "GEMM"}, {second.name, label}};
            std::set<std::string> texts;
            for (const DotName& name : fixture.scene(options).names)
                texts.insert(name.text);
            return texts;
        };
        QCOMPARE(names("softmax"), (std::set<std::string>{"GEMM", "softmax"}));
        QCOMPARE(names("GEMM"), (std::set<std::string>{"GEMM, rank0.jsonl", "GEMM, rank1.jsonl"}));
    }

    void the_legend_of_a_crowd_tells_that_colours_stand_alone() {
        SceneOptions print;
        print.theme = Theme::print;
        const auto is_told = [](const Scene& scene) {
            return std::ranges::any_of(scene.legend, [](const LegendRow& row) {
                return row.text.starts_with("classes by colour alone");
            });
        };
        const ChartFixture few(spread_kernels(20));
        const ChartFixture crowd(spread_kernels(300));
        QVERIFY(!is_told(few.scene()) && is_told(crowd.scene()));
        QCOMPARE(is_told(crowd.scene(print)), crowd.scene(print).dots.size() > crowd_of_dots);
    }

    void colours_follow_the_choice() {
        QFETCH(int, by);
        QFETCH(QString, words);
        KernelFacts heavy = three_levels();
        heavy.name = "heavy(int)";
        heavy.time = 10e-3;
        heavy.work = {{fp64, 1e9}};
        KernelFacts light = three_levels();
        light.name = "light(int)";
        light.time = 5e-3;
        SceneOptions options;
        options.colour_by = static_cast<ColourBy>(by);
        const Scene scene = ChartFixture({heavy, light}).scene(options);
        QStringList legend;
        for (const LegendRow& row : scene.legend)
            if (row.colour) legend << QString::fromStdString(row.text);
        QCOMPARE(legend.join('|'), words);
    }
};

}  // namespace tst_scene

ROOFWALK_TEST(tst_scene, TestScene, NoApplication)
#include "tst_scene.moc"
