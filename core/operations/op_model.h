// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/units.h"
#include "core/model/ceiling.h"
#include "core/model/pipe.h"
#include "core/operations/gemm.h"

namespace roofwalk {

/// Work of an operation on one pipe; operations for integer pipes.
struct PipeWork {
    Pipe pipe;
    Flops work;
    /// A matrix product whose pipe nobody chose: a device with tensor cores for its type may do it there.
    bool matrix = false;
};

/// The pipe that does the work on a device with these ceilings: FP64 matrix products run on tensor cores
/// where there are such for FP64, as on A100 and H100.
[[nodiscard]] Pipe pipe_on(const PipeWork& part, const CeilingSet& ceilings);

/// One parameter with the value that was used.
struct OperationArgument {
    std::string name;
    std::string value;   ///< as text: "4096", "fp16", "yes", a formula
    bool given = false;  ///< false: the default was taken

    friend bool operator==(const OperationArgument&, const OperationArgument&) = default;
};

/// What a product in tiles moves beside its compulsory bytes: the operands that each level hands to the next.
struct TileTraffic {
    Bytes l2;         ///< to the tiles of blocks and, as of the others, of C on its way out
    Bytes smem;       ///< to those of threads
    Bytes registers;  ///< to those of instructions
};

/// What an algorithm needs, whatever kernel runs it: its work, and its compulsory traffic Q_min (every input
/// read once, every output written once). A lower bound: the target of the horizontal gap.
struct OperationModel {
    std::string operation;                     ///< name in the registry, "gemm"
    std::vector<OperationArgument> arguments;  ///< every parameter, in the order of the registry
    std::vector<PipeWork> work;                ///< at least one pipe; 0 FLOP for a copy
    Bytes read;                                ///< compulsory
    Bytes written;                             ///< compulsory
    /// Of `read`, what further inputs of a batch would share: weights, a sparse matrix. 0 where every input
    /// has all of its own, as a sequence its KV cache.
    Bytes shared;
    /// What the unfused variant moves besides: intermediate results written and read again. 0 when fused.
    Bytes intermediates;
    std::string intermediates_of;        ///< what they are; empty when there are none
    std::vector<std::string> notes;      ///< conventions and assumptions, one sentence each
    std::vector<std::string> warnings;   ///< what keeps hardware from the model's figures
    std::optional<TileTraffic> tiles;    ///< of a product whose tiles are given
    std::optional<GemmShape> batchable;  ///< a matrix product whose M can be raised to the ridge

    /// W, the sum over pipes.
    [[nodiscard]] Flops total_work() const;
    /// Q_min = read + written.
    [[nodiscard]] Bytes compulsory() const { return read + written; }
    /// Q_min and the intermediates.
    [[nodiscard]] Bytes bytes_moved() const { return compulsory() + intermediates; }
    /// I_alg = W / Q_min.
    [[nodiscard]] Intensity intensity() const { return total_work() / compulsory(); }
    /// W / (Q_min + intermediates): the most that the unfused variant can reach.
    [[nodiscard]] Intensity variant_intensity() const { return total_work() / bytes_moved(); }
};

/// The value that somebody gave a parameter; empty where the default was taken.
[[nodiscard]] std::string_view given_value(const OperationModel& model, std::string_view parameter);

/// "dtype=fp16" where nobody gave a type of the elements and the default was taken; else empty.
[[nodiscard]] std::string assumed_type(const OperationModel& model);

/// Whether any of its work is integer operations, so that its unit is OP.
[[nodiscard]] bool counts_integers(const OperationModel& model);

/// "gemm m=4096 n=4096 k=4096 dtype=fp16": the name and the arguments that were given. Reads back as the same
/// model.
[[nodiscard]] std::string to_text(const OperationModel& model);

}  // namespace roofwalk
