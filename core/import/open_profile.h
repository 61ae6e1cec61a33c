// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "core/base/error.h"
#include "core/base/mapped_file.h"
#include "core/base/progress.h"
#include "core/import/stored_metrics.h"
#include "core/model/profile.h"

namespace roofwalk {

/// A format of files that hold profiles.
struct FileFormat {
    std::string_view name;                       ///< of its files, as in "What can be read: …"
    SourceFormat format;                         ///< of one of them; JSON Lines are Roofwalk JSON here
    std::span<const std::string_view> suffixes;  ///< ".ncu-rep"; for dialogs, never to recognise a file by
    /// Whether a text, or the beginning of a long one, is of this format; without a byte order mark.
    bool (*recognises)(std::string_view text);
    Result<Profile> (*read)(std::string_view text, const std::string& name, const Progress& progress);
    /// Finds metrics that are left in the file; null where a profile takes over all of them.
    Result<void> (*search)(std::string_view text, const MetricSearch& search, const Progress& progress);
};

/// Every format, in the order in which they are tried.
[[nodiscard]] std::span<const FileFormat> file_formats();
/// "Nsight Compute report, Nsight Compute text, …".
[[nodiscard]] std::string list_of_formats();

/// A file that is expected to be a document in JSON, such as one that describes a GPU. A report of another
/// format, packed or not, is refused, and so is what is packed; `hint` says what to do about a report.
[[nodiscard]] Result<MappedFile> as_document(Result<MappedFile> file, const std::string& name,
                                             std::string_view hint);

/// Reads a profile of any format we know, recognised by its first bytes, never by its suffix: Nsight Compute
/// reports (plain, zstd-compressed, and the 2019 extension), Roofwalk JSON in full or short form, JSON Lines,
/// what ncu prints as text and as CSV in its long and wide forms, tables of kernels as CSV, traces of
/// PyTorch's profiler, profiles of Triton's Proton and what Nsight Systems exports as SQLite; packed with
/// gzip too.
///
/// A damaged file yields every complete kernel before the damage, with SourceInfo::partial set and a warning
/// that names the place; only a file without one usable kernel is an error.
///
/// Whatever a file claims, reading takes memory for what is in it only: at any moment at most 24 times its
/// bytes, 1 KiB a kernel and 64 MiB. A compressed file counts by what came out of it, and unpacking takes 2.5
/// times that and 192 MiB more, of gzip up to 9 times, most of it untouched. Up to MappedFile::copied_up_to
/// the bytes of the file are held beside that.
[[nodiscard]] Result<Profile> open_profile(const std::filesystem::path& file, const Progress& progress = {});

/// The same for bytes already in memory; `name` stands for the file in messages.
[[nodiscard]] Result<Profile> read_profile(std::span<const std::byte> bytes, const std::string& name,
                                           const Progress& progress = {});
/// The same, but an error says only where in the file: who asked names that.
[[nodiscard]] Result<Profile> read_contents(std::span<const std::byte> bytes, const std::string& name,
                                            const Progress& progress);

/// What is told of a file that cannot be opened, as by read_contents(): of a folder that another program
/// keeps its project in, that.
[[nodiscard]] Error why_unreadable(const std::filesystem::path& file, Error of_system);

/// Finds metrics in a file of which a profile was read before: each launch is visited, one without metrics
/// once, with an empty one. None is where one of them is not there any more: corrupt.
[[nodiscard]] Result<void> search_metrics(const std::filesystem::path& file, const MetricSearch& search,
                                          const Progress& progress = {});

}  // namespace roofwalk
