// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <sys/types.h>

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/base/file_writer.h"
#include "profiler/recording/child_process.h"

namespace roofwalk {

/// The name of a file from its pattern: %h is the host, %p the process, %q{NAME} the variable of that name of
/// this process, %% a per cent sign.
[[nodiscard]] Result<std::string> expand_output_pattern(std::string_view pattern, std::string_view host,
                                                        pid_t process);

/// The files of a session, one for each process; "-" is standard output, which all share as the parts of one
/// recording.
class RecordingFiles {
  public:
    /// An empty pattern writes nothing. An error says what is wrong with the pattern, or that no file can be
    /// made where it points to, or that one is there which is no recording.
    [[nodiscard]] static Result<RecordingFiles> make(std::string pattern) {
        return make(std::move(pattern), FileReplacement::Links::follow);
    }

    /// The same for one process that wishes harm. Absent where others than this user and root could make the
    /// name point elsewhere: its folders, links among them, must be theirs alone, or as /tmp is. Files that
    /// are links, have other names, or are of somebody else, are not written to.
    [[nodiscard]] static Result<std::optional<RecordingFiles>> make_in_own_folder(std::string pattern,
                                                                                  pid_t process);

    /// Adds whole lines. The file is made with the first ones and, once they are written, takes the place of
    /// an earlier recording of its name; that of a later process of the same name gets the process in it, as
    /// where another file has the name. `number` counts the recordings of the session, since a process may
    /// become another program and begin a new one.
    [[nodiscard]] Result<void> write(std::size_t number, pid_t process, std::string_view lines);

    /// The same for the one recording of a session that comes in pieces of any length, such as from a pipe: a
    /// line is written when its end has come.
    [[nodiscard]] Result<void> write_piece(pid_t process, std::string_view piece);

    [[nodiscard]] const std::vector<std::string>& files() const { return files_; }

  private:
    RecordingFiles(std::string pattern, FileReplacement::Links links)
        : pattern_(std::move(pattern)), links_(links) {}
    [[nodiscard]] static Result<RecordingFiles> make(std::string pattern, FileReplacement::Links links);
    [[nodiscard]] Result<void> begin(std::size_t number, pid_t process, std::string_view lines);
    [[nodiscard]] Result<void> write_part(std::size_t number, std::string_view lines);

    std::string pattern_;
    FileReplacement::Links links_;            ///< refused where others may put them
    std::string unfinished_;                  ///< line of write_piece()
    std::map<std::size_t, Descriptor> open_;  ///< by recording, of standard output by the first alone; not
                                              ///< open: it could not be written
    std::vector<std::string> files_;
};

}  // namespace roofwalk
