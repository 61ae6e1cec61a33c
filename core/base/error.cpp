// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"

#include "core/base/enum_array.h"
#include "core/base/notice.h"

namespace roofwalk {

namespace {

constexpr EnumArray<ErrorCode, std::string_view, 18> code_names{
    "file_not_found", "file_not_readable", "file_empty",     "unknown_format", "unsupported_version",
    "truncated",      "corrupt",           "too_large",      "bad_json",       "bad_schema",
    "bad_csv",        "contradiction",     "not_understood", "failed_kernel",  "cancelled",
    "write_failed",   "not_profiled",      "bad_argument"};
static_assert(code_names[ErrorCode::bad_argument] == "bad_argument");

}  // namespace

std::string to_line(const Error& error) {
    return to_line(notice_of(error));
}

std::string_view name_of(ErrorCode code) {
    return static_cast<std::size_t>(code) < std::size(code_names.values) ? code_names[code] : "unknown";
}

std::optional<ErrorCode> error_code_from_name(std::string_view name) {
    return from_id(code_names, name);
}

}  // namespace roofwalk
