// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/atlas/model_work.h"

#include <QTest>

#include "core/operations/op_parser.h"
#include "tests/core/atlas/modelled_step.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_model_work {

using namespace roofwalk;
using test::near;
using test::operation_of;
using test::right;

namespace {

ModelWork work(std::string_view model, const ModelRun& run) {
    return right(work_of(right(built_in_model(model)), run));
}

double intensity(const ModelWork& work, std::string_view name) {
    return operation_of(work, name).model.intensity().value();
}

double total(const ModelWork& work) {
    double sum = 0;
    for (const ModelOperation& operation : work.operations)
        sum += operation.times * operation.model.total_work().value();
    return sum;
}

}  // namespace

class TestModelWork : public QObject {
    Q_OBJECT

  private slots:
    void llama_2_7b_decodes_at_the_intensities_of_S0_43() {
        const ModelWork one = work("llama-2-7b", {});
        for (const char* name : {"q_proj", "k_proj, v_proj", "o_proj", "gate_proj, up_proj", "down_proj"})
            QVERIFY(near(intensity(one, name), 1, 1e-3));
        QVERIFY(near(intensity(one, "attention"), 1, 1e-3));
        QVERIFY(near(intensity(one, "activation"), 0.5, 1e-12));
        // One row reads as many weights as it has elements: 5 N / (2 (2 N + N)).
        QVERIFY(near(intensity(one, "norms"), 5.0 / 6, 1e-12));

        QVERIFY(
            near(intensity(work("llama-2-7b", {.weights = DataType::int4}), "gate_proj, up_proj"), 4, 0.01));
        QVERIFY(near(intensity(work("llama-2-7b", {.kv = DataType::int8}), "attention"), 2, 0.002));
        QVERIFY(near(intensity(work("llama-2-7b", {.batch = 32}), "q_proj"), 31.51, 0.005));
        QVERIFY(near(intensity(work("llama-2-7b", {.batch = 256}), "q_proj"), 227.6, 0.05));
        // A batch brings nothing where each sequence has a cache of its own.
        QVERIFY(near(intensity(work("llama-2-7b", {.batch = 256}), "attention"), intensity(one, "attention"),
                     1e-9));
    }
    void llama_2_7b_has_the_amounts_of_S0_15_and_S0_23() {
        const OperationModel gate =
            operation_of(work("llama-2-7b", {.batch = 64}), "gate_proj, up_proj").model;
        QVERIFY(near(gate.total_work().value() / 1e9, 5.771, 5e-4));
        QVERIFY(near(gate.compulsory().value() / 1e6, 92.11, 5e-3));
        QVERIFY(near(gate.intensity().value(), 62.66, 5e-3));
        QVERIFY(near(gate.shared.value() / 1e6, 90.18, 5e-3));
        QVERIFY(near(intensity(work("llama-2-7b", {.batch = 256}), "down_proj"), 235.78, 5e-3));
        // 2 * 4096 * 32 elements a token, 2 bytes each.
        QCOMPARE(work("llama-2-7b", {}).kv_bytes_per_sequence({}).value(), 4096 * 524288.0);
    }
    void a_prompt_is_another_point_than_a_step_S4_09() {
        const ModelRun prompt{.context = 2048, .phase = ModelPhase::prefill};
        const ModelWork prefill = work("llama-2-7b", prompt);
        QCOMPARE(prefill.items, 2048.0);
        const std::string attention = operation_of(prefill, "attention").text;
        QVERIFY(attention.starts_with("attention_prefill seq=2048 head_dim=128 heads=32"));
        QVERIFY(attention.find("causal=yes") != std::string::npos);
        // Weights of a norm fade beside 2048 rows: 5 N / 4 N.
        QVERIFY(near(intensity(prefill, "norms"), 1.25, 1e-3));
        // Only the last token of the prompt is turned into a word.
        QVERIFY(operation_of(prefill, "lm_head").text.starts_with("gemm m=1 n=32000"));
        QCOMPARE(*operation_of(prefill, "lm_head").items_per_row, 2048.0);
        // Of a product with all tokens as rows, as S0-14: 2 M N K.
        QCOMPARE(operation_of(prefill, "down_proj").model.total_work().value(), 2.0 * 2048 * 4096 * 11008);
    }
    void grouped_heads_of_llama_3_share_their_cache() {
        const ModelWork step = work("llama-3-8b", {});
        QVERIFY(near(intensity(step, "attention"), 4, 0.01));  // four query heads on each of K and V
        QCOMPARE(step.kv_elements, 2 * 1024 * 32.0);
    }
    void experts_read_what_tokens_choose() {
        // One token of Mixtral: two of eight experts, and 2 * 4096 * 14336 FLOP of each.
        const ModelOperation one = operation_of(work("mixtral-8x7b", {}), "experts down_proj");
        QCOMPARE(one.model.total_work().value(), 2 * 2.0 * 4096 * 14336);
        QCOMPARE(one.model.compulsory().value(), 2 * 2.0 * (4096.0 * 14336 + 4096 + 14336));
        QCOMPARE(one.times, 32.0);
        QCOMPARE(one.parameters, 32 * 8 * 4096.0 * 14336);
        // Eight tokens: 8 (1 - 0.75^8) = 7.199 experts get the 16 rows.
        const double read = 8 * (1 - 6561.0 / 65536);
        const ModelOperation eight = operation_of(work("mixtral-8x7b", {.batch = 8}), "experts down_proj");
        QCOMPARE(eight.model.total_work().value(), 16 * 2.0 * 4096 * 14336);
        QCOMPARE(eight.model.compulsory().value(), 2 * (read * 4096.0 * 14336 + 16 * (4096.0 + 14336)));
        QCOMPARE(eight.model.shared.value(), 2 * read * 4096.0 * 14336);
        // A row of an expert stands for four tokens.
        QCOMPARE(*eight.items_per_row, 4.0);
    }
    void latent_attention_reads_its_cache_once_for_keys_and_values() {
        const ModelRun run{.batch = 2, .context = 1000};
        const ModelWork step = work("deepseek-v3", run);
        QCOMPARE(step.kv_elements, 576 * 61.0);  // 70,272 bytes a token in 16 bits
        const OperationModel attention = operation_of(step, "attention").model;
        // Of each of 128 heads: 576 products for a score, 512 for its share of the sum.
        QCOMPARE(attention.total_work().value(), 2 * 128 * 1000 * 2.0 * (576 + 512));
        QCOMPARE(attention.compulsory().value(), 2 * 2.0 * (1000 * 576 + 128 * (576 + 512)));
        QCOMPARE(attention.operation, std::string("latent_attention_decode"));
        // A prompt makes keys of 192 and values of 128: 2 (192 + 128) FLOP a pair.
        const ModelWork prefill = work("deepseek-v3", {.context = 512, .phase = ModelPhase::prefill});
        const auto same = model_operation(
            "attention_prefill seq=512 head_dim=160 heads=128 kv_heads=128 batch=1 causal=yes dtype=fp16");
        QCOMPARE(operation_of(prefill, "attention").model.total_work().value(), same->total_work().value());
    }
    void amounts_beyond_what_is_counted_are_refused() {
        const auto too_much = work_of(right(built_in_model("llama-2-7b")),
                                      {.batch = 1e6, .context = 1e8, .phase = ModelPhase::prefill});
        QVERIFY(!too_much && too_much.error().code == ErrorCode::bad_argument);
    }
    void images_take_the_work_that_is_published() {
        // 4,089,184,256 multiply-adds of ResNet-50 v1.5 at 224 x 224; sums and pools come on top.
        const ModelWork resnet = work("resnet-50", {.phase = ModelPhase::prefill});
        double products = 0;
        for (const ModelOperation& operation : resnet.operations)
            if (operation.parameters > 0) products += operation.times * operation.model.total_work().value();
        QCOMPARE(products, 2 * 4089184256.0);
        QVERIFY(total(resnet) > products && total(resnet) < 1.01 * products);
        // 196 patches and the token of the class, every one of which attends to all.
        const ModelWork vit = work("vit-base-16", {.batch = 8, .phase = ModelPhase::prefill});
        QCOMPARE(vit.items, 8.0);
        QVERIFY(operation_of(vit, "attention").text.find("causal") == std::string::npos);
        QCOMPARE(operation_of(vit, "attention").model.total_work().value(), 8 * 12 * 4.0 * 197 * 197 * 64);
        // A position is read once for all images.
        QCOMPARE(operation_of(vit, "position embedding").model.compulsory().value(),
                 (8 + 1 + 8) * 197 * 768 * 2.0);
        QCOMPARE(vit.kv_elements, 0.0);
        QVERIFY(!work_of(right(built_in_model("vit-base-16")), {}));
    }
};

}  // namespace tst_model_work

ROOFWALK_TEST(tst_model_work, TestModelWork, NoApplication)
#include "tst_model_work.moc"
