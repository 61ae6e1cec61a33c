// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <QXmlStreamReader>
#include <fstream>
#include <sstream>

#include "core/chart/svg/svg_writer.h"
#include "core/devices/match_device.h"
#include "tests/core/chart/comparison_fixture.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"
#include "tests/support/samples.h"

namespace tst_svg_comparison {

using namespace roofwalk;
using namespace roofwalk::test;

namespace {

LaunchFacts facts(std::string name, double time, double flops, double hbm_bytes, double l2_bytes) {
    LaunchFacts launch;
    launch.name = std::move(name);
    launch.time = time;
    launch.flops = flops;
    launch.bytes = {{Boundary::hbm_dram_rw, hbm_bytes}, {Boundary::l2_sm_sectors, l2_bytes}};
    return launch;
}

/// A product that is tiled and then pipelined, a stencil that gets worse, a solver that trades bytes for
/// time, a copy that stays.
std::vector<std::vector<LaunchFacts>> three_reports() {
    return {{facts("void gemm<1>(float*)", 40e-3, 1.4e11, 4e9, 1.6e11),
             facts("stencil(float*)", 2e-3, 2e9, 2e9, 3e9), facts("solve(float*)", 6e-3, 1.2e10, 1.5e9, 3e9),
             facts("scale(float*)", 1e-3, 1e8, 1e9, 1e9)},
            {facts("void gemm<32>(float*)", 20e-3, 1.4e11, 4e9, 1.7e10),
             facts("stencil(float*)", 2.4e-3, 2e9, 2.6e9, 4e9),
             facts("solve(float*)", 4e-3, 1.2e10, 4e9, 6e9), facts("scale(float*)", 1.01e-3, 1e8, 1e9, 1e9)},
            {facts("void gemm<128>(float*)", 8.4e-3, 1.4e11, 8e8, 6e9),
             facts("stencil(float*)", 3e-3, 2e9, 4e9, 5e9), facts("solve(float*)", 3e-3, 1.2e10, 4.4e9, 7e9),
             facts("scale(float*)", 1e-3, 1e8, 1e9, 1e9)}};
}

/// The acceptance list's GEMV at 1.2, 2.9 and 3.1 TFLOP/s and 1 FLOP/byte.
std::vector<std::vector<LaunchFacts>> gemv_reports() {
    std::vector<std::vector<LaunchFacts>> list;
    for (const double rate : {1.2e12, 2.9e12, 3.1e12}) {
        constexpr double bytes = 2.0 * 4096 * 4096;
        LaunchFacts launch;
        launch.name = "gemv(half const*, half const*, half*)";
        launch.time = bytes / rate;
        launch.flops = bytes;
        launch.bytes = {{Boundary::hbm_dram_rw, bytes}};
        list.push_back({launch});
    }
    return list;
}

std::string svg_of(const QString& name) {
    const bool gemv = name == "comparison_gemv";
    const Reports reports(gemv ? gemv_reports() : three_reports(),
                          gemv ? *find_known_device("H100 SXM") : test_gpu());
    SceneOptions options;
    options.theme = name == "comparison_dark"    ? Theme::dark
                    : name == "comparison_print" ? Theme::print
                                                 : Theme::light;
    if (name == "comparison_light") options.selected = 0;
    if (name == "comparison_print") options.title = "Three reports of one program";
    return to_svg(reports.scene(options), reports.runs.back()->analysis);
}

}  // namespace

/// Run with ROOFWALK_UPDATE_GOLDEN=1 to write tests/golden/svg anew; look at the difference before
/// committing.
class TestSvgComparison : public QObject {
    Q_OBJECT

  private slots:
    void charts_are_as_they_were_data() {
        QTest::addColumn<QString>("name");
        for (const char* name :
             {"comparison_light", "comparison_dark", "comparison_print", "comparison_gemv"})
            QTest::newRow(name) << name;
    }
    void charts_are_as_they_were() {
        QFETCH(QString, name);
        const auto file = data_folder().parent_path() / "golden" / "svg" / (name.toStdString() + ".svg");
        const std::string svg = svg_of(name);
        if (qEnvironmentVariableIsSet("ROOFWALK_UPDATE_GOLDEN")) std::ofstream(file, std::ios::binary) << svg;
        std::ostringstream golden;
        golden << std::ifstream(file, std::ios::binary).rdbuf();
        QVERIFY2(!golden.str().empty(), "no golden file");
        QCOMPARE(svg, golden.str());
        QXmlStreamReader reader(QByteArray::fromStdString(svg));
        while (!reader.atEnd())
            reader.readNext();
        QVERIFY2(!reader.hasError(), qPrintable(reader.errorString()));
    }
};

}  // namespace tst_svg_comparison

ROOFWALK_TEST(tst_svg_comparison, TestSvgComparison, NoApplication)
#include "tst_svg_comparison.moc"
