// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/operations/op_model.h"
#include "core/operations/op_spec.h"

namespace roofwalk {

/// An operation as it is written, before anybody asks what the words mean.
struct WrittenOperation {
    std::string name;
    std::vector<WrittenArgument> arguments;
};

/// Reads "gemm m=4096 n=4096" and "gemm[m=4096,n=4096]" (round brackets too): a name, then name=value pairs
/// between spaces or commas; a value may be left out. One with spaces or commas stands between quotation
/// marks (" or '). At most 4096 bytes are read.
[[nodiscard]] Result<WrittenOperation> read_operation(std::string_view text);

/// The text that reads back as the same operation: values that need them stand between quotation marks.
[[nodiscard]] std::string to_text(const WrittenOperation& operation);

/// For people: "GEMM 64 x 11008 x 4096, BF16" of a product, whose other arguments follow; the same text of
/// others, and of what is no operation.
[[nodiscard]] std::string shown_operation(std::string_view text);

/// The model of an operation given as text. Every figure of it is finite and its bytes are above 0.
[[nodiscard]] Result<OperationModel> model_operation(std::string_view text);
[[nodiscard]] Result<OperationModel> model_operation(const WrittenOperation& operation);

}  // namespace roofwalk
