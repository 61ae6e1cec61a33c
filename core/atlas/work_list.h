// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/atlas/model_work.h"
#include "core/operations/op_parser.h"

/// What the kinds of network are written down with.
namespace roofwalk {

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

void add_transformer(const ModelDocument& model, WorkList& list);
void add_convolutions(const ModelDocument& model, WorkList& list);

}  // namespace roofwalk
