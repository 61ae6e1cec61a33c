// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/devices/measured_json.h"

#include "core/devices/measured_fields.h"
#include "core/import/json/json_tree.h"

namespace roofwalk {

namespace {

/// More than there are benchmarks, by far.
constexpr std::size_t most_results = 10'000;

struct File {
    MeasuredCeilings measured;
    bool has_device = false;
};

template <auto Member, auto Read>
bool read_list(JsonElement value, const JsonPath& at, JsonChecker& check, File& target) {
    auto& list = target.measured.*Member;
    return each_item(value, at, check, [&](JsonElement item, const JsonPath& here) {
        if (list.size() == most_results) return too_many(here, check, "results", most_results);
        return Read(item, here, check, list.emplace_back());
    });
}

template <auto Member>
bool read_of_file(JsonElement value, const JsonPath& at, JsonChecker& check, File& target) {
    return check.read(value, at, target.measured.*Member);
}

constexpr JsonField<File> file_fields[] = {
    {"format", read_and_drop<std::string_view>},
    {"version", read_and_drop<std::uint32_t>},
    {"benchmark_version", read_of_file<&MeasuredCeilings::benchmark_version>},
    {"date", read_of_file<&MeasuredCeilings::date>},
    {"complete", read_of_file<&MeasuredCeilings::complete>},
    {"device",
     [](JsonElement value, const JsonPath& at, JsonChecker& check, File& target) {
         target.has_device = true;
         return read_measured_device(value, at, check, target.measured.device);
     }},
    {"results", read_list<&MeasuredCeilings::rates, read_measured_rate>},
    {"sweep", read_list<&MeasuredCeilings::sweep, read_sweep_point>},
    {"problems", read_list<&MeasuredCeilings::problems, read_measuring_problem>},
};

/// Before all else: members of another version may look wrong for no reason of theirs.
bool check_format(JsonElement root, JsonChecker& check) {
    const JsonPath top;
    std::string_view format;
    if (root["format"].get(format) != simdjson::SUCCESS || format != measured_format)
        return check.fail(
            top, "This JSON holds no measured ceilings",
            R"(They begin with {"format": "roofwalk-ceilings", "version": 1; roofwalk-cli ceilings -o writes them.)");
    std::int64_t version = 0;
    const JsonPath at{&top, "version", {}};
    if (root["version"].get(version) != simdjson::SUCCESS)
        return check.fail(at, "The version of the measured ceilings is missing", R"(Add "version": 1.)");
    if (version != measured_version)
        return check.fail(at, "The measured ceilings are of a version that is not known here",
                          "Read them with the Roofwalk that wrote them, or a newer one.",
                          ErrorCode::unsupported_version);
    return true;
}

template <class List, class Write>
void write_list(JsonText& json, std::string_view key, const List& list, Write write) {
    json.next_line();
    json.key(key);
    json.begin_array();
    for (const auto& item : list) {
        json.next_line();
        write(json, item);
    }
    json.end_array();
}

void write_problem(JsonText& json, const Error& problem) {
    json.begin_object();
    json.member("code", name_of(problem.code));
    json.member("what", problem.what);
    json.known_member("where", problem.where);
    json.known_member("hint", problem.hint);
    json.end_object();
}

constexpr JsonField<MeasuringStart> start_fields[] = {
    {"record", read_and_drop<std::string_view>},
    {"version", read_and_drop<std::uint32_t>},
    {"benchmark_version", read_member<&MeasuringStart::benchmark_version>},
};

constexpr JsonField<MeasuringProgress> progress_fields[] = {
    {"record", read_and_drop<std::string_view>},
    {"done", read_member<&MeasuringProgress::done>},
    {"of", read_member<&MeasuringProgress::of>},
    {"id", read_member<&MeasuringProgress::id>},
};

constexpr JsonField<MeasuringEnd> end_fields[] = {
    {"record", read_and_drop<std::string_view>},
    {"complete", read_member<&MeasuringEnd::complete>},
};

template <class Target, std::size_t Count>
bool read_plain(JsonElement value, JsonChecker& check, const JsonField<Target> (&fields)[Count],
                MeasuringRecord& record) {
    return read_fields(value, {}, check, fields, record.emplace<Target>());
}

/// Empty where there is no such text.
std::string text_at(JsonElement root, std::string_view key) {
    std::string_view text;
    return root[key].get(text) == simdjson::SUCCESS ? std::string(text) : std::string();
}

bool read_problem(JsonElement root, JsonChecker& check, MeasuringProblem& problem) {
    problem.code = text_at(root, "code");
    return read_measuring_problem(root, {}, check, problem.error);
}

bool read_listed(JsonElement root, JsonChecker& check, ListedGpu& gpu) {
    std::uint64_t index = 0;
    if (root["index"].get(index) == simdjson::SUCCESS) gpu.index = static_cast<std::uint32_t>(index);
    if (const std::string obstacle = text_at(root, "obstacle"); !obstacle.empty())
        gpu.obstacle = Error{ErrorCode::not_profiled, obstacle, {}, text_at(root, "hint")};
    return read_measured_device(root, {}, check, gpu.device);
}

bool read_record(JsonElement root, std::string_view kind, JsonChecker& check, MeasuringRecord& record) {
    if (kind == "ceilings") return read_plain(root, check, start_fields, record);
    if (kind == "progress") return read_plain(root, check, progress_fields, record);
    if (kind == "end") return read_plain(root, check, end_fields, record);
    if (kind == "gpu") return read_listed(root, check, record.emplace<ListedGpu>());
    if (kind == "device") return read_measured_device(root, {}, check, record.emplace<MeasuredDevice>());
    if (kind == "result") return read_measured_rate(root, {}, check, record.emplace<MeasuredRate>());
    if (kind == "sweep") return read_sweep_point(root, {}, check, record.emplace<SweepPoint>());
    if (kind == "problem") return read_problem(root, check, record.emplace<MeasuringProblem>());
    return true;
}

constexpr const char* lines_of_benchmarks = "line of the benchmarks";

}  // namespace

Result<MeasuredCeilings> read_measured_ceilings(std::string_view text, const std::string& name) {
    simdjson::dom::parser parser;
    const Result<JsonElement> root = parse_json_tree(parser, text, "file of measured ceilings", name);
    if (!root) return tl::unexpected(root.error());
    JsonChecker check;
    File file;
    const JsonPath top;
    const bool read =
        check_format(*root, check) && read_fields(*root, top, check, file_fields, file) &&
        (file.has_device || check.fail(top, "The measured ceilings do not say of which device they are",
                                       R"("device" holds its name and UUID.)"));
    if (!read) return tl::unexpected(error_of(check.fault(), name));
    return std::move(file.measured);
}

std::string measured_ceilings_json(const MeasuredCeilings& measured) {
    JsonText json;
    json.begin_object();
    json.next_line();
    json.member("format", measured_format);
    json.member("version", std::int64_t{measured_version});
    json.next_line();
    json.member("benchmark_version", measured.benchmark_version);
    json.known_member("date", measured.date);
    json.member("complete", measured.complete);
    json.next_line();
    json.key("device");
    write_measured_device(json, measured.device);
    write_list(json, "results", measured.rates, write_measured_rate);
    write_list(json, "sweep", measured.sweep, write_sweep_point);
    write_list(json, "problems", measured.problems, write_problem);
    json.next_line();
    json.end_object();
    json.end_line();
    return json.take();
}

Result<MeasuringRecord> read_measuring_record(std::string_view line) {
    simdjson::dom::parser parser;
    const Result<JsonElement> root = parse_json_tree(parser, line, lines_of_benchmarks, lines_of_benchmarks);
    if (!root) return tl::unexpected(root.error());
    JsonChecker check;
    MeasuringRecord record;
    std::string_view kind;
    const bool read = (*root)["record"].get(kind) == simdjson::SUCCESS
                          ? read_record(*root, kind, check, record)
                          : check.fail({}, "The line does not say what it is", R"("record" says so.)");
    if (!read) return tl::unexpected(error_of(check.fault(), lines_of_benchmarks));
    return record;
}

void add_record(const MeasuringRecord& record, MeasuredCeilings& measured) {
    if (const auto* start = std::get_if<MeasuringStart>(&record))
        measured.benchmark_version = start->benchmark_version;
    if (const auto* device = std::get_if<MeasuredDevice>(&record)) measured.device = *device;
    if (const auto* rate = std::get_if<MeasuredRate>(&record)) measured.rates.push_back(*rate);
    if (const auto* point = std::get_if<SweepPoint>(&record)) measured.sweep.push_back(*point);
    if (const auto* problem = std::get_if<MeasuringProblem>(&record))
        measured.problems.push_back(problem->error);
    if (const auto* end = std::get_if<MeasuringEnd>(&record)) measured.complete = end->complete;
}

}  // namespace roofwalk
