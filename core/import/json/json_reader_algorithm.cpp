// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/json/json_reader_algorithm.h"

#include "core/operations/expression.h"
#include "core/operations/op_parser.h"

namespace roofwalk {

namespace {

bool read_argument(JsonElement value, const JsonPath& at, JsonChecker& check, std::string& target) {
    if (value.is_string()) return check.read(value, at, target);
    bool truth = false;
    if (value.get(truth) == simdjson::SUCCESS) {
        target = truth ? "yes" : "no";
        return true;
    }
    double number = 0;
    if (value.get(number) != simdjson::SUCCESS)
        return check.fail(at, "A number, a text, true or false is expected here");
    if (!check.finite(value, at, number)) return false;
    target = number_text(number);
    return true;
}

}  // namespace

bool read_json_algorithm(JsonElement value, const JsonPath& at, JsonChecker& check, std::string& target) {
    if (value.is_string()) return check.read(value, at, target);
    if (!value.is_object()) return check.fail(at, "A text or an object is expected here");
    WrittenOperation operation;
    const bool read =
        each_member(value, at, check, [&](std::string_view key, JsonElement item, const JsonPath& here) {
            if (key == "op") return check.read(item, here, operation.name);
            WrittenArgument& argument = operation.arguments.emplace_back();
            argument.name = key;
            return read_argument(item, here, check, argument.value);
        });
    if (!read) return false;
    if (operation.name.empty())
        check.leave_out(at, "The algorithm does not name its operation and is left out",
                        R"(Add its name: "op": "gemm".)");
    else
        target = to_text(operation);
    return true;
}

}  // namespace roofwalk
