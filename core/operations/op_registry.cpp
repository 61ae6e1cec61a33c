// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/op_registry.h"

#include <algorithm>
#include <array>

#include "core/base/nearest_names.h"
#include "core/operations/data_type.h"
#include "core/operations/op_table.h"

namespace roofwalk {

namespace {

constexpr std::array<const OperationSpec*, 43> table{&gemm_operation,
                                                     &gemv_operation,
                                                     &attention_prefill_operation,
                                                     &attention_decode_operation,
                                                     &attention_varlen_operation,
                                                     &latent_attention_operation,
                                                     &attention_backward_operation,
                                                     &grouped_gemm_operation,
                                                     &fused_mlp_operation,
                                                     &gemm_backward_operation,
                                                     &gemm_tiles_operation,
                                                     &layernorm_operation,
                                                     &rmsnorm_operation,
                                                     &batchnorm_operation,
                                                     &norm_backward_operation,
                                                     &softmax_operation,
                                                     &rope_operation,
                                                     &embedding_operation,
                                                     &embedding_backward_operation,
                                                     &gather_operation,
                                                     &sampling_operation,
                                                     &elementwise_operation,
                                                     &axpy_operation,
                                                     &copy_operation,
                                                     &triad_operation,
                                                     &reduction_operation,
                                                     &scan_operation,
                                                     &sort_operation,
                                                     &histogram_operation,
                                                     &transpose_operation,
                                                     &conv2d_operation,
                                                     &conv3d_operation,
                                                     &stencil_operation,
                                                     &spmv_operation,
                                                     &spmm_operation,
                                                     &fft_operation,
                                                     &nbody_operation,
                                                     &lattice_boltzmann_operation,
                                                     &syrk_operation,
                                                     &trsm_operation,
                                                     &cholesky_operation,
                                                     &lu_operation,
                                                     &custom_operation};

std::string normal_name(std::string_view name) {
    std::string normal(name);
    for (char& c : normal) {
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
        if (c == '-') c = '_';
    }
    return normal;
}

}  // namespace

std::span<const OperationSpec* const> operations() {
    return table;
}

const OperationSpec* find_operation(std::string_view name) {
    const std::string normal = normal_name(name);
    const auto found = std::ranges::find_if(table, [&](const OperationSpec* spec) {
        return spec->name == normal || std::ranges::count(spec->aliases, normal) > 0;
    });
    return found == table.end() ? nullptr : *found;
}

std::vector<DataType> operand_types(const OperationModel& model) {
    const OperationSpec* spec = find_operation(model.operation);
    std::vector<DataType> types;
    if (!spec) return types;
    for (std::size_t i = 0; i < std::min(spec->parameters.size(), model.arguments.size()); ++i)
        if (spec->parameters[i].kind == ParameterKind::type)
            if (const auto type = data_type_from_name(model.arguments[i].value)) types.push_back(*type);
    return types;
}

Error unknown_operation(std::string_view name) {
    std::vector<std::string_view> names;
    std::vector<std::string_view> with_aliases;
    for (const OperationSpec* spec : table) {
        names.push_back(spec->name);
        with_aliases.push_back(spec->name);
        with_aliases.insert(with_aliases.end(), spec->aliases.begin(), spec->aliases.end());
    }
    const std::string normal = normal_name(name);
    std::string hint;
    if (const auto nearest = nearest_names(normal, with_aliases); !nearest.empty())
        hint = "Did you mean " + joined(nearest, ", ") + "? ";
    return {ErrorCode::bad_argument, "There is no operation " + quoted_word(name), "",
            hint + "Known are " + joined(names, ", ") + "."};
}

}  // namespace roofwalk
