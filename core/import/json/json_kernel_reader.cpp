// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/json/json_kernel_reader.h"

#include <algorithm>
#include <bitset>
#include <limits>
#include <utility>

#include "core/operations/expression.h"
#include "core/operations/op_parser.h"

namespace roofwalk {

namespace {

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

/// The boundary that a key and a "boundary" beside it mean together.
bool resolve_boundary(const JsonValue& value, std::string_view key,
                      const std::optional<std::string_view>& inner, Boundary& target) {
    const auto level = level_from_id(key);
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

struct JsonKernelReader::Draft {
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
    AlgorithmText algorithm;
    std::uint32_t source = 0;
    std::optional<std::int64_t> number;
    std::optional<std::int64_t> like;
    Launch launch;
};

bool JsonKernelReader::read_derivation(const JsonValue& value, const std::optional<JsonElement>& source,
                                       TextId& target) {
    if (!source) return true;
    const JsonValue here = value.member("source", *source);
    if (source->is_string()) {
        std::string_view text;
        if (!read_json(here, text)) return false;
        target = profile_.texts.intern(text);
        return true;
    }
    std::uint32_t index = 0;
    if (!read_json(here, index)) return false;
    if (index >= header_.texts.size())
        return here.fail("There is no such entry in \"texts\"",
                         "Give the text itself or its place in the list, from 0.");
    target = header_.texts[index];
    return true;
}

bool JsonKernelReader::read_work_sample(const JsonValue& value, WorkSample& target) {
    target.origin = header_.origin;
    if (!value.element.is_object()) return read_json(value, target.work);
    JsonWork<JsonElement> work;
    if (!read_json(value, work)) return false;
    if (!work.count)
        return value.fail_member("count", "The count is missing", "In FLOP, or operations of integers.");
    target.work = *work.count;
    if (work.origin) target.origin = *work.origin;
    return read_derivation(value, work.source, target.source);
}

bool JsonKernelReader::read_work(const JsonValue& value, std::optional<Pipe> precision,
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

bool JsonKernelReader::read_traffic_sample(const JsonValue& value, std::string_view key,
                                           TrafficSample& target) {
    target.origin = header_.origin;
    if (!resolve_boundary(value, key, {}, target.boundary)) return false;
    if (!value.element.is_object()) return read_json(value, target.total);
    JsonTraffic<JsonElement> traffic;
    if (!read_json(value, traffic)) return false;
    if (!resolve_boundary(value, key, traffic.boundary, target.boundary)) return false;
    if (!traffic.total && !(traffic.read && traffic.write))
        return value.fail_member("total", "The total is missing", "Give it, or both read and write.");
    target.total = traffic.total ? *traffic.total : *traffic.read + *traffic.write;
    target.read = traffic.read;
    target.write = traffic.write;
    if (traffic.origin) target.origin = *traffic.origin;
    return read_derivation(value, traffic.source, target.source);
}

bool JsonKernelReader::read_traffic(const JsonValue& value, std::vector<TrafficSample>& target) {
    if (!value.element.is_object()) {
        TrafficSample sample;
        if (!read_traffic_sample(value, id_of(MemoryLevel::hbm), sample)) return decoder_.leave_out_number();
        target.push_back(sample);
        return true;
    }
    simdjson::dom::object boundaries;
    if (value.element.get(boundaries) == simdjson::SUCCESS)
        target.reserve(std::min<std::size_t>(boundaries.size(), boundary_count));
    std::bitset<boundary_count> seen;
    return value.each_member([&](std::string_view key, const JsonValue& item) {
        TrafficSample sample;
        const bool read = read_traffic_sample(item, key, sample);
        if (!read && !decoder_.leave_out_number()) return false;
        const auto boundary = static_cast<std::size_t>(sample.boundary);
        if (seen.test(boundary)) return item.fail("The boundary occurs twice", "Keep one of them.");
        seen.set(boundary);
        if (read) target.push_back(sample);
        return true;
    });
}

bool JsonKernelReader::read_metrics(const JsonValue& value, std::vector<MetricSample>& target) {
    std::vector<TextId> names;
    const bool read = value.each_member([&](std::string_view key, const JsonValue& item) {
        MetricSample sample;
        if (!read_finite(item, sample.value)) return false;
        sample.name = profile_.texts.intern(key);
        target.push_back(sample);
        names.push_back(sample.name);
        return true;
    });
    if (!read) return false;
    std::ranges::sort(names);
    const auto twice = std::ranges::adjacent_find(names);
    if (twice == names.end()) return true;
    return value.fail_member(profile_.texts.view(*twice), "The metric occurs twice", "Keep one of them.");
}

bool JsonKernelReader::resolve_device(const JsonValue& root, const Draft& draft, DeviceIndex& target) {
    if (!draft.device) {
        if (profile_.devices.size() == 1) return true;
        return root.fail_member("device", "The kernel does not say on which device it ran",
                                profile_.devices.empty()
                                    ? R"(Add "device": "H100 SXM", with the name of the GPU.)"
                                    : R"(Add "device" with the id of one of "devices".)");
    }
    const std::string id(*draft.device);
    if (const auto it = header_.device_ids.find(id); it != header_.device_ids.end()) {
        target = it->second;
        return true;
    }
    if (!header_.devices_by_name)
        return root.fail_member("device", "The device is unknown", R"(Use the id of one of "devices".)");
    if (profile_.devices.size() == std::numeric_limits<std::uint16_t>::max())
        return root.fail_member("device", "There are too many devices");
    target = static_cast<DeviceIndex>(profile_.devices.size());
    header_.device_ids.emplace(id, target);
    profile_.devices.emplace_back().name = id;
    return true;
}

bool JsonKernelReader::resolve_ceilings(const JsonValue& root, const Draft& draft, Launch& launch) {
    if (draft.ceiling_set) {
        const JsonValue here = root.member("ceiling_set", *draft.ceiling_set);
        std::uint32_t index = 0;
        if (!read_json(here, index)) return false;
        if (draft.ceilings) return here.fail(R"(A kernel has "ceilings" or "ceiling_set", not both)");
        if (index >= header_.ceiling_sets.size())
            return here.fail(R"(There is no such entry in "ceiling_sets")", "Places count from 0.");
        launch.ceilings = header_.ceiling_sets[index];
    }
    if (!draft.ceilings) return true;
    CeilingSet set;
    if (!read_json(root.member("ceilings", *draft.ceilings), set)) return decoder_.leave_out_number();
    if (!last_ceilings_ || *last_ceilings_ != set)
        last_ceilings_ = std::make_shared<const CeilingSet>(std::move(set));
    launch.ceilings = last_ceilings_;
    return true;
}

bool JsonKernelReader::resolve_nvtx(const JsonValue& root, const Draft& draft, NvtxIndex& target) {
    if (!draft.nvtx) return true;
    NvtxStack stack;
    if (!read_json(root.member("nvtx", *draft.nvtx), stack)) return false;
    if (stack.empty()) return true;
    key_.clear();
    for (const std::string& range : stack)
        key_ += std::to_string(range.size()) + ':' + range;
    const auto [it, added] = stacks_.emplace(key_, static_cast<NvtxIndex>(profile_.nvtx_stacks.size()));
    if (added) profile_.nvtx_stacks.push_back(std::move(stack));
    target = it->second;
    return true;
}

KernelIndex JsonKernelReader::resolve_kernel(const Draft& draft) {
    key_.assign(*draft.name);
    if (!draft.function.empty() || !draft.mangled.empty()) {
        // The lengths keep apart names that would read the same when joined.
        key_ += std::to_string(draft.name->size()) + ':';
        key_ += draft.function;
        key_ += std::to_string(draft.function.size()) + ':';
        key_ += draft.mangled;
    }
    const auto [it, added] = kernels_.try_emplace(key_, static_cast<KernelIndex>(profile_.kernels.size()));
    if (added)
        profile_.kernels.push_back(
            {std::string(*draft.name), std::string(draft.function), std::string(draft.mangled)});
    return it->second;
}

bool JsonKernelReader::read(JsonElement element) {
    const JsonValue root{element, decoder_};
    Draft draft;
    Launch& launch = draft.launch;
    if (!read_json(root, draft)) return false;
    if (!draft.name) return root.fail_member("name", "The kernel has no name", R"(Add "name".)");
    if (draft.source >= profile_.sources.size())
        return root.fail_member("source", R"(There is no such entry in "sources")", "Places count from 0.");
    launch.source = static_cast<SourceIndex>(draft.source);
    if (draft.flops && !read_work(root.member("flops", *draft.flops), draft.precision, launch.work)) {
        if (!decoder_.leave_out_number()) return false;
        launch.work.clear();  // without one pipe the others are not the work of the kernel
    }
    if (draft.bytes && !read_traffic(root.member("bytes", *draft.bytes), launch.traffic)) return false;
    if (draft.metrics && !read_metrics(root.member("metrics", *draft.metrics), launch.metrics)) return false;
    if (!resolve_ceilings(root, draft, launch) || !resolve_nvtx(root, draft, launch.nvtx) ||
        !resolve_device(root, draft, launch.device))
        return false;
    launch.kernel = resolve_kernel(draft);
    launch.algorithm = profile_.texts.intern(draft.algorithm.text);
    if (decoder_.has_left_out_number()) profile_.sources[draft.source].partial = true;
    keep(draft, std::move(launch));
    return true;
}

void JsonKernelReader::keep(const Draft& draft, Launch launch) {
    const auto next = static_cast<LaunchIndex>(profile_.launches.size());
    LaunchIndex place = next;
    // Numbers rise, but for launches that are told again. Elsewhere two launches of one number are two.
    if (draft.number && header_.recording)
        place =
            numbered_.try_emplace(numbered_.end(), LaunchKey{launch.process, *draft.number}, next)->second;
    if (draft.like && header_.recording)
        alike_.insert_or_assign(alike_.end(), place, LaunchKey{launch.process, *draft.like});
    else if (place != next)
        alike_.erase(place);
    if (place == next)
        profile_.launches.push_back(std::move(launch));
    else
        profile_.launches[static_cast<std::size_t>(place)] = std::move(launch);
}

void JsonKernelReader::settle_alike(Profile& profile) const {
    std::vector<LaunchIndex> estimated;
    for (const auto& [index, key] : alike_) {
        const auto other = numbered_.find(key);
        if (other == numbered_.end() || alike_.contains(other->second)) continue;
        take_figures(profile.at(other->second), profile.launches[static_cast<std::size_t>(index)]);
        estimated.push_back(index);
    }
    if (!estimated.empty()) profile.warnings.push_back(warning_of_alike_launches(std::move(estimated)));
}

}  // namespace roofwalk
