// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/open_profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/base/text.h"
#include "core/import/compressed_file.h"
#include "core/import/csv/ncu_csv_reader.h"
#include "core/import/csv/ncu_text_reader.h"
#include "core/import/csv/plain_table_reader.h"
#include "core/import/impossible_figures.h"
#include "core/import/json/json_reader.h"
#include "core/import/ncu/ncu_container.h"
#include "core/import/ncu/ncu_report.h"
#include "core/import/trace/trace_readers.h"
#include "core/model/derived_time.h"
#include "core/model/profile_builder.h"

namespace roofwalk {

namespace {

using Bytes = std::span<const std::byte>;

constexpr std::string_view white_space = " \t\r\n";

/// Without a byte order mark.
std::string_view text_of(Bytes bytes) {
    return without_byte_order_mark(as_text(bytes));
}

/// Whether the CSV of ncu starts soon: its header, or a line that ncu prints before it. What the profiled
/// program itself prints may stand above, and often starts with a bracket like JSON.
bool holds_ncu_csv(std::string_view text) {
    constexpr std::size_t enough = std::size_t{1} << 20U;
    text = text.substr(0, enough);
    // What the window of Nsight Compute exports of its pages.
    if (text.starts_with("ID,") && contains(text, "Function Name,")) return true;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        if (text.starts_with("\"ID\",") || text.starts_with("ID,Process ID,") ||
            text.starts_with("==PROF==") || is_ncu_summary_header(text.substr(0, end)))
            return true;
        if (end == std::string_view::npos) break;
        text.remove_prefix(end + 1);
    }
    return false;
}

bool starts_json(std::string_view text) {
    const std::size_t start = text.find_first_not_of(white_space);
    return start != std::string_view::npos && (text[start] == '{' || text[start] == '[');
}

Result<Profile> read_ncu(std::string_view text, const std::string& name, const Progress& progress) {
    return read_ncu_report(std::as_bytes(std::span(text)), name, progress);
}

constexpr std::string_view report_suffixes[] = {".ncu-rep", ".ncu-repz", ".nsight-cuprof-report"};
constexpr std::string_view csv_suffixes[] = {".csv"};
constexpr std::string_view text_suffixes[] = {".txt", ".log"};
constexpr std::string_view json_suffixes[] = {".json", ".jsonl"};
constexpr std::string_view trace_suffixes[] = {".json", ".json.gz"};
constexpr std::string_view proton_suffixes[] = {".hatchet"};
constexpr std::string_view nsys_suffixes[] = {".sqlite"};

constexpr FileFormat formats[] = {
    {"Nsight Compute reports (.ncu-rep, .ncu-repz)", SourceFormat::ncu_report, report_suffixes,
     ncu::starts_report, read_ncu, search_ncu_report},
    {"the output of ncu as text (.txt, .log)", SourceFormat::ncu_text, text_suffixes, holds_ncu_text,
     read_ncu_text, search_ncu_text},
    {"the output of ncu --csv", SourceFormat::ncu_csv, csv_suffixes, holds_ncu_csv, read_ncu_csv,
     search_ncu_csv},
    {"PyTorch profiler traces (.json, .json.gz)", SourceFormat::pytorch_trace, trace_suffixes,
     starts_pytorch_trace, read_pytorch_trace, nullptr},
    {"profiles of Triton's Proton (.hatchet)", SourceFormat::proton_profile, proton_suffixes,
     starts_proton_profile, read_proton_profile, nullptr},
    {"what Nsight Systems exports (.sqlite)", SourceFormat::nsys_database, nsys_suffixes, starts_sqlite,
     read_nsys_database, nullptr},
    {"what nsys stats prints of kernels (.csv, .txt)", SourceFormat::nsys_table, csv_suffixes,
     holds_nsys_table, read_nsys_table, nullptr},
    {"Roofwalk profile JSON and JSON Lines", SourceFormat::roofwalk_json, json_suffixes, starts_json,
     read_json, nullptr},
    {"tables of kernels as CSV (name,time,flops,bytes)", SourceFormat::kernel_table, csv_suffixes,
     starts_plain_table, read_plain_table, nullptr},
};

const FileFormat* format_of(std::string_view text) {
    const auto* const format =
        std::ranges::find_if(formats, [&](const FileFormat& known) { return known.recognises(text); });
    return format == std::end(formats) ? nullptr : format;
}

Error no_known_format() {
    return {ErrorCode::unknown_format, "This is no format that can be read", "",
            fmt::format("What can be read: {}, and Roofwalk sessions (.roofwalk).",
                        joined(formats, ", ", &FileFormat::name))};
}

/// What people try, and how they get what can be read.
struct UnreadFormat {
    std::string_view what;
    bool (*recognises)(std::string_view text);   ///< null: by its suffix, where no format is recognised
    std::span<const std::string_view> suffixes;  ///< of those
    std::string_view hint;
};

std::string_view first_line(std::string_view text) {
    constexpr std::size_t longest = std::size_t{64} << 10U;
    return text.substr(0, std::min(text.find('\n'), longest));
}

bool is_rocprof_table(std::string_view text) {
    const std::string_view header = first_line(text);
    return (contains(header, "KernelName") && contains(header, "gpu-id")) ||
           contains(header, "TotalDurationNs") ||
           (contains(header, "Kernel_Name") &&
            (contains(header, "Dispatch_Id") || contains(header, "Dispatch_ID")));
}

/// As much of a text as tells who wrote it.
std::string_view start_of(std::string_view text) {
    constexpr std::size_t enough = 4096;
    return text.substr(0, enough);
}

bool is_rocprof_json(std::string_view text) {
    return text.starts_with('{') && contains(start_of(text), R"("rocprofiler-sdk-tool")");
}

/// What rocprof calls the rows of its trace, which come first, and the times of an event.
bool is_rocprof_trace(std::string_view text) {
    text = start_of(text);
    return starts_json(text) && contains(text, R"("traceEvents")") &&
           (contains(text, R"(CPU HIP API")") || contains(text, R"(CPU HSA API")") ||
            contains(text, R"({"name":"COPY"})") || contains(text, R"("BeginNs")"));
}

/// The profilers of JAX and TensorFlow name their devices so, in the first rows.
bool is_xla_trace(std::string_view text) {
    text = start_of(text);
    return starts_json(text) && contains(text, R"("traceEvents")") &&
           (contains(text, R"("/device:GPU:)") || contains(text, R"("/device:TPU:)") ||
            contains(text, R"("/host:CPU")"));
}

/// Its banner stands above the header.
bool is_advisor_table(std::string_view text) {
    text = start_of(text);
    constexpr std::string_view banner = "Intel(R) Advisor Command Line Tool";
    return text.starts_with(banner) || (text.starts_with("sep=") && contains(text, banner)) ||
           contains(text, "\"Function Call Sites and Loops\",");
}

bool is_tensorrt_profile(std::string_view text) {
    return text.starts_with('[') && contains(start_of(text), R"("averageMs")");
}

bool is_tensorrt_times(std::string_view text) {
    return starts_json(text) && contains(start_of(text), R"("startEnqMs")");
}

/// Its first member is the list of layers, by name or each an object.
bool is_tensorrt_layers(std::string_view text) {
    if (!text.starts_with('{')) return false;
    const std::size_t first = text.find_first_not_of(white_space, 1);
    return first != std::string_view::npos && text.substr(first).starts_with(R"("Layers")");
}

bool is_html(std::string_view text) {
    const std::size_t start = text.find_first_not_of(white_space);
    if (start == std::string_view::npos) return false;
    return text.substr(start, 5) == "<html" || text.substr(start, 9) == "<!DOCTYPE" ||
           text.substr(start, 9) == "<!doctype";
}

bool is_advisor_page(std::string_view text) {
    constexpr std::size_t enough = std::size_t{64} << 10U;
    return is_html(text) && contains(text.substr(0, enough), "Advisor");
}

bool is_lfs_pointer(std::string_view text) {
    return text.starts_with("version https://git-lfs.github.com/");
}

bool is_likwid_output(std::string_view text) {
    text = start_of(text);
    return (text.starts_with("-----") && contains(text, "CPU name:") && contains(text, "CPU type:")) ||
           text.starts_with("STRUCT,Info,") || contains(text, "\nSTRUCT,Info,") ||
           (text.starts_with('{') && contains(text, R"("Info")") && contains(text, R"("CPU name")"));
}

/// What it says first, and the headers of its tables.
bool is_nvprof_output(std::string_view text) {
    text = start_of(text);
    return contains(text, "== NVPROF is profiling process") || contains(text, "GPU activities:") ||
           contains(text, R"_("Time(%)","Time","Calls",)_") ||
           contains(text, R"("Start","Duration","Grid X",)") ||
           contains(text, R"("Device","Kernel","Invocations",)");
}

/// What `nsys stats` prints of other things than kernels, or of them in another form.
bool is_other_nsys_table(std::string_view text) {
    const std::string_view header = first_line(text);
    return (contains(start_of(text), "Total Time (ns)") || contains(header, "KAvg (ns)") ||
            (contains(header, "Duration (ns)") && contains(header, "GrdX"))) &&
           !holds_nsys_table(text);
}

/// The line under the rule that begins it.
bool is_pytorch_table(std::string_view text) {
    text = start_of(trimmed(text));
    return text.starts_with("-----") && (contains(text, "Self CPU %") || contains(text, "Self CUDA %"));
}

/// What would be read if commas stood between its columns.
bool has_other_separators(std::string_view text) {
    std::string header(first_line(text));
    if (contains(header, ",") || header.find_first_of(";\t") == std::string::npos) return false;
    std::ranges::replace_if(
        header, [](char c) { return c == ';' || c == '\t'; }, ',');
    return starts_plain_table(header) || holds_ncu_csv(header);
}

constexpr std::string_view nsys_report_suffixes[] = {".nsys-rep", ".qdrep"};
constexpr std::string_view advisor_suffixes[] = {".advixeproj", ".advixeexp", ".advixeexpz"};
constexpr std::string_view perfetto_suffixes[] = {".pftrace", ".perfetto-trace"};
constexpr std::string_view engine_suffixes[] = {".engine", ".plan", ".trt"};
constexpr std::string_view xplane_suffixes[] = {".xplane.pb", ".xplane.pb.gz"};
constexpr std::string_view packed_proton_suffixes[] = {".hatchet_msgpack"};
constexpr std::string_view write_table =
    "Write its kernels as a CSV table with the columns name, time_ns, flops and bytes; see the help on files.";

constexpr std::string_view record_again =
    "Record the program with ncu or nsys, and open that report or its export.";

constexpr std::string_view record_engine =
    "Layers are several kernels: record trtexec with ncu or nsys, and open that report or its export.";

constexpr UnreadFormat unread_formats[] = {
    {"a table of AMD's rocprof", is_rocprof_table, {}, write_table},
    {"a profile of AMD's rocprofv3", is_rocprof_json, {}, write_table},
    {"a trace of AMD's rocprof in Chrome's format", is_rocprof_trace, {}, write_table},
    {"a trace of JAX or TensorFlow (XLA) in Chrome's format", is_xla_trace, {}, record_again},
    {"a table of Intel Advisor", is_advisor_table, {}, write_table},
    {"a page of Intel Advisor", is_advisor_page, {}, write_table},
    {"a page of HTML", is_html, {}, "Open the report, trace or table that it was made from."},
    {"a layer profile of TensorRT", is_tensorrt_profile, {}, record_engine},
    {"what trtexec --exportTimes writes, the times of whole runs", is_tensorrt_times, {}, record_engine},
    {"what trtexec --exportLayerInfo writes, layers without times", is_tensorrt_layers, {}, record_engine},
    {"a pointer of Git LFS", is_lfs_pointer, {}, "Fetch the file with git lfs pull."},
    {"output of likwid", is_likwid_output, {}, write_table},
    {"output of nvprof", is_nvprof_output, {}, record_again},
    {"a table of nsys stats that is none of kernels",
     is_other_nsys_table,
     {},
     "Its report has more: export that with nsys export --type=sqlite, or print --report cuda_gpu_kern_sum."},
    {"a table that PyTorch's profiler prints",
     is_pytorch_table,
     {},
     "Write the trace that it sums up: prof.export_chrome_trace(\"trace.json\")."},
    {"a table whose columns stand between semicolons or tabs",
     has_other_separators,
     {},
     "Save it as CSV with commas between columns, and with decimal points."},
    {"a report of Nsight Systems", nullptr, nsys_report_suffixes,
     "Export it with nsys export --type=sqlite, and open the file that this writes."},
    {"a project of Intel Advisor", nullptr, advisor_suffixes, write_table},
    {"a trace of Perfetto in its packed form", nullptr, perfetto_suffixes, write_table},
    {"an engine of TensorRT", nullptr, engine_suffixes,
     "It is a network without times: record trtexec --loadEngine with ncu or nsys."},
    {"a profile of Proton in its packed form", nullptr, packed_proton_suffixes,
     R"(Write it with proton.finalize(session, "hatchet").)"},
    {"a profile of JAX or TensorFlow (XPlane)", nullptr, xplane_suffixes, record_again},
};

Error unread(const UnreadFormat& format) {
    return {ErrorCode::unknown_format, fmt::format("This is {}, which is not read", format.what), "",
            std::string(format.hint)};
}

const UnreadFormat* unread_by_suffix(std::string_view name) {
    for (const UnreadFormat& format : unread_formats)
        for (const std::string_view suffix : format.suffixes)
            if (name.ends_with(suffix)) return &format;
    return nullptr;
}

/// `name` tells what the text may be. Whether it is read or not, what is said does not name the file.
Result<Profile> read_plain(std::string_view text, const std::string& name, const Progress& progress) {
    for (const UnreadFormat& unread_format : unread_formats)
        if (unread_format.recognises && unread_format.recognises(text))
            return tl::unexpected(unread(unread_format));
    if (const FileFormat* format = format_of(text)) {
        Result<Profile> profile = format->read(text, {}, progress);
        const bool other = !profile && profile.error().code == ErrorCode::unknown_format;
        return other && format->read == read_json ? tl::unexpected(no_known_format()) : std::move(profile);
    }
    const UnreadFormat* known = unread_by_suffix(name);
    return tl::unexpected(known ? unread(*known) : no_known_format());
}

bool is_packed(Bytes bytes) {
    return is_zstd(bytes) || is_gzip(bytes) || is_utf16(bytes) || is_terminal_text(as_text(bytes));
}

Result<UnpackedFile> unpack(Bytes bytes, const Progress& progress, const MayBeRead& may_be_read = {}) {
    auto unpacked = is_gzip(bytes)   ? unpack_gzip(bytes, progress, may_be_read)
                    : is_zstd(bytes) ? unpack_zstd(bytes, progress, may_be_read)
                                     : UnpackedFile{{bytes.begin(), bytes.end()}, {}};
    if (unpacked && is_utf16(unpacked->bytes)) unpacked->bytes = utf8_of_utf16(unpacked->bytes);
    if (unpacked && is_terminal_text(as_text(unpacked->bytes)))
        unpacked->bytes = without_terminal_marks(as_text(unpacked->bytes));
    return unpacked;
}

/// The part of `whole` from one share to another.
Progress part_of(const Progress& whole, double from, double to) {
    return {[&whole, from, to](double share) { whole.at(from + share * (to - from)); }, whole.stop};
}

Result<Profile> read_packed(Bytes bytes, const std::string& name, const Progress& progress) {
    constexpr double unpacking = 0.7;  // the larger part of the time
    const auto unpacked = unpack(bytes, part_of(progress, 0, unpacking), [](Bytes start) {
        const std::string_view text = text_of(start);
        return is_utf16(start) || is_terminal_text(text) || format_of(text) ||
               text.find_first_not_of(white_space) == std::string_view::npos;
    });
    if (!unpacked) {
        const UnreadFormat* known = unread_by_suffix(name);
        return tl::unexpected(known ? unread(*known) : unpacked.error());
    }
    Progress reading = part_of(progress, unpacking, 1);
    // A request to stop that came while unpacking is met: what came out until then is read whole.
    if (progress.cancelled()) reading.stop = {};
    auto profile = read_plain(text_of(unpacked->bytes), name, reading);
    if (!unpacked->damage) return profile;
    if (!profile) return tl::unexpected(*unpacked->damage);
    for (SourceInfo& source : profile->sources)
        source.partial = true;
    profile->warnings.push_back({*unpacked->damage, {}});
    return profile;
}

Error changed_since() {
    return {ErrorCode::corrupt, "The file is not the one that was read: its metrics cannot be told", "",
            "Open it again."};
}

/// Whether a file still has each of the launches.
Result<void> check_launches(const FileFormat& format, std::string_view text,
                            const std::vector<std::uint64_t>& offsets, const Progress& progress) {
    std::vector<bool> met(offsets.size());
    const MetricSearch search{offsets,
                              {[](std::string_view) { return false; }},
                              [&](std::size_t index, const StoredMetric&) { met[index] = true; }};
    Result<void> read = format.search(text, search, progress);
    if (read && !progress.cancelled() && std::ranges::find(met, false) != met.end())
        return tl::unexpected(changed_since());
    return read;
}

Result<void> search_contents(Bytes bytes, const MetricSearch& search, const Progress& progress) {
    std::string_view text = text_of(bytes);
    UnpackedFile unpacked;
    if (is_packed(bytes)) {
        auto read = unpack(bytes, progress);
        if (!read) return tl::unexpected(read.error());
        unpacked = std::move(*read);
        text = text_of(unpacked.bytes);
    }
    const FileFormat* format = format_of(text);
    if (format == nullptr || format->search == nullptr) return tl::unexpected(changed_since());
    return check_launches(*format, text, search.offsets, progress).and_then([&] {
        return format->search(text, search, progress);
    });
}

/// What a document in JSON is not, where that can be told.
std::optional<Error> why_no_document(Bytes bytes, std::string_view hint) {
    Result<UnpackedFile> start = UnpackedFile{};
    if (is_packed(bytes)) start = unpack(bytes, {}, [](Bytes) { return false; });
    if (!start) return start.error();
    const FileFormat* format = format_of(text_of(is_packed(bytes) ? Bytes(start->bytes) : bytes));
    if (format != nullptr && format->read != read_json)
        return Error{
            ErrorCode::unknown_format,
            fmt::format("This is a report ({}), where another file is expected", label_of(format->format)),
            "", std::string(hint)};
    if (is_packed(bytes) && !is_terminal_text(as_text(bytes)))
        return Error{ErrorCode::unknown_format,
                     is_utf16(bytes) ? "This text is in UTF-16, where JSON is expected in UTF-8"
                                     : "This file is packed, where JSON is expected as it is",
                     "", is_utf16(bytes) ? "Save it in UTF-8." : "Unpack it first, with gzip -d or zstd -d."};
    return {};
}

}  // namespace

std::span<const FileFormat> file_formats() {
    return formats;
}

Result<MappedFile> as_document(Result<MappedFile> file, const std::string& name, std::string_view hint) {
    if (!file) return file;
    const auto refusal = why_no_document(file->bytes(), hint);
    return refusal ? Result<MappedFile>(tl::unexpected(of_file(*refusal, name))) : std::move(file);
}

std::string list_of_formats() {
    return joined(formats, ", ", [](const FileFormat& known) { return label_of(known.format); });
}

Result<Profile> read_contents(std::span<const std::byte> bytes, const std::string& name,
                              const Progress& progress) {
    if (bytes.empty()) return unexpected(ErrorCode::file_empty, "The file is empty", "", "Profile again.");
    auto profile =
        is_packed(bytes) ? read_packed(bytes, name, progress) : read_plain(text_of(bytes), name, progress);
    if (!profile) return profile;
    profile = of_file(std::move(profile), name);
    refuse_impossible_figures(*profile, name);
    tell_damaged_names(*profile, name);
    refuse_derived_times(*profile);
    return profile;
}

Result<Profile> read_profile(std::span<const std::byte> bytes, const std::string& name,
                             const Progress& progress) {
    return read_contents(bytes, name, progress).map_error([&](Error error) {
        return of_file(std::move(error), name);
    });
}

Error why_unreadable(const std::filesystem::path& file, Error of_system) {
    std::error_code none;  // a project may be a folder
    const bool is_folder = std::filesystem::is_directory(file, none);
    const UnreadFormat* known = is_folder ? unread_by_suffix((file / "").parent_path().native()) : nullptr;
    Error why = known ? unread(*known) : std::move(of_system);
    why.where.clear();
    return why;
}

Result<Profile> open_profile(const std::filesystem::path& file, const Progress& progress) {
    const auto mapped = MappedFile::open(file);
    if (!mapped) return tl::unexpected(of_file(why_unreadable(file, mapped.error()), file.string()));
    return read_profile(mapped->bytes(), file.string(), progress);
}

Result<void> search_metrics(const std::filesystem::path& file, const MetricSearch& search,
                            const Progress& progress) {
    return MappedFile::open(file).and_then([&](const MappedFile& mapped) {
        return search_contents(mapped.bytes(), search, progress).map_error([&](Error error) {
            return of_file(std::move(error), file.string());
        });
    });
}

}  // namespace roofwalk
