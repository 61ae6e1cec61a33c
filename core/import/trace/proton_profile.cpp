// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/trace/trace_readers.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/json_decoder.h"
#include "core/base/text.h"
#include "core/import/averaged_launches.h"
#include "core/import/json/json_split.h"
#include "core/model/profile_builder.h"

namespace roofwalk {

namespace {

/// What the program runs to tell its work is none of it: "__proton_launch_metadata", or
/// "__proton_launch_metadata:matmul" of newer versions.
bool tells_work(std::string_view scope) {
    constexpr std::string_view name = "__proton_launch_metadata";
    return scope.starts_with(name) && (scope.size() == name.size() || scope[name.size()] == ':');
}

constexpr std::size_t deepest_scope = 64;
constexpr const char* let_it_finish = "Copy it again, or let the program reach proton.finalize().";

struct FlopMetric {
    std::string_view name;
    PipeKind pipe;
};

constexpr FlopMetric flop_metrics[] = {{"flops8", PipeKind::tensor_fp8},
                                       {"flops16", PipeKind::tensor_fp16},
                                       {"flops32", PipeKind::fp32},
                                       {"flops64", PipeKind::fp64}};

struct FormerName {
    std::string_view now;
    std::string_view before;
};

/// As Triton before 3.3 wrote them.
constexpr FormerName former_names[] = {
    {"time (ns)", "Time (ns)"}, {"count", "Count"}, {"device_id", "DeviceId"}, {"device_type", "DeviceType"}};

simdjson::simdjson_result<JsonElement> member_of(const JsonElement& object, std::string_view key) {
    auto member = object.at_key(key);
    if (member.error() == simdjson::SUCCESS) return member;
    const auto* const former = std::ranges::find(former_names, key, &FormerName::now);
    return former == std::end(former_names) ? member : object.at_key(former->before);
}

/// Others are the program's own, as "loss".
bool is_read(std::string_view metric) {
    const auto* const former = std::ranges::find(former_names, metric, &FormerName::before);
    if (former != std::end(former_names)) metric = former->now;
    return metric == "time (ns)" || metric == "count" || metric == "flops" || metric == "bytes" ||
           std::ranges::find(flop_metrics, metric, &FlopMetric::name) != std::end(flop_metrics);
}

std::optional<double> amount(const JsonElement& object, std::string_view key) {
    double value = 0;
    if (member_of(object, key).get(value) != simdjson::SUCCESS || value < 0) return {};
    return value;
}

/// Offset of the "[" of the children of the frame at `at`.
std::optional<std::size_t> children_of(std::string_view text, std::size_t at) {
    constexpr std::string_view key = R"("children")";
    if (at >= text.size() || text[at] != '{') return {};
    at = skip_json_space(text, at + 1);
    if (!text.substr(at).starts_with(key)) return {};
    return array_behind_key(text, at + key.size());
}

std::string text_member(const JsonElement& object, std::string_view key) {
    std::string_view text;
    return member_of(object, key).get(text) == simdjson::SUCCESS ? std::string(text) : std::string();
}

/// Work and bytes that the program told of a frame.
struct Figures {
    std::vector<WorkSample> work;
    std::vector<TrafficSample> traffic;

    [[nodiscard]] bool empty() const { return work.empty() && traffic.empty(); }
};

void share_among(Launch& launch, double count) {
    for (WorkSample& work : launch.work)
        work.work = work.work / count;
    for (TrafficSample& traffic : launch.traffic)
        traffic.total = traffic.total / count;
    if (launch.duration) launch.duration = *launch.duration / count;
}

class ProtonReader {
  public:
    explicit ProtonReader(const Progress& progress) : progress_(progress) {}

    Result<Profile> read(std::string_view text) {
        if (JsonElement root; decoder_.parse(text, root)) {
            read_document(root);
        } else if (is_cut(text)) {
            cut_ = true;
            read_whole_frames(text);
        } else {
            return tl::unexpected(decoder_.error(""));
        }
        repeat();
        return finish();
    }

  private:
    void read_document(const JsonElement& root) {
        simdjson::dom::array parts;
        if (root.get(parts) != simdjson::SUCCESS) return;
        for (const JsonElement part : parts)
            if (part.at_key("frame").error() != simdjson::SUCCESS) devices_ = part;
        for (const JsonElement part : parts)
            if (part.at_key("frame").error() == simdjson::SUCCESS) read_children(part);
    }

    static bool is_cut(std::string_view text) {
        JsonArrayCursor parts(text, skip_json_space(text, 0));
        while (parts.next()) {
        }
        return parts.damage() && parts.damage()->cut_off;
    }

    /// Those before the cut. Proton writes the children of a frame before its name, so that of the frames in
    /// which the file ends the children alone are known.
    void read_whole_frames(std::string_view text) {
        std::optional<std::size_t> list = skip_json_space(text, 0);
        for (std::size_t depth = 0; list && depth < deepest_scope; ++depth) {
            JsonArrayCursor frames(text, *list);
            while (const auto range = frames.next()) {
                JsonElement frame;
                if (progress_.cancelled() || !decoder_.parse(range->in(text), frame)) return;
                // What stands outermost is the root, which is no scope.
                if (depth == 0)
                    read_children(frame);
                else
                    read_frame(frame);
            }
            list = frames.damage() ? children_of(text, frames.damage()->offset) : std::nullopt;
        }
    }

    void read_children(const JsonElement& frame) {
        simdjson::dom::array children;
        if (frame.at_key("children").get(children) != simdjson::SUCCESS) return;
        for (const JsonElement child : children)
            if (!progress_.cancelled()) read_frame(child);
    }

    void read_frame(const JsonElement& node) {
        JsonElement frame;
        JsonElement metrics;
        if (node.at_key("frame").get(frame) != simdjson::SUCCESS ||
            node.at_key("metrics").get(metrics) != simdjson::SUCCESS)
            return;
        const std::string name = text_member(frame, "name");
        if (name.empty() || tells_work(name)) return;
        Figures figures = figures_of(metrics);
        count_below_zero(metrics);
        if (member_of(metrics, "time (ns)").error() == simdjson::SUCCESS) {
            add_launch(name, metrics, std::move(figures));
            figures = {};
        }
        const std::size_t first = launches().size();
        // Deeper ones are told as the deepest that is kept.
        const bool kept = scopes_.size() < deepest_scope;
        if (kept) scopes_.push_back(name);
        read_children(node);
        if (kept) scopes_.pop_back();
        const std::size_t within = launches().size() - first;
        if (figures.empty() || within == 0) return;
        // The figures of a scope are those of its kernels together.
        Launch& only = launches().back();
        if (within > 1 || !only.work.empty() || !only.traffic.empty()) {
            ++undivided_;
            return;
        }
        only.work = std::move(figures.work);
        only.traffic = std::move(figures.traffic);
    }

    void count_below_zero(const JsonElement& metrics) {
        simdjson::dom::object figures;
        if (metrics.get(figures) != simdjson::SUCCESS) return;
        for (const auto& [name, value] : figures)
            if (double number = 0; is_read(name) && value.get(number) == simdjson::SUCCESS && number < 0)
                ++below_zero_;
    }

    Figures figures_of(const JsonElement& metrics) {
        Figures figures;
        StringPool& texts = builder_.profile().texts;
        for (const FlopMetric& metric : flop_metrics)
            if (const auto flops = amount(metrics, metric.name))
                figures.work.push_back({Pipe{metric.pipe}, Origin::modelled,
                                        texts.intern(fmt::format("{} of the program", metric.name)),
                                        Flops(*flops)});
        if (const auto flops = amount(metrics, "flops"); flops && figures.work.empty())
            figures.work.push_back({Pipe{}, Origin::modelled,
                                    texts.intern("flops of the program, of no stated width"), Flops(*flops)});
        if (const auto bytes = amount(metrics, "bytes"))
            figures.traffic.push_back({Boundary::hbm_dram_rw,
                                       Origin::modelled,
                                       texts.intern("bytes of the program"),
                                       Bytes(*bytes),
                                       {},
                                       {}});
        return figures;
    }

    void add_launch(const std::string& name, const JsonElement& metrics, Figures figures) {
        Launch launch;
        launch.kernel = builder_.kernel({name}, [&] { return Kernel{name, "", ""}; });
        const std::string type = text_member(metrics, "device_type");
        const std::string id = text_member(metrics, "device_id");
        launch.device = builder_.device({type, id}, [&] { return device_of(type, id); });
        launch.nvtx = builder_.nvtx(scopes_);
        if (const auto time = amount(metrics, "time (ns)"); time && *time > 0)
            launch.duration = Seconds(*time / 1e9);
        launch.work = std::move(figures.work);
        launch.traffic = std::move(figures.traffic);
        launches().push_back(std::move(launch));
        counts_.push_back(amount(metrics, "count").value_or(1));
    }

    [[nodiscard]] Device device_of(const std::string& type, const std::string& id) const {
        Device device;
        device.vendor = type == "CUDA" ? Vendor::nvidia : type == "HIP" ? Vendor::amd : Vendor::unknown;
        JsonElement facts;
        if (!devices_ || devices_->at_key(type).at_key(id).get(facts) != simdjson::SUCCESS) return device;
        constexpr double most = 1e6;
        if (const auto sms = amount(facts, "num_sms"); sms && *sms >= 1 && *sms < most)
            device.sm_count = static_cast<int>(*sms);
        if (const auto width = amount(facts, "bus_width"); width && *width >= 1 && *width < most)
            device.memory_bus_bits = static_cast<int>(*width);
        if (const auto clock = amount(facts, "clock_rate"); clock && *clock > 0)
            device.boost_clock = Hertz(*clock * 1e3);
        if (const auto clock = amount(facts, "memory_clock_rate"); clock && *clock > 0)
            device.memory_clock = Hertz(*clock * 1e3);
        // "90" of a GPU of NVIDIA, "gfx942" of one of AMD.
        const std::string arch = text_member(facts, "arch");
        const auto number = parse_number<int>(arch);
        if (device.vendor == Vendor::nvidia && number)
            device.compute_capability = ComputeCapability{*number / 10, *number % 10};
        else
            device.chip = arch;
        return device;
    }

    /// Each launch of a frame, which sums them.
    void repeat() {
        std::vector<Launch> all;
        StringPool& texts = builder_.profile().texts;
        for (std::size_t i = 0; i < launches().size(); ++i) {
            Launch& average = launches()[i];
            if (counts_[i] >= 1) share_among(average, counts_[i]);
            if (counts_[i] > 1) average.duration_source = texts.intern("time (ns)");
            averages_.add(all, std::move(average), counts_[i], texts);
        }
        launches() = std::move(all);
    }

    [[nodiscard]] Error nothing_read(bool stopped) const {
        if (stopped) return {ErrorCode::cancelled, "Reading was cancelled", "", ""};
        if (cut_)
            return {ErrorCode::truncated,
                    "The profile ends in the middle of its frames, none of which is whole", "",
                    let_it_finish};
        return {ErrorCode::bad_schema, "This profile of Proton holds no times of kernels", "",
                R"(Record with proton.start(name, hook="triton"), without a mode.)"};
    }

    Result<Profile> finish() {
        const bool stopped = progress_.cancelled();
        Profile profile = builder_.take();
        if (profile.launches.empty()) return tl::unexpected(nothing_read(stopped));
        SourceInfo source;
        source.format = SourceFormat::proton_profile;
        source.partial = stopped || cut_;
        profile.sources.push_back(std::move(source));
        if (undivided_ > 0)
            profile.warnings.push_back(
                {{ErrorCode::not_understood,
                  fmt::format("Work or bytes of {} with several kernels are not shown",
                              undivided_ == 1 ? "a scope" : fmt::format("{} scopes", undivided_)),
                  "", "Give each launch its own: launch_metadata of triton.jit, or a scope around each."},
                 {}});
        if (below_zero_ > 0)
            profile.warnings.push_back(
                {{ErrorCode::bad_schema,
                  fmt::format("{} below 0, as where a number of the program overflows",
                              below_zero_ == 1 ? "A figure of a frame is"
                                               : fmt::format("{} figures of frames are", below_zero_)),
                  "", "What is below 0 counts as not measured."},
                 {}});
        averages_.warn(profile, "Profile fewer steps.");
        if (cut_)
            profile.warnings.push_back(
                {{ErrorCode::truncated,
                  "The profile is cut; the kernels before are kept, without the scopes in which it ends and "
                  "the facts of the GPU",
                  "", let_it_finish},
                 {}});
        if (stopped)
            profile.warnings.push_back({{ErrorCode::cancelled, "Reading was cancelled", "", ""}, {}});
        return profile;
    }

    std::vector<Launch>& launches() { return builder_.profile().launches; }

    const Progress& progress_;
    JsonDecoder decoder_;
    ProfileBuilder builder_;
    std::optional<JsonElement> devices_;
    NvtxStack scopes_;
    std::vector<double> counts_;  // launches that each frame sums
    AveragedLaunches averages_;
    bool cut_ = false;
    std::size_t undivided_ = 0;
    std::size_t below_zero_ = 0;
};

}  // namespace

bool starts_proton_profile(std::string_view text) {
    std::size_t at = skip_json_space(text, 0);
    for (const char bracket : {'[', '{'}) {
        if (at >= text.size() || text[at] != bracket) return false;
        at = skip_json_space(text, at + 1);
    }
    const std::string_view first = text.substr(at);
    return first.starts_with(R"("children")") || first.starts_with(R"("frame")") ||
           first.starts_with(R"("metrics")");
}

Result<Profile> read_proton_profile(std::string_view text, const std::string& name,
                                    const Progress& progress) {
    return of_file(ProtonReader(progress).read(text), name);
}

}  // namespace roofwalk
