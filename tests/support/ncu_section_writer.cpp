// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/ncu_section_writer.h"

#include <protozero/pbf_writer.hpp>

namespace roofwalk::test {

namespace {

using protozero::pbf_writer;

void add_filter(pbf_writer& w, protozero::pbf_tag_type tag, const FixtureArch& arch) {
    if (!arch.min && !arch.max) return;
    pbf_writer filter(w, tag);
    if (arch.min) filter.add_uint32(1, *arch.min);
    if (arch.max) filter.add_uint32(2, *arch.max);
}

void add_metric(pbf_writer& w, protozero::pbf_tag_type tag, const FixtureChartMetric& choices) {
    if (choices.empty()) return;
    pbf_writer metric(w, tag);
    metric.add_string(1, choices.front().name);
    add_filter(metric, 6, choices.front().arch);
    for (std::size_t i = 1; i < choices.size(); ++i) {
        pbf_writer option(metric, 7);
        option.add_string(1, choices[i].name);
        add_filter(option, 3, choices[i].arch);
    }
}

void add_value(pbf_writer& w, protozero::pbf_tag_type tag, const FixtureChartValue& value) {
    pbf_writer message(w, tag);
    if (value.clock.empty()) {
        if (!value.terms.empty()) add_metric(message, 2, value.terms.front());
        return;
    }
    pbf_writer product(message, 3);
    for (const FixtureChartMetric& term : value.terms)
        add_metric(product, 1, term);
    add_metric(product, 2, value.clock);
}

void add_line(pbf_writer& w, protozero::pbf_tag_type tag, const FixtureChartLine& line) {
    pbf_writer message(w, tag);
    add_value(message, 1, line.work);
    add_value(message, 2, line.traffic);
    pbf_writer options(message, 3);
    options.add_string(1, line.label);
}

void add_chart(pbf_writer& section, const FixtureChart& chart) {
    pbf_writer body(section, 5);
    pbf_writer item(body, 1);
    {
        pbf_writer message(item, 6);
        message.add_string(1, chart.label);
        for (const FixtureChartLine& roof : chart.roofs)
            add_line(message, 4, roof);
        for (const FixtureChartLine& point : chart.points)
            add_line(message, 5, point);
    }
    add_filter(item, 200, chart.arch);
}

}  // namespace

std::string write_section(const FixtureSection& section) {
    std::string out;
    pbf_writer w(out);
    w.add_string(1, section.identifier);
    for (const FixtureChart& chart : section.charts)
        add_chart(w, chart);
    if (!section.definitions.empty()) {
        pbf_writer definitions(w, 10);
        for (const FixtureDefinition& definition : section.definitions) {
            pbf_writer message(definitions, 1);
            message.add_string(1, definition.name);
            message.add_string(2, definition.expression);
            add_filter(message, 3, definition.arch);
        }
    }
    return out;
}

FixtureSection dram_roofline_section(char precision) {
    const std::string op = std::string("sass_thread_inst_executed_op_") + precision;
    const std::string fma = op + "fma_pred_on";
    const FixtureChartValue peak_traffic{{{{"dram__bytes.sum.peak_sustained", {}}}},
                                         {{"dram__cycles_elapsed.avg.per_second", {}}}};
    const FixtureChartValue peak_work{{{{"derived__sm__" + fma + "_x2", {}}}},
                                      {{"sm__cycles_elapsed.avg.per_second", {}}}};
    const FixtureChartValue work{{{{"smsp__" + op + "add_pred_on.sum.per_cycle_elapsed", {}}},
                                  {{"smsp__" + op + "mul_pred_on.sum.per_cycle_elapsed", {}}},
                                  {{"derived__smsp__" + fma + "_x2", {}}}},
                                 {{"smsp__cycles_elapsed.avg.per_second", {}}}};
    const FixtureChartValue traffic{{{{"dram__bytes.sum.per_second", {}}}}, {}};
    const std::string name = precision == 'd' ? "Double" : "Single";
    return {"SpeedOfLight_RooflineChart",
            {{"derived__sm__" + fma + "_x2", "sm__" + fma + ".sum.peak_sustained * 2", {}},
             {"derived__smsp__" + fma + "_x2", "smsp__" + fma + ".sum.per_cycle_elapsed * 2", {}}},
            {{"Floating Point Operations Roofline",
              {},
              {{name + " Precision Roofline", peak_work, peak_traffic}},
              {{name + " Precision Achieved Value", work, traffic}}}}};
}

}  // namespace roofwalk::test
