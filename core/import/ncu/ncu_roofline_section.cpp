// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/ncu/ncu_roofline_section.h"

#include <algorithm>

#include "core/base/text.h"
#include "core/import/ncu/ncu_wire.h"

namespace roofwalk::ncu {

namespace {

ArchFilter::Range decode_range(std::string_view message) {
    ArchFilter::Range range;
    for_each_field(message, [&](protozero::pbf_reader& field) {
        switch (field.tag_and_type()) {
            case varint(1):
                range.min = field.get_uint32();
                break;
            case varint(2):
                range.max = field.get_uint32();
                break;
            default:
                field.skip();
        }
    });
    return range;
}

ArchFilter decode_filter(std::string_view message) {
    ArchFilter filter{decode_range(message), {}};
    for_each_field(message, [&](protozero::pbf_reader& field) {
        if (field.tag_and_type() == bytes(3))
            filter.any_of.push_back(decode_range(view_of(field)));
        else
            field.skip();
    });
    return filter;
}

ChartMetric::Choice decode_option(std::string_view message) {
    ChartMetric::Choice choice;
    for_each_field(message, [&](protozero::pbf_reader& field) {
        switch (field.tag_and_type()) {
            case bytes(1):
                choice.name = view_of(field);
                break;
            case bytes(3):
                choice.filter = decode_filter(view_of(field));
                break;
            default:
                field.skip();
        }
    });
    return choice;
}

ChartMetric decode_metric(std::string_view message) {
    ChartMetric metric{{ChartMetric::Choice{}}};
    for_each_field(message, [&](protozero::pbf_reader& field) {
        switch (field.tag_and_type()) {
            case bytes(1):
                metric.choices.front().name = view_of(field);
                break;
            case bytes(6):
                metric.choices.front().filter = decode_filter(view_of(field));
                break;
            case bytes(7):
                metric.choices.push_back(decode_option(view_of(field)));
                break;
            default:
                field.skip();
        }
    });
    return metric;
}

ChartValue decode_product(std::string_view message) {
    ChartValue value;
    for_each_field(message, [&](protozero::pbf_reader& field) {
        switch (field.tag_and_type()) {
            case bytes(1):
                value.terms.push_back(decode_metric(view_of(field)));
                break;
            case bytes(2):
                value.clock = decode_metric(view_of(field));
                break;
            default:
                field.skip();
        }
    });
    return value;
}

ChartValue decode_chart_value(std::string_view message) {
    ChartValue value;
    for_each_field(message, [&](protozero::pbf_reader& field) {
        switch (field.tag_and_type()) {
            case bytes(2):
                value = {{decode_metric(view_of(field))}, std::nullopt};
                break;
            case bytes(3):
                value = decode_product(view_of(field));
                break;
            default:
                field.skip();
        }
    });
    return value;
}

/// Field 1 of a message, where labels stand.
std::string decode_label(std::string_view message) {
    std::string label;
    for_each_field(message, [&](protozero::pbf_reader& field) {
        if (field.tag_and_type() == bytes(1))
            label = clean_utf8(view_of(field));
        else
            field.skip();
    });
    return label;
}

ChartLine decode_line(std::string_view message) {
    ChartLine line;
    for_each_field(message, [&](protozero::pbf_reader& field) {
        switch (field.tag_and_type()) {
            case bytes(1):
                line.work = decode_chart_value(view_of(field));
                break;
            case bytes(2):
                line.traffic = decode_chart_value(view_of(field));
                break;
            case bytes(3):
                line.label = decode_label(view_of(field));
                break;
            default:
                field.skip();
        }
    });
    return line;
}

ChartDefinition decode_chart(std::string_view message) {
    ChartDefinition chart;
    for_each_field(message, [&](protozero::pbf_reader& field) {
        switch (field.tag_and_type()) {
            case bytes(1):
                chart.label = clean_utf8(view_of(field));
                break;
            case bytes(4):
                chart.roofs.push_back(decode_line(view_of(field)));
                break;
            case bytes(5):
                chart.points.push_back(decode_line(view_of(field)));
                break;
            default:
                field.skip();
        }
    });
    return chart;
}

/// One item of a section's body; only roofline charts are read.
void decode_item(std::string_view message, std::vector<ChartDefinition>& charts) {
    std::optional<ChartDefinition> chart;
    ArchFilter filter;
    for_each_field(message, [&](protozero::pbf_reader& field) {
        switch (field.tag_and_type()) {
            case bytes(6):
                chart = decode_chart(view_of(field));
                break;
            case bytes(200):
                filter = decode_filter(view_of(field));
                break;
            default:
                field.skip();
        }
    });
    if (!chart) return;
    chart->filter = std::move(filter);
    charts.push_back(std::move(*chart));
}

void decode_body(std::string_view message, std::vector<ChartDefinition>& charts) {
    for_each_field(message, [&](protozero::pbf_reader& field) {
        if (field.tag_and_type() == bytes(1))
            decode_item(view_of(field), charts);
        else
            field.skip();
    });
}

MetricDefinition decode_definition(std::string_view message) {
    MetricDefinition definition;
    for_each_field(message, [&](protozero::pbf_reader& field) {
        switch (field.tag_and_type()) {
            case bytes(1):
                definition.name = view_of(field);
                break;
            case bytes(2):
                definition.expression = view_of(field);
                break;
            case bytes(3):
                definition.filter = decode_filter(view_of(field));
                break;
            default:
                field.skip();
        }
    });
    return definition;
}

}  // namespace

bool ArchFilter::Range::holds(std::uint32_t arch) const {
    return arch >= min.value_or(arch) && arch <= max.value_or(arch);
}

bool ArchFilter::accepts(std::optional<std::uint32_t> arch) const {
    if (!arch) return true;
    if (!bounds.holds(*arch)) return false;
    return any_of.empty() ||
           std::ranges::any_of(any_of, [&](const Range& range) { return range.holds(*arch); });
}

RooflineSection decode_roofline_section(std::string_view message) {
    RooflineSection section;
    for_each_field(message, [&](protozero::pbf_reader& field) {
        switch (field.tag_and_type()) {
            case bytes(1):
                section.identifier = clean_utf8(view_of(field));
                break;
            case bytes(5):
                decode_body(view_of(field), section.charts);
                break;
            case bytes(10):
                for_each_field(view_of(field), [&](protozero::pbf_reader& item) {
                    if (item.tag_and_type() == bytes(1))
                        section.definitions.push_back(decode_definition(view_of(item)));
                    else
                        item.skip();
                });
                break;
            default:
                field.skip();
        }
    });
    return section;
}

const RooflineSection& RooflineSections::decoded(std::string_view message) {
    const auto known = sections_.find(message);
    if (known != sections_.end()) return known->second;
    return sections_.emplace(message, decode_roofline_section(message)).first->second;
}

}  // namespace roofwalk::ncu
