// SPDX-License-Identifier: GPL-3.0-or-later
// Figures of every real report: what has no words, or cut ones, has no free room for them; captions and
// legends are whole.
#include <QTest>
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <set>

#include "core/chart/layout/label_placer.h"
#include "core/chart/layout/layout_labels.h"
#include "core/chart/layout/page.h"
#include "core/chart/scene/dot_pile.h"
#include "core/chart/scene/nested_dots.h"
#include "core/import/open_profile.h"
#include "core/workspace/workspace_result.h"
#include "tests/support/folder_tests.h"
#include "tests/support/samples.h"

namespace tst_free_room {

using namespace roofwalk;
using namespace roofwalk::test;

namespace {

constexpr std::array<PageSpec, 4> sizes{
    {figure_uses[0].page, figure_uses[1].page, figure_uses[2].page, {1280, 800}}};
constexpr std::size_t few_dots = 16;

/// A chart without the words that found no place, to look for their places in.
class FreeRoom {
  public:
    FreeRoom(const Scene& scene, const PagePlacement& laid)
        : scene_(scene), view_(laid.page.view), layout_(laid.layout), reserved_(laid.page.reserved()) {
        for (const auto* lines :
             {&layout_.roofs, &layout_.gaps, &layout_.targets, &layout_.joins, &layout_.whiskers,
              &layout_.kernel_lines, &layout_.own_roofs, &layout_.kernel_ceilings})
            for (const PlacedLine& line : *lines)
                lines_.push_back(line);
        arrows_ = layout_.gaps;
        for (const auto* labels :
             {&layout_.roof_labels, &layout_.ridge_labels, &layout_.gap_labels, &layout_.names,
              &layout_.target_labels, &layout_.target_tick_labels, &layout_.kernel_ceiling_labels})
            for (const PlacedText& label : *labels) {
                boxes_.emplace_back(label);
                if (!label.leader) continue;
                arrows_.push_back({boxes_.back().leader_start(label.leader_to), label.leader_to});
                lines_.push_back(arrows_.back());
            }
    }

    /// Whether these words can stand clear of everything, with a leader to one of `ends`.
    [[nodiscard]] bool has(const std::string& words, std::optional<std::uint32_t> own,
                           const std::vector<PointF>& ends) const {
        constexpr double step = 4;
        PlacedText label{.size = page_text_size, .text = words};
        const RectF& plot = view_.plot;
        for (label.at.y = plot.y; label.at.y < plot.bottom(); label.at.y += step)
            for (label.at.x = plot.x; label.at.x < plot.right(); label.at.x += step) {
                const LabelBox box(label);
                if (box.inside({plot.x + air, plot.y + air, plot.width - 2 * air, plot.height - 2 * air}) &&
                    is_clear(box) &&
                    std::ranges::any_of(ends, [&](PointF end) { return leads(box, own, end); }))
                    return true;
            }
        return false;
    }

    /// Figures, names and ridges that are missing though they have room.
    [[nodiscard]] QStringList left_out() const {
        QStringList missing;
        const std::set<std::uint32_t> told = told_points();
        for (const PlacedLine& line : layout_.gaps) {
            const GapMark& gap = scene_.gaps[line.index];
            const std::string words = least_words(gap.whose, gap.point) + ": " + gap.brief;
            if (!line.cut && std::ranges::find(told_gaps_, gap.point) == told_gaps_.end() &&
                has(words, gap.point, {{line.from.x, (line.from.y + line.to.y) / 2}, line.to}))
                missing.append(QString::fromStdString(words));
        }
        for (std::size_t i = 0; i < std::min<std::size_t>(scene_.names.size(), scene_.options.labelled);
             ++i) {
            const std::uint32_t dot = scene_.names[i].dot;
            const PointF at = dot_position(scene_.dots[dot], view_);
            if (!told.contains(scene_.dots[dot].point) && scene_.dots[dot].rail != Rail::no_traffic &&
                has(least_words(scene_.names[i].text, scene_.dots[dot].point) + pile_words(dot),
                    scene_.dots[dot].point, {at}))
                missing.append(QString::fromStdString(scene_.names[i].text));
        }
        for (const PlacedLine& tick : layout_.ridge_ticks) {
            const std::string number = " " + scene_.ridges[tick.index].number;
            const auto tells_it = [&](const PlacedText& label) {
                return label.text.find(number) != std::string::npos;
            };
            const std::string words = ridge_words(number);
            if (std::ranges::none_of(layout_.ridge_labels, tells_it) && has(words, {}, {tick.to}))
                missing.append(QString::fromStdString(words));
        }
        return missing;
    }

    /// Names at dots and figures that are cut though all of their words have room.
    [[nodiscard]] static QStringList cut(const Scene& scene, const PagePlacement& laid) {
        QStringList cut;
        const auto look = [&](std::vector<PlacedText> Layout::*labels, const auto& whole_of) {
            const std::vector<PlacedText>& all = laid.layout.*labels;
            for (std::size_t i = 0; i < all.size(); ++i) {
                const auto [name, whole, point, ends] = whole_of(all[i]);
                if (all[i].text.starts_with(name)) continue;
                PagePlacement without = laid;
                std::vector<PlacedText>& others = without.layout.*labels;
                others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
                if (FreeRoom(scene, without).has(whole, point, ends))
                    cut.append(QString::fromStdString(all[i].text));
            }
        };
        look(&Layout::gap_labels, [&](const PlacedText& label) {
            const GapMark& gap = scene.gaps[label.index];
            const auto line = std::ranges::find(laid.layout.gaps, label.index, &PlacedLine::index);
            return Words{gap.whose,
                         gap.whose + ": " + gap.brief,
                         gap.point,
                         {{line->from.x, (line->from.y + line->to.y) / 2}, line->to}};
        });
        look(&Layout::names, [&](const PlacedText& label) {
            const DotName& name = scene.names[label.index];
            const Dot& dot = scene.dots[name.dot];
            return Words{name.text, name.text, dot.point, {dot_position(dot, laid.page.view)}};
        });
        return cut;
    }

  private:
    static constexpr double air = 6;  // [px]

    struct Words {
        std::string name;
        std::string whole;
        std::uint32_t point = 0;
        std::vector<PointF> ends;
    };

    /// Of a name that a caption tells all, else what is left of it where there is least room.
    std::string least_words(const std::string& name, std::uint32_t point) const {
        const bool captioned =
            std::ranges::find(layout_.captioned, point, &CaptionedKernel::point) != layout_.captioned.end();
        return captioned ? name : elided(name, page_text_size, 48);
    }

    std::string pile_words(std::uint32_t dot) const {
        const bool alone = is_band(scene_.dots[dot].rail);
        return alone ? std::string() : pile_at(scene_, view_, dot, {}).words(scene_);
    }

    /// "L1, SMEM 2.00": of all ridges at one place.
    std::string ridge_words(const std::string& number) const {
        std::string words;
        for (const RidgeMark& ridge : scene_.ridges)
            if (" " + ridge.number == number) words += (words.empty() ? "" : ", ") + ridge.name;
        return words + number;
    }

    std::set<std::uint32_t> told_points() const {
        std::set<std::uint32_t> told;
        for (const PlacedText& label : layout_.gap_labels)
            for (const std::uint32_t point : told_by_gap(scene_, layout_, label.index)) {
                told.insert(point);
                told_gaps_.insert(point);
            }
        for (const PlacedText& label : layout_.names) {
            if (label.number > 0) continue;
            const std::uint32_t dot = scene_.names[label.index].dot;
            told.insert(scene_.dots[dot].point);
            if (is_band(scene_.dots[dot].rail)) continue;
            for (const std::uint32_t other : pile_at(scene_, view_, dot, {}).others)
                told.insert(other);
        }
        return told;
    }
    bool is_clear(const LabelBox& box) const {
        const LabelBox apart = box.lengthened(air);
        for (std::uint32_t i = 0; i < scene_.dots.size(); ++i)
            if (box.touches_circle(dot_position(scene_.dots[i], view_),
                                   painted_radius(scene_.dots, i, view_) + air))
                return false;
        return !(reserved_ && apart.overlaps(LabelBox(*reserved_))) &&
               std::ranges::none_of(boxes_, [&](const LabelBox& other) { return other.overlaps(apart); }) &&
               std::ranges::none_of(
                   lines_, [&](const PlacedLine& line) { return box.distance(line.from, line.to) < air; });
    }
    /// A leader that crosses no words, no arrow and no dot of another kernel, none of which is nearer to
    /// them.
    bool leads(const LabelBox& box, std::optional<std::uint32_t> own, PointF end) const {
        const PointF from = box.leader_start(end);
        const double length = std::hypot(end.x - from.x, end.y - from.y);
        if (own && length > longest_leader) return false;
        for (std::uint32_t i = 0; i < scene_.dots.size(); ++i) {
            if (scene_.dots[i].point == own) continue;
            const PointF at = dot_position(scene_.dots[i], view_);
            const double radius = painted_radius(scene_.dots, i, view_);
            if (distance_to_line(at, from, end) < radius + air ||
                (own && box.distance_to_circle(at, radius) < length))
                return false;
        }
        const auto side = [](PointF a, PointF b, PointF at) {
            return (b.x - a.x) * (at.y - a.y) - (b.y - a.y) * (at.x - a.x);
        };
        const auto crosses = [&](const PlacedLine& line) {
            return distance_to_line(end, line.from, line.to) > 1 &&
                   side(line.from, line.to, from) * side(line.from, line.to, end) < 0 &&
                   side(from, end, line.from) * side(from, end, line.to) < 0;
        };
        return std::ranges::none_of(boxes_,
                                    [&](const LabelBox& other) { return other.crosses(from, end); }) &&
               std::ranges::none_of(arrows_, crosses);
    }

    const Scene& scene_;
    const View& view_;
    const Layout& layout_;
    std::optional<RectF> reserved_;
    std::vector<PlacedLine> lines_;
    std::vector<PlacedLine> arrows_;  ///< with leaders
    std::vector<LabelBox> boxes_;
    mutable std::set<std::uint32_t> told_gaps_;
};

}  // namespace

class TestFreeRoom : public QObject {
    Q_OBJECT

  private slots:
    void what_has_no_words_or_not_all_has_no_room_data() { add_reports(); }
    void what_has_no_words_or_not_all_has_no_room() {
        QStringList missing;
        QStringList cut;
        each_figure([&](const Scene& scene, const PagePlacement& laid, const QString& where) {
            for (const QString& words : cut_beside_the_plot(laid))
                cut.append(where + words);
            if (scene.dots.size() > few_dots) return;
            for (const QString& words : FreeRoom(scene, laid).left_out())
                missing.append(where + words);
            for (const QString& words : FreeRoom::cut(scene, laid))
                missing.append(where + "cut: " + words);
        });
        QVERIFY2(missing.empty(), qPrintable(missing.join("; ")));
        QVERIFY2(cut.empty(), qPrintable(cut.join("; ")));
    }

  private:
    /// Of captions and legends.
    static QStringList cut_beside_the_plot(const PagePlacement& laid) {
        QStringList cut;
        const auto look = [&](const std::string& text) {
            if (text.ends_with("…") || (text.ends_with(" more") && text.find(", and ") != std::string::npos))
                cut.append(QString::fromStdString(text));
        };
        for (const PlacedText& line : laid.page.caption)
            look(line.text);
        for (const PlacedLegendRow& row : laid.page.legend)
            look(row.row.text);
        return cut;
    }
    static void add_reports() {
        QTest::addColumn<QString>("report");
        for (const auto& reports : {sample_reports(), shipped_samples()})
            for (const auto& report : reports)
                QTest::newRow(report.filename().c_str()) << QString::fromStdString(report.string());
    }
    template <class Look>
    static void each_figure(const Look& look) {
        QFETCH(QString, report);
        Result<Profile> profile = open_profile(report.toStdString());
        if (!profile) return;
        const WorkspaceResult result =
            *make_result({std::make_shared<const Profile>(*std::move(profile)), {}, {}, {}});
        for (const std::uint32_t gaps : {0U, 4U}) {
            SceneOptions options = scene_options(result.inputs.spec, {}, Theme::print);
            options.gaps = gaps;
            const Scene scene = scene_of(result, options);
            for (const PageSpec& size : sizes)
                look(scene, lay_out_page(scene, size), QString("%1 px, %2 gaps: ").arg(size.width).arg(gaps));
        }
    }
};

}  // namespace tst_free_room

ROOFWALK_TEST(tst_free_room, TestFreeRoom, NoApplication)
#include "tst_free_room.moc"
