// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/devices/measured_json.h"

#include "core/base/json_decoder.h"
#include "core/model/profile_codec.h"

namespace roofwalk {

namespace {

/// More than there are benchmarks, by far.
constexpr std::size_t most_results = 10'000;
/// A device has a handful of reasons to slow down.
constexpr std::size_t most_reasons = 64;

auto reasons(auto& throttled) {
    return always(
        List<std::remove_reference_t<decltype(throttled)>>{throttled, most_reasons, "reasons", false});
}

/// A rate stands under the name of its unit.
template <RateUnit Unit>
struct RateIn {
    static bool known(const MeasuredRate& rate) { return rate.unit == Unit; }
    static void write(JsonWriter& json, const MeasuredRate& rate) { json.value(rate.rate); }
    static bool read(const JsonValue& value, MeasuredRate& rate) {
        if (rate.rate != 0) return value.fail("The result has two rates", "Keep the one of its unit.");
        rate.unit = Unit;
        return PositiveNumber::read(value, rate.rate);
    }
};

/// What could not be measured; codes of the benchmarks that are none of ours become not_profiled.
struct Problems {
    static bool known(const auto&) { return true; }
    static void write(JsonWriter& json, const std::vector<Error>& problems) {
        json.lines(problems, [&](const Error& problem) { json.value(problem); });
    }
    static bool read(const JsonValue& value, std::vector<Error>& target) {
        return value.each_item([&](const JsonValue& item) {
            if (target.size() == most_results) return too_many(item, "problems", most_results);
            return read_json(item, target.emplace_back(Error{ErrorCode::not_profiled, {}, {}, {}}));
        });
    }
};

bool fits(const MeasuredRate& rate) {
    if (!rate.target) return true;
    const auto* pipe = std::get_if<Pipe>(&*rate.target);
    if (pipe == nullptr) return rate.unit == RateUnit::byte_per_second;
    return rate.unit == (counts_integers(*pipe) ? RateUnit::op_per_second : RateUnit::flop_per_second);
}

}  // namespace

void each_field(auto& field, MaybeConst<MeasuredDevice> auto& measured) {
    auto& device = measured.device;
    field("uuid", always(device.uuid));
    field("name", always(device.name));
    field("compute_capability", device.compute_capability);
    field("sm_count", device.sm_count);
    field("boost_clock_hz", device.boost_clock);
    field("memory_clock_hz", device.memory_clock);
    field("memory_bus_bits", device.memory_bus_bits);
    field("l2_bytes", device.l2_size);
    field("memory_bytes", device.memory_size);
    field("driver", measured.driver);
    field("power_limit_w", measured.power_limit);
    field("highest_sm_clock_hz", measured.highest_clock);
    field("application_clock_hz", measured.application_clock);
    field("set_sm_clock_hz", measured.set_clock);
    field("temperature_c", measured.temperature);
    field("other_processes", measured.other_processes);
    field("ecc", measured.error_correction);
    field("launch_floor_s", measured.launch_floor);
}

void each_field(auto& field, MaybeConst<MeasuredRate> auto& rate) {
    field("id", always(rate.id));
    field("target", rate.target);
    field("mix", rate.mix);
    field("shape", rate.shape);
    field("rate_byte_per_s", coded<RateIn<RateUnit::byte_per_second>>(rate));
    field("rate_flop_per_s", coded<RateIn<RateUnit::flop_per_second>>(rate));
    field("rate_op_per_s", coded<RateIn<RateUnit::op_per_second>>(rate));
    field("rate_per_cycle_and_sm", rate.rate_per_cycle_and_sm);
    field("sm_clock_hz", rate.clock);
    field("spread", rate.spread);
    field("repetitions", rate.repetitions);
    field("operands", rate.operands);
    field("footprint_bytes", rate.footprint);
    field("throttled", reasons(rate.throttled));
}

void each_field(auto& field, MaybeConst<SweepPoint> auto& point) {
    field("intensity_flop_per_byte", point.intensity);
    field("rate_flop_per_s", point.rate);
    field("sm_clock_hz", point.clock);
    field("spread", point.spread);
    field("throttled", reasons(point.throttled));
}

void each_field(auto& field, MaybeConst<MeasuredCeilings> auto& measured) {
    field.line("format", Fixed{measured_format});
    field("version", Fixed{measured_version});
    field.line("benchmark_version", measured.benchmark_version);
    field("date", measured.date);
    field("complete", measured.complete);
    field.line("device", measured.device);
    field.line("results", always(lines(measured.rates, most_results, "results")));
    field.line("sweep", always(lines(measured.sweep, most_results, "results")));
    field.line("problems", coded<Problems>(measured.problems));
    field.next_line();
}

void each_field(auto& field, CeilingBenchmarkStart& start) {
    field("benchmark_version", start.benchmark_version);
}

void each_field(auto& field, CeilingBenchmarkProgress& progress) {
    field("done", progress.done);
    field("of", progress.count);
    field("id", progress.id);
}

void each_field(auto& field, CeilingBenchmarkEnd& end) {
    field("complete", end.complete);
}

static bool read_json(const JsonValue& value, std::optional<CeilingTarget>& target) {
    std::string_view id;
    if (!read_json(value, id)) return false;
    if (id.empty()) return true;
    if (const auto boundary = enum_from_id<Boundary>(id)) {
        target = *boundary;
        return true;
    }
    Pipe pipe;
    if (!read_pipe(value, id, pipe)) return false;
    target = pipe;
    return true;
}

static bool says_which(const JsonValue& value, const MeasuredDevice& device) {
    return (!device.device.uuid.empty() && !device.device.name.empty()) ||
           value.fail("The device says no name or UUID", R"("name" and "uuid" tell which GPU it is.)");
}

static bool read_json(const JsonValue& value, MeasuredDevice& target) {
    return read_object(value, target) && says_which(value, target);
}

static bool read_json(const JsonValue& value, MeasuredRate& target) {
    if (!read_object(value, target)) return false;
    if (target.id.empty()) return value.fail("The result says no benchmark", R"("id" names it.)");
    if (target.rate == 0)
        return value.fail("The result has no rate",
                          R"("rate_byte_per_s", "rate_flop_per_s" or "rate_op_per_s" holds it.)");
    return fits(target) || value.fail("The unit of the rate is not that of its target",
                                      "Boundaries count bytes, integer pipes operations, all others FLOP.");
}

static bool read_json(const JsonValue& value, SweepPoint& target) {
    if (!read_object(value, target)) return false;
    return (target.intensity > Intensity(0) && target.rate > FlopRate(0)) ||
           value.fail("The point of the sweep lacks its intensity or its rate",
                      R"("intensity_flop_per_byte" and "rate_flop_per_s" hold them.)");
}

static bool read_json(const JsonValue& value, ListedGpu& target) {
    std::string obstacle;
    std::string hint;
    const bool read = read_fields(value, [&](auto& field) {
        each_field(field, target.device);
        field("index", target.index);
        field("obstacle", obstacle);
        field("hint", hint);
    });
    if (!obstacle.empty()) target.obstacle = Error{ErrorCode::not_profiled, obstacle, {}, hint};
    return read && says_which(value, target.device);
}

static bool read_json(const JsonValue& value, CeilingBenchmarkProblem& target) {
    Error& error = target.error;
    const bool read = read_fields(value, [&](auto& field) {
        field("code", target.code);
        field("what", error.what);
        field("hint", error.hint);
        field("where", error.where);
        field("id", error.where);
    });
    error.code = error_code_from_name(target.code).value_or(ErrorCode::not_profiled);
    return read;
}

/// The format before all else: members of another version may look wrong for no reason of theirs.
static bool read_json(const JsonValue& root, MeasuredCeilings& target) {
    std::string_view format;
    if (root.element["format"].get(format) != simdjson::SUCCESS || format != measured_format)
        return root.fail(
            "This JSON holds no measured ceilings",
            R"(They begin with {"format": "roofwalk-ceilings", "version": 1; roofwalk-cli ceilings -o writes them.)");
    std::int64_t version = 0;
    if (root.element["version"].get(version) != simdjson::SUCCESS)
        return root.fail_member("version", "The version of the measured ceilings is missing",
                                R"(Add "version": 1.)");
    if (version != measured_version)
        return root.fail_member("version", "The measured ceilings are of a version that is not known here",
                                "Read them with the Roofwalk that wrote them, or a newer one.",
                                ErrorCode::unsupported_version);
    return read_object(root, target) &&
           (!target.device.device.uuid.empty() ||
            root.fail("The measured ceilings do not say of which device they are",
                      R"("device" holds its name and UUID.)"));
}

template <class Record>
static bool read_as(const JsonValue& root, CeilingBenchmarkRecord& record) {
    return read_json(root, record.emplace<Record>());
}

static bool read_json(const JsonValue& root, CeilingBenchmarkRecord& record) {
    std::string_view kind;
    if (root.element["record"].get(kind) != simdjson::SUCCESS)
        return root.fail("The line does not say what it is", R"("record" says so.)");
    if (kind == "ceilings") return read_as<CeilingBenchmarkStart>(root, record);
    if (kind == "progress") return read_as<CeilingBenchmarkProgress>(root, record);
    if (kind == "end") return read_as<CeilingBenchmarkEnd>(root, record);
    if (kind == "gpu") return read_as<ListedGpu>(root, record);
    if (kind == "device") return read_as<MeasuredDevice>(root, record);
    if (kind == "result") return read_as<MeasuredRate>(root, record);
    if (kind == "sweep") return read_as<SweepPoint>(root, record);
    if (kind == "problem") return read_as<CeilingBenchmarkProblem>(root, record);
    return true;
}

Result<MeasuredCeilings> read_measured_ceilings(std::string_view text, const std::string& name) {
    return read_json_document<MeasuredCeilings>(text, "file of measured ceilings", name);
}

std::string measured_ceilings_json(const MeasuredCeilings& measured) {
    JsonWriter json;
    json.value(measured);
    json.end_line();
    return json.take();
}

Result<CeilingBenchmarkRecord> read_ceiling_benchmark_record(std::string_view line) {
    constexpr const char* what = "line of the benchmarks";
    return read_json_document<CeilingBenchmarkRecord>(line, what, what);
}

void add_record(const CeilingBenchmarkRecord& record, MeasuredCeilings& measured) {
    if (const auto* start = std::get_if<CeilingBenchmarkStart>(&record))
        measured.benchmark_version = start->benchmark_version;
    if (const auto* device = std::get_if<MeasuredDevice>(&record)) measured.device = *device;
    if (const auto* rate = std::get_if<MeasuredRate>(&record)) measured.rates.push_back(*rate);
    if (const auto* point = std::get_if<SweepPoint>(&record)) measured.sweep.push_back(*point);
    if (const auto* problem = std::get_if<CeilingBenchmarkProblem>(&record))
        measured.problems.push_back(problem->error);
    if (const auto* end = std::get_if<CeilingBenchmarkEnd>(&record)) measured.complete = end->complete;
}

std::string uuid_for_file(std::string_view uuid) {
    std::string name;
    for (const char letter : uuid) {
        const bool plain = (letter >= '0' && letter <= '9') || (letter >= 'a' && letter <= 'z') ||
                           (letter >= 'A' && letter <= 'Z') || letter == '-';
        name += plain ? letter : '_';
    }
    return name;
}

}  // namespace roofwalk
