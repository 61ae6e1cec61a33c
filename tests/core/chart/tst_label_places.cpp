// SPDX-License-Identifier: GPL-3.0-or-later
// What holds of the labels of every real report, at any size: whose each is, and that none is missing.
#include <QTest>
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

#include "core/chart/layout/label_box.h"
#include "core/chart/layout/page.h"
#include "core/chart/scene/dot_pile.h"
#include "core/chart/scene/nested_dots.h"
#include "core/import/open_profile.h"
#include "core/workspace/workspace_result.h"
#include "tests/support/folder_tests.h"
#include "tests/support/samples.h"

namespace tst_label_places {

using namespace roofwalk;
using namespace roofwalk::test;

namespace {

constexpr std::array<PageSpec, 6> sizes{
    {{336, 252}, {400, 300}, {600, 400}, {900, 600}, {1280, 800}, {2560, 1440}}};

struct Drawn {
    Scene scene;
    PagePlacement page;
};

/// From a label to the nearest dot in view of its kernel, or to its line where its work was not counted, and
/// to the dot of any other that does not stand at the very place of one of its own [px].
struct Distances {
    double own = 1e9;
    double other = 1e9;
};

Distances distances(const Drawn& drawn, const PlacedText& label, std::uint32_t point) {
    const View& view = drawn.page.page.view;
    const LabelBox box(label);
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

/// Calls `look(drawn, where)` for the chart of a report at every size, with nothing and with its longest
/// kernel selected.
template <class Look>
void each_chart(const Look& look) {
    QFETCH(QString, report);
    Result<Profile> profile = open_profile(report.toStdString());
    if (!profile) return;
    const WorkspaceResult result =
        *make_result({std::make_shared<const Profile>(*std::move(profile)), {}, {}, {}});
    for (const bool selects : {false, true}) {
        if (selects && result.ranking.empty()) continue;
        ViewFocus focus;
        if (selects) focus.selected = result.ranking.front();
        const Scene scene = scene_of(result, scene_options(result.of.spec, focus, Theme::light));
        for (const PageSpec& size : sizes)
            look(Drawn{scene, lay_out_page(scene, size)},
                 QString("%1x%2 %3: ").arg(size.width).arg(size.height).arg(selects ? "selected" : "whole"));
    }
}

}  // namespace

class TestLabelPlaces : public QObject {
    Q_OBJECT

  private slots:
    void every_roof_that_is_drawn_has_its_name_data() { add_reports(); }
    void every_roof_that_is_drawn_has_its_name() {
        QStringList unnamed;
        each_chart([&](const Drawn& drawn, const QString& where) {
            for (const PlacedLine& line : drawn.page.layout.roofs) {
                const Roof& roof = drawn.scene.roofs[line.index];
                if (!roof.is_beside() && !is_named(drawn.page.layout, roof))
                    unnamed.append(where + QString::fromStdString(roof.name));
            }
        });
        QVERIFY2(unnamed.empty(), qPrintable(unnamed.join("; ")));
    }
    void no_name_is_nearer_to_another_kernel_data() { add_reports(); }
    void no_name_is_nearer_to_another_kernel() {
        QStringList astray;
        each_chart([&](const Drawn& drawn, const QString& where) {
            for (const PlacedText& label : drawn.page.layout.names) {
                const std::uint32_t point = drawn.scene.dots[drawn.scene.names[label.index].dot].point;
                const auto [own, other] = distances(drawn, label, point);
                if (!label.leader && own > other) astray.append(where + QString::fromStdString(label.text));
            }
        });
        QVERIFY2(astray.empty(), qPrintable(astray.join("; ")));
    }

  private:
    static void add_reports() {
        QTest::addColumn<QString>("report");
        if (sample_reports().empty()) QSKIP("samples are not beside this checkout");
        for (const auto& report : sample_reports())
            QTest::newRow(report.filename().c_str()) << QString::fromStdString(report.string());
    }
};

}  // namespace tst_label_places

ROOFWALK_TEST(tst_label_places, TestLabelPlaces, NoApplication)
#include "tst_label_places.moc"
