// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/json/json_profile_reader.h"

#include <algorithm>
#include <limits>

#include "core/operations/expression.h"
#include "core/operations/op_parser.h"
#include "core/roofline/unit_throughput.h"

namespace roofwalk {

namespace {

constexpr std::string_view format_id = "roofwalk-profile";
constexpr int known_version = 1;
constexpr std::size_t most_devices = std::numeric_limits<std::uint16_t>::max();
constexpr std::size_t most_sources = std::numeric_limits<std::uint16_t>::max();

/// Instead of a list.
struct NoKernels {};

bool read_json(const JsonValue& value, NoKernels) {
    return value.fail("The kernels of a profile are a list",
                      R"(As in "kernels": [{"name": "saxpy", "flops": 2e8, "bytes": 1.2e9}].)");
}

bool read_argument(const JsonValue& value, std::string& target) {
    if (value.element.is_string()) return read_json(value, target);
    bool truth = false;
    if (value.element.get(truth) == simdjson::SUCCESS) {
        target = truth ? "yes" : "no";
        return true;
    }
    double number = 0;
    if (value.element.get(number) != simdjson::SUCCESS)
        return value.fail("A number, a text, true or false is expected here");
    target = number_text(number);
    return true;
}

}  // namespace

/// The operation a kernel carries out, as a text ("gemm m=4096 n=4096 k=4096") or as an object
/// ({"op": "gemm", "m": 4096, ...}), which becomes that text. Whether there is such an operation is asked
/// when kernels are bound, so that a wrong one costs no kernel. An object without "op" is ignored.
struct AlgorithmText {
    std::string text;

    friend bool read_json(const JsonValue& value, AlgorithmText& target) {
        if (value.element.is_string()) return read_json(value, target.text);
        if (!value.element.is_object()) return value.fail("A text or an object is expected here");
        WrittenOperation operation;
        const bool read = value.each_member([&](std::string_view key, const JsonValue& item) {
            if (key == "op") return read_json(item, operation.name);
            WrittenArgument& argument = operation.arguments.emplace_back();
            argument.name = key;
            return read_argument(item, argument.value);
        });
        if (!read) return false;
        if (operation.name.empty())
            value.decoder.leave_out(value.path, "The algorithm does not name its operation and is left out",
                                    R"(Add its name: "op": "gemm".)");
        else
            target.text = to_text(operation);
        return true;
    }
};

namespace {

/// The boundary that a key and a "boundary" beside it mean together.
bool resolve_boundary(const JsonValue& value, std::string_view key,
                      const std::optional<std::string_view>& inner, Boundary& target) {
    const auto level = enum_from_id<MemoryLevel>(key);
    if (level) target = default_boundary(*level);
    if (!level && !read_boundary(value, key, target)) return false;
    if (!inner) return true;
    const JsonValue here = value.member("boundary", value.element);
    const Boundary outer = target;
    if (!read_boundary(here, *inner, target)) return false;
    if (level ? level_of(target) == *level : target == outer) return true;
    return here.fail("The boundary does not belong to the level it stands under");
}

}  // namespace

/// A code that a later Roofwalk may know is no reason to refuse a profile.
static bool read_json(const JsonValue& value, Warning& target) {
    target.message.code = ErrorCode::not_understood;
    return read_object(value, target);
}

struct JsonProfileReader::HeaderDraft {
    bool recording = false;
    std::string_view format;
    std::optional<int> version;
    std::optional<Origin> origin;
    std::optional<std::string_view> device;
    std::vector<JsonDevice> devices;
    std::vector<SourceInfo> sources;
    std::vector<Warning> warnings;
    std::vector<std::string_view> texts;
    std::vector<CeilingSet> ceiling_sets;

    friend void each_field(auto& field, HeaderDraft& header) {
        field("$schema", Dropped<std::string_view>{});
        field("description", Dropped<std::string_view>{});
        field("format", header.format);
        field("recording", header.recording);
        field("version", header.version);
        field("origin", header.origin);
        field("sources", lines(header.sources, most_sources, "sources"));
        field("warnings", header.warnings);
        field("device", header.device);
        field("devices", lines(header.devices, most_devices, "devices"));
        field("texts", header.texts);
        field("ceiling_sets", header.ceiling_sets);
        field("kernels", NoKernels{});
    }
};

/// What a later line adds.
struct JsonProfileReader::MoreDraft {
    HeaderDraft header;
    std::optional<RecordingCounts> counts;

    friend void each_field(auto& field, MoreDraft& more) {
        field("counts", more.counts);
        field("devices", lines(more.header.devices, most_devices, "devices"));
        field("texts", more.header.texts);
        field("warnings", more.header.warnings);
    }
};

bool JsonProfileReader::check_format(const JsonValue& root, const HeaderDraft& draft) {
    if (draft.format.empty() && !draft.version) return true;
    if (draft.format == "roofwalk-session")
        return root.fail_member("format", "This is a session, which names reports and holds none",
                                "Open it by itself; a session can name reports only.");
    if (draft.format == "roofwalk-scenario")
        return root.fail_member("format",
                                "This is a scenario, which moves the kernels of a report and holds none",
                                "Open the report, and then the scenario.");
    if (draft.format != format_id)
        return root.fail_member("format", "The format is not a Roofwalk profile",
                                R"(Profiles say "format": "roofwalk-profile".)");
    if (!draft.version)
        return root.fail_member("version", "The version of the format is missing", R"(Add "version": 1.)");
    if (*draft.version != known_version)
        return root.fail_member("version", "The version of the format is not known to this Roofwalk",
                                "Version 1 can be read; a newer Roofwalk may know this one.",
                                ErrorCode::unsupported_version);
    return true;
}

struct JsonProfileReader::Draft {
    std::optional<std::string_view> name;
    std::string_view function;
    std::string_view mangled;
    std::optional<std::string_view> device;
    std::optional<Pipe> precision;
    // Read when the others are known:
    std::optional<JsonElement> flops;
    std::optional<JsonElement> bytes;
    std::optional<JsonElement> metrics;
    std::optional<JsonElement> nvtx;
    std::optional<JsonElement> ceilings;
    std::optional<JsonElement> ceiling_set;
    std::optional<JsonElement> duration_source;
    AlgorithmText algorithm;
    std::uint32_t source = 0;
    std::optional<std::int64_t> number;
    std::optional<std::int64_t> like;
    Launch launch;
};

bool JsonProfileReader::add_devices(const JsonValue& root, HeaderDraft& draft, bool more) {
    const JsonPath list{&root.path, "devices", {}};
    for (std::size_t i = 0; i < draft.devices.size(); ++i) {
        JsonDevice& entry = draft.devices[i];
        const JsonPath here{&list, {}, i};
        Device& device = entry.device;
        if (device.vendor == Vendor::unknown) device.vendor = likely_vendor(device);
        const auto next = static_cast<DeviceIndex>(profile().devices.size());
        if (profile().devices.size() == most_devices)
            return decoder_.fail(here, "There are too many devices");
        const auto [known, is_new] = device_ids_.emplace(entry.id, next);
        if (is_new)
            profile().devices.push_back(std::move(device));
        else if (more)
            profile().at(known->second) = std::move(device);
        else
            return decoder_.fail({&here, "id", {}}, "Two devices have the same id",
                                 "Give each device an id of its own.");
    }
    return true;
}

void JsonProfileReader::add_texts(const HeaderDraft& draft) {
    for (const std::string_view text : draft.texts)
        texts_.push_back(profile().texts.intern(text));
}

bool JsonProfileReader::take_devices(const JsonValue& root, HeaderDraft& draft) {
    if (!add_devices(root, draft, false)) return false;
    devices_by_name_ = draft.devices.empty() && !draft.recording;
    if (!draft.device) return true;
    if (!draft.devices.empty())
        return root.fail_member("device", R"(A profile has either "device" or "devices")");
    device_ids_.emplace(*draft.device, DeviceIndex{});
    profile().devices.emplace_back().name = *draft.device;
    return true;
}

bool JsonProfileReader::read_header(std::string_view text) {
    JsonElement element;
    if (!decoder_.parse(text, element)) return false;
    const JsonValue root{element, decoder_};
    HeaderDraft draft;
    if (!read_json(root, draft) || !check_format(root, draft) || !take_devices(root, draft)) return false;
    has_format_ = !draft.format.empty();
    origin_ = draft.origin.value_or(has_format_ ? Origin::measured : Origin::modelled);
    for (CeilingSet& set : draft.ceiling_sets)
        ceiling_sets_.push_back(std::make_shared<const CeilingSet>(std::move(set)));
    is_recording_ = draft.recording;
    add_texts(draft);
    profile().warnings = std::move(draft.warnings);
    profile().sources = std::move(draft.sources);
    if (profile().sources.empty()) profile().sources.emplace_back();
    return std::ranges::all_of(profile().sources, [&](const SourceInfo& source) {
        return !source.joined_with ||
               static_cast<std::size_t>(*source.joined_with) < profile().sources.size() ||
               root.fail_member("sources", R"(A source was joined with one that is not in the list)",
                                "Places count from 0.");
    });
}

bool JsonProfileReader::read_kernel(std::string_view text) {
    JsonElement element;
    return decoder_.parse(text, element) && read_kernel({element, decoder_});
}

bool JsonProfileReader::read_line(std::string_view text) {
    JsonElement element;
    JsonElement content;
    if (!decoder_.parse(text, element)) return false;
    const JsonValue root{element, decoder_};
    if (is_recording_ && element["end"].get(content) == simdjson::SUCCESS)
        return read_json(root.member("end", content), end_);
    if (!is_recording_ || element["more"].get(content) != simdjson::SUCCESS) return read_kernel(root);
    MoreDraft draft;
    if (!read_json(root.member("more", content), draft) || !add_devices(root, draft.header, true))
        return false;
    if (draft.counts) counts_ = draft.counts;
    if (draft.counts && !profile().sources.empty())
        profile().sources.front().left_out = left_out_by(*draft.counts);
    add_texts(draft.header);
    for (Warning& warning : draft.header.warnings)
        profile().warnings.push_back(std::move(warning));
    return true;
}

std::optional<Error> JsonProfileReader::cut() const {
    if (!is_recording_ || (end_ && end_->whole)) return std::nullopt;
    std::string what = !end_                ? "The recording has no end: what wrote it was killed"
                       : end_->what.empty() ? "The recording was cut"
                                            : end_->what;
    return Error{ErrorCode::truncated, what + "; the launches recorded until then are kept", "", ""};
}

bool JsonProfileReader::read_derivation(const JsonValue& value, std::string_view key,
                                        const std::optional<JsonElement>& source, TextId& target) {
    if (!source) return true;
    const JsonValue here = value.member(key, *source);
    if (source->is_string()) {
        std::string_view text;
        if (!read_json(here, text)) return false;
        target = profile().texts.intern(text);
        return true;
    }
    std::uint32_t index = 0;
    if (!read_json(here, index)) return false;
    if (index >= texts_.size())
        return here.fail("There is no such entry in \"texts\"",
                         "Give the text itself or its place in the list, from 0.");
    target = texts_[index];
    return true;
}

bool JsonProfileReader::read_work_sample(const JsonValue& value, WorkSample& target) {
    target.origin = origin_;
    if (!value.element.is_object()) return read_json(value, target.work);
    JsonWork<JsonElement> work;
    if (!read_json(value, work)) return false;
    if (!work.count)
        return value.fail_member("count", "The count is missing", "In FLOP, or operations of integers.");
    target.work = *work.count;
    if (work.origin) target.origin = *work.origin;
    return read_derivation(value, "source", work.source, target.source);
}

bool JsonProfileReader::read_work(const JsonValue& value, std::optional<Pipe> precision,
                                  std::vector<WorkSample>& target) {
    if (!value.element.is_object()) {
        WorkSample sample;
        sample.pipe = precision.value_or(Pipe{PipeKind::fp32});
        if (!read_work_sample(value, sample)) return false;
        target.push_back(sample);
        return true;
    }
    if (precision)
        return value.fail("\"precision\" belongs to a plain number of FLOP",
                          "Here the pipes are named one by one; leave \"precision\" out.");
    simdjson::dom::object pipes;
    if (value.element.get(pipes) == simdjson::SUCCESS) target.reserve(std::min<std::size_t>(pipes.size(), 4));
    return value.each_member([&](std::string_view key, const JsonValue& item) {
        WorkSample sample;
        if (!read_pipe(item, key, sample.pipe)) return false;
        if (std::ranges::find(target, sample.pipe, &WorkSample::pipe) != target.end())
            return item.fail("The pipe occurs twice", "Keep one of them.");
        if (!read_work_sample(item, sample)) return false;
        target.push_back(sample);
        return true;
    });
}

bool JsonProfileReader::read_traffic_sample(const JsonValue& value, std::string_view key,
                                            std::vector<TrafficSample>& target,
                                            std::vector<MetricSample>& parts, Boundary& boundary) {
    TrafficSample sample;
    sample.origin = origin_;
    JsonTraffic<JsonElement> traffic;
    if (!resolve_boundary(value, key, {}, boundary)) return false;
    const bool plain = !value.element.is_object();
    if (plain ? !read_json(value, sample.total) : !read_json(value, traffic)) return false;
    if (!plain && !resolve_boundary(value, key, traffic.boundary, boundary)) return false;
    sample.boundary = boundary;
    if (!plain && !traffic.total && !(traffic.read && traffic.write)) {
        const auto& part = traffic.read ? traffic.read : traffic.write;
        if (!part || boundary != Boundary::hbm_dram_rw)
            return value.fail_member("total", "The total is missing", "Give it, or both read and write.");
        if (traffic.source || traffic.origin.value_or(Origin::measured) != Origin::measured)
            return value.fail_member("total", "Reads or writes alone are a count, without origin or source",
                                     "Give the total with them.");
        parts.push_back({profile().texts.intern(traffic.read ? dram_reads : dram_writes), part->value()});
        return true;
    }
    if (!plain) sample.total = traffic.total ? *traffic.total : *traffic.read + *traffic.write;
    sample.read = traffic.read;
    sample.write = traffic.write;
    if (traffic.origin) sample.origin = *traffic.origin;
    if (!plain && !read_derivation(value, "source", traffic.source, sample.source)) return false;
    target.push_back(sample);
    return true;
}

bool JsonProfileReader::read_traffic(const JsonValue& value, Launch& launch) {
    std::vector<TrafficSample>& target = launch.traffic;
    Boundary boundary{};
    if (!value.element.is_object())
        return read_traffic_sample(value, id_of(MemoryLevel::hbm), target, launch.metrics, boundary) ||
               decoder_.leave_out_number();
    simdjson::dom::object boundaries;
    if (value.element.get(boundaries) == simdjson::SUCCESS)
        target.reserve(std::min<std::size_t>(boundaries.size(), enum_size<Boundary>));
    EnumArray<Boundary, bool> seen;
    return value.each_member([&](std::string_view key, const JsonValue& item) {
        const bool read = read_traffic_sample(item, key, target, launch.metrics, boundary);
        if (!read && !decoder_.leave_out_number()) return false;
        if (std::exchange(seen[boundary], true))
            return item.fail("The boundary occurs twice", "Keep one of them.");
        return true;
    });
}

bool JsonProfileReader::read_metrics(const JsonValue& value, std::vector<MetricSample>& target) {
    std::vector<TextId> names;
    const bool read = value.each_member([&](std::string_view key, const JsonValue& item) {
        MetricSample sample;
        if (!read_finite(item, sample.value)) return false;
        sample.name = profile().texts.intern(key);
        target.push_back(sample);
        return true;
    });
    if (!read) return false;
    std::ranges::transform(target, std::back_inserter(names), &MetricSample::name);
    std::ranges::sort(names);
    const auto twice = std::ranges::adjacent_find(names);
    if (twice == names.end()) return true;
    return value.fail_member(profile().texts.view(*twice), "The metric occurs twice", "Keep one of them.");
}

void JsonProfileReader::join_dram_parts(Launch& launch) {
    const auto part = [&](std::string_view counter) {
        const auto sample =
            std::ranges::find(launch.metrics, profile().texts.find(counter), &MetricSample::name);
        const bool known =
            sample != launch.metrics.end() && sample->value >= 0 && sample->value <= largest_amount;
        return known ? std::optional(Bytes(sample->value)) : std::nullopt;
    };
    if (launch.metrics.empty() || launch.find(Boundary::hbm_dram_rw)) return;
    const auto read = part(dram_reads);
    const auto write = part(dram_writes);
    if (!read || !write) return;
    launch.traffic.push_back(
        {.boundary = Boundary::hbm_dram_rw,
         .origin = origin_,
         .source = profile().texts.intern(fmt::format("{} + {}", dram_reads, dram_writes)),
         .total = *read + *write,
         .read = read,
         .write = write});
}

bool JsonProfileReader::resolve_device(const JsonValue& root, const Draft& draft, DeviceIndex& target) {
    if (!draft.device) {
        if (profile().devices.size() == 1) return true;
        return root.fail_member("device", "The kernel does not say on which device it ran",
                                profile().devices.empty()
                                    ? R"(Add "device": "H100 SXM", with the name of the GPU.)"
                                    : R"(Add "device" with the id of one of "devices".)");
    }
    const std::string id(*draft.device);
    if (const auto it = device_ids_.find(id); it != device_ids_.end()) {
        target = it->second;
        return true;
    }
    if (!devices_by_name_)
        return root.fail_member("device", "The device is unknown", R"(Use the id of one of "devices".)");
    if (profile().devices.size() == std::numeric_limits<std::uint16_t>::max())
        return root.fail_member("device", "There are too many devices");
    target = static_cast<DeviceIndex>(profile().devices.size());
    device_ids_.emplace(id, target);
    profile().devices.emplace_back().name = id;
    return true;
}

bool JsonProfileReader::resolve_ceilings(const JsonValue& root, const Draft& draft, Launch& launch) {
    if (draft.ceiling_set) {
        const JsonValue here = root.member("ceiling_set", *draft.ceiling_set);
        std::uint32_t index = 0;
        if (!read_json(here, index)) return false;
        if (draft.ceilings) return here.fail(R"(A kernel has "ceilings" or "ceiling_set", not both)");
        if (index >= ceiling_sets_.size())
            return here.fail(R"(There is no such entry in "ceiling_sets")", "Places count from 0.");
        launch.ceilings = ceiling_sets_[index];
    }
    if (!draft.ceilings) return true;
    CeilingSet set;
    if (!read_json(root.member("ceilings", *draft.ceilings), set)) return decoder_.leave_out_number();
    if (!last_ceilings_ || *last_ceilings_ != set)
        last_ceilings_ = std::make_shared<const CeilingSet>(std::move(set));
    launch.ceilings = last_ceilings_;
    return true;
}

bool JsonProfileReader::resolve_nvtx(const JsonValue& root, const Draft& draft, NvtxIndex& target) {
    if (!draft.nvtx) return true;
    NvtxStack stack;
    if (!read_json(root.member("nvtx", *draft.nvtx), stack)) return false;
    target = builder_.nvtx(std::move(stack));
    return true;
}

bool JsonProfileReader::read_kernel(const JsonValue& root) {
    Draft draft;
    Launch& launch = draft.launch;
    if (!read_json(root, draft)) return false;
    if (!draft.name) return root.fail_member("name", "The kernel has no name", R"(Add "name".)");
    if (draft.source >= profile().sources.size())
        return root.fail_member("source", R"(There is no such entry in "sources")", "Places count from 0.");
    launch.source = static_cast<SourceIndex>(draft.source);
    if (!read_derivation(root, "duration_source", draft.duration_source, launch.duration_source))
        return false;
    if (draft.flops && !read_work(root.member("flops", *draft.flops), draft.precision, launch.work)) {
        if (!decoder_.leave_out_number()) return false;
        launch.work.clear();  // without one pipe the others are not the work of the kernel
    }
    if (draft.flops && !draft.flops->is_object() && !draft.precision) launch.precision_assumed = true;
    if (draft.bytes && !read_traffic(root.member("bytes", *draft.bytes), launch)) return false;
    if (draft.metrics && !read_metrics(root.member("metrics", *draft.metrics), launch.metrics)) return false;
    join_dram_parts(launch);
    if (!resolve_ceilings(root, draft, launch) || !resolve_nvtx(root, draft, launch.nvtx) ||
        !resolve_device(root, draft, launch.device))
        return false;
    launch.kernel = builder_.kernel({*draft.name, draft.function, draft.mangled}, [&] {
        return Kernel{std::string(*draft.name), std::string(draft.function), std::string(draft.mangled)};
    });
    if (!draft.algorithm.text.empty()) launch.algorithm = profile().texts.intern(draft.algorithm.text);
    if (decoder_.has_left_out_number()) profile().sources[draft.source].partial = true;
    keep(draft, std::move(launch));
    return true;
}

void JsonProfileReader::keep(const Draft& draft, Launch launch) {
    const auto next = static_cast<LaunchIndex>(profile().launches.size());
    LaunchIndex place = next;
    // Numbers rise, but for launches that are told again. Elsewhere two launches of one number are two.
    if (draft.number && is_recording_)
        place =
            numbered_.try_emplace(numbered_.end(), LaunchKey{launch.process, *draft.number}, next)->second;
    if (draft.like && is_recording_)
        alike_.insert_or_assign(alike_.end(), place, LaunchKey{launch.process, *draft.like});
    else if (place != next)
        alike_.erase(place);
    if (place == next)
        profile().launches.push_back(std::move(launch));
    else
        profile().at(place) = std::move(launch);
}

void JsonProfileReader::resolve_like(Profile& profile) const {
    std::vector<LaunchIndex> estimated;
    for (const auto& [index, key] : alike_) {
        const auto other = numbered_.find(key);
        if (other == numbered_.end() || alike_.contains(other->second)) continue;
        take_figures(profile.at(other->second), profile.at(index));
        estimated.push_back(index);
    }
    if (!estimated.empty()) profile.warnings.push_back(warning_of_alike_launches(std::move(estimated)));
}

}  // namespace roofwalk
