// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/operations/op_spec.h"

/// The rows of the registry, each in the file of its formulas.
namespace roofwalk {

extern const std::span<const OperationSpec> products;
extern const std::span<const OperationSpec> attentions;
extern const std::span<const OperationSpec> attention_variants;
extern const std::span<const OperationSpec> feed_forward_operations;
extern const std::span<const OperationSpec> tiled_products;
extern const std::span<const OperationSpec> normalisations;
extern const std::span<const OperationSpec> token_operations;
extern const std::span<const OperationSpec> stream_operations;
extern const std::span<const OperationSpec> convolutions;
extern const std::span<const OperationSpec> scientific_operations;
extern const std::span<const OperationSpec> factorisations;
extern const std::span<const OperationSpec> custom_operations;

/// A combination of values that cannot be, each of which may.
[[nodiscard]] inline tl::unexpected<Error> refused(std::string_view operation, std::string what,
                                                   std::string hint) {
    return tl::unexpected(
        Error{ErrorCode::bad_argument, std::move(what), std::string(operation), std::move(hint)});
}

/// The work of matrix products of one type, on the pipe that was chosen or is usual.
[[nodiscard]] inline PipeWork matrix_work(const OperationArguments& arguments, DataType type, Flops work) {
    return {arguments.pipe_or(matrix_pipe(type)), work, !arguments.chooses_pipe()};
}

/// Parameters that many operations have.
constexpr ParameterSpec dtype_parameter(std::string_view default_value) {
    return {"dtype", "type", ParameterKind::type, default_value, "", "type of an element", ""};
}
constexpr ParameterSpec type_parameter(std::string_view name, std::string_view meaning) {
    return {name, "", ParameterKind::type, "=dtype", "", meaning, ""};
}
constexpr ParameterSpec flag_parameter(std::string_view name, std::string_view default_value,
                                       std::string_view meaning) {
    return {name, "", ParameterKind::flag, default_value, "", meaning, ""};
}
constexpr ParameterSpec count_parameter(std::string_view name, std::string_view default_value,
                                        std::string_view unit, std::string_view meaning, double minimum = 1) {
    return {name, "", ParameterKind::count, default_value, unit, meaning, "", minimum};
}
constexpr ParameterSpec beta_parameter(std::string_view meaning) {
    return {"beta", "", ParameterKind::number, "0", "", meaning, ""};
}
inline constexpr ParameterSpec pipe_parameter{
    "pipe", "", ParameterKind::pipe, "auto", "", "pipe that does the work", ""};
inline constexpr ParameterSpec fma_parameter{
    "fma", "", ParameterKind::choice, "2", "FLOP", "how many FLOP one FMA counts", "1|2"};

}  // namespace roofwalk
