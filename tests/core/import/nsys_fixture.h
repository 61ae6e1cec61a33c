// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace roofwalk::test {

/// The statements that make a small export of Nsight Systems (tests/data/trace/nsys.sql).
[[nodiscard]] std::string nsys_statements();
/// The bytes of the database that statements make.
[[nodiscard]] std::string database_of(const std::string& statements);

}  // namespace roofwalk::test
