// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/atlas/atlas.h"

#include <fmt/format.h>

#include <QTest>

#include "core/atlas/atlas_chart.h"
#include "core/chart/svg/svg_writer.h"
#include "core/operations/op_bounds.h"
#include "tests/core/atlas/modelled_step.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_atlas {

using namespace roofwalk;
using test::atlas_on;
using test::near;
using test::number_of;
using test::right;

namespace {

constexpr std::string_view a100 = "A100 SXM 80 GB";
constexpr std::string_view h100 = "H100 SXM";

const AtlasPlace& place(const Atlas& atlas, std::string_view operation, std::size_t device = 0) {
    return atlas.devices[device].places[number_of(atlas.work, operation)];
}

/// As acceptance tables print it.
std::string printed(double value, int digits) {
    return fmt::format("{:.{}f}", value, digits);
}

std::string intensity(const Atlas& atlas, std::string_view operation) {
    return printed(test::operation_of(atlas.work, operation).model.intensity().value(), 2);
}

/// On which side of the ridge of HBM each GPU has an operation.
std::string sides(const Atlas& atlas, std::string_view operation) {
    std::string text;
    for (std::size_t device = 0; device < atlas.devices.size(); ++device) {
        const auto binding = place(atlas, operation, device).bounds.binding;
        text += binding && label_of(*binding, MemoryName::hbm) == "HBM" ? 'm' : 'c';
    }
    return text;
}

/// The batch that is told of a product.
double ridge(const Atlas& atlas, std::string_view operation, std::size_t device = 0) {
    return std::ceil(place(atlas, operation, device).items_to_ridge.value());
}

/// A row of a table made by hand: how often an operation runs in a step, its FLOP and its bytes.
struct Row {
    const char* name;
    double times;
    double work;
    double bytes;
};

}  // namespace

class TestAtlas : public QObject {
    Q_OBJECT

  private slots:
    void the_batch_that_reaches_the_ridge_is_exact_S0_22() {
        const Atlas atlas = atlas_on("llama-2-7b", {}, {a100, h100, "Tesla V100 SXM2", "H200"});
        for (const char* product : {"gate_proj, up_proj", "down_proj"}) {
            QCOMPARE(ridge(atlas, product, 0), 162.0);
            QCOMPARE(ridge(atlas, product, 1), 328.0);
            QCOMPARE(ridge(atlas, product, 2), 146.0);
            QCOMPARE(ridge(atlas, product, 3), 222.0);
        }
        for (const char* never : {"attention", "norms", "activation"})
            QVERIFY(!place(atlas, never).items_to_ridge && !place(atlas, never).asymptotic_items);
        // At that batch the product stands on the compute side, one less and it does not.
        for (const double batch : {327.0, 328.0}) {
            const Atlas at = atlas_on("llama-2-7b", {.batch = batch}, {h100});
            QVERIFY((place(at, "down_proj").bounds.verdict.kernel_class == KernelClass::compute_bound) ==
                    (batch >= 328));
        }
    }
    // 2 M / 2 bytes: the ridge itself, whatever the product.
    void the_rule_of_thumb_stands_beside_it_S0_21() {
        const Atlas atlas = atlas_on("llama-2-7b", {.batch = 32}, {a100, h100, "Tesla V100 SXM2", "H200"});
        const std::array rules{312.0 / 2.039, 989 / 3.35, 125 / 0.9, 989 / 4.8};
        for (const char* product : {"gate_proj, up_proj", "q_proj", "lm_head"})
            for (std::size_t device = 0; device < rules.size(); ++device)
                QVERIFY(near(*place(atlas, product, device).asymptotic_items, rules[device], 1e-9));
        const OperationModel& q = atlas.work.operations[number_of(atlas.work, "q_proj")].model;
        QCOMPARE(asymptotic_intensity(*q.batchable).value(), 32.0);
        QVERIFY(near(q.intensity().value(), 32 / (1 + 2 * 32 / 4096.0), 1e-9));
        const Atlas narrow = atlas_on("llama-2-7b", {.batch = 32, .weights = DataType::int4}, {h100});
        QVERIFY(near(*place(narrow, "q_proj").asymptotic_items, 989 / 3.35 / 4, 1e-9));
    }
    /// On A100, H100 and H200, whose ridges are 153.0, 295.2 and 206.0: left (m) or right (c) of each.
    void llama_2_7b_stands_where_the_published_tables_have_it_data() {
        QTest::addColumn<double>("batch");
        QTest::addColumn<double>("prompt");  // 0: decode
        QTest::addColumn<QString>("operation");
        QTest::addColumn<QString>("intensity");
        QTest::addColumn<QString>("sides");
        const auto row = [](const char* id, double batch, double prompt, const char* operation,
                            const char* intensity, const char* sides) {
            QTest::newRow(id) << batch << prompt << operation << intensity << sides;
        };
        row("S0-18 attention, B=1", 1, 0, "attention", "1.00", "mmm");
        row("S0-12 attention, B=32", 32, 0, "attention", "1.00", "mmm");
        row("S0-18 attention of a prompt of 2048, causal", 1, 2048, "attention", "512.25", "ccc");
        row("S0-18 attention of a prompt of 128, causal", 1, 128, "attention", "32.25", "mmm");
        row("S0-18 FFN B=256", 256, 0, "down_proj", "235.78", "cmc");
        row("S0-16 FFN B=256", 256, 0, "gate_proj, up_proj", "235.78", "cmc");
        row("S0-18 FFN B=1", 1, 0, "down_proj", "1.00", "mmm");
        row("S0-19 norms of a prompt", 1, 2048, "norms", "1.25", "mmm");
        row("S0-23", 64, 0, "gate_proj, up_proj", "62.66", "mmm");
        row("S0-43 QKV, S0-21", 1, 0, "q_proj", "1.00", "mmm");
        row("S0-43 out", 1, 0, "o_proj", "1.00", "mmm");
        row("S0-43 gate and up", 1, 0, "gate_proj, up_proj", "1.00", "mmm");
        row("S0-43 SiLU", 1, 0, "activation", "0.50", "mmm");
        row("S0-43 B=32, S2-16", 32, 0, "q_proj", "31.51", "mmm");
        row("S0-43 B=256", 256, 0, "q_proj", "227.56", "cmc");
        row("S2-07 M=8", 8, 0, "q_proj", "7.97", "mmm");
        row("S2-04 prefill 512, S2-16", 1, 512, "q_proj", "409.60", "ccc");
        row("S0-22 A100 one below", 161, 0, "down_proj", "152.76", "mmm");
        row("S0-22 A100", 162, 0, "down_proj", "153.66", "cmm");
        row("S0-22 H200 one below", 221, 0, "down_proj", "205.77", "cmm");
        row("S0-22 H200", 222, 0, "down_proj", "206.63", "cmc");
        row("S0-22 H100", 328, 0, "down_proj", "295.53", "ccc");
    }
    void llama_2_7b_stands_where_the_published_tables_have_it() {
        QFETCH(double, batch);
        QFETCH(double, prompt);
        QFETCH(QString, operation);
        ModelRun run{.batch = batch};
        if (prompt > 0) {
            run.context = prompt;
            run.phase = ModelPhase::prefill;
        }
        const Atlas atlas = atlas_on("llama-2-7b", run, {a100, h100, "H200"});
        QTEST(QString::fromStdString(intensity(atlas, operation.toStdString())), "intensity");
        QTEST(QString::fromStdString(sides(atlas, operation.toStdString())), "sides");
    }
    void llama_2_7b_moves_what_the_published_tables_have_S0_23_S2_04() {
        const auto amounts = [](const ModelRun& run, std::string_view operation, int digits) {
            const OperationModel model =
                test::operation_of(atlas_on("llama-2-7b", run, {h100}).work, operation).model;
            return printed(model.total_work().value() / 1e9, digits) + " GFLOP, " +
                   printed(model.compulsory().value() / 1e6, digits - 1) + " MB";
        };
        QCOMPARE(amounts({.batch = 64}, "gate_proj, up_proj", 3), std::string("5.771 GFLOP, 92.11 MB"));
        QCOMPARE(amounts({.batch = 256}, "down_proj", 3), std::string("23.085 GFLOP, 97.91 MB"));
        QCOMPARE(amounts({}, "q_proj", 2), std::string("0.03 GFLOP, 33.6 MB"));
        QCOMPARE(amounts({.context = 512, .phase = ModelPhase::prefill}, "q_proj", 2),
                 std::string("17.18 GFLOP, 41.9 MB"));
    }
    void shares_of_the_peak_are_those_of_the_published_table_S2_07() {
        Device machine;
        machine.ceilings.compute = {{Pipe{PipeKind::tensor_fp16}, FlopRate(990e12), {}},
                                    {Pipe{PipeKind::fp32}, FlopRate(67e12), {}}};
        machine.ceilings.bandwidth = {{Boundary::hbm_dram_rw, ByteRate(3.35e12), {}}};
        const auto share = [&](const ModelRun& run) {
            AnalysisOptions options;
            options.launch_floor = Seconds(0);
            const Atlas atlas = right(atlas_of(right(built_in_model("llama-2-7b")), run, {machine}, options));
            const AtlasPlace& product = place(atlas, "q_proj");
            const OperationModel& model = test::operation_of(atlas.work, "q_proj").model;
            return printed(rate_within(model, product.time)->value() / 990e12 * 100, 2);
        };
        QCOMPARE(share({}), std::string("0.34"));
        QCOMPARE(share({.batch = 8}), std::string("2.70"));
        QCOMPARE(share({.batch = 32}), std::string("10.66"));
        QCOMPARE(share({.context = 512, .phase = ModelPhase::prefill}), std::string("100.00"));
    }
    void the_h100_of_the_published_table_has_346_for_a_square_S0_22() {
        Device machine;
        machine.name = "H100 of the table";
        machine.ceilings.compute = {{Pipe{PipeKind::tensor_fp16}, FlopRate(990e12), {}},
                                    {Pipe{PipeKind::fp32}, FlopRate(67e12), {}}};
        machine.ceilings.bandwidth = {{Boundary::hbm_dram_rw, ByteRate(3.35e12), {}}};
        const Atlas atlas = right(atlas_of(right(built_in_model("llama-2-7b")), {}, {machine}, {}));
        QCOMPARE(ridge(atlas, "q_proj"), 346.0);
        QCOMPARE(ridge(atlas, "down_proj"), 328.0);
    }
    /// Llama 3 8B, a token of each of 4 sequences with 2,048 in the cache, FP16, on an H100 of 3.35 TB/s.
    /// Hidden 4096, K and V 1024, feed-forward 14336, vocabulary 128256; 2 bytes an element.
    void a_table_made_by_hand_S2_04() {
        const std::array rows{
            Row{"embedding", 1, 0, 2 * 2.0 * 4 * 4096},    // 65,536
            Row{"norms", 64, 81920, 73728},                // 5 * 4 * 4096; 2 (2 * 4 * 4096 + 4096)
            Row{"q_proj", 32, 134217728, 33619968},        // 2 * 4 * 4096^2; 2 (4096^2 + 2 * 4 * 4096)
            Row{"k_proj, v_proj", 64, 33554432, 8429568},  // 2 (4096 * 1024 + 4 * 4096 + 4 * 1024)
            Row{"rope", 32, 61440, 81920},                 // 3 and 4 for each of 4 * 40 * 128
            Row{"attention", 32, 134217728,
                33619968},  // 4 * 4 * 32 * 2048 * 128; 2 (2 * 4 * 2048 * 1024 + 2 * 4 * 4096)
            Row{"o_proj", 32, 134217728, 33619968},
            Row{"gate_proj, up_proj", 64, 469762048, 117587968},  // 2 (4096 * 14336 + 4 * 4096 + 4 * 14336)
            Row{"activation", 32, 172032, 344064},                // 3 and 6 for each of 4 * 14336
            Row{"down_proj", 32, 469762048, 117587968},
            Row{"residual sums", 64, 16384, 98304},  // 1 and 6 for each of 4 * 4096
            Row{"last norm", 1, 81920, 73728},
            Row{"lm_head", 1, 4202692608, 1051731968}  // 2 (4096 * 128256 + 4 * 4096 + 4 * 128256)
        };
        const ModelRun run{.batch = 4, .context = 2048};
        const Atlas atlas = atlas_on("llama-3-8b", run, {h100});
        QCOMPARE(atlas.work.operations.size(), rows.size());
        double bytes = 0;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const ModelOperation& operation = atlas.work.operations[i];
            QCOMPARE(operation.name, std::string(rows[i].name));
            QCOMPARE(operation.times, rows[i].times);
            QCOMPARE(operation.model.total_work().value(), rows[i].work);
            QCOMPARE(operation.model.compulsory().value(), rows[i].bytes);
            QVERIFY(near(atlas.devices[0].places[i].time->value(), rows[i].bytes / 3.35e12, 1e-15));
            bytes += rows[i].times * rows[i].bytes;
        }
        QCOMPARE(bytes, 16131966976.0);
        QVERIFY(near(atlas.devices[0].time->value(), bytes / 3.35e12, 1e-12));
        QVERIFY(near(*atlas.devices[0].items_per_second, 830.65, 0.01));
        // 80 GiB less 2 * 8,030,261,248 of weights, over 2 * 2 * 1024 * 32 * 2048 of a cache: 260.2.
        QCOMPARE(*atlas.devices[0].largest_batch, 260.0);
    }
    /// ViT-B/16, 8 images of 196 patches and a token of the class: 1,576 rows of 768, feed-forward 3,072, in
    /// FP16 on an H100.
    void a_table_of_images_made_by_hand() {
        const std::array rows{Row{"patch embedding", 1, 1849688064, 5996544},  // 196 patches of 3 * 16 * 16
                              Row{"position embedding", 1, 1210368, 5144064},  // read once for all images
                              Row{"norms", 24, 6051840, 4844544},  // 5 for each; scales and shifts
                              Row{"q_proj", 12, 1859125248, 6021120},
                              Row{"k_proj, v_proj", 24, 1859125248, 6021120},
                              Row{"attention", 12, 953769984, 9682944},  // each of 197 to all
                              Row{"o_proj", 12, 1859125248, 6021120},
                              Row{"up_proj", 12, 7436500992, 16822272},
                              Row{"activation", 12, 9682944, 19365888},
                              Row{"down_proj", 12, 7436500992, 16822272},
                              Row{"residual sums", 24, 1210368, 7262208},
                              Row{"last norm", 1, 30720, 27648},  // of the token of the class alone
                              Row{"classifier", 1, 12288000, 1564288}};
        const ModelRun run{.batch = 8, .phase = ModelPhase::prefill};
        const Atlas atlas = atlas_on("vit-base-16", run, {h100});
        QCOMPARE(atlas.work.operations.size(), rows.size());
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const ModelOperation& operation = atlas.work.operations[i];
            QCOMPARE(operation.name, std::string(rows[i].name));
            QCOMPARE(operation.times, rows[i].times);
            QCOMPARE(operation.model.total_work().value(), rows[i].work);
            QCOMPARE(operation.model.compulsory().value(), rows[i].bytes);
        }
        // 7,436,500,992 FLOP at 989 TFLOP/s take 7.52 us, 16,822,272 bytes at 3.35 TB/s 5.02 us: compute
        // binds.
        QVERIFY(near(place(atlas, "up_proj").time->value(), 7436500992 / 989e12, 1e-12));
        // 9,682,944 bytes take 2.89 us, 953,769,984 FLOP 0.96 us: memory does.
        QVERIFY(near(place(atlas, "attention").time->value(), 9682944 / 3.35e12, 1e-12));
        QCOMPARE(intensity(atlas, "up_proj"), std::string("442.06"));
        QCOMPARE(intensity(atlas, "attention"), std::string("98.50"));
    }
    void no_operation_is_faster_than_a_launch_S1_12() {
        const ModelRun run{.batch = 4, .context = 2048};
        const Atlas atlas = atlas_on("llama-3-8b", run, {h100}, std::nullopt);
        QVERIFY(atlas.devices[0].floor.source == LaunchFloorSource::usual);
        QVERIFY(place(atlas, "norms").launch_binds && !place(atlas, "q_proj").launch_binds);
        QCOMPARE(place(atlas, "norms").time->value(), 2e-6);
        // The table above, with 2 us for each of 194 launches that would take less.
        QVERIFY(near(atlas.devices[0].time->value(), 16107186176 / 3.35e12 + 194 * 2e-6, 1e-9));
    }
    void a_launch_takes_what_was_measured_on_the_board() {
        const Device board = *find_known_device(h100);
        Profile boards;
        boards.devices = {board};
        AnalysisOptions options;
        options.measured[measured_key(boards, board)].launch_floor = Seconds(1.5e-6);
        const Atlas atlas = right(atlas_of(right(built_in_model("llama-2-7b")), {}, {board}, options));
        QCOMPARE(place(atlas, "norms").time->value(), 1.5e-6);
        QVERIFY(atlas.devices[0].floor.source == LaunchFloorSource::measured);
    }
    void a_batch_pays_until_the_memory_is_full() {
        const Atlas atlas = atlas_on("llama-2-7b", {}, {h100}, std::nullopt);
        const DeviceAtlas& on = atlas.devices.front();
        // 80 GiB less 13,476,831,232, over 2^31: 33.7.
        QCOMPARE(*on.largest_batch, 33.0);
        QCOMPARE(on.batches.size(), std::size_t{6});
        QCOMPARE(on.batches.back().batch, 32.0);
        QCOMPARE(on.batches.front().items_per_second, *on.items_per_second);
        for (std::size_t i = 1; i < on.batches.size(); ++i)
            QVERIFY(on.batches[i].items_per_second > on.batches[i - 1].items_per_second);
        // Weights of 141 GB leave no room.
        QCOMPARE(*atlas_on("llama-3-70b", {}, {h100}).devices[0].largest_batch, 0.0);
        QVERIFY(atlas_on("llama-3-70b", {}, {h100}).devices[0].batches.empty());
    }
    void a_caption_tells_a_product_once_and_what_a_narrow_title_has_no_room_for() {
        const Atlas two = atlas_on("llama-2-7b", {.batch = 32}, {h100, a100});
        const AtlasScene scene = scene_of(two, {}, {});
        QVERIFY(scene.scene.caption.ends_with(
            "ridge of H100 SXM / A100 SXM 80 GB at 322 / 160 tokens for lm_head, 328 / 162 for gate_proj, "
            "up_proj, down_proj, 345 / 166 for q_proj, k_proj, v_proj, o_proj"));
        QCOMPARE(scene.scene.options.title, two.title());
        const Atlas narrow = atlas_on("llama-2-7b", {.kv = DataType::int8}, {h100});
        const AtlasScene shown = scene_of(narrow, {}, {});
        QCOMPARE(shown.scene.options.title, std::string("Llama 2 7B: decode, batch 1, 4,096 tokens"));
        QVERIFY(shown.scene.caption.starts_with("fp16, KV int8; nothing was run"));
        QCOMPARE(scene_of(narrow, {.title = "mine"}, {}).scene.options.title, std::string("mine"));
    }
    void every_operation_is_a_hollow_dot_at_its_intensity() {
        const Atlas atlas = atlas_on("llama-2-7b", {}, {h100, a100});
        const AtlasProfile made = profile_of(atlas);
        const std::size_t operations = atlas.work.operations.size();
        QCOMPARE(made.analysis.points.size(), 2 * operations);
        for (std::size_t i = 0; i < made.analysis.points.size(); ++i) {
            const KernelPoint& point = made.analysis.points[i];
            const ModelOperation& operation = atlas.work.operations[i % operations];
            QVERIFY(point.modelled && point.name == operation.name);
            QCOMPARE(static_cast<double>(point.launches), operation.times);
            QVERIFY(near(point.time->value(),
                         operation.times * atlas.devices[i / operations].places[i % operations].time->value(),
                         1e-12));
            if (operation.model.total_work().value() > 0)
                QVERIFY(near(point.at(MemoryLevel::hbm)->intensity->value(),
                             operation.model.intensity().value(), 1e-9));
        }
        const AtlasScene shown = scene_of(atlas, {});
        const std::string svg = to_svg(shown.scene, shown.shown.analysis);
        QVERIFY(svg.find("gate_proj, up_proj") != std::string::npos);
        QVERIFY(svg.find("stroke-dasharray=\"2.5 2\"") != std::string::npos);
        QVERIFY(svg.find("328 / 162 for gate_proj, up_proj, down_proj") != std::string::npos);
    }
};

}  // namespace tst_atlas

ROOFWALK_TEST(tst_atlas, TestAtlas, NoApplication)
#include "tst_atlas.moc"
