// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/operations/op_spec.h"

/// The rows of the registry, each in the file of its formulas.
namespace roofwalk {

extern const OperationSpec gemm_operation;
extern const OperationSpec gemm_tiles_operation;
extern const OperationSpec gemv_operation;
extern const OperationSpec attention_prefill_operation;
extern const OperationSpec attention_decode_operation;
extern const OperationSpec attention_varlen_operation;
extern const OperationSpec latent_attention_operation;
extern const OperationSpec attention_backward_operation;
extern const OperationSpec grouped_gemm_operation;
extern const OperationSpec fused_mlp_operation;
extern const OperationSpec gemm_backward_operation;
extern const OperationSpec layernorm_operation;
extern const OperationSpec rmsnorm_operation;
extern const OperationSpec batchnorm_operation;
extern const OperationSpec norm_backward_operation;
extern const OperationSpec softmax_operation;
extern const OperationSpec rope_operation;
extern const OperationSpec embedding_operation;
extern const OperationSpec embedding_backward_operation;
extern const OperationSpec gather_operation;
extern const OperationSpec sampling_operation;
extern const OperationSpec elementwise_operation;
extern const OperationSpec axpy_operation;
extern const OperationSpec copy_operation;
extern const OperationSpec triad_operation;
extern const OperationSpec reduction_operation;
extern const OperationSpec scan_operation;
extern const OperationSpec sort_operation;
extern const OperationSpec histogram_operation;
extern const OperationSpec transpose_operation;
extern const OperationSpec conv2d_operation;
extern const OperationSpec conv3d_operation;
extern const OperationSpec stencil_operation;
extern const OperationSpec spmv_operation;
extern const OperationSpec spmm_operation;
extern const OperationSpec fft_operation;
extern const OperationSpec nbody_operation;
extern const OperationSpec lattice_boltzmann_operation;
extern const OperationSpec syrk_operation;
extern const OperationSpec trsm_operation;
extern const OperationSpec cholesky_operation;
extern const OperationSpec lu_operation;
extern const OperationSpec custom_operation;

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
