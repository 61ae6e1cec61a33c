// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/atlas/model_document.h"

#include <QTest>
#include <algorithm>
#include <cmath>

#include "core/atlas/model_work.h"
#include "tests/core/atlas/modelled_step.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_model_document {

using namespace roofwalk;
using test::right;

namespace {

/// As a hub keeps it, with members that no operation needs.
constexpr std::string_view config = R"({
  "architectures": ["LlamaForCausalLM"], "bos_token_id": 1, "model_type": "llama", "hidden_act": "silu",
  "hidden_size": 2048, "intermediate_size": 8192, "num_attention_heads": 32, "num_key_value_heads": 8,
  "head_dim": 64, "num_hidden_layers": 16, "vocab_size": 128256, "rms_norm_eps": 1e-05,
  "rope_scaling": {"factor": 32.0, "rope_type": "llama3"}, "tie_word_embeddings": true, "pretraining_tp": 1,
  "num_local_experts": null, "torch_dtype": "bfloat16"})";

ErrorCode code_of(std::string_view text) {
    const auto model = read_model(text, "config.json");
    return model ? ErrorCode::cancelled : model.error().code;
}

double parameters(std::string_view model) {
    ModelRun run;
    const ModelDocument document = right(built_in_model(model));
    if (document.is_vision()) run.phase = ModelPhase::prefill;
    const ModelWork work = right(work_of(document, run));
    return work.weights + work.embeddings;
}

}  // namespace

class TestModelDocument : public QObject {
    Q_OBJECT

  private slots:
    void a_config_of_a_hub_opens() {
        const ModelDocument model = right(read_model(config, "models/small/config.json"));
        QCOMPARE(model.name, std::string("small"));
        QCOMPARE(right(read_model(config, "hub/models--Qwen--Qwen2-7B/snapshots/0a1b/config.json")).name,
                 std::string("Qwen2-7B"));
        QCOMPARE(right(read_model(config, "small.json")).name, std::string("small"));
        QCOMPARE(right(read_model(config, "models/small/./config.json")).name, std::string("small"));
        QVERIFY(right(read_model(config, "config.json")).name != "config");
        QCOMPARE(*model.hidden, 2048.0);
        QCOMPARE(*model.kv_heads, 8.0);
        QVERIFY(!model.experts && model.ties_embeddings() && !model.is_vision());
        // Llama 3.2 1B as it is published, with its embedding counted once: 1,235,814,400.
        const ModelWork work = right(work_of(model, {}));
        QCOMPARE(work.weights + work.embeddings, 1235814400.0);
    }
    void what_every_token_passes_may_have_a_width_of_its_own() {
        // Qwen1.5-MoE-A2.7B is published with 14.3e9 parameters, of which an expert is but 1408 wide.
        const ModelDocument model = right(read_model(
            R"({"model_type": "qwen2_moe", "hidden_act": "silu", "hidden_size": 2048, "intermediate_size": 5632,
                "moe_intermediate_size": 1408, "shared_expert_intermediate_size": 5632, "num_experts": 60,
                "num_experts_per_tok": 4, "num_attention_heads": 16, "num_key_value_heads": 16,
                "num_hidden_layers": 24, "vocab_size": 151936, "rms_norm_eps": 1e-6})",
            "config.json"));
        const ModelWork work = right(work_of(model, {}));
        QVERIFY(std::abs((work.weights + work.embeddings) / 14.3e9 - 1) < 0.003);
    }
    void a_llama_4_has_an_expert_that_every_token_passes() {
        const auto parameters_with = [](const std::string& more) {
            const ModelWork work = right(work_of(
                right(read_model(
                    R"({"model_type": "llama4", "text_config": {"model_type": "llama4_text", "hidden_act": "silu",
                    "hidden_size": 5120, "intermediate_size": 8192, "intermediate_size_mlp": 16384,
                    "num_attention_heads": 40, "num_key_value_heads": 8, "head_dim": 128, "num_hidden_layers": 48,
                    "vocab_size": 202048, "rms_norm_eps": 1e-5, "num_experts_per_tok": 1)" +
                        more + "}}",
                    "config.json")),
                {}));
            return work.weights + work.embeddings;
        };
        const double attention = 2 * 5120.0 * 5120 + 2 * 5120.0 * 1024;
        const double expert = 3 * 5120.0 * 8192;
        const double rest = 2 * 202048.0 * 5120 + 97 * 5120;
        QCOMPARE(parameters_with(R"(, "num_local_experts": 16, "interleave_moe_layer_step": 1)"),
                 48 * (attention + 17 * expert + 16 * 5120) + rest);
        QCOMPARE(parameters_with(R"(, "num_local_experts": 128, "interleave_moe_layer_step": 2)"),
                 48 * attention + 24 * (129 * expert + 128 * 5120) + 24 * 2 * expert + rest);
    }
    void decoders_without_a_gate_are_read_by_the_names_of_their_kind() {
        const auto of = [](const char* text) {
            return right(work_of(right(read_model(text, "config.json")), {}));
        };
        const auto has = [](const ModelWork& work, const char* name) {
            return std::ranges::find(work.operations, name, &ModelOperation::name) != work.operations.end();
        };
        const auto parameters_of = [](const ModelWork& work) { return work.weights + work.embeddings; };
        // Published are 124,439,808, with a table of positions and the biases of products.
        const ModelWork gpt = of(
            R"({"model_type": "gpt2", "activation_function": "gelu_new", "n_embd": 768, "n_layer": 12, "n_head": 12,
                "n_inner": null, "vocab_size": 50257})");
        QVERIFY(std::abs(parameters_of(gpt) / (124439808.0 - 1024 * 768 - 12 * 9 * 768) - 1) < 2e-4);
        QVERIFY(!has(gpt, "rope") && !has(gpt, "gate_proj, up_proj") && has(gpt, "up_proj"));
        // 125,239,296, of which 2,050 positions and as many biases.
        const ModelWork opt = of(
            R"({"model_type": "opt", "activation_function": "relu", "hidden_size": 768, "ffn_dim": 3072,
                "num_hidden_layers": 12, "num_attention_heads": 12, "vocab_size": 50272})");
        QVERIFY(std::abs(parameters_of(opt) / (125239296.0 - 2050 * 768 - 12 * 9 * 768) - 1) < 2e-4);
        // 6,921,720,704, of which a norm a layer stands for two.
        const ModelWork falcon = of(
            R"({"model_type": "falcon", "hidden_size": 4544, "num_hidden_layers": 32, "num_attention_heads": 71,
                "num_kv_heads": 71, "multi_query": true, "new_decoder_architecture": false, "vocab_size": 65024})");
        QVERIFY(std::abs(parameters_of(falcon) / 6921720704.0 - 1) < 1e-4);
        QVERIFY(has(falcon, "rope"));
    }
    void a_gemma_that_says_nothing_has_one_embedding() {
        // 256,000 x 2048 once: Gemma 2B is published with 2,506,172,416 parameters.
        const ModelDocument model = right(read_model(
            R"({"model_type": "gemma", "hidden_act": "gelu", "hidden_size": 2048, "intermediate_size": 16384,
                "num_attention_heads": 8, "num_key_value_heads": 1, "head_dim": 256, "num_hidden_layers": 18,
                "vocab_size": 256000, "rms_norm_eps": 1e-6})",
            "config.json"));
        const ModelWork work = right(work_of(model, {}));
        QCOMPARE(work.weights + work.embeddings, 2506172416.0);
    }
    // Qwen2 7B is published with 7,615,616,512 parameters, of which 147,456 are biases of its attention.
    void a_family_that_has_a_gate_has_it_where_nothing_is_said() {
        const std::string sizes = R"("model_type": "qwen2", "hidden_size": 3584, "intermediate_size": 18944,
            "num_hidden_layers": 28, "num_attention_heads": 28, "num_key_value_heads": 4, "vocab_size": 152064)";
        const ModelWork work = right(work_of(right(read_model("{" + sizes + "}", "config.json")), {}));
        QCOMPARE(work.weights + work.embeddings, 7615616512.0 - 28 * (3584 + 2 * 512));
        QCOMPARE(std::ranges::count_if(
                     work.notes,
                     [](const std::string& note) { return note.find("hidden_act") != std::string::npos; }),
                 1);
        // The language model of one that sees images.
        const ModelWork part = right(work_of(
            right(read_model(R"({"model_type": "gemma3", "text_config": {)" + sizes + "}}", "config.json")),
            {}));
        QCOMPARE(part.weights, work.weights);
        QVERIFY(std::ranges::any_of(part.notes, [](const std::string& note) {
            return note.find("text_config") != std::string::npos;
        }));
    }
    void layers_see_what_their_types_say() {
        const auto model = [](const std::string& more) {
            return right(read_model(
                R"({"hidden_act": "silu", "rms_norm_eps": 1e-6, "hidden_size": 64, "intermediate_size": 64,
                "num_hidden_layers": 4, "num_attention_heads": 4, "vocab_size": 100)" +
                    more + "}",
                "config.json"));
        };
        const auto times = [](const ModelWork& work, const char* name) {
            const auto found = std::ranges::find(work.operations, name, &ModelOperation::name);
            return found == work.operations.end() ? 0.0 : found->times;
        };
        const ModelRun run{.context = 1024};
        const ModelWork whole = right(work_of(model(""), run));
        QCOMPARE(whole.kv_elements, 2.0 * 64 * 4);
        // Three layers keep 128 of 1,024 tokens.
        const ModelWork slides = right(work_of(
            model(
                R"(, "sliding_window": 128, "layer_types": ["sliding_attention", "sliding_attention", "full_attention", "sliding_attention"])"),
            run));
        QCOMPARE(times(slides, "attention"), 1.0);
        QCOMPARE(times(slides, "attention in a window"), 3.0);
        QCOMPARE(slides.kv_elements, 2.0 * 64 * (1 + 3 / 8.0));
        QCOMPARE(slides.notes.size(), whole.notes.size() + 1);
        const ModelWork linear = right(work_of(model(R"(, "full_attention_interval": 4)"), run));
        QCOMPARE(times(linear, "attention"), 1.0);
        QCOMPARE(linear.kv_elements, 2.0 * 64);
        QCOMPARE(linear.notes.size(), whole.notes.size() + 1);
        QCOMPARE(right(work_of(model(R"(, "sliding_window": 128)"), run)).notes.size(),
                 whole.notes.size() + 1);
        QCOMPARE(right(work_of(model(R"(, "sliding_window": 128, "use_sliding_window": false)"), run))
                     .notes.size(),
                 whole.notes.size());
    }
    void three_of_four_layers_of_a_llama_4_see_a_chunk() {
        const auto of = [](double context, ModelPhase phase) {
            return right(work_of(
                right(read_model(
                    R"({"model_type": "llama4_text", "hidden_act": "silu", "rms_norm_eps": 1e-5, "hidden_size": 64,
                    "intermediate_size": 64, "num_hidden_layers": 8, "num_attention_heads": 4, "vocab_size": 100,
                    "attention_chunk_size": 100})",
                    "config.json")),
                {.batch = 2, .context = context, .phase = phase}));
        };
        const auto find = [](const ModelWork& work, const char* name) {
            return *std::ranges::find(work.operations, name, &ModelOperation::name);
        };
        // The 250th token is the 50th of its chunk, the 300th the last of one; the cache keeps 100.
        const ModelWork decode = of(250, ModelPhase::decode);
        QCOMPARE(find(decode, "attention").times, 2.0);
        QCOMPARE(find(decode, "rope").times, 6.0);
        const ModelOperation chunk = find(decode, "attention in a chunk");
        QCOMPARE(chunk.times, 6.0);
        QVERIFY2(chunk.text.find("context=50 ") != std::string::npos, chunk.text.c_str());
        QVERIFY(find(of(300, ModelPhase::decode), "attention in a chunk").text.find("context=100 ") !=
                std::string::npos);
        QCOMPARE(decode.kv_elements, 2.0 * 64 * (2 + 6 * 100 / 250.0));
        // Of each of two prompts two whole chunks and half a one: 2 (2 100^2 + 50^2).
        const std::string prompt = find(of(250, ModelPhase::prefill), "attention in a chunk").text;
        QVERIFY2(prompt.find("tokens=500 squares=45000 ") != std::string::npos, prompt.c_str());
    }
    void what_lacks_or_cannot_be_is_refused() {
        QVERIFY(
            code_of(
                R"({"model_type": "bert", "hidden_size": 768, "intermediate_size": 3072, "num_hidden_layers": 12,
                        "num_attention_heads": 12, "vocab_size": 30522})") == ErrorCode::bad_schema);
        QVERIFY(code_of(R"({"model_type": "mamba", "hidden_size": 768})") == ErrorCode::bad_schema);
        QVERIFY(code_of("{") == ErrorCode::bad_json);
        QVERIFY(code_of(R"({"hidden_size": 64})") == ErrorCode::bad_schema);
        QVERIFY(code_of(R"({"hidden_size": -1})") == ErrorCode::bad_schema);
        QVERIFY(code_of(R"({"hidden_size": 1.5})") == ErrorCode::bad_schema);
        QVERIFY(code_of(R"({"hidden_size": "64"})") == ErrorCode::bad_schema);
        QVERIFY(code_of(R"({"hidden_sizes": [1, 2], "depths": [1], "embedding_size": 1})") ==
                ErrorCode::bad_schema);
        const std::string heads =
            R"({"hidden_size": 64, "intermediate_size": 64, "num_hidden_layers": 1, "vocab_size": 9, )";
        QVERIFY(code_of(heads + R"("num_attention_heads": 8})") == ErrorCode::cancelled);
        QVERIFY(code_of(heads + R"("num_attention_heads": 7})") == ErrorCode::bad_schema);
        QVERIFY(code_of(heads + R"("num_attention_heads": 8, "num_key_value_heads": 3})") ==
                ErrorCode::bad_schema);
        QVERIFY(code_of(heads + R"("num_attention_heads": 8, "num_local_experts": 2})") ==
                ErrorCode::bad_schema);
        QVERIFY(code_of(heads +
                        R"("num_attention_heads": 8, "n_routed_experts": 2, "num_experts_per_tok": 3})") ==
                ErrorCode::bad_schema);
        QVERIFY(code_of(R"({"hidden_sizes": [6], "depths": [1], "embedding_size": 1})") ==
                ErrorCode::bad_schema);
        QVERIFY(code_of(R"({"hidden_sizes": [8], "depths": [1000000], "embedding_size": 1})") ==
                ErrorCode::bad_schema);
        // A network that no memory holds is none.
        QVERIFY(code_of(R"({"hidden_size": 64, "intermediate_size": 64, "num_hidden_layers": 1000000000, )"
                        R"("vocab_size": 9, "num_attention_heads": 8})") == ErrorCode::bad_schema);
        QVERIFY(code_of(std::string(1U << 21U, ' ')) == ErrorCode::too_large);
    }
    void every_built_in_model_has_the_parameters_that_are_published() {
        QCOMPARE(models_json().size(), std::size_t{7});
        QCOMPARE(parameters("llama-2-7b"), 6738415616.0);
        QCOMPARE(parameters("llama-3-8b"), 8030261248.0);
        QCOMPARE(parameters("llama-3-70b"), 70553706496.0);
        QCOMPARE(parameters("mixtral-8x7b"), 46702792704.0);
        QCOMPARE(std::round(parameters("deepseek-v3") / 1e9), 671.0);
        // 86,567,656 of which 84,712 are biases.
        QCOMPARE(parameters("vit-base-16"), 86482944.0);
        // 25,557,032 of which 53,120 are of batch norms and 1,000 are biases.
        QCOMPARE(parameters("resnet-50"), 25502912.0);
    }
    void an_unknown_name_is_told_what_there_is() {
        const auto model = built_in_model("llama-2-8b");
        QVERIFY(!model && model.error().code == ErrorCode::bad_argument);
        QVERIFY(model.error().hint.find("llama-2-7b") != std::string::npos);
        QVERIFY(built_in_model("Llama-2-7B").has_value());
    }
};

}  // namespace tst_model_document

ROOFWALK_TEST(tst_model_document, TestModelDocument, NoApplication)
#include "tst_model_document.moc"
