// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/json/json_reader_kernel.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "core/import/json/json_reader_algorithm.h"
#include "core/import/json/json_reader_device.h"

namespace roofwalk {

struct JsonKernelReader::Draft {
    std::optional<std::string_view> name;
    std::string_view function;
    std::string_view mangled;
    std::optional<std::string_view> device;
    std::optional<Pipe> precision;
    std::optional<JsonElement> flops;
    std::optional<JsonElement> bytes;
    std::optional<JsonElement> metrics;
    std::optional<JsonElement> nvtx;
    std::optional<JsonElement> ceilings;
    std::optional<JsonElement> ceiling_set;
    std::string algorithm;
    std::uint32_t source = 0;
    std::optional<std::int64_t> number;
    std::optional<std::int64_t> like;
    Launch launch;
};

struct JsonKernelReader::Fields {
    template <auto Member>
    static bool keep(JsonElement value, const JsonPath&, JsonChecker&, Draft& draft) {
        draft.*Member = value;
        return true;
    }

    template <auto Member>
    static bool read_launch(JsonElement value, const JsonPath& at, JsonChecker& check, Draft& draft) {
        return check.read(value, at, draft.launch.*Member);
    }

    template <auto Member>
    static bool read_text(JsonElement value, const JsonPath& at, JsonChecker& check, Draft& draft) {
        return check.read(value, at, (draft.*Member).emplace());
    }

    template <auto Member>
    static bool read_size(JsonElement value, const JsonPath& at, JsonChecker& check, Draft& draft) {
        return read_dim3(value, at, check, draft.launch.*Member);
    }

    static bool read_duration(JsonElement value, const JsonPath& at, JsonChecker& check, Draft& draft) {
        double nanoseconds = 0;
        if (!check.positive(value, at, nanoseconds)) return false;
        draft.launch.duration = Seconds(nanoseconds * 1e-9);
        return true;
    }

    static bool read_start(JsonElement value, const JsonPath& at, JsonChecker& check, Draft& draft) {
        double nanoseconds = 0;
        if (!check.amount(value, at, nanoseconds)) return false;
        draft.launch.start = Seconds(nanoseconds * 1e-9);
        return true;
    }

    static bool read_precision(JsonElement value, const JsonPath& at, JsonChecker& check, Draft& draft) {
        std::string_view id;
        return check.read(value, at, id) && read_json_pipe(id, at, check, draft.precision.emplace());
    }

    static bool read_uncounted(JsonElement value, const JsonPath& at, JsonChecker& check, Draft& draft) {
        return each_item(value, at, check, [&](JsonElement item, const JsonPath& here) {
            std::string_view id;
            if (!check.read(item, here, id)) return false;
            const auto known_kinds = std::span(uncounted_kinds).first(uncounted_flop_kinds);
            const auto kind = std::ranges::find(known_kinds, id, &UncountedKind::id);
            if (kind == known_kinds.end())
                return check.fail(here, "The kind of work is unknown",
                                  "Known are: packed_fp32, fp16, tensor.");
            draft.launch.uncounted.*(kind->member) = true;
            return true;
        });
    }

    /// A field without which the kernel is worth keeping where its number cannot be.
    template <auto Read>
    static bool refusable(JsonElement value, const JsonPath& at, JsonChecker& check, Draft& draft) {
        return Read(value, at, check, draft) || check.leave_out_number();
    }

    static bool read_algorithm(JsonElement value, const JsonPath& at, JsonChecker& check, Draft& draft) {
        return read_json_algorithm(value, at, check, draft.algorithm);
    }

    static constexpr JsonField<Draft> known[] = {
        {"name", read_text<&Draft::name>},
        {"function", read_member<&Draft::function>},
        {"mangled", read_member<&Draft::mangled>},
        {"description", read_and_drop<std::string_view>},
        {"device", read_text<&Draft::device>},
        {"source", read_member<&Draft::source>},
        {"grid", refusable<read_size<&Launch::grid>>},
        {"block", refusable<read_size<&Launch::block>>},
        {"stream", refusable<read_launch<&Launch::stream>>},
        {"context", refusable<read_launch<&Launch::context>>},
        {"process", refusable<read_launch<&Launch::process>>},
        {"thread", refusable<read_launch<&Launch::thread>>},
        {"nvtx", keep<&Draft::nvtx>},
        {"start_ns", refusable<read_start>},
        {"duration_ns", refusable<read_duration>},
        {"failed", read_launch<&Launch::failed>},
        {"clocks_locked", read_launch<&Launch::clocks_locked>},
        {"precision", read_precision},
        {"flops", keep<&Draft::flops>},
        {"uncounted_work", read_uncounted},
        {"bytes", keep<&Draft::bytes>},
        {"metrics", keep<&Draft::metrics>},
        {"ceilings", keep<&Draft::ceilings>},
        {"ceiling_set", keep<&Draft::ceiling_set>},
        {"algorithm", read_algorithm},
        {"launch", read_member<&Draft::number>},
        {"like", read_member<&Draft::like>},
    };
};

bool JsonKernelReader::resolve_device(const Draft& draft, const JsonPath& at, DeviceIndex& target) {
    const JsonPath here{&at, "device", {}};
    if (!draft.device) {
        if (profile_.devices.size() == 1) return true;
        return check_.fail(here, "The kernel does not say on which device it ran",
                           profile_.devices.empty() ? R"(Add "device": "H100 SXM", with the name of the GPU.)"
                                                    : R"(Add "device" with the id of one of "devices".)");
    }
    const std::string id(*draft.device);
    if (const auto it = header_.device_ids.find(id); it != header_.device_ids.end()) {
        target = it->second;
        return true;
    }
    if (!header_.devices_by_name)
        return check_.fail(here, "The device is unknown", R"(Use the id of one of "devices".)");
    if (profile_.devices.size() == std::numeric_limits<std::uint16_t>::max())
        return check_.fail(here, "There are too many devices");
    target = static_cast<DeviceIndex>(profile_.devices.size());
    header_.device_ids.emplace(id, target);
    profile_.devices.emplace_back().name = id;
    return true;
}

bool JsonKernelReader::resolve_ceilings(const Draft& draft, const JsonPath& at, Launch& launch) {
    if (draft.ceiling_set) {
        const JsonPath here{&at, "ceiling_set", {}};
        std::uint32_t index = 0;
        if (!check_.read(*draft.ceiling_set, here, index)) return false;
        if (draft.ceilings) return check_.fail(here, R"(A kernel has "ceilings" or "ceiling_set", not both)");
        if (index >= header_.ceiling_sets.size())
            return check_.fail(here, R"(There is no such entry in "ceiling_sets")", "Places count from 0.");
        launch.ceilings = header_.ceiling_sets[index];
    }
    if (!draft.ceilings) return true;
    CeilingSet set;
    if (!read_json_ceilings(*draft.ceilings, {&at, "ceilings", {}}, check_, set))
        return check_.leave_out_number();
    if (!last_ceilings_ || *last_ceilings_ != set)
        last_ceilings_ = std::make_shared<const CeilingSet>(std::move(set));
    launch.ceilings = last_ceilings_;
    return true;
}

bool JsonKernelReader::resolve_nvtx(const Draft& draft, const JsonPath& at, NvtxIndex& target) {
    if (!draft.nvtx) return true;
    NvtxStack stack;
    key_.clear();
    const bool read =
        each_item(*draft.nvtx, {&at, "nvtx", {}}, check_, [&](JsonElement item, const JsonPath& here) {
            if (!check_.read(item, here, stack.emplace_back())) return false;
            key_ += std::to_string(stack.back().size()) + ':' + stack.back();
            return true;
        });
    if (!read) return false;
    if (stack.empty()) return true;
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

bool JsonKernelReader::read(JsonElement value) {
    const JsonPath root;
    Draft draft;
    Launch& launch = draft.launch;
    if (!read_fields(value, root, check_, Fields::known, draft)) return false;
    if (!draft.name) return check_.fail({&root, "name", {}}, "The kernel has no name", R"(Add "name".)");
    if (draft.source >= profile_.sources.size())
        return check_.fail({&root, "source", {}}, R"(There is no such entry in "sources")",
                           "Places count from 0.");
    launch.source = static_cast<SourceIndex>(draft.source);
    if (draft.flops &&
        !samples_.read_work(*draft.flops, {&root, "flops", {}}, draft.precision, launch.work)) {
        if (!check_.leave_out_number()) return false;
        launch.work.clear();  // without one pipe the others are not the work of the kernel
    }
    if (draft.bytes && !samples_.read_traffic(*draft.bytes, {&root, "bytes", {}}, launch.traffic))
        return false;
    if (draft.metrics && !samples_.read_metrics(*draft.metrics, {&root, "metrics", {}}, launch.metrics))
        return false;
    if (!resolve_ceilings(draft, root, launch) || !resolve_nvtx(draft, root, launch.nvtx) ||
        !resolve_device(draft, root, launch.device))
        return false;
    launch.kernel = resolve_kernel(draft);
    launch.algorithm = profile_.texts.intern(draft.algorithm);
    if (check_.has_left_out_number()) profile_.sources[draft.source].partial = true;
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
