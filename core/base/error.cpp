// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"

#include "core/base/notice.h"

namespace roofwalk {

std::string to_line(const Error& error) {
    return to_line(notice_of(error));
}

std::string_view name_of(ErrorCode code) {
    switch (code) {
        case ErrorCode::file_not_found:
            return "file_not_found";
        case ErrorCode::file_not_readable:
            return "file_not_readable";
        case ErrorCode::file_empty:
            return "file_empty";
        case ErrorCode::unknown_format:
            return "unknown_format";
        case ErrorCode::unsupported_version:
            return "unsupported_version";
        case ErrorCode::truncated:
            return "truncated";
        case ErrorCode::corrupt:
            return "corrupt";
        case ErrorCode::too_large:
            return "too_large";
        case ErrorCode::bad_json:
            return "bad_json";
        case ErrorCode::bad_schema:
            return "bad_schema";
        case ErrorCode::bad_csv:
            return "bad_csv";
        case ErrorCode::contradiction:
            return "contradiction";
        case ErrorCode::not_understood:
            return "not_understood";
        case ErrorCode::failed_kernel:
            return "failed_kernel";
        case ErrorCode::cancelled:
            return "cancelled";
        case ErrorCode::write_failed:
            return "write_failed";
        case ErrorCode::not_profiled:
            return "not_profiled";
        case ErrorCode::bad_argument:
            return "bad_argument";
    }
    return "unknown";
}

std::optional<ErrorCode> error_code_from_name(std::string_view name) {
    for (int i = 0; i <= static_cast<int>(ErrorCode::bad_argument); ++i)
        if (const auto code = static_cast<ErrorCode>(i); name_of(code) == name) return code;
    return std::nullopt;
}

}  // namespace roofwalk
