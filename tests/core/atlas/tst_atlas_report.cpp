// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/atlas/atlas_report.h"

#include <QTest>

#include "core/atlas/measured_places.h"
#include "core/operations/op_parser.h"
#include "tests/core/atlas/modelled_step.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"
#include "tests/support/schema.h"

namespace tst_atlas_report {

using namespace roofwalk;
using test::atlas_on;

namespace {

/// Kernels of an A100: two launches of one function for a GEMV that move twice the bytes that it needs, the
/// second launch a product of other sizes, and a kernel of which only the time is known.
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
    profile->launches = {gemv, gemv, gemv, other};
    auto operations = std::make_shared<LaunchOperations>();
    for (const char* text : {"gemv m=4096 n=4096 dtype=fp16", "gemm m=8 n=64 k=4096 dtype=fp16"})
        operations->operations.push_back(std::make_shared<const BoundOperation>(
            BoundOperation{std::make_shared<const OperationModel>(test::right(model_operation(text))), text,
                           BindingSource::user, "test"}));
    operations->of_launch = {1, 1, 2, 0};
    MeasuredRun run{profile, {}};
    run.options.launch_operations = operations;
    return run;
}

}  // namespace

class TestAtlasReport : public QObject {
    Q_OBJECT

  private slots:
    void json_holds_to_its_schema() {
        for (const char* model : {"llama-2-7b", "deepseek-v3"})
            QCOMPARE(test::against_schema(to_atlas_json(atlas_on(model, {}, {"H100 SXM", "H200"}))),
                     std::string());
        const ModelRun images{.phase = ModelPhase::prefill};
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
        QCOMPARE(shown.size(), 4U);  // the step, its operations, memory, batches
        const auto& operations = shown[1].rows;
        QCOMPARE(operations.size(), atlas.work.operations.size());
        const std::vector<FactCell>& down = operations[test::number_of(atlas.work, "down_proj")].cells;
        QCOMPARE(down.back().text, std::string("162"));
        // What both GPUs have stands on the first page.
        QVERIFY(tables(atlas_page(atlas, 0))[1].headers.size() > shown[1].headers.size());
        QVERIFY(shown[1].headers[2].ends_with("s]"));  // a unit of time
        QCOMPARE(shown[3].rows.size(), atlas.devices[1].batches.size());
        QVERIFY(shown[3].rows[4].strong && !shown[3].rows[3].strong);  // 16
        QCOMPARE(texts(page), 0);

        const Atlas large = atlas_on("llama-2-7b", {.batch = 64}, {"A100 SXM 80 GB"});
        QVERIFY(*large.devices[0].largest_batch < 64);
        const FactRow alone = tables(atlas_page(large, 0))[1].rows[test::number_of(large.work, "down_proj")];
        QCOMPARE(alone.cells[3].text, std::string("64.0"));     // 2 M / 2 bytes
        QCOMPARE(alone.cells.back().text, std::string("154"));  // the rule of thumb
        QCOMPARE(tables(atlas_page(large, 0, true))[1].headers.size(), alone.cells.size() - 2);
        QCOMPARE(texts(atlas_page(large, 0)), 1);
        QVERIFY(to_atlas_json(large).find("\"batch_fits\":false") != std::string::npos);
        QVERIFY(to_atlas_json(atlas).find("\"batch_fits\":false") == std::string::npos);
        QVERIFY(to_atlas_text(large).find("A batch of 64 ") != std::string::npos);
        QVERIFY(to_atlas_text(atlas).find("A batch of ") == std::string::npos);
    }
    void what_was_measured_is_laid_over_the_atlas() {
        const Atlas atlas = atlas_on("llama-2-7b", {}, {"A100 SXM 80 GB"});
        const std::size_t operations = atlas.work.operations.size();
        const AtlasProfile alone = profile_of(atlas);
        const MeasuredRun run = measured_gemv();
        const AtlasProfile laid = profile_of(atlas, run);
        QCOMPARE(laid.profile.launches.size(), alone.profile.launches.size() + 4);
        QCOMPARE(laid.analysis.points.size(), operations + 3);  // by operation, not by function
        const auto measured = [&](const KernelPoint& point) { return is_measured(atlas, point); };
        QCOMPARE(std::ranges::count_if(laid.analysis.points, measured), 3);
        const Scene scene = scene_of(atlas, {}, run).scene;
        QCOMPARE(std::ranges::count_if(scene.dots,
                                       [&](const Dot& dot) {
                                           return measured(laid.analysis.points[dot.point]) && !dot.modelled;
                                       }),
                 2);  // the other kernel has no bytes
    }
    void a_measured_operation_stands_beside_its_place() {
        // The other one of the two GPUs ran it.
        const Atlas atlas = atlas_on("llama-2-7b", {}, {"H100 SXM", "A100 SXM 80 GB"});
        const AtlasProfile laid = profile_of(atlas, measured_gemv());
        const std::vector<MeasuredPlace> places = measured_places(atlas, laid);
        QCOMPARE(places.size(), 3U);
        const MeasuredPlace& gemv = places[0];
        QCOMPARE(names_of(atlas.work, gemv.operations),
                 std::string("q_proj, k_proj, v_proj, o_proj"));  // all of 1 x 4096 x 4096
        QCOMPARE(gemv.device, 1U);
        QCOMPARE(gemv.gpu, std::string("A100 SXM 80 GB"));
        QCOMPARE(gemv.kernels, std::vector<std::string>{"gemv_kernel"});
        QCOMPARE(gemv.executions, 2.0);
        QCOMPARE(gemv.time->value(), 1e-4);
        // 33,570,816 bytes at 2.039 TB/s take 16.46 us.
        QVERIFY(test::near(*gemv.factor, 1e-4 / (33570816 / 2.039e12), 1e-9));
        QVERIFY(places[1].operations.empty() && !places[1].operation.empty() && !places[1].factor);
        QVERIFY(places[2].operation.empty());
        QCOMPARE(places[2].kernels, std::vector<std::string>{"other"});

        const ReportTable table = measured_table(atlas, laid);
        const auto cell = [&](std::size_t row, std::string_view id) {
            const auto found = std::ranges::find(table.columns, id, &ReportColumn::id);
            return table.rows[row][static_cast<std::size_t>(found - table.columns.begin())];
        };
        // 33,554,432 FLOP over its bytes, and over twice as many.
        QVERIFY(test::near(*cell(0, "intensity").number, 33554432.0 / 33570816, 1e-9));
        QVERIFY(test::near(*cell(0, "measured_intensity").number, 33554432.0 / 33570816 / 2, 1e-9));
        QVERIFY(test::near(*cell(0, "attainable").number, 33554432 / (33570816 / 2.039e12), 1));
        QVERIFY(test::near(*cell(0, "performance").number, 33554432 / 1e-4, 1));
        QVERIFY(!cell(1, "intensity").applies && !cell(1, "factor").applies);
        QVERIFY(!cell(2, "measured_intensity").known);

        const std::string json = to_atlas_json(atlas, &laid);
        QCOMPARE(test::against_schema(json), std::string());
        QVERIFY(json.find("\"operations\":[\"q_proj\",\"k_proj, v_proj\",\"o_proj\"]") != std::string::npos);
        const TextPage page = measured_page(atlas, laid);
        const auto shown = std::ranges::find(page.blocks, BlockKind::facts, &TextBlock::kind);
        QCOMPARE(shown->facts.rows.size(), 3U);
        QCOMPARE(shown->facts.rows[0].cells.back().text, std::string("6.07x"));
        QVERIFY(to_atlas_text(atlas, &laid).find("6.07x") != std::string::npos);
        // Of what is not of the model it is said only where there is any.
        QVERIFY(to_atlas_text(atlas, &laid).find("others are not") != std::string::npos);
        MeasuredRun whole = measured_gemv();
        auto of_the_model = std::make_shared<Profile>(*whole.profile);
        of_the_model->launches.resize(2);
        whole.profile = of_the_model;
        const AtlasProfile alone = profile_of(atlas, whole);
        QVERIFY(to_atlas_text(atlas, &alone).find("others are not") == std::string::npos);
    }
    void what_ran_on_another_gpu_is_told() {
        const Atlas atlas = atlas_on("llama-2-7b", {}, {"H100 SXM"});
        const std::vector<MeasuredPlace> places = measured_places(atlas, profile_of(atlas, measured_gemv()));
        QCOMPARE(places.front().gpu, std::string("A100 SXM 80 GB"));
        QCOMPARE(places.front().device, 0U);
        QVERIFY(test::near(*places.front().factor, 1e-4 / (33570816 / 3.35e12), 1e-9));
    }
    void an_operation_of_several_kernels_is_one() {
        MeasuredRun run = measured_gemv();
        auto operations = std::make_shared<LaunchOperations>(*run.options.launch_operations);
        operations->of_launch = {1, 0, 2, 1};  // by the first kernel and the last together
        operations->execution_of = {1, 0, 0, 1};
        operations->launches_of_execution = {2};
        run.options.launch_operations = operations;
        const Atlas atlas = atlas_on("llama-2-7b", {}, {"A100 SXM 80 GB"});
        const std::vector<MeasuredPlace> places = measured_places(atlas, profile_of(atlas, run));
        QCOMPARE(places.front().kernels, (std::vector<std::string>{"gemv_kernel", "other"}));
        QCOMPARE(places.front().executions, 1.0);
        QVERIFY(test::near(places.front().time->value(), 1.1e-4, 1e-12));
    }
    void products_of_one_input_may_be_one_launch() {
        MeasuredRun run = measured_gemv();
        auto operations = std::make_shared<LaunchOperations>(*run.options.launch_operations);
        const char* text = "gemm m=1 n=12288 k=4096 dtype=fp16";
        const OperationModel model = test::right(model_operation(text));
        operations->operations[0] = std::make_shared<const BoundOperation>(
            BoundOperation{std::make_shared<const OperationModel>(model), text, BindingSource::user, "test"});
        run.options.launch_operations = operations;
        const Atlas atlas = atlas_on("llama-2-7b", {}, {"A100 SXM 80 GB"});
        const MeasuredPlace place = measured_places(atlas, profile_of(atlas, run)).front();
        QCOMPARE(names_of(atlas.work, place.operations), std::string("q_proj, k_proj, v_proj"));
        const double bytes = 2.0 * (4096 + 12288 + 4096.0 * 12288);
        QVERIFY(test::near(place.least_time->value(), bytes / 2.039e12, 1e-12));
        QVERIFY(test::near(place.intensity->value(), 2 * 4096.0 * 12288 / bytes, 1e-9));
    }
    void memory_has_one_name_with_what_is_laid_over_it() {
        MeasuredRun run = measured_gemv();
        for (const MemoryName memory : {MemoryName::hbm, MemoryName::dram}) {
            run.options.memory = memory;
            const Atlas atlas = test::right(atlas_of(test::right(built_in_model("llama-2-7b")), {},
                                                     {*find_known_device("H100 SXM")}, {}, run));
            QCOMPARE(atlas.options.memory, memory);
            QCOMPARE(atlas.devices.front().places.front().bounds.memory, memory);
            const AtlasProfile laid = profile_of(atlas, run);
            QCOMPARE(laid.analysis.points.back().memory, memory);
        }
    }
    void batches_and_sizes_tell_operations_apart() {
        MeasuredRun run = measured_gemv();
        auto operations = std::make_shared<LaunchOperations>(*run.options.launch_operations);
        const auto bind = [&](const char* text) {
            operations->operations[0] = std::make_shared<const BoundOperation>(
                BoundOperation{std::make_shared<const OperationModel>(test::right(model_operation(text))),
                               text, BindingSource::user, "test"});
            run.options.launch_operations = std::make_shared<const LaunchOperations>(*operations);
            const Atlas atlas = atlas_on("llama-2-7b", {.batch = 8}, {"A100 SXM 80 GB"});
            const MeasuredPlace place = measured_places(atlas, profile_of(atlas, run)).front();
            return place.operations.empty() ? std::string("none")
                                            : atlas.work.operations[place.operations.front()].name;
        };
        QCOMPARE(bind("gemm m=11008 n=8 k=4096 dtype=bf16"),
                 std::string("gate_proj, up_proj"));  // transposed
        QCOMPARE(bind("gemm m=8 n=4096 k=11008"), std::string("down_proj"));
        QCOMPARE(bind("gemm m=8 n=4096 k=11008 batch=2"), std::string("none"));
        QCOMPARE(bind("attention_decode context=4096 head_dim=128 heads=32 batch=8"),
                 std::string("attention"));
        QCOMPARE(bind("attention_decode context=2048 head_dim=128 heads=32 batch=8"), std::string("none"));
        QCOMPARE(bind("rmsnorm rows=8 cols=4096"), std::string("norms"));
        QCOMPARE(bind("rmsnorm rows=8 cols=4096 weights=0"), std::string("norms"));
        QCOMPARE(bind("gemm m=8 n=12288 k=4096"), std::string("q_proj"));  // with k_proj and v_proj
        QCOMPARE(bind("gemm m=8 n=22016 k=4096"), std::string("gate_proj, up_proj"));
        QCOMPARE(bind("gemm m=8 n=9000 k=4096"), std::string("none"));
    }
    void the_ridge_is_as_exact_as_the_batches_at_it() {
        const auto text_of = [](const ModelRun& run) {
            return QString::fromStdString(to_atlas_text(atlas_on("llama-2-7b", run, {"H100 SXM"})));
        };
        // 989 / 3.35 is 295.22, and 296 of it are the rule of thumb.
        QCOMPARE(text_of({}).count("295.22 FLOP/byte at HBM; in tokens the next whole number"), 1);
        QVERIFY(!text_of({}).contains("last token of each prompt"));
        // 321.35 rows of lm_head, each the last of 4096 tokens.
        const QString prompts = text_of({.phase = ModelPhase::prefill});
        QVERIFY(prompts.contains("1,316,251"));
        QCOMPARE(prompts.count("counts with the 4,096 of its prompt"), 1);
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
        // It only copies: no intensity of 0.
        QVERIFY(!table.rows[test::number_of(atlas.work, "embedding")][column("intensity")].number);
        QCOMPARE(*table.rows[down][column("asymptotic_ridge")].number, 296.0);
        QCOMPARE(*table.rows[down][column("asymptotic_intensity")].number, 1.0);
        for (const char* id : {"ridge", "asymptotic_ridge", "asymptotic_intensity"})
            QVERIFY(!table.rows[test::number_of(atlas.work, "attention")][column(id)].applies);
    }
};

}  // namespace tst_atlas_report

ROOFWALK_TEST(tst_atlas_report, TestAtlasReport, NoApplication)
#include "tst_atlas_report.moc"
