// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>

namespace roofwalk {

/// What kind of thing went wrong. Every code has a test that provokes it.
enum class ErrorCode {
    file_not_found,
    file_not_readable,  ///< permission, a directory, a device
    file_empty,
    unknown_format,       ///< none of the formats we read
    unsupported_version,  ///< the format, but a version we do not know
    truncated,            ///< the file ends inside a record
    corrupt,              ///< a length or a value that cannot be
    too_large,            ///< decompressed size beyond the bound
    bad_json,             ///< not JSON
    bad_schema,           ///< JSON, but not a profile: wrong type, missing or impossible value
    bad_csv,
    contradiction,   ///< counters of one launch that cannot all be true
    not_understood,  ///< parts of a file that are counted but not read
    failed_kernel,   ///< the profiler could not measure this launch
    cancelled,
    write_failed,
    not_profiled,  ///< kernels, or their counters, cannot be profiled here or could not be
    bad_argument,
};

/// A failure in words for a person. The warnings of a profile are stored as one, with its code.
struct Error {
    ErrorCode code;
    std::string what;   ///< what happened, one sentence
    std::string where;  ///< file, offset, line, kernel; may be empty
    std::string hint;   ///< what a person can do; may be empty

    friend bool operator==(const Error&, const Error&) = default;
};

/// "what (where). hint" on one line, for stderr and logs.
[[nodiscard]] std::string to_line(const Error& error);

/// Stable lower-case name of a code, as in "file_not_found".
[[nodiscard]] std::string_view name_of(ErrorCode code);
[[nodiscard]] std::optional<ErrorCode> error_code_from_name(std::string_view name);

template <class T>
using Result = tl::expected<T, Error>;

/// What a function that returns a Result fails with.
[[nodiscard]] inline tl::unexpected<Error> unexpected(ErrorCode code, std::string what,
                                                      std::string where = {}, std::string hint = {}) {
    return tl::unexpected(Error{code, std::move(what), std::move(where), std::move(hint)});
}

}  // namespace roofwalk
