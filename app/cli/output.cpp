// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/output.h"

#include <unistd.h>

#include "core/base/file_writer.h"

#include "core/base/text.h"

namespace roofwalk::cli {

Result<void> write_output(const std::string& target, std::string_view text) {
    constexpr std::string_view failure = "The output could not be written";
    return target == "-" ? write_into(STDOUT_FILENO, text, "standard output", failure)
                         : write_file(target, text, failure);
}

Result<void> write_words(const std::string& target, std::string_view text) {
    return write_output(target, printable_lines(text));
}

}  // namespace roofwalk::cli
