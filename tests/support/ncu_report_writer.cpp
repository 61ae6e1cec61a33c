// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/ncu_report_writer.h"

#include <algorithm>
#include <map>
#include <protozero/pbf_writer.hpp>
#include <string_view>
#include <utility>

namespace roofwalk::test {

namespace {

using protozero::pbf_writer;

/// Metric names in order of first use.
class NameTable {
  public:
    std::uint32_t id(const std::string& name) {
        const auto [it, added] = ids_.try_emplace(name, static_cast<std::uint32_t>(names_.size()));
        if (added) names_.push_back(name);
        return it->second;
    }
    [[nodiscard]] const std::vector<std::string>& names() const { return names_; }

  private:
    std::map<std::string, std::uint32_t> ids_;
    std::vector<std::string> names_;
};

void append_u32(std::string& out, std::size_t value) {
    for (unsigned shift = 0; shift < 32; shift += 8)
        out += static_cast<char>((value >> shift) & 0xFFU);
}

std::string entry(const std::string& message) {
    std::string out;
    append_u32(out, message.size());
    return out + message;
}

std::string value_message(const FixtureValue& value) {
    std::string out;
    pbf_writer w(out);
    if (const auto* text = std::get_if<std::string>(&value)) w.add_string(1, *text);
    if (const auto* number = std::get_if<float>(&value)) w.add_float(2, *number);
    if (const auto* number = std::get_if<double>(&value)) w.add_double(3, *number);
    if (const auto* number = std::get_if<std::uint32_t>(&value)) w.add_uint32(4, *number);
    if (const auto* number = std::get_if<std::uint64_t>(&value)) w.add_uint64(5, *number);
    return out;
}

bool has_value(const FixtureValue& value) {
    return !std::holds_alternative<std::monostate>(value);
}

std::string metric_message(const FixtureMetric& metric, NameTable& names) {
    std::string out;
    pbf_writer w(out);
    w.add_uint32(1, names.id(metric.name));
    if (has_value(metric.value)) w.add_message(2, value_message(metric.value));
    for (const FixtureInstance& instance : metric.instances) {
        pbf_writer list(w, 3);
        if (has_value(instance.id)) list.add_message(1, value_message(instance.id));
        if (has_value(instance.value)) list.add_message(2, value_message(instance.value));
    }
    return out;
}

std::string size_message(const std::array<std::uint64_t, 3>& size) {
    std::string out;
    if (size == std::array<std::uint64_t, 3>{}) return out;
    pbf_writer w(out);
    for (std::size_t axis = 0; axis < 3; ++axis)
        w.add_uint64(static_cast<protozero::pbf_tag_type>(axis + 1), size[axis]);
    return out;
}

/// What a report calls the size of the grid.
std::array<std::uint64_t, 3> stored_grid(const FixtureKernel& kernel, bool in_threads) {
    std::array<std::uint64_t, 3> grid = kernel.grid;
    for (std::size_t axis = 0; in_threads && axis < 3; ++axis)
        grid[axis] *= kernel.block[axis];
    return grid;
}

std::string nvtx_message(const std::vector<FixtureNvtxThread>& threads) {
    std::string out;
    pbf_writer w(out);
    {
        pbf_writer domain(w, 1);
        domain.add_uint64(1, 0);
        domain.add_string(2, "<default domain>");
    }
    for (const FixtureNvtxThread& state : threads) {
        pbf_writer thread(w, 2);
        thread.add_uint32(1, state.thread);
        pbf_writer domain(thread, 2);
        domain.add_uint64(1, 0);
        for (const std::string& name : state.stack) {
            pbf_writer range(domain, 3);
            range.add_string(1, name);
        }
    }
    return out;
}

void write_clocks(pbf_writer& result, protozero::pbf_tag_type number, const FixtureKernel& kernel) {
    if (!kernel.clocks_locked) return;
    pbf_writer clocks(result, number);
    clocks.add_bool(1, *kernel.clocks_locked);
    clocks.add_bool(2, *kernel.clocks_locked);
}

std::string result_message(const FixtureKernel& kernel, NameTable& names, std::uint64_t index,
                           bool grid_in_threads = false) {
    std::string out;
    pbf_writer w(out);
    w.add_uint32(1, kernel.thread);
    w.add_uint64(2, index);
    w.add_string(5, kernel.mangled_name);
    w.add_string(6, kernel.function_name);
    w.add_string(7, kernel.name);
    w.add_uint32(8, 3);
    w.add_message(9, std::string());
    w.add_message(10, size_message(stored_grid(kernel, grid_in_threads)));
    w.add_message(11, size_message(kernel.block));
    for (const FixtureMetric& metric : kernel.metrics)
        w.add_message(13, metric_message(metric, names));
    {
        pbf_writer source(w, 15);
        source.add_uint64(1, 1);
    }
    for (const std::string& section : kernel.sections)
        w.add_message(17, section);
    if (!kernel.nvtx.empty()) w.add_message(21, nvtx_message(kernel.nvtx));
    if (kernel.context) w.add_uint32(22, *kernel.context);
    if (kernel.stream) w.add_uint32(23, *kernel.stream);
    write_clocks(w, 25, kernel);
    return out;
}

/// The result of a range, or of a graph: what follows the context has numbers one higher there.
std::string whole_message(const FixtureKernel& whole, bool graph, NameTable& names, std::uint64_t index) {
    std::string out;
    pbf_writer w(out);
    w.add_uint32(1, whole.thread);
    w.add_uint64(2, index);
    for (const FixtureMetric& metric : whole.metrics)
        w.add_message(4, metric_message(metric, names));
    for (const std::string& section : whole.sections)
        w.add_message(7, section);
    if (!whole.nvtx.empty()) w.add_message(10, nvtx_message(whole.nvtx));
    if (whole.context) w.add_uint32(11, *whole.context);
    if (graph && whole.stream) w.add_uint32(12, *whole.stream);
    write_clocks(w, graph ? 13 : 12, whole);
    w.add_uint64(graph ? 17 : 15, 1);
    return out;
}

std::string string_table(std::vector<std::string>::const_iterator from,
                         std::vector<std::string>::const_iterator to) {
    std::string out;
    pbf_writer w(out);
    for (; from != to; ++from)
        w.add_string(1, *from);
    return out;
}

std::string session_message(const Fixture& fixture) {
    std::string out;
    pbf_writer w(out);
    w.add_uint64(2, fixture.created);
    for (const FixtureDevice& device : fixture.devices) {
        pbf_writer d(w, 6);
        d.add_uint32(1, device.id);
        d.add_string(2, device.name);
        for (const auto& [name, value] : device.attributes) {
            pbf_writer attribute(d, 3);
            attribute.add_string(1, "device__attribute_" + name);
            attribute.add_message(2, value_message(value));
        }
    }
    if (!fixture.ncu_version.empty()) {
        pbf_writer version(w, 8);
        version.add_string(1, "Nsight Compute Target");
        version.add_string(2, fixture.ncu_version);
    }
    if (!fixture.command_line.empty()) w.add_string(11, fixture.command_line);
    return out;
}

struct BlockParts {
    std::vector<std::string> sources;
    std::vector<std::string> results;
    std::vector<std::string> ranges;
    std::vector<std::string> graphs;
    std::string session;
    std::string strings;
    std::uint32_t process = 0;
};

/// Fields with numbers that no version uses yet, of every wire type.
std::string unknown_fields() {
    std::string out;
    pbf_writer w(out);
    w.add_uint64(1000, 1);
    w.add_string(1001, "of a later version");
    w.add_double(1002, 1);
    w.add_float(1003, 1);
    return out;
}

/// `extra` stands behind the fields of every message. The offset behind each result is added to
/// `result_ends`.
void append_block(std::string& out, const BlockParts& parts, const std::string& extra,
                  std::vector<std::size_t>& result_ends) {
    std::string payload;
    std::vector<std::size_t> ends;
    for (const auto* entries : {&parts.sources, &parts.results, &parts.ranges, &parts.graphs})
        for (const std::string& message : *entries) {
            payload += entry(message + extra);
            if (entries == &parts.results) ends.push_back(payload.size());
        }
    std::string header;
    {
        pbf_writer w(header);
        w.add_uint32(1, static_cast<std::uint32_t>(parts.sources.size()));
        w.add_uint32(2, static_cast<std::uint32_t>(parts.results.size()));
        w.add_message(3, parts.session + extra);
        w.add_message(4, parts.strings + extra);
        w.add_uint32(5, static_cast<std::uint32_t>(payload.size()));
        if (parts.process != 0) {
            pbf_writer process(w, 6);
            process.add_uint32(1, parts.process);
            process.add_string(2, "127.0.0.1");
            process.add_string(3, "/home/user/app");
        }
        if (!parts.ranges.empty()) w.add_uint32(7, static_cast<std::uint32_t>(parts.ranges.size()));
        if (!parts.graphs.empty()) w.add_uint32(9, static_cast<std::uint32_t>(parts.graphs.size()));
    }
    out += entry(header + extra);
    for (const std::size_t end : ends)
        result_ends.push_back(out.size() + end);
    out += payload;
}

std::string source_message(std::size_t code_bytes) {
    std::string out;
    pbf_writer w(out);
    w.add_uint64(1, 1);
    w.add_bytes(4,
                "\x7F"
                "ELF" +
                    std::string(code_bytes, 'x'));
    return out;
}

/// The blocks that hold results, each with the strings it is the first to use.
std::vector<BlockParts> result_blocks(const Fixture& fixture) {
    const FixtureLayout& layout = fixture.layout;
    std::vector<BlockParts> blocks;
    NameTable names;
    for (std::size_t i = 0; i < fixture.kernels.size(); ++i) {
        const FixtureKernel& kernel = fixture.kernels[i];
        const bool full = blocks.empty() || blocks.back().results.size() >= layout.results_per_block;
        if (full || layout.table_per_result || blocks.back().process != kernel.process) {
            blocks.emplace_back();
            blocks.back().process = kernel.process;
        }
        if (layout.table_per_result) names = {};
        blocks.back().results.push_back(result_message(kernel, names, i, layout.grids_in_threads));
        const auto& all = names.names();
        if (layout.table_per_result) blocks.back().strings = string_table(all.begin(), all.end());
    }
    for (const auto* wholes : {&fixture.ranges, &fixture.graphs})
        for (const FixtureKernel& whole : *wholes) {
            const bool graph = wholes == &fixture.graphs;
            BlockParts& block = blocks.emplace_back();
            block.process = whole.process;
            (graph ? block.graphs : block.ranges)
                .push_back(whole_message(whole, graph, names, blocks.size()));
        }
    if (layout.table_per_result || blocks.empty()) return blocks;

    const auto& all = names.names();
    const std::size_t late = std::min(layout.late_strings, all.size());
    const auto split = all.end() - static_cast<std::ptrdiff_t>(late);
    blocks.front().strings = string_table(all.begin(), split);
    for (auto name = split; name != all.end(); ++name) {
        blocks.emplace_back();
        blocks.back().strings = string_table(name, name + 1);
    }
    return blocks;
}

}  // namespace

FixtureKernel& FixtureKernel::add(std::string metric, FixtureValue value,
                                  std::vector<FixtureInstance> instances) {
    metrics.push_back({std::move(metric), std::move(value), std::move(instances)});
    return *this;
}

FixtureKernel& FixtureKernel::set(const std::string& metric, FixtureValue value) {
    const auto it = std::ranges::find(metrics, metric, &FixtureMetric::name);
    if (it == metrics.end()) return add(metric, std::move(value));
    it->value = std::move(value);
    return *this;
}

std::string write_report(const Fixture& fixture, std::vector<std::size_t>* result_ends) {
    const FixtureLayout& layout = fixture.layout;
    const std::string extra = layout.unknown_fields ? unknown_fields() : "";
    std::string header;
    pbf_writer(header).add_uint32(1, layout.version);
    std::string out("NVR\0", 4);
    out += entry(header + extra);

    std::vector<std::size_t> ends;
    BlockParts session;
    session.session = session_message(fixture);
    if (!layout.session_last) append_block(out, session, extra, ends);

    BlockParts source;
    source.sources.push_back(source_message(layout.source_bytes));
    if (!layout.results_before_sources) append_block(out, source, extra, ends);
    for (const BlockParts& block : result_blocks(fixture))
        append_block(out, block, extra, ends);
    if (layout.results_before_sources) append_block(out, source, extra, ends);
    if (layout.session_last) append_block(out, session, extra, ends);
    if (result_ends != nullptr) *result_ends = std::move(ends);
    return out;
}

}  // namespace roofwalk::test
