// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <variant>
#include <vector>

namespace roofwalk::ceilings {

/// One device, as CUDA describes it.
struct Gpu {
    int ordinal = 0;
    std::string uuid;  ///< "GPU-..."; of a slice of a GPU "MIG-..."
    std::string name;
    std::string bus_id;
    int major = 0;
    int minor = 0;
    int sm_count = 0;
    double l2_bytes = 0;
    double memory_bytes = 0;
    double boost_clock = 0;   ///< [1/s] highest of the SMs; 0: not told
    double memory_clock = 0;  ///< [1/s] highest; data moves twice a cycle; 0: not told
    int memory_bus_bits = 0;
    bool ecc = false;
};

/// Why a device cannot be used.
struct Problem {
    std::string code;  ///< "no_driver", "no_gpu", "cuda", ...
    std::string what;
    std::string hint;
};

/// All devices in the order of nvidia-smi, or why there are none.
[[nodiscard]] std::variant<std::vector<Gpu>, Problem> find_gpus();

/// What CUDA says of an error: "out of memory".
[[nodiscard]] std::string cuda_words(int error);

}  // namespace roofwalk::ceilings
