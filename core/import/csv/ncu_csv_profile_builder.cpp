// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/csv/ncu_csv_profile_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include "core/base/text.h"
#include "core/import/csv/ncu_csv_number.h"
#include "core/import/ncu/ncu_metrics.h"

namespace roofwalk {

namespace {

/// Of averages, in a file.
constexpr std::size_t most_copies = 1'000'000;

/// The whole numbers in a text: 128, 1, 1 of "(128, 1, 1)" and of "128x1x1".
template <std::size_t N>
std::array<std::uint32_t, N> whole_numbers(std::string_view text, std::uint32_t missing) {
    std::array<std::uint32_t, N> numbers;
    numbers.fill(missing);
    const char* at = text.data();
    const char* const end = text.data() + text.size();
    for (std::uint32_t& number : numbers) {
        while (at != end && (*at < '0' || *at > '9'))
            ++at;
        const auto [stop, error] = std::from_chars(at, end, number);
        if (error != std::errc()) break;
        at = stop;
    }
    return numbers;
}

std::uint32_t whole_number(std::string_view text) {
    return whole_numbers<1>(text, 0)[0];
}

/// "(128, 1, 1)" as ncu prints it, or "128x1x1"; absent for other texts with digits, x = 0 for those without,
/// as of a launch that failed.
std::optional<Dim3> extent(std::string_view text) {
    if (text.find_first_of("123456789") == std::string_view::npos) return Dim3{};
    if (text.find_first_not_of("0123456789 ,x()") != std::string_view::npos) return std::nullopt;
    const auto [x, y, z, more] = whole_numbers<4>(text, 0);
    if (x == 0 || more != 0) return std::nullopt;
    return Dim3{x, std::max(y, 1U), std::max(z, 1U)};
}

bool is_empty_extent(std::string_view text) {
    return !text.empty() && extent(text) == Dim3{};
}

NcuMetrics view_of(const NcuCsvKernel& kernel) {
    NcuMetrics metrics;
    metrics.value = [&kernel](std::string_view name) -> std::optional<double> {
        const auto found = kernel.values.find(name);
        return found == kernel.values.end() ? std::nullopt : std::optional(found->second);
    };
    metrics.for_each = [&kernel](const std::function<void(std::string_view, double)>& visit) {
        for (const auto& [name, value] : kernel.values)
            visit(name, value);
    };
    return metrics;
}

/// Of what instructions are counted by: a text is no such thing, unless it says that there is none.
bool counts_work(std::string_view metric) {
    return std::ranges::any_of(
        std::array<std::string_view, 4>{"inst_executed", "_ops_path_", "_pipe_", "sass__"},
        [&](std::string_view part) { return contains(metric, part); });
}

bool says_none(std::string_view printed) {
    return std::ranges::any_of(std::array<std::string_view, 3>{"n/a", "nan", "inf"},
                               [&](std::string_view part) { return contains(printed, part); });
}

/// No metric that has a text starts as a number does, and no text has control characters.
bool is_damaged(const std::pair<const std::string, std::string>& text) {
    const auto& [metric, printed] = text;
    return (printed.front() >= '0' && printed.front() <= '9') || !is_plain_text(printed) ||
           (counts_work(metric) && !says_none(printed));
}

Device device_of(const NcuCsvKernel& kernel, const NcuMetrics& metrics) {
    Device device =
        device_from_ncu_attributes(metrics, [&](std::string_view name) -> std::optional<std::string> {
            const auto found = kernel.texts.find(name);
            return found == kernel.texts.end() ? std::nullopt : std::optional(clean_utf8(found->second));
        });
    if (!device.compute_capability && kernel.capability.find('.') != std::string::npos) {
        const auto [major, minor] = whole_numbers<2>(kernel.capability, 0);
        if (major > 0 && major < 1000 && minor < 1000)
            device.compute_capability = ComputeCapability{static_cast<int>(major), static_cast<int>(minor)};
    }
    return device;
}

}  // namespace

void NcuCsvKernel::set(std::string_view metric, std::string_view printed, std::optional<double> unit_factor) {
    if (const auto number = ncu_csv_number(printed); number && unit_factor)
        values.insert_or_assign(std::string(metric), *number * *unit_factor);
    else if (!printed.empty())
        texts.insert_or_assign(std::string(metric), std::string(printed));
}

void NcuCsvProfileBuilder::add(const NcuCsvKernel& kernel) {
    const NcuMetrics metrics = view_of(kernel);
    Launch launch;
    launch.kernel = builder_.kernel({kernel.name}, [&] { return Kernel{clean_utf8(kernel.name), "", ""}; });
    Device device = device_of(kernel, metrics);
    launch.device = builder_.device({kernel.device, kernel.capability, device.name}, [&] { return device; });
    launch.grid = extent(kernel.grid).value_or(Dim3{});
    launch.block = extent(kernel.block).value_or(Dim3{});
    launch.context = whole_number(kernel.context);
    launch.stream = whole_number(kernel.stream);
    launch.nvtx = builder_.nvtx(kernel.nvtx);
    launch.process = whole_number(kernel.process);
    launch.file_offset = kernel.file_offset;
    const auto time = kernel.texts.find("gpu__time_duration.sum");
    launch.failed = is_empty_extent(kernel.grid) || (time != kernel.texts.end() && time->second == "nan");
    warn_of_damaged_values(kernel);
    add_ncu_launch(metrics, std::move(launch), builder_.profile());
    // Without one of its counters the work that the others tell is not that of the kernel.
    if (std::ranges::any_of(kernel.texts,
                            [](const auto& text) { return counts_work(text.first) && is_damaged(text); }))
        builder_.profile().launches.back().work.clear();
    if (kernel.invocations) repeat_average(*kernel.invocations);
}

void NcuCsvProfileBuilder::repeat_average(const std::string& invocations) {
    std::vector<Launch>& launches = builder_.profile().launches;
    Launch& average = launches.back();
    for (WorkSample& work : average.work)
        work.origin = Origin::estimated;
    for (TrafficSample& traffic : average.traffic)
        traffic.origin = Origin::estimated;
    const double count = ncu_csv_number(invocations).value_or(0);
    if (count < 1 || count != std::trunc(count) || count - 1 > static_cast<double>(most_copies - copies_)) {
        average.duration.reset();
        unrepeated_.push_back(static_cast<LaunchIndex>(launches.size() - 1));
        return;
    }
    if (count == 1) return;
    if (average.duration) {
        StringPool& texts = builder_.profile().texts;
        average.duration_source =
            texts.intern(fmt::format("{}, average of {:.0f}", texts.view(average.duration_source), count));
        if (average.duration_origin == TimeOrigin::measured) average.duration_origin = TimeOrigin::alike;
    }
    const auto copies = static_cast<std::size_t>(count) - 1;
    copies_ += copies;
    launches.insert(launches.end(), copies, Launch(average));
}

Profile NcuCsvProfileBuilder::take() {
    if (!unrepeated_.empty())
        builder_.profile().warnings.push_back(
            {{ErrorCode::not_understood,
              fmt::format(
                  "{} averages are of a part of a launch, of none, or of so many that the file has more than "
                  "{} launches: one launch is kept of each, without a time",
                  unrepeated_.size(), most_copies),
              fmt::format("kernel {}", static_cast<std::size_t>(unrepeated_.front())),
              "Without --print-summary ncu writes what each launch did."},
             std::move(unrepeated_),
             true});
    return builder_.take();
}

void NcuCsvProfileBuilder::warn_of_damaged_values(const NcuCsvKernel& kernel) {
    std::vector<std::string_view> damaged;
    for (const auto& text : kernel.texts)
        if (is_damaged(text)) damaged.push_back(text.first);
    if (!extent(kernel.grid)) damaged.emplace_back("Grid Size");
    if (!extent(kernel.block)) damaged.emplace_back("Block Size");
    if (damaged.empty()) return;
    has_damaged_values_ = true;
    const auto index = static_cast<LaunchIndex>(builder_.profile().launches.size());
    builder_.profile().warnings.push_back(
        {{ErrorCode::corrupt,
          fmt::format("{} values of this kernel cannot be read, {} first, and count as not measured",
                      damaged.size(), clean_utf8(damaged.front())),
          fmt::format("kernel {}", static_cast<std::size_t>(index)),
          "The file was changed; write it again with ncu --csv."},
         {index}});
}

}  // namespace roofwalk
