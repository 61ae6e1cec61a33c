// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/trace/trace_readers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/json_decoder.h"
#include "core/base/text.h"
#include "core/import/json/json_split.h"
#include "core/import/trace/thread_ranges.h"
#include "core/operations/pytorch/pytorch_operation.h"

namespace roofwalk {

namespace {

constexpr std::string_view events_key = R"("traceEvents")";

/// Offset of the "[" of the events, and where their key begins; of a list of events alone its own.
struct EventsPlace {
    std::size_t key;
    std::size_t open;
};

std::optional<EventsPlace> find_events(std::string_view text) {
    constexpr std::size_t longest_head = std::size_t{16} << 20U;
    const std::size_t start = skip_json_space(text, 0);
    if (start == text.size()) return {};
    if (text[start] == '[') {
        const auto first = JsonArrayCursor(text, start).next();
        const bool is_event = first && contains(first->in(text), R"("ph")");
        return is_event ? std::optional(EventsPlace{start, start}) : std::nullopt;
    }
    if (text[start] != '{') return {};
    const std::size_t key = text.substr(0, longest_head).find(events_key, start);
    if (key == std::string_view::npos) return {};
    const auto open = array_behind_key(text, key + events_key.size());
    return open ? std::optional(EventsPlace{key, *open}) : std::nullopt;
}

enum class EventKind { other, kernel, range, call };

struct Category {
    std::string_view name;
    EventKind kind;
};

/// Those with a capital are of older versions.
constexpr Category categories[] = {
    {"kernel", EventKind::kernel},         {"Kernel", EventKind::kernel},
    {"cpu_op", EventKind::range},          {"Operator", EventKind::range},
    {"user_annotation", EventKind::range}, {"cuda_runtime", EventKind::call},
    {"cuda_driver", EventKind::call},      {"Runtime", EventKind::call},
};

/// Without reading the event: most are of no interest.
EventKind kind_of(std::string_view event) {
    constexpr std::string_view key = R"("cat")";
    std::size_t at = event.find(key);
    if (at == std::string_view::npos) return EventKind::other;
    at = event.find('"', at + key.size());
    if (at == std::string_view::npos) return EventKind::other;
    const std::string_view value = event.substr(at + 1);
    const std::string_view name = value.substr(0, value.find('"'));
    const auto* const found = std::ranges::find(categories, name, &Category::name);
    return found == std::end(categories) ? EventKind::other : found->kind;
}

std::optional<double> number(const JsonElement& object, std::string_view key) {
    double value = 0;
    if (object.at_key(key).get(value) != simdjson::SUCCESS) return {};
    return value;
}

std::optional<std::int64_t> whole_number(const JsonElement& object, std::string_view key) {
    std::int64_t value = 0;
    if (object.at_key(key).get(value) != simdjson::SUCCESS) return {};
    return value;
}

std::uint32_t count(const JsonElement& object, std::string_view key) {
    const auto value = whole_number(object, key);
    return value && *value >= 0 && *value <= 0xFFFFFFFF ? static_cast<std::uint32_t>(*value) : 0;
}

std::string_view text_of(const JsonElement& object, std::string_view key) {
    std::string_view text;
    return object.at_key(key).get(text) == simdjson::SUCCESS ? text : std::string_view();
}

Dim3 extent(const JsonElement& object, std::string_view key) {
    std::array<std::uint32_t, 3> size{};
    simdjson::dom::array items;
    if (object.at_key(key).get(items) != simdjson::SUCCESS || items.size() != size.size()) return {};
    for (std::size_t i = 0; const JsonElement item : items) {
        std::uint64_t value = 0;
        if (item.get(value) != simdjson::SUCCESS || value > 0xFFFFFFFF) return {};
        size[i++] = static_cast<std::uint32_t>(value);
    }
    return {size[0], size[1], size[2]};
}

std::optional<simdjson::dom::array> list(const JsonElement& object, std::string_view key) {
    simdjson::dom::array items;
    if (object.at_key(key).get(items) != simdjson::SUCCESS) return {};
    return items;
}

/// The operands of an operation as PyTorch's NVTX ranges have them: tensors of a list one after another.
class Operands {
  public:
    /// `type` is that of the operand, of all tensors of a list, which `as_one` stand for as many elements.
    void add(const JsonElement& sizes, std::string_view type, bool as_one) {
        simdjson::dom::array items;
        if (sizes.get(items) != simdjson::SUCCESS) return;
        if (items.size() > 0 && items.at(0).is<simdjson::dom::array>() && as_one) {
            add_list(items, type);
        } else if (items.size() > 0 && items.at(0).is<simdjson::dom::array>()) {
            for (const JsonElement tensor : items)
                if (tensor.is<simdjson::dom::array>()) add_tensor(tensor, type);
        } else {
            add_tensor(sizes, type);
        }
    }
    /// ", sizes = [[64, 4096], [], [4096]], types = [c10::Half, , float]"
    void append_to(std::string& text, bool with_types) const {
        text += ", sizes = [" + sizes_ + ']';
        if (with_types) text += ", types = [" + types_ + ']';
    }

  private:
    void begin(std::string_view type) {
        if (count_++ > 0) {
            sizes_ += ", ";
            types_ += ", ";
        }
        sizes_ += '[';
        types_ += type;
    }

    /// Tensors without dimensions are counters of steps.
    void add_list(simdjson::dom::array tensors, std::string_view type) {
        begin(type);
        double all = 0;
        for (const JsonElement tensor : tensors) {
            simdjson::dom::array sizes;
            if (tensor.get(sizes) != simdjson::SUCCESS) continue;
            double elements = sizes.size() > 0 ? 1 : 0;
            for (const JsonElement size : sizes)
                if (std::int64_t value = 0; size.get(value) == simdjson::SUCCESS)
                    elements *= static_cast<double>(value);
            all += elements;
        }
        sizes_ += all > 0 ? fmt::format("{:.0f}]", all) : "]";
    }

    void add_tensor(simdjson::dom::array sizes, std::string_view type) {
        begin(type);
        for (bool first = true; const JsonElement size : sizes) {
            std::int64_t value = 0;
            if (size.get(value) != simdjson::SUCCESS) continue;
            sizes_ += (first ? "" : ", ") + std::to_string(value);
            first = false;
        }
        sizes_ += ']';
    }

    std::string sizes_;
    std::string types_;
    std::size_t count_ = 0;
};

/// Nanoseconds of microseconds; absent where that is no time.
std::optional<std::int64_t> nanoseconds(std::optional<double> microseconds) {
    constexpr double most = 4e15;  // 127 years: of two, the difference fits too
    if (!microseconds || !(std::abs(*microseconds) < most)) return {};
    return static_cast<std::int64_t>(std::llround(*microseconds * 1e3));
}

class PytorchTraceReader {
  public:
    PytorchTraceReader(std::string_view text, const Progress& progress) : text_(text), progress_(progress) {}

    Result<Profile> read() {
        const auto events = find_events(text_);
        if (!events) return tl::unexpected(no_kernels());
        read_header(std::string(text_.substr(0, events->key)) + R"("traceEvents":[]})");
        read_events(events->open);
        join();
        return finish();
    }

  private:
    /// What of a launch tells its operation, in the order of the launches.
    struct Link {
        std::optional<std::int64_t> external;
        std::optional<std::int64_t> correlation;
        std::optional<std::int64_t> start;  // [ns]
    };

    void read_header(const std::string& text) {
        JsonElement header;
        if (!decoder_.parse(text, header)) {
            static_cast<void>(decoder_.take_fault());
            return;
        }
        simdjson::dom::array devices;
        if (header.at_key("deviceProperties").get(devices) == simdjson::SUCCESS)
            for (const JsonElement device : devices)
                if (const auto id = whole_number(device, "id")) devices_.try_emplace(*id, device_of(device));
        JsonElement distributed;
        if (header.at_key("distributedInfo").get(distributed) == simdjson::SUCCESS)
            if (const auto rank = whole_number(distributed, "rank"); rank && *rank >= 0)
                source_.rank = static_cast<std::uint32_t>(*rank);
    }

    static Device device_of(const JsonElement& properties) {
        Device device;
        device.name = text_of(properties, "name");
        device.vendor = vendor_in_name(device.name);
        const std::uint32_t major = count(properties, "computeMajor");
        constexpr std::uint32_t most = 1000;
        if (major > 0 && major < most && count(properties, "computeMinor") < most)
            device.compute_capability = ComputeCapability{
                static_cast<int>(major), static_cast<int>(count(properties, "computeMinor"))};
        if (const std::uint32_t sms = count(properties, "numSms"); sms > 0 && sms < 100'000)
            device.sm_count = static_cast<int>(sms);
        if (const auto memory = number(properties, "totalGlobalMem"); memory && *memory > 0)
            device.memory_size = Bytes(*memory);
        return device;
    }

    void read_events(std::size_t open) {
        constexpr std::size_t between_progress = 4096;
        JsonArrayCursor cursor(text_, open);
        for (std::size_t index = 0; const auto range = cursor.next(); ++index) {
            if (index % between_progress == 0) {
                progress_.at(static_cast<double>(range->begin) / static_cast<double>(text_.size()));
                if (progress_.cancelled()) {
                    damage_ = Error{ErrorCode::cancelled, "Reading was cancelled", "", ""};
                    return;
                }
            }
            const std::string_view event = range->in(text_);
            const EventKind kind = kind_of(event);
            if (kind == EventKind::other) continue;
            JsonElement element;
            if (decoder_.parse(event, element)) {
                read_event(kind, element, range->begin);
                continue;
            }
            const JsonFault fault = decoder_.take_fault();
            if (left_out_++ == 0) first_left_out_ = {fault.code, fault.what, place(range->begin), fault.hint};
        }
        if (cursor.damage())
            damage_ = cursor.damage()->cut_off
                          ? Error{ErrorCode::truncated,
                                  "The trace ends in the middle of an event; the kernels before it are kept",
                                  place(cursor.damage()->offset),
                                  "Copy it again, or let the program end before it is stopped."}
                          : Error{ErrorCode::bad_json, "This is not JSON: a comma or bracket is missing",
                                  place(cursor.damage()->offset), "The kernels before it are kept."};
    }

    void read_event(EventKind kind, const JsonElement& event, std::size_t offset) {
        const auto start = nanoseconds(number(event, "ts"));
        JsonElement args;
        if (event.at_key("args").get(args) != simdjson::SUCCESS) args = event;
        const std::uint64_t thread = std::uint64_t{count(event, "pid")} << 32U | count(event, "tid");
        if (start && kind != EventKind::call) first_ = std::min(first_.value_or(*start), *start);
        if (kind == EventKind::kernel) {
            add_kernel(event, args, start, offset);
        } else if (kind == EventKind::range && start) {
            const auto end = nanoseconds(number(event, "ts").value_or(0) + number(event, "dur").value_or(0));
            if (!end || *end < *start) return;
            // The ids of annotations are others than those of operations.
            if (text_of(event, "cat") != "user_annotation")
                if (const auto id = external_id(args)) externals_.emplace_back(*id, ranges_.size());
            ranges_.add(thread, *start, *end, operation(text_of(event, "name"), args));
        } else if (const auto correlation = whole_number(args, "correlation"); correlation && start) {
            calls_.add(*correlation, thread, *start);
        }
    }

    static std::optional<std::int64_t> external_id(const JsonElement& args) {
        const auto id = whole_number(args, "External id");
        return id ? id : whole_number(args, "external id");
    }

    /// "aten::mm, sizes = [[64, 4096], [4096, 11008]], types = [c10::Half, c10::Half]"
    std::string_view operation(std::string_view name, const JsonElement& args) {
        constexpr std::size_t longest = 4096;
        operation_ = name;
        auto sizes = list(args, "Input Dims");
        if (!sizes) sizes = list(args, "Input dims");
        if (!sizes) return operation_;
        has_shapes_ = true;
        const auto types = list(args, "Input type");
        std::vector<std::string_view> of_operand;
        if (types)
            for (const JsonElement type : *types)
                if (std::string_view& word = of_operand.emplace_back(); type.get(word) != simdjson::SUCCESS)
                    word = {};
        const bool as_one = contains(name, "_foreach_") || contains(name, "::_fused_");
        Operands operands;
        for (std::size_t i = 0; const JsonElement operand : *sizes) {
            operands.add(operand, i < of_operand.size() ? of_operand[i] : std::string_view(), as_one);
            ++i;
        }
        operands.append_to(operation_, types.has_value());
        if (const auto values = list(args, "Concrete Inputs"); values && is_told_by_values(name))
            append_values(*values);
        // Of lists of hundreds of tensors the shapes are no use.
        return operation_.size() <= longest ? std::string_view(operation_) : name;
    }

    /// ", inputs = [, , , [1, 1], True]"
    void append_values(simdjson::dom::array values) {
        operation_ += ", inputs = [";
        for (bool first = true; const JsonElement value : values) {
            std::string_view word;
            if (value.get(word) != simdjson::SUCCESS) word = {};
            operation_ += first ? "" : ", ";
            operation_ += word;
            first = false;
        }
        operation_ += ']';
    }

    void add_kernel(const JsonElement& event, const JsonElement& args, std::optional<std::int64_t> start,
                    std::size_t offset) {
        const std::string_view name = text_of(event, "name");
        if (name.empty()) return;
        Launch launch;
        launch.kernel = builder_.kernel({name}, [&] { return Kernel{std::string(name), "", ""}; });
        const auto device = whole_number(args, "device").value_or(whole_number(event, "pid").value_or(0));
        launch.device = builder_.device({std::to_string(device)}, [&] {
            const auto known = devices_.find(device);
            return known == devices_.end() ? Device{} : known->second;
        });
        launch.grid = extent(args, "grid");
        launch.block = extent(args, "block");
        launch.context = count(args, "context");
        launch.stream = count(args, "stream");
        const double duration = number(event, "dur").value_or(0);
        if (duration > 0) launch.duration = Seconds(duration / 1e6);
        if (duration < 0 && negative_times_++ == 0)
            first_negative_time_ = {ErrorCode::bad_schema, "The time of a kernel is below 0", place(offset),
                                    ""};
        builder_.profile().launches.push_back(std::move(launch));
        links_.push_back({external_id(args), whole_number(args, "correlation"), start});
    }

    /// The operation of each kernel: by its external id, else in which range its thread was when it called.
    void join() {
        ranges_.settle();
        std::ranges::stable_sort(externals_, {}, &std::pair<std::int64_t, std::size_t>::first);
        calls_.settle(ranges_);
        for (std::size_t i = 0; i < links_.size(); ++i) {
            Launch& launch = builder_.profile().launches[i];
            if (links_[i].start && first_)
                launch.start = Seconds(static_cast<double>(*links_[i].start - *first_) / 1e9);
            bool unique = true;
            if (const auto range = range_of(links_[i], unique)) {
                launch.nvtx = ranges_.stack(*range, builder_);
                launch.range_call = static_cast<std::uint32_t>(*range + 1);
                ++joined_;
            } else if (!unique) {
                not_unique_.push_back(static_cast<LaunchIndex>(i));
            }
        }
    }

    /// Where several have its id, as in traces of processes that were put together, none is that of a kernel.
    [[nodiscard]] std::optional<std::size_t> range_of(const Link& link, bool& unique) const {
        // Older versions write the correlation there for kernels without an operation.
        if (link.external && link.external != link.correlation) {
            using External = std::pair<std::int64_t, std::size_t>;
            const auto first = std::ranges::lower_bound(externals_, *link.external, {}, &External::first);
            const auto last = std::ranges::upper_bound(externals_, *link.external, {}, &External::first);
            if (last - first == 1) return first->second;
            unique = first == last;
        }
        if (!link.correlation) return {};
        const auto* const call = calls_.find(*link.correlation);
        if (call == nullptr) return {};
        if (call->one_range) return ranges_.around(call->thread, call->start);
        unique = false;
        return {};
    }

    [[nodiscard]] std::string place(std::size_t offset) const {
        return fmt::format("line {}", line_of(text_, offset));
    }

    [[nodiscard]] Error no_kernels() const {
        if (ranges_.size() > 0)
            return {ErrorCode::bad_schema,
                    "This trace holds what PyTorch ran on the CPU, and no kernels of a GPU", "",
                    "Record it where torch.cuda.is_available(), with activities=[ProfilerActivity.CPU, "
                    "ProfilerActivity.CUDA] and record_shapes=True."};
        return {ErrorCode::bad_schema, "This trace holds no kernels of a GPU", "",
                "PyTorch's profiler writes them with activities=[ProfilerActivity.CPU, "
                "ProfilerActivity.CUDA]; of other traces in Chrome's format nothing is read."};
    }

    void tell_missing_operations(Profile& profile) {
        if (!not_unique_.empty())
            profile.warnings.push_back(
                {{ErrorCode::not_understood,
                  fmt::format(
                      "Several operations have the id by which a kernel names its own: it is not known of {}",
                      not_unique_.size() == 1 ? "a kernel" : fmt::format("{} kernels", not_unique_.size())),
                  "", "Open the trace of each process by itself."},
                 std::move(not_unique_)});
        else if (joined_ == 0)
            profile.warnings.push_back(
                {{ErrorCode::not_profiled, "No kernel of this trace tells its operation", "",
                  "Record with activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA] and "
                  "record_shapes=True."},
                 {}});
        else if (!has_shapes_)
            profile.warnings.push_back(
                {{ErrorCode::not_profiled, "No operation of this trace tells its shapes", "",
                  "With torch.profiler.profile(record_shapes=True) they are bound to their kernels."},
                 {}});
    }

    Result<Profile> finish() {
        Profile profile = builder_.take();
        if (profile.launches.empty()) return tl::unexpected(damage_.value_or(no_kernels()));
        source_.format = SourceFormat::pytorch_trace;
        source_.partial = damage_.has_value() || left_out_ > 0;
        profile.sources.push_back(std::move(source_));
        tell_missing_operations(profile);
        if (left_out_ > 0) {
            first_left_out_.hint +=
                fmt::format("{}{} events are left out.", first_left_out_.hint.empty() ? "" : " ", left_out_);
            profile.warnings.push_back({std::move(first_left_out_), {}});
        }
        if (negative_times_ > 0) {
            first_negative_time_.hint =
                fmt::format("\"dur\" is below 0 {}: that time counts as not measured.",
                            negative_times_ == 1 ? "once" : fmt::format("{} times", negative_times_));
            profile.warnings.push_back({std::move(first_negative_time_), {}});
        }
        if (damage_) profile.warnings.push_back({*std::move(damage_), {}});
        return profile;
    }

    std::string_view text_;
    const Progress& progress_;
    JsonDecoder decoder_;
    ProfileBuilder builder_;
    SourceInfo source_;
    std::map<std::int64_t, Device> devices_;
    ThreadRanges ranges_;
    std::vector<std::pair<std::int64_t, std::size_t>> externals_;  // of ranges_
    LaunchCalls<std::int64_t> calls_;                              // by correlation
    std::vector<Link> links_;
    std::optional<std::int64_t> first_;  // [ns]
    std::size_t joined_ = 0;
    std::vector<LaunchIndex> not_unique_;
    std::string operation_;
    bool has_shapes_ = false;
    std::optional<Error> damage_;
    std::size_t negative_times_ = 0;
    Error first_negative_time_{ErrorCode::bad_schema, "", "", ""};
    std::size_t left_out_ = 0;
    Error first_left_out_{ErrorCode::bad_json, "", "", ""};
};

}  // namespace

bool starts_pytorch_trace(std::string_view text) {
    return find_events(text).has_value();
}

Result<Profile> read_pytorch_trace(std::string_view text, const std::string& name, const Progress& progress) {
    return of_file(PytorchTraceReader(text, progress).read(), name);
}

}  // namespace roofwalk
