// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace roofwalk {

/// A call of an operator of PyTorch with the sizes of its inputs.
struct PytorchCall {
    using Sizes = std::vector<double>;

    std::string name;                 ///< "mm" of "aten::mm" and "aten::mm_"
    std::optional<std::uint64_t> id;  ///< op_id: of one call in its process; from 1
    bool numbered = false;            ///< its text tells this call from others, by op_id or by seq
    /// By input, empty of a number; of lists those of one tensor after another, or with `types` as many
    /// elements as all of a list have.
    std::vector<Sizes> sizes;
    std::vector<std::string> types;      ///< by input, "c10::Half"; empty where nobody says
    std::vector<std::string> values;     ///< by input, "True", "[1, 1]"; empty where nobody says
    std::vector<std::uint64_t> made_by;  ///< by input: the op_id whose first output it is; 0: none known
    /// Of its first result; empty where nobody knows them. They tell the stride and the padding of a
    /// convolution, along which dimension an index picks, and how many results a reduction has.
    Sizes output;
    std::string text;  ///< "aten::mm, sizes = [[64, 4096], [4096, 11008]]"
};

/// Reads "aten::mm, seq = 12, op_id = 5, sizes = [[64, 4096], [4096, 11008]], input_op_ids = [(4,0),
/// (0,-1)]", as torch.autograd.profiler.emit_nvtx(record_shapes=True) names its NVTX ranges (getNvtxStr() in
/// PyTorch's torch/csrc/profiler/util.cpp), with "types = [c10::Half, c10::Half]" and "inputs = [, [1, 1],
/// True]" where a trace tells them. Absent for any other text, and where there are no sizes.
[[nodiscard]] std::optional<PytorchCall> read_pytorch_call(std::string_view text);

/// "mm" of "aten::mm": an operator's name without its library; "add" of "aten::add_", which works in place.
[[nodiscard]] std::string_view operator_name(std::string_view name);

}  // namespace roofwalk
