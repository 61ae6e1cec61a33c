// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/import/json/json_reader_check.h"

namespace roofwalk {

/// The operation a kernel carries out, as a text ("gemm m=4096 n=4096 k=4096") or as an object
/// ({"op": "gemm", "m": 4096, ...}), which becomes that text. Whether there is such an operation is asked
/// when kernels are bound, so that a wrong one costs no kernel. An object without "op" is ignored.
bool read_json_algorithm(JsonElement value, const JsonPath& at, JsonChecker& check, std::string& target);

}  // namespace roofwalk
