// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "core/chart/svg/svg_writer.h"
#include "tests/core/chart/chart_fixture.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_scene_devices {

using namespace roofwalk;
using namespace roofwalk::test;

namespace {

constexpr DeviceIndex test_gpu{0};
constexpr DeviceIndex other_gpu{1};
constexpr Pipe fp8{PipeKind::tensor_fp8};

/// Point 0 takes most time and ran on "Test GPU"; point 1 ran on "Other GPU", whose HBM is twice as fast.
ChartFixture two_devices() {
    KernelFacts elsewhere = three_levels();
    elsewhere.name = "elsewhere";
    KernelFacts here = three_levels();
    here.name = "here";
    here.time = 3e-3;
    ChartFixture fixture({here, elsewhere});
    Device other = fixture.profile.devices.front();
    other.name = "Other GPU";
    other.ceilings.bandwidth.front().rate = ByteRate(4e12);
    fixture.profile.devices.push_back(other);
    fixture.profile.launches[1].device = other_gpu;
    fixture.analysis = analyse(fixture.profile, {});
    return fixture;
}

double hbm_rate(const Scene& scene) {
    for (const Roof& roof : scene.roofs)
        if (roof.id == "roof-hbm") return roof.rate;
    return 0;
}

/// The element of a kernel's dots up to its first '>'.
std::string element(const std::string& svg, const std::string& id) {
    const std::size_t at = svg.find("id=\"" + id + "\"");
    if (at == std::string::npos) return {};
    const std::size_t start = svg.rfind('<', at);
    return svg.substr(start, svg.find('>', at) - start);
}

bool holds(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

}  // namespace

class TestSceneDevices : public QObject {
    Q_OBJECT

  private slots:
    void a_report_that_was_read_in_part_is_told_first() {
        ChartFixture fixture({three_levels()});
        fixture.profile.sources[0].path = "/runs/cut.ncu-rep";
        QVERIFY(fixture.scene().caption.starts_with("Test GPU"));
        fixture.profile.sources[0].format = SourceFormat::roofwalk_json;
        fixture.profile.sources[0].partial = true;
        const std::string caption = fixture.scene().caption;
        QVERIFY2(caption.starts_with("cut.ncu-rep is incomplete; "), caption.c_str());
    }
    void without_a_choice_the_roofs_are_of_the_device_with_most_time() {
        const ChartFixture fixture = two_devices();
        QVERIFY(device_in_use(fixture.profile, fixture.analysis, {}) == test_gpu);
        QCOMPARE(ceilings_in_use(fixture.analysis, {}).find(Boundary::hbm_dram_rw)->rate.value(), 2e12);
        QCOMPARE(hbm_rate(fixture.scene()), 2e12);
    }
    void a_device_without_a_dot_leaves_the_roofs_to_one_that_has_one() {
        ChartFixture fixture = two_devices();
        fixture.profile.launches[0].work.front().work = Flops(0);
        fixture.analysis = analyse(fixture.profile, {});
        QVERIFY(device_in_use(fixture.profile, fixture.analysis, {}) == other_gpu);
        const Scene scene = fixture.scene();
        QCOMPARE(hbm_rate(scene), 4e12);
        for (const Dot& dot : scene.dots)
            QCOMPARE(dot.other_device, dot.point == 0);
        SceneOptions options;
        options.roofs_of = test_gpu;
        QCOMPARE(hbm_rate(fixture.scene(options)), 2e12);
    }
    void a_device_can_be_chosen() {
        const ChartFixture fixture = two_devices();
        SceneOptions options;
        options.roofs_of = other_gpu;
        QVERIFY(device_in_use(fixture.profile, fixture.analysis, options) == other_gpu);
        QCOMPARE(ceilings_in_use(fixture.analysis, options).find(Boundary::hbm_dram_rw)->rate.value(), 4e12);
        const Scene scene = fixture.scene(options);
        QCOMPARE(hbm_rate(scene), 4e12);
        QVERIFY2(scene.caption.starts_with("roofs of Other GPU only, one of 2 devices"),
                 scene.caption.c_str());
    }
    void devices_without_a_name_are_told_apart_by_their_capability() {
        ChartFixture fixture = two_devices();
        for (Device& device : fixture.profile.devices) {
            device.compute_capability = ComputeCapability{device.name == "Other GPU" ? 9 : 8, 0};
            device.name.clear();
        }
        fixture.profile.launches[0].work.front().work = Flops(0);  // no dot
        fixture.analysis = analyse(fixture.profile, {});
        QCOMPARE(fixture.analysis.models.size(), std::size_t{2});
        const Scene scene = fixture.scene();
        QCOMPARE(hbm_rate(scene), 4e12);
        QVERIFY2(scene.caption.starts_with("roofs of unnamed GPU (CC 9.0) only, one of 2 devices"),
                 scene.caption.c_str());
    }
    void a_device_without_kernels_cannot() {
        const ChartFixture fixture = two_devices();
        SceneOptions options;
        options.roofs_of = static_cast<DeviceIndex>(7);
        QVERIFY(device_in_use(fixture.profile, fixture.analysis, options) == test_gpu);
        QCOMPARE(ceilings_in_use(fixture.analysis, options).find(Boundary::hbm_dram_rw)->rate.value(), 2e12);
        QVERIFY(!device_in_use(Profile{}, Analysis{}, options));
    }
    void a_selected_kernel_brings_the_roofs_of_its_device() {
        const ChartFixture fixture = two_devices();
        SceneOptions options;
        options.roofs_of = test_gpu;
        options.selected = 1;
        QVERIFY(device_in_use(fixture.profile, fixture.analysis, options) == other_gpu);
        QCOMPARE(hbm_rate(fixture.scene(options)), 4e12);
    }
    void a_roof_that_limits_kernels_of_another_device_alone_is_drawn_and_named() {
        ChartFixture fixture = two_devices();
        fixture.profile.devices[1].ceilings.compute.push_back(
            {fp8, FlopRate(4e14), fixture.profile.devices[1].ceilings.compute.front().provenance});
        fixture.profile.launches[1].work = {{fp8, Origin::measured, TextId::none, Flops(3e11)}};
        fixture.analysis = analyse(fixture.profile, {});
        SceneOptions options;
        for (const bool selected : {false, true}) {
            if (selected) options.selected = 0;
            const Scene scene = fixture.scene(options);
            QCOMPARE(hbm_rate(scene), 2e12);
            const Roof* lacking = roof(scene, "device1-roof-tensor-fp8");
            QVERIFY(lacking && lacking->line == RoofLine::other_device && !lacking->highlighted);
            QCOMPARE(lacking->rate, 4e14);
            QCOMPARE(lacking->name, std::string("FP8 Tensor of Other GPU"));
            QVERIFY2(holds(scene.caption, "dash-dotted: FP8 Tensor of Other GPU (400 TFLOP/s)"),
                     scene.caption.c_str());
            QCOMPARE(std::ranges::count(scene.roofs, RoofLine::other_device, &Roof::line), std::ptrdiff_t{1});
        }
        options.selected = 1;
        QVERIFY(roof(fixture.scene(options), "roof-tensor-fp8"));
        options.selected.reset();
        options.hidden_pipes = {fp8};
        QVERIFY(!roof(fixture.scene(options), "device1-roof-tensor-fp8"));
        fixture.profile.launches[1].work.front().work = Flops(1e9);  // HBM limits it
        fixture.analysis = analyse(fixture.profile, {});
        QVERIFY(!roof(fixture.scene(), "device1-roof-tensor-fp8"));
    }
    void boards_of_one_model_are_told_apart_for_what_was_measured_on_them() {
        ChartFixture fixture({three_levels(), three_levels()});
        fixture.profile.devices.push_back(fixture.profile.devices.front());
        fixture.profile.devices[0].uuid = "GPU-a";
        fixture.profile.devices[1].uuid = "GPU-b";
        fixture.profile.launches[1].device = static_cast<DeviceIndex>(1);
        fixture.analysis = analyse(fixture.profile, {});
        SceneOptions options;
        QVERIFY(board_in_use(fixture.profile, fixture.analysis, options) == test_gpu);
        for (std::uint32_t point = 0; point < fixture.analysis.points.size(); ++point) {
            options.selected = point;
            const KernelGroup& group = fixture.analysis.grouping.groups[fixture.analysis.points[point].group];
            const LaunchIndex launch = fixture.analysis.grouping.order[group.first];
            QVERIFY(device_in_use(fixture.profile, fixture.analysis, options) == test_gpu);
            QVERIFY(board_in_use(fixture.profile, fixture.analysis, options) ==
                    fixture.profile.at(launch).device);
        }
    }
    void dots_of_another_device_are_hollow() {
        const ChartFixture fixture = two_devices();
        const Scene scene = fixture.scene();
        for (const Dot& dot : scene.dots)
            QCOMPARE(dot.other_device, dot.point == 1);
        const std::string svg = to_svg(scene, fixture.analysis);
        QVERIFY(!holds(element(svg, "k0"), "fill-opacity"));
        QVERIFY2(holds(element(svg, "k1"), "fill-opacity=\"0.12\""), element(svg, "k1").c_str());
        QVERIFY(holds(element(svg, "k1"), "stroke="));
        QVERIFY(holds(svg, "hollow: not on Test GPU"));
    }
    void with_one_device_no_dot_is_hollow() {
        const ChartFixture fixture({three_levels()});
        const Scene scene = fixture.scene();
        QVERIFY(std::ranges::none_of(scene.dots, &Dot::other_device));
        QVERIFY(!holds(to_svg(scene, fixture.analysis), "hollow"));
    }
    void every_selected_kernel_is_ringed_alike() {
        for (const std::size_t count : {std::size_t{4}, std::size_t{400}}) {
            const ChartFixture fixture(spread_kernels(count));
            SceneOptions options;
            options.selected = 2;
            options.also_selected = {0, 3};
            const QString svg = QString::fromStdString(to_svg(fixture.scene(options), fixture.analysis));
            const QString ring = QStringLiteral("class=\"ring\" fill=\"none\" stroke=\"%1\"")
                                     .arg(QString::fromStdString(to_hex(palette_of(Theme::light).highlight)));
            QCOMPARE(svg.count(ring), qsizetype{6});  // HBM and L2 of each
            QVERIFY(svg.indexOf(ring) > svg.indexOf(QStringLiteral("id=\"k2\"")));
        }
        SceneOptions options;
        options.selected = 2;
        options.also_selected = {0, 3};
        QVERIFY(is_selected(options, 2) && is_selected(options, 3) && !is_selected(options, 1));
    }
};

}  // namespace tst_scene_devices

ROOFWALK_TEST(tst_scene_devices, TestSceneDevices, NoApplication)
#include "tst_scene_devices.moc"
