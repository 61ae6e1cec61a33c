// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace roofwalk::cli {

/// Checks the text of an option that counts something: a whole number from `least` to `most`. Empty when it
/// is one, else what is wrong.
[[nodiscard]] std::function<std::string(const std::string&)> whole_number(std::uint64_t least,
                                                                          std::uint64_t most);

/// The same of a number from `least` to `most`, whole or not.
[[nodiscard]] std::function<std::string(const std::string&)> number_between(double least, double most);

/// "90" of "90%".
[[nodiscard]] std::string without_per_cent(std::string text);
/// The same of a per cent: "'x' is not `what`: a number from 0 to 100, such as 60".
[[nodiscard]] std::function<std::string(const std::string&)> per_cent(std::string_view what,
                                                                      std::string_view example,
                                                                      double largest);

/// Has an option take one value each time that it is given.
void repeatable(CLI::Option* option);

/// Adds `--noise PCT`.
void add_noise_option(CLI::App& verb, std::optional<double>& percent);

}  // namespace roofwalk::cli
