// SPDX-License-Identifier: GPL-3.0-or-later
// What holds of the labels of every real report, at any size: whose each is, and that none is missing.
#include <QTest>
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <set>
#include <span>
#include <utility>

#include "core/chart/layout/label_box.h"
#include "core/chart/layout/page.h"
#include "core/chart/layout/roof_clip.h"
#include "core/chart/scene/dot_pile.h"
#include "core/chart/scene/nested_dots.h"
#include "core/import/open_profile.h"
#include "core/report/report_cells.h"
#include "core/workspace/workspace_result.h"
#include "tests/core/chart/chart_fixture.h"
#include "tests/support/folder_tests.h"
#include "tests/support/samples.h"

namespace tst_label_places {

using namespace roofwalk;
using namespace roofwalk::test;

namespace {

constexpr std::size_t few_dots = 16;
/// 89x70mm
constexpr PageSpec small_figure{.width = 89 * page_pixels_per_inch / 25.4,
                                .height = 70 * page_pixels_per_inch / 25.4,
                                .letters = usual_letters * page_pixels_per_point,
                                .least_letters = least_letters * page_pixels_per_point};
constexpr std::array<PageSpec, 10> sizes{{{336, 252},
                                          {400, 300},
                                          {600, 400},
                                          {900, 600},
                                          {1280, 800},
                                          {2560, 1440},
                                          figure_uses[0].page,
                                          figure_uses[1].page,
                                          figure_uses[2].page,
                                          small_figure}};
constexpr std::size_t pixel_sizes = 6;  // the first of them

struct Drawn {
    Scene scene;
    PagePlacement page;
};

/// From a label to the nearest dot in view of its kernel, or its arrow, the line through its levels, or that
/// which it is where its work was not counted, and to the dot of any other that does not stand at the very
/// place of one of its own [px].
struct Distances {
    double own = 1e9;
    double other = 1e9;
};

Distances distances_of(const Drawn& drawn, const LabelBox& box, std::uint32_t point) {
    const View& view = drawn.page.page.view;
    const LabelBox frame(view.frame());
    std::vector<PointF> own;
    for (const Dot& dot : drawn.scene.dots)
        if (dot.point == point) own.push_back(dot_position(dot, view));
    Distances found;
    for (std::uint32_t i = 0; i < drawn.scene.dots.size(); ++i) {
        const Dot& dot = drawn.scene.dots[i];
        const PointF at = dot_position(dot, view);
        if (!drawn.page.dots.draws(dot.point) || !frame.touches_circle(at, 1)) continue;
        const bool is_own = dot.point == point || std::ranges::any_of(own, [&](PointF mine) {
                                return std::hypot(mine.x - at.x, mine.y - at.y) < seen_as_one;
                            });
        double& nearest = is_own ? found.own : found.other;
        nearest = std::min(nearest, box.distance_to_circle(at, painted_radius(drawn.scene.dots, i, view)));
    }
    const auto add_lines = [&](const std::vector<PlacedLine>& lines, const auto& marks) {
        for (const PlacedLine& line : lines)
            if (marks[line.index].point == point)
                found.own = std::min(found.own, box.distance(line.from, line.to));
    };
    add_lines(drawn.page.layout.joins, drawn.scene.joins);
    add_lines(drawn.page.layout.gaps, drawn.scene.gaps);
    constexpr int steps = 200;
    for (const PlacedLine& line : drawn.page.layout.kernel_lines)
        for (int i = 0; i <= steps && drawn.scene.lines[line.index].point == point; ++i) {
            const double at = 1.0 * i / steps;
            const PointF there{std::lerp(line.from.x, line.to.x, at), std::lerp(line.from.y, line.to.y, at)};
            found.own = std::min(found.own, box.distance_to_circle(there, 0));
        }
    return found;
}

/// Alone, or among those at the same place: "L1 12.4 TB/s, SMEM 12.4 TB/s", "L1, SMEM".
bool is_named(const Layout& layout, const Roof& roof) {
    return std::ranges::any_of(layout.roof_labels, [&](const PlacedText& label) {
        const QStringList told = QString::fromStdString(label.text).split(", ");
        return std::ranges::any_of(told, [&](const QString& one) {
            return one == QString::fromStdString(roof.name) ||
                   one.startsWith(QString::fromStdString(roof.name + " "));
        });
    });
}

/// Calls `look(drawn, where)` for the chart of a report at every size, with nothing and with the kernel with
/// most to recover selected.
template <class Look>
void each_chart(const Look& look) {
    QFETCH(QString, report);
    Result<Profile> profile = open_profile(report.toStdString());
    if (!profile) return;
    const WorkspaceResult result =
        *make_result({std::make_shared<const Profile>(*std::move(profile)), {}, {}, {}});
    for (std::size_t selected = 0; selected <= std::min<std::size_t>(result.ranking.size(), 1); ++selected) {
        ViewFocus focus;
        if (selected > 0) focus.selected = result.ranking[selected - 1];
        SceneOptions options = scene_options(result.inputs.spec, focus, Theme::light);
        options.gaps = 2;
        const Scene scene = scene_of(result, options);
        // Figures without a selection are what e2e_figures measures.
        for (const PageSpec& size : std::span(sizes).first(selected > 0 ? sizes.size() : pixel_sizes))
            look(Drawn{scene, lay_out_page(scene, size)},
                 QString("%1x%2, selected %3: ").arg(size.width).arg(size.height).arg(selected));
    }
}

/// The dots of any kernel but `own` whose outline a leader touches.
std::size_t dots_under(const Drawn& drawn, const PlacedText& label, std::optional<std::uint32_t> own) {
    constexpr double ring = 4;  // around the dot of a selection [px]
    constexpr double half_leader = 0.35;
    if (!label.leader) return 0;
    const View& view = drawn.page.page.view;
    const PointF from = LabelBox(label).leader_start(label.leader_to);
    const auto is_at_own = [&](PointF at) {
        return std::ranges::any_of(drawn.scene.dots, [&](const Dot& dot) {
            const PointF mine = dot_position(dot, view);
            return dot.point == own && std::hypot(mine.x - at.x, mine.y - at.y) < seen_as_one;
        });
    };
    std::size_t count = 0;
    for (std::uint32_t i = 0; i < drawn.scene.dots.size(); ++i) {
        const Dot& dot = drawn.scene.dots[i];
        const PointF at = dot_position(dot, view);
        const double radius = painted_radius(drawn.scene.dots, i, view) +
                              (is_selected(drawn.scene.options, dot.point) ? ring : 0);
        if (dot.point == own || !drawn.page.dots.draws(dot.point) || is_at_own(at)) continue;
        const bool thick = dot.is_hollow() || dots_inside(drawn.scene.dots, i, view) > 0;
        const double half_outline = thick ? 0.8 : 0.3;
        if (distance_to_line(at, from, label.leader_to) < radius + half_outline + half_leader) ++count;
    }
    return count;
}

/// What is wrong on a chart, said by its texts.
using Faults = QStringList (*)(const Drawn& drawn);

QStringList unnamed_roofs(const Drawn& drawn) {
    QStringList unnamed;
    const std::string caption = names_left_out(drawn.scene, drawn.page.layout);
    for (const PlacedLine& line : drawn.page.layout.roofs) {
        const Roof& roof = drawn.scene.roofs[line.index];
        if (!roof.is_beside() && !is_named(drawn.page.layout, roof) &&
            caption.find(roof.name + " " + roof.value) == std::string::npos)
            unnamed.append(QString::fromStdString(roof.name));
    }
    return unnamed;
}

/// Whether a label would be taken for that of another dot.
bool is_astray(const Drawn& drawn, const PlacedText& label, std::uint32_t point) {
    const auto [own, other] = distances_of(drawn, LabelBox(label), point);
    return own > other;
}

QStringList names_nearer_to_another(const Drawn& drawn) {
    QStringList astray;
    for (const PlacedText& label : drawn.page.layout.names)
        if (is_astray(drawn, label, drawn.scene.dots[drawn.scene.names[label.index].dot].point))
            astray.append(QString::fromStdString(label.text));
    return astray;
}

QStringList figures_nearer_to_another(const Drawn& drawn) {
    QStringList astray;
    for (const PlacedText& label : drawn.page.layout.gap_labels)
        if (is_astray(drawn, label, drawn.scene.gaps[label.index].point))
            astray.append(QString::fromStdString(label.text));
    return astray;
}

bool lies_over(const LabelBox& box, MemoryLevel level, PointF at, double radius) {
    const std::vector<PointF> corners = marker_corners(level, at, radius);
    if (corners.empty()) return box.touches_circle(at, radius);
    PointF before = corners.back();
    return box.touches_circle(at, radius / 2) || std::ranges::any_of(corners, [&](PointF corner) {
               return box.crosses(std::exchange(before, corner), corner);
           });
}

constexpr std::size_t most_dots_kept_clear = 400;

QStringList labels_over_markers(const Drawn& drawn) {
    if (drawn.scene.dots.size() > most_dots_kept_clear) return {};
    const View& view = drawn.page.page.view;
    const Layout& layout = drawn.page.layout;
    QStringList over;
    for (const auto* labels : {&layout.roof_labels, &layout.names, &layout.gap_labels})
        for (const PlacedText& label : *labels)
            for (std::uint32_t i = 0; i < drawn.scene.dots.size(); ++i)
                if (lies_over(LabelBox(label), drawn.scene.dots[i].level,
                              dot_position(drawn.scene.dots[i], view),
                              painted_radius(drawn.scene.dots, i, view))) {
                    over.append(QString::fromStdString(label.text));
                    break;
                }
    return over;
}

QStringList leaders_through_dots(const Drawn& drawn) {
    QStringList through;
    const Layout& layout = drawn.page.layout;
    const auto look = [&](const PlacedText& label, std::optional<std::uint32_t> own) {
        if (dots_under(drawn, label, own) > 0) through.append(QString::fromStdString(label.text));
    };
    for (const PlacedText& label : layout.names)
        look(label, drawn.scene.dots[drawn.scene.names[label.index].dot].point);
    for (const PlacedText& label : layout.gap_labels)
        look(label, drawn.scene.gaps[label.index].point);
    for (const PlacedText& label : layout.ridge_labels)
        look(label, std::nullopt);
    for (const PlacedText& label : layout.roof_labels)
        look(label, std::nullopt);
    return through;
}

QStringList clipped(const Drawn& drawn) {
    constexpr double ring = 3.25;  // around the mark of a line, which stands inside the plot [px]
    QStringList clipped;
    const Page& page = drawn.page.page;
    const Layout& layout = drawn.page.layout;
    const RectF whole{0, 0, page.drawing.width, page.drawing.height};
    for (const auto* labels :
         {&layout.roof_labels, &layout.ridge_labels, &layout.gap_labels, &layout.target_labels,
          &layout.target_tick_labels, &layout.kernel_ceiling_labels, &layout.names, &page.tick_labels,
          &page.caption})
        for (const PlacedText& label : *labels)
            if (!LabelBox(label).inside(whole)) clipped.append(QString::fromStdString(label.text));
    for (const Dot& dot : drawn.scene.dots) {
        const PointF at = dot_position(dot, page.view);
        const bool on_line = dot.rail == Rail::edge;
        const double own = page.view.marks.of(dot.radius);
        const double radius = on_line ? marker_reach(dot.level) * (own + ring) : own;
        const bool seen = on_line ? clip_slope(dot.y, dot.x, page.view).has_value() : dot.rail == Rail::none;
        if (seen && !LabelBox(RectF{at.x - radius, at.y - radius, 2 * radius, 2 * radius})
                         .inside(on_line ? page.view.plot : whole))
            clipped.append(QString("dot of %1").arg(dot.point));
    }
    return clipped;
}

}  // namespace

class TestLabelPlaces : public QObject {
    Q_OBJECT

  private slots:
    void labels_are_whole_and_at_what_they_name_data() {
        QTest::addColumn<QString>("report");
        if (sample_reports().empty()) QSKIP("samples are not beside this checkout");
        for (const auto& report : sample_reports())
            QTest::newRow(report.filename().c_str()) << QString::fromStdString(report.string());
    }
    /// One test for all: a chart is laid out once, which is what takes time.
    void labels_are_whole_and_at_what_they_name() {
        constexpr std::array<std::pair<const char*, Faults>, 6> rules{{
            {"a roof without its name", unnamed_roofs},
            {"a name nearer to another kernel", names_nearer_to_another},
            {"a figure nearer to another kernel", figures_nearer_to_another},
            {"a label over a marker", labels_over_markers},
            {"a leader through another kernel's dot", leaders_through_dots},
            {"clipped", clipped},
        }};
        QStringList broken;
        each_chart([&](const Drawn& drawn, const QString& where) {
            for (const auto& [rule, faults_of] : rules)
                for (const QString& fault : faults_of(drawn))
                    broken.append(where + rule + ": " + fault);
        });
        QVERIFY2(broken.empty(), qPrintable(broken.join("; ")));
    }

    void figures_name_the_limits_of_tables_data() { labels_are_whole_and_at_what_they_name_data(); }
    void figures_name_the_limits_of_tables() {
        QFETCH(QString, report);
        Result<Profile> profile = open_profile(report.toStdString());
        if (!profile) return;
        const WorkspaceResult result =
            *make_result({std::make_shared<const Profile>(*std::move(profile)), {}, {}, {}});
        SceneOptions options = scene_options(result.inputs.spec, {}, Theme::print);
        options.gaps = 100;
        for (const GapMark& gap : scene_of(result, options).gaps) {
            const KernelPoint& point = result.analysis->points[gap.point];
            QVERIFY2(gap.label.find(" " + bound_by(point)) != std::string::npos, gap.label.c_str());
            QVERIFY2(std::abs(gap.from / gap.to / *share_of_bound(point) - 1) < 0.01, gap.label.c_str());
        }
    }
    void names_figures_and_ridges_are_whole_where_they_can_be_data() {
        QTest::addColumn<QString>("report");
        QTest::addColumn<std::size_t>("use");
        QTest::addColumn<unsigned>("gaps");
        QTest::addColumn<std::size_t>("cut");
        const QString filters = "2024.2.1_rtx3070_image-filters_9kernels_full";
        const QString sgemm = "2023.1.1_a10g_sgemm_4kernels_set-roofline";
        QTest::newRow("over the band") << filters << std::size_t{0} << 0U << std::size_t{0};
        QTest::newRow("filters on a slide") << filters << std::size_t{2} << 0U << std::size_t{0};
        const QString radix = "2021.2.2_a100_154kernels_2threads_default";
        for (std::size_t use = 0; use < figure_uses.size(); ++use)
            QTest::newRow(figure_uses.at(use).id.data()) << radix << use << 0U << std::size_t{0};
        QTest::newRow("instances") << sgemm << std::size_t{0} << 0U << std::size_t{0};
        QTest::newRow("four figures") << sgemm << std::size_t{0} << 4U << std::size_t{0};
        QTest::newRow("a higher plot") << "2023.2.0_rtx5000-turing_wmma_3kernels_set-roofline_appreplay"
                                       << std::size_t{0} << 0U << std::size_t{0};
        QTest::newRow("figures and ridges") << "2025.1.1_t4_wmma" << std::size_t{0} << 3U << std::size_t{0};
    }
    void names_figures_and_ridges_are_whole_where_they_can_be() {
        QFETCH(const QString, report);
        QFETCH(const std::size_t, use);
        QFETCH(const unsigned, gaps);
        const std::string file = sample(report.toStdString());
        if (file.empty()) QSKIP("samples are not beside this checkout");
        WorkspaceSpec spec;
        spec.view.analysis.operations = OperationClass::floating;  // the filters stand in a band then
        const WorkspaceResult result =
            *make_result({std::make_shared<const Profile>(*open_profile(file)), {}, spec, {}});
        SceneOptions options = scene_options(result.inputs.spec, {}, Theme::print);
        options.gaps = gaps;
        const Scene scene = scene_of(result, options);
        const Layout layout = lay_out_page(scene, figure_uses.at(use).page).layout;
        std::set<std::uint32_t> told;
        std::size_t cut = 0;
        for (const PlacedText& label : layout.gap_labels) {
            told.insert(scene.gaps[label.index].point);
            cut += label.text.starts_with(scene.gaps[label.index].whose) ? 0U : 1U;
        }
        for (const PlacedText& label : layout.names) {
            told.insert(scene.dots[scene.names[label.index].dot].point);
            cut += label.text == scene.names[label.index].text || label.number > 0 ? 0U : 1U;
        }
        for (const CaptionedKernel& kernel : layout.captioned)
            told.insert(kernel.point);
        QCOMPARE(told.size(), scene.names.size());
        QCOMPARE(figures_left_out(layout), std::string());
        QCOMPARE(layout.ridge_labels.size(), layout.ridge_ticks.size());
        QTEST(cut, "cut");
    }

    void numbers_stand_wherever_a_leader_reaches() {
        for (const char* report :
             {"2024.3.2_rtx4080s-ada_51kernels_default", "2021.2.2_a100_154kernels_2threads_default"}) {
            const auto scene = scene_of_sample(report, [](SceneOptions& options) {
                options.numbered = true;
                options.labelled = 20;
            });
            if (!scene) QSKIP("samples are not beside this checkout");
            const Layout layout = lay_out_page(*scene, figure_uses[0].page).layout;
            QCOMPARE(layout.asked_names, scene->key.size());
            QCOMPARE(layout.unlabelled_names, std::size_t{0});
            QVERIFY(layout.unlabelled_roofs.empty());
        }
    }
    void names_of_roofs_stand_clear_of_lines_of_kernels() {
        for (const char* report : {"2023.2.0_rtx5000-turing_wmma_3kernels_set-roofline_appreplay",
                                   "2021.2.2_a100_154kernels_2threads_default",
                                   "2025.2.1_b200_cublaslt-int8_algo23_1kernel_basic"}) {
            const auto scene = scene_of_sample(report, [](SceneOptions& options) { options.gaps = 4; });
            if (!scene) QSKIP("samples are not beside this checkout");
            const Layout layout = lay_out_page(*scene, figure_uses[0].page).layout;
            for (const PlacedText& label : layout.roof_labels)
                for (const auto* lines : {&layout.joins, &layout.gaps, &layout.kernel_ceilings})
                    for (const PlacedLine& line : *lines)
                        QVERIFY2(!LabelBox(label).crosses(line.from, line.to), label.text.c_str());
        }
    }
    void figures_of_four_kernels_all_stand_at_their_arrows() {
        const std::string file = sample("2023.1.1_a10g_sgemm_4kernels_set-roofline");
        if (file.empty()) QSKIP("samples are not beside this checkout");
        auto profile = std::make_shared<Profile>(*open_profile(file));
        for (Launch& launch : profile->launches)  // three roofs leave the room that is looked at
            std::erase_if(launch.traffic, [](const TrafficSample& bytes) {
                return level_of(bytes.boundary) == MemoryLevel::l2;
            });
        const WorkspaceResult result = *make_result({std::move(profile), {}, {}, {}});
        SceneOptions options = scene_options(result.inputs.spec, {}, Theme::print);
        options.gaps = 4;
        const Scene scene = scene_of(result, options);
        const PagePlacement laid = lay_out_page(scene, figure_uses[0].page);
        const auto with_share = [](const PlacedText& label) {
            return label.text.ends_with("%)") || label.text.ends_with("% busy)");
        };
        QCOMPARE(laid.layout.gap_labels.size(), std::size_t{4});
        QVERIFY(laid.layout.captioned.empty());
        QVERIFY(std::ranges::count_if(laid.layout.gap_labels, with_share) >= 3);
    }
    void a_page_that_does_not_grow_is_whole_in_smaller_letters_data() {
        labels_are_whole_and_at_what_they_name_data();
    }
    void a_page_that_does_not_grow_is_whole_in_smaller_letters() {
        QFETCH(const QString, report);
        const PageSpec& page = small_figure;
        const WorkspaceResult result =
            *make_result({std::make_shared<const Profile>(*open_profile(report.toStdString())), {}, {}, {}});
        for (const std::uint32_t gaps : {0U, 4U}) {
            SceneOptions options = scene_options(result.inputs.spec, {}, Theme::print);
            options.gaps = gaps;
            const Scene scene = scene_of(result, options);
            const PagePlacement laid = lay_out_page(scene, page);
            QVERIFY(laid.page.scale * page_text_size >= page.least_letters);
            QCOMPARE(laid.page.size().width, page.width);
            QVERIFY(laid.page.whole);
            QCOMPARE(test::lasting_rows(laid.page.legend), test::lasting_rows(scene.legend));
            for (const PlacedText& line : laid.page.caption)
                QVERIFY2(!line.text.ends_with("…"), line.text.c_str());
            if (scene.dots.size() <= few_dots) QCOMPARE(labels_left_out(laid.layout), std::size_t{0});
            for (const PlacedText& label : laid.layout.roof_labels)
                QVERIFY2(label.text.find(scene.roofs[label.index].value) != std::string::npos,
                         label.text.c_str());
        }
    }
    void names_of_roofs_stand_at_their_lines_before_figures() {
        constexpr double beside = 30;  // [px]
        const auto scene = scene_of_sample("2024.3.0_a100_4kernels_full_pmsampling_source",
                                           [](SceneOptions& options) { options.selected = 0; });
        if (!scene) QSKIP("samples are not beside this checkout");
        const Layout layout = lay_out_page(*scene, figure_uses[0].page).layout;
        for (const PlacedText& label : layout.roof_labels) {
            const auto roof = std::ranges::find(layout.roofs, label.index, &PlacedLine::index);
            QVERIFY2(LabelBox(label).distance(roof->from, roof->to) < beside, label.text.c_str());
        }
        QVERIFY(!layout.gap_labels.empty());
    }
    void words_of_figures_and_of_bars_hide_no_roof() {
        const std::array<std::pair<const char*, std::uint32_t>, 2> charts{
            {{"2023.1.1_a10g_sgemm_4kernels_set-roofline", 4}, {"2023.2.0_a10_105kernels_default", 0}}};
        for (const auto& [report, gaps] : charts) {
            const auto scene =
                scene_of_sample(report, [most = gaps](SceneOptions& options) { options.gaps = most; });
            if (!scene) QSKIP("samples are not beside this checkout");
            for (const FigureUse& use : figure_uses) {
                const Layout layout = lay_out_page(*scene, use.page).layout;
                for (const PlacedLine& roof : layout.roofs) {
                    for (const PlacedText& label : layout.gap_labels)
                        QVERIFY2(!LabelBox(label).crosses(roof.from, roof.to) ||
                                     !LabelBox(label).runs_along(roof.from, roof.to),
                                 label.text.c_str());
                    for (const PlacedText& label : layout.kernel_ceiling_labels)
                        QVERIFY2(!LabelBox(label).crosses(roof.from, roof.to), label.text.c_str());
                }
            }
        }
    }
    void a_bar_has_a_name_alone_only_where_nothing_near_names_its_kernel() {
        constexpr double near = 160;  // a name at the far end of the line is none of the bar [px]
        std::size_t bars = 0;
        std::size_t words = 0;
        for (const char* report :
             {"2021.2.2_a100_154kernels_2threads_default", "2023.2.0_a10_105kernels_default",
              "2022.1.1_a40_julia_2kernels_full", "2024.3.2_rtx4080s-ada_51kernels_default"}) {
            const auto scene = scene_of_sample(report, [](SceneOptions&) {});
            if (!scene) QSKIP("samples are not beside this checkout");
            const Layout layout = lay_out_page(*scene, figure_uses[0].page).layout;
            bars += layout.kernel_ceilings.size();
            for (const PlacedText& label : layout.kernel_ceiling_labels) {
                const KernelCeiling& bar = scene->kernel_ceilings[label.index];
                const PointF end =
                    std::ranges::find(layout.kernel_ceilings, label.index, &PlacedLine::index)->to;
                const auto is_its = [&](const PlacedText& name) {
                    return scene->dots[scene->names[name.index].dot].point == bar.point &&
                           std::hypot(name.at.x - end.x, name.at.y - end.y) < near;
                };
                QVERIFY2(label.text != bar.brief || std::ranges::none_of(layout.names, is_its),
                         label.text.c_str());
                ++words;
            }
        }
        QVERIFY(bars > words && words > 0);
    }
    void a_legend_inside_finds_the_empty_corner() {
        for (const std::uint32_t gaps : {0U, 4U})
            for (const FigureUse& use : figure_uses) {
                const auto scene = scene_of_sample("2023.1.1_a10g_sgemm_4kernels_set-roofline",
                                                   [&](SceneOptions& options) { options.gaps = gaps; });
                if (!scene) QSKIP("samples are not beside this checkout");
                PageSpec spec = use.page;
                spec.legend = LegendPlace::inside;
                const PagePlacement laid = lay_out_page(*scene, spec);
                QVERIFY2(!laid.legend_moved && laid.page.legend_ground, use.id.data());
                QCOMPARE(test::lasting_rows(laid.page.legend), test::lasting_rows(scene->legend));
            }
    }
    void the_ridge_of_the_binding_roof_stands_beside_the_marks_of_a_small_window() {
        const auto scene = scene_of_sample("2025.2.1_b200_cublaslt-int8_algo23_1kernel_basic",
                                           [](SceneOptions& options) { options.selected = 0; });
        if (!scene) QSKIP("samples are not beside this checkout");
        const View view{.plot = {76, 12, 268, 124}, .x = scene->x, .y = scene->y};
        const Layout layout = lay_out(*scene, view);
        QVERIFY(!layout.ridge_labels.empty());
        for (const PlacedText& label : layout.ridge_labels)
            for (const Dot& dot : scene->dots)
                QVERIFY2(!LabelBox(label).touches_circle(dot_position(dot, view), view.marks.of(dot.radius)),
                         label.text.c_str());
    }
    void a_ridge_has_its_label_beside_it_or_is_in_the_caption() {
        constexpr double beside = 95;  // [px]
        const auto scene = scene_of_sample("2023.2.0_a10_105kernels_default", [](SceneOptions&) {});
        if (!scene) QSKIP("samples are not beside this checkout");
        for (const FigureUse& use : figure_uses) {
            const PagePlacement laid = lay_out_page(*scene, use.page);
            std::string caption;
            for (const PlacedText& line : laid.page.caption)
                caption += line.text + " ";
            for (const PlacedLine& tick : laid.layout.ridge_ticks) {
                const auto label =
                    std::ranges::find(laid.layout.ridge_labels, tick.index, &PlacedText::index);
                const bool labelled = label != laid.layout.ridge_labels.end();
                const RidgeMark& ridge = scene->ridges[tick.index];
                QVERIFY2(labelled ? LabelBox(*label).distance_to_circle(tick.to, 0) < beside
                                  : caption.find(ridge.name + " " + ridge.number) != std::string::npos,
                         use.id.data());
            }
        }
    }

  private:
    /// Absent where the samples are not beside this checkout.
    template <class Change>
    static std::optional<Scene> scene_of_sample(const char* report, const Change& change) {
        const std::string file = sample(report);
        if (file.empty()) return std::nullopt;
        const WorkspaceResult result =
            *make_result({std::make_shared<const Profile>(*open_profile(file)), {}, {}, {}});
        SceneOptions options = scene_options(result.inputs.spec, {}, Theme::print);
        change(options);
        return scene_of(result, options);
    }
};

}  // namespace tst_label_places

ROOFWALK_TEST(tst_label_places, TestLabelPlaces, NoApplication)
#include "tst_label_places.moc"
