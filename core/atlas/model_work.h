// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/atlas/model_document.h"
#include "core/base/enum_array.h"
#include "core/operations/data_type.h"
#include "core/operations/op_model.h"

namespace roofwalk {

/// A language model reads its prompts at once, then writes a token of each sequence in every step. One that
/// works on images has prefill only.
enum class ModelPhase : std::uint8_t { prefill, decode };
template <>
inline constexpr EnumIds<ModelPhase, 2> enum_ids<ModelPhase>{"prefill", "decode"};

/// How a model is run.
struct ModelRun {
    double batch = 1;       ///< sequences or images
    double context = 4096;  ///< tokens of each: of the prompt, or in the KV cache; not of images
    ModelPhase phase = ModelPhase::decode;
    DataType weights = DataType::fp16;  ///< of matrix products and convolutions
    DataType kv = DataType::fp16;
    DataType activations = DataType::fp16;  ///< and of embeddings and norms
};

/// One operation of a step, or several that are alike.
struct ModelOperation {
    std::string name;         ///< as its weights are called: "gate_proj, up_proj"
    std::string text;         ///< "gemm m=1 n=11008 k=4096 dtype=fp16"
    OperationModel model;     ///< of one of them
    double times = 1;         ///< how many a step has
    double parameters = 0;    ///< of all of them
    bool of_one_size = true;  ///< not experts with unlike rows, or with the weights of a mean number of them
    /// Items of a step for each row of its product, which a larger batch gives more rows.
    std::optional<double> items_per_row;
};

/// What one step of a model takes.
struct ModelWork {
    std::vector<ModelOperation> operations;  ///< in the order of the network; at least one
    double items = 1;                        ///< that a step reads or writes: tokens, images
    double weights = 0;                      ///< parameters of products and convolutions
    double embeddings = 0;                   ///< the other ones: of embeddings and norms
    double kv_elements = 0;                  ///< of the cache for each token of a sequence; 0 without one
    std::vector<std::string> notes;          ///< what is left out, one sentence each

    [[nodiscard]] Bytes weight_bytes(const ModelRun& run) const;
    [[nodiscard]] Bytes kv_bytes_per_sequence(const ModelRun& run) const;
};

/// Every operation of a step, of the registry of operations. Errors: bad_argument, where the model has no
/// such phase or an operation refuses a size.
[[nodiscard]] Result<ModelWork> work_of(const ModelDocument& model, const ModelRun& run);

/// A product of `rows` inputs with weights of k x n.
struct Product {
    double rows = 1;
    double n = 1;
    double k = 1;
    double copies = 1;  ///< products with weights of their own: heads
};

/// Collects the operations of a step; the first that cannot be is kept as the error.
class WorkList {
  public:
    explicit WorkList(const ModelRun& run) : run_(run) {}

    /// Adds an operation, and gives it to be completed.
    ModelOperation& add(std::string name, double times, std::string text);
    /// A product whose weights take part in the memory of the model; the items of the step are known before.
    void add_product(std::string name, double times, const Product& product);
    void add_norm(std::string name, double times, double rows, double cols, bool rms);
    void add_elementwise(std::string name, double times, double n, double inputs, double flops);
    /// `tokens` of a layer, each to `per_token` of `experts`, spread evenly over those that get any.
    void add_experts(std::string name, double times, double tokens, const ModelDocument& model, double n,
                     double k);
    void add_embeddings(double parameters) { work_.embeddings += parameters; }

    [[nodiscard]] const ModelRun& run() const { return run_; }
    [[nodiscard]] ModelWork& work() { return work_; }
    [[nodiscard]] Result<ModelWork> take();

  private:
    ModelRun run_;
    ModelWork work_;
    std::optional<Error> error_;
};

/// The operations of a kind of network, each in a file of its own.
void add_transformer(const ModelDocument& model, WorkList& list);   // transformer_work.cpp
void add_convolutions(const ModelDocument& model, WorkList& list);  // convolution_work.cpp

}  // namespace roofwalk
