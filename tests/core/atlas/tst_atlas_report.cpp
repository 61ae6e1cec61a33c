// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/atlas/atlas_report.h"

#include <QTest>

#include "core/operations/op_parser.h"
#include "tests/core/atlas/modelled_step.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"
#include "tests/support/schema.h"

namespace tst_atlas_report {

using namespace roofwalk;
using test::atlas_on;

namespace {

/// A GEMV on an A100 that moves twice the bytes that it needs, and a kernel of which only the time is known.
MeasuredRun measured_gemv() {
    const auto model = test::right(model_operation("gemv m=4096 n=4096 dtype=fp16"));
    auto profile = std::make_shared<Profile>();
    profile->sources.emplace_back().path = "run.ncu-rep";
    profile->devices.push_back(*find_known_device("A100 SXM 80 GB"));
    profile->kernels = {{"gemv_kernel", "gemv_kernel", {}}, {"other", "other", {}}};
    Launch gemv;
    gemv.duration = Seconds(1e-4);
    gemv.work.push_back({.pipe = Pipe{PipeKind::fp32}, .work = model.total_work()});
    gemv.traffic.emplace_back().total = model.compulsory() * 2;  // of HBM
    Launch other;
    other.kernel = static_cast<KernelIndex>(1);
    other.duration = Seconds(1e-5);
    profile->launches = {gemv, other};
    auto operations = std::make_shared<LaunchOperations>();
    operations->operations.push_back(std::make_shared<const BoundOperation>(
        BoundOperation{std::make_shared<const OperationModel>(model), "gemv", BindingSource::user, "test"}));
    operations->of_launch = {1, 0};
    return {profile, operations};
}

}  // namespace

class TestAtlasReport : public QObject {
    Q_OBJECT

  private slots:
    void json_holds_to_its_schema() {
        for (const char* model : {"llama-2-7b", "deepseek-v3"})
            QCOMPARE(test::against_schema(to_atlas_json(atlas_on(model, {}, {"H100 SXM", "H200"}))),
                     std::string());
        const ModelRun images{.phase = Phase::prefill};
        QCOMPARE(test::against_schema(to_atlas_json(atlas_on("resnet-50", images, {"A100 SXM 80 GB"}))),
                 std::string());
    }
    void a_gpu_without_ceilings_is_told() {
        Device board;
        board.name = "board";
        board.ceilings.bandwidth = {{Boundary::hbm_dram_rw, ByteRate(1e12), {}}};
        const Atlas atlas = test::right(atlas_of(test::right(built_in_model("llama-2-7b")), {}, {board}, {}));
        QVERIFY(!atlas.devices[0].time);
        QCOMPARE(test::against_schema(to_atlas_json(atlas)), std::string());
        QVERIFY(to_atlas_text(atlas).find("unknown") != std::string::npos);
        QVERIFY(to_csv(atlas_table(atlas)).find("no ceiling known") != std::string::npos);
    }
    void a_page_tells_what_a_step_takes_on_one_gpu() {
        const auto tables = [](const TextPage& page) {
            std::vector<FactTable> list;
            for (const TextBlock& block : page.blocks)
                if (block.kind == BlockKind::facts) list.push_back(block.facts);
            return list;
        };
        const auto texts = [](const TextPage& page) {
            return std::ranges::count(page.blocks, BlockKind::text, &TextBlock::kind);
        };
        const Atlas atlas = atlas_on("llama-2-7b", {.batch = 16}, {"H100 SXM", "A100 SXM 80 GB"});
        const TextPage page = atlas_page(atlas, 1);
        QCOMPARE(page.subject, std::string("A100 SXM 80 GB"));
        const std::vector<FactTable> shown = tables(page);
        QCOMPARE(shown.size(), 3U);  // the step, its operations, batches
        const auto& operations = shown[1].rows;
        QCOMPARE(operations.size(), atlas.work.operations.size());
        QCOMPARE(operations[test::number_of(atlas.work, "down_proj")].cells.back().text, std::string("162"));
        QVERIFY(shown[1].headers[2].ends_with("s]"));  // a unit of time
        QCOMPARE(shown[2].rows.size(), atlas.devices[1].batches.size());
        QVERIFY(shown[2].rows[4].strong && !shown[2].rows[3].strong);  // 16
        QCOMPARE(texts(page), 0);

        const Atlas large = atlas_on("llama-2-7b", {.batch = 64}, {"A100 SXM 80 GB"});
        QVERIFY(*large.devices[0].largest_batch < 64);
        QCOMPARE(texts(atlas_page(large, 0)), 1);
    }
    void what_was_measured_is_laid_over_the_atlas() {
        const Atlas atlas = atlas_on("llama-2-7b", {}, {"A100 SXM 80 GB"});
        const std::size_t operations = atlas.work.operations.size();
        const AtlasProfile alone = profile_of(atlas);
        const MeasuredRun run = measured_gemv();
        const AtlasProfile laid = profile_of(atlas, run);
        QCOMPARE(laid.profile.launches.size(), alone.profile.launches.size() + 2);
        QCOMPARE(laid.analysis.points.size(), operations + 2);
        const auto measured = [&](const KernelPoint& point) { return is_measured(atlas, point); };
        QCOMPARE(std::ranges::count_if(laid.analysis.points, measured), 2);
        for (const KernelPoint& point : laid.analysis.points) {
            if (!measured(point)) continue;
            QCOMPARE(point.target.has_value(), point.name == "gemv_kernel");
            if (point.target) QVERIFY(test::near(*point.target->byte_gap, 2, 1e-9));
        }
        const Scene scene = scene_of(atlas, {}, run).scene;
        QCOMPARE(std::ranges::count_if(scene.dots,
                                       [&](const Dot& dot) {
                                           return measured(laid.analysis.points[dot.point]) && !dot.modelled;
                                       }),
                 1);  // the other kernel has no bytes

        const TextPage page = measured_page(atlas, laid);
        const auto table = std::ranges::find(page.blocks, BlockKind::facts, &TextBlock::kind);
        QCOMPARE(table->facts.rows.size(), 2U);
        QCOMPARE(table->facts.rows[0].cells[0].text, std::string("gemv_kernel"));  // more time
        QCOMPARE(table->facts.rows[0].cells[3].text, std::string("2.00x"));
        QCOMPARE(table->facts.rows[1].cells[3].text, std::string("–"));
    }
    void the_table_has_a_row_for_each_operation_and_device() {
        const Atlas atlas = atlas_on("llama-2-7b", {}, {"H100 SXM", "H200"});
        const ReportTable table = atlas_table(atlas);
        QCOMPARE(table.rows.size(), 2 * atlas.work.operations.size());
        const auto column = [&](std::string_view id) {
            const auto found = std::ranges::find(table.columns, id, &ReportColumn::id);
            return static_cast<std::size_t>(found - table.columns.begin());
        };
        double shares = 0;
        for (std::size_t i = 0; i < atlas.work.operations.size(); ++i)
            shares += *table.rows[i][column("share")].number;
        QVERIFY(test::near(shares, 1, 1e-9));
        const std::size_t down = test::number_of(atlas.work, "down_proj");
        QCOMPARE(*table.rows[down][column("ridge")].number, 328.0);
        QVERIFY(!table.rows[test::number_of(atlas.work, "attention")][column("ridge")].applies);
    }
};

}  // namespace tst_atlas_report

ROOFWALK_TEST(tst_atlas_report, TestAtlasReport, NoApplication)
#include "tst_atlas_report.moc"
