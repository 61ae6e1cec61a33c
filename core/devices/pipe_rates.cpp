// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/devices/pipe_rates.h"

#include <algorithm>
#include <array>

namespace roofwalk {

namespace {

/// FLOP a cycle and SM, dense; 0 where the architecture has no such pipe or the rate is not known.
struct Architecture {
    ComputeCapability capability;
    double fp64, fp32, fp16;
    double tensor_fp64, tensor_tf32, tensor_fp16, tensor_bf16, tensor_fp8, tensor_fp4, tensor_int8,
        tensor_int4;
    bool sparse;  ///< 2:4 sparsity doubles the tensor rates
};

constexpr std::array<Architecture, 11> architectures{{
    {{6, 0}, 64, 128, 256, 0, 0, 0, 0, 0, 0, 0, 0, false},
    {{6, 1}, 8, 256, 4, 0, 0, 0, 0, 0, 0, 0, 0, false},
    {{7, 0}, 64, 128, 256, 0, 0, 1024, 0, 0, 0, 0, 0, false},
    {{7, 5}, 4, 128, 256, 0, 0, 1024, 0, 0, 0, 2048, 4096, false},
    {{8, 0}, 64, 128, 512, 128, 1024, 2048, 2048, 0, 0, 4096, 8192, true},
    {{8, 6}, 4, 256, 256, 0, 512, 1024, 1024, 0, 0, 2048, 4096, true},
    {{8, 9}, 4, 256, 256, 0, 512, 1024, 1024, 2048, 0, 2048, 0, true},
    {{9, 0}, 128, 256, 512, 256, 2048, 4096, 4096, 8192, 0, 8192, 0, true},
    {{10, 0}, 128, 256, 256, 128, 4096, 8192, 8192, 16384, 32768, 16384, 0, true},
    {{10, 3}, 0, 256, 256, 0, 4096, 8192, 8192, 16384, 0, 0, 0, true},
    {{12, 0}, 4, 256, 256, 0, 512, 1024, 1024, 2048, 4096, 2048, 0, true},
}};

bool named(const Device& device, std::string_view part) {
    return device.name.find(part) != std::string::npos;
}

void cut_to_board(const Device& device, Architecture& rates, double& accumulate_fp16) {
    if (named(device, "GTX 16")) {
        rates.tensor_fp16 = accumulate_fp16 = rates.tensor_int8 = rates.tensor_int4 = 0;
    } else if (named(device, "GeForce")) {
        rates.tensor_fp16 /= 2;
        rates.tensor_bf16 /= 2;
        rates.tensor_tf32 /= 2;
        rates.tensor_fp8 /= 2;
    } else if (named(device, "H800")) {
        rates.fp64 = 4;
        rates.tensor_fp64 = 0;
    } else if (device.name.ends_with("L40") || device.name.ends_with("A10G")) {
        for (double* rate : {&rates.tensor_fp16, &rates.tensor_bf16, &rates.tensor_tf32, &rates.tensor_fp8,
                             &rates.tensor_int8, &rates.tensor_int4, &accumulate_fp16})
            *rate /= 2;
    }
}

}  // namespace

std::vector<PipeRate> pipe_rates(const Device& device) {
    if (!device.compute_capability) return {};
    const auto it = std::ranges::find(architectures, *device.compute_capability, &Architecture::capability);
    if (it == architectures.end()) return {};
    Architecture rates = *it;
    double accumulate_fp16 = rates.tensor_fp16;
    cut_to_board(device, rates, accumulate_fp16);

    std::vector<PipeRate> list;
    const auto add = [&](PipeKind kind, double per_cycle, bool doubles_when_sparse = false) {
        if (per_cycle == 0) return;
        list.push_back({Pipe{kind, false}, per_cycle});
        if (doubles_when_sparse && rates.sparse) list.push_back({Pipe{kind, true}, 2 * per_cycle});
    };
    add(PipeKind::fp64, rates.fp64);
    add(PipeKind::fp32, rates.fp32);
    add(PipeKind::fp16, rates.fp16);
    add(PipeKind::tensor_fp64, rates.tensor_fp64);
    add(PipeKind::tensor_tf32, rates.tensor_tf32, true);
    add(PipeKind::tensor_bf16, rates.tensor_bf16, true);
    add(PipeKind::tensor_fp16, rates.tensor_fp16, true);
    add(PipeKind::tensor_fp16_acc16, accumulate_fp16, true);
    add(PipeKind::tensor_fp8, rates.tensor_fp8, true);
    add(PipeKind::tensor_fp4, rates.tensor_fp4, true);
    add(PipeKind::tensor_int8, rates.tensor_int8, true);
    add(PipeKind::tensor_int4, rates.tensor_int4, true);
    return list;
}

std::optional<double> packed_bf16_per_cycle(ComputeCapability capability) {
    if (capability == ComputeCapability{9, 0}) return 512;
    const bool ampere_or_ada = capability == ComputeCapability{8, 0} ||
                               capability == ComputeCapability{8, 6} || capability == ComputeCapability{8, 9};
    return ampere_or_ada ? std::optional(256.0) : std::nullopt;
}

std::optional<double> l2_bytes_per_cycle(const Device& device) {
    if (!device.compute_capability || !device.l2_size) return std::nullopt;
    constexpr double mebibyte = 1024.0 * 1024.0;
    const double size = device.l2_size->value() / mebibyte;
    const ComputeCapability capability = *device.compute_capability;
    if (capability == ComputeCapability{7, 5} || capability == ComputeCapability{8, 6}) return 256 * size;
    if (capability == ComputeCapability{8, 0}) return 128 * size;
    if (capability == ComputeCapability{7, 0} && size == 6) return 2048;
    if (capability == ComputeCapability{9, 0} && size == 50) return 5120;
    return std::nullopt;
}

std::optional<double> l1_bytes_per_cycle(ComputeCapability capability) {
    if (std::ranges::find(architectures, capability, &Architecture::capability) == architectures.end())
        return std::nullopt;
    return capability == ComputeCapability{7, 5} ? 64 : 128;
}

}  // namespace roofwalk
