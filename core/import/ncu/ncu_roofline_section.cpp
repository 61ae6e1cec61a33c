// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/ncu/ncu_roofline_section.h"

#include <algorithm>
#include <cmath>

#include "core/base/text.h"
#include "core/import/ncu/ncu_wire.h"

namespace roofwalk::ncu {

namespace {

ArchFilter::Range decode_range(std::string_view message) {
    ArchFilter::Range range;
    read_fields(message, field(1, range.min), field(2, range.max));
    return range;
}

ArchFilter decode_filter(std::string_view message) {
    ArchFilter filter{decode_range(message), {}};
    read_fields(message,
                field(3, [&](std::string_view part) { filter.any_of.push_back(decode_range(part)); }));
    return filter;
}

ChartMetric::Choice decode_option(std::string_view message) {
    ChartMetric::Choice choice;
    read_fields(message, field(1, choice.name),
                field(3, [&](std::string_view part) { choice.filter = decode_filter(part); }));
    return choice;
}

ChartMetric decode_metric(std::string_view message) {
    ChartMetric metric{{ChartMetric::Choice{}}};
    read_fields(message, field(1, [&](std::string_view part) { metric.choices.front().name = part; }),
                field(6, [&](std::string_view part) { metric.choices.front().filter = decode_filter(part); }),
                field(7, [&](std::string_view part) { metric.choices.push_back(decode_option(part)); }));
    return metric;
}

ChartValue decode_product(std::string_view message) {
    ChartValue value;
    read_fields(message, field(1, [&](std::string_view part) { value.terms.push_back(decode_metric(part)); }),
                field(2, [&](std::string_view part) { value.clock = decode_metric(part); }));
    return value;
}

ChartValue decode_chart_value(std::string_view message) {
    ChartValue value;
    read_fields(message,
                field(2,
                      [&](std::string_view part) {
                          value = {{decode_metric(part)}, std::nullopt};
                      }),
                field(3, [&](std::string_view part) { value = decode_product(part); }));
    return value;
}

/// Field 1 of a message, where labels stand.
std::string decode_label(std::string_view message) {
    std::string label;
    read_fields(message, field(1, [&](std::string_view part) { label = clean_utf8(part); }));
    return label;
}

ChartLine decode_line(std::string_view message) {
    ChartLine line;
    read_fields(message, field(1, [&](std::string_view part) { line.work = decode_chart_value(part); }),
                field(2, [&](std::string_view part) { line.traffic = decode_chart_value(part); }),
                field(3, [&](std::string_view part) { line.label = decode_label(part); }));
    return line;
}

ChartDefinition decode_chart(std::string_view message) {
    ChartDefinition chart;
    read_fields(message, field(1, [&](std::string_view part) { chart.label = clean_utf8(part); }),
                field(4, [&](std::string_view part) { chart.roofs.push_back(decode_line(part)); }),
                field(5, [&](std::string_view part) { chart.points.push_back(decode_line(part)); }));
    return chart;
}

/// One item of a section's body; only roofline charts are read.
void decode_item(std::string_view message, std::vector<ChartDefinition>& charts) {
    std::optional<ChartDefinition> chart;
    ArchFilter filter;
    read_fields(message, field(6, [&](std::string_view part) { chart = decode_chart(part); }),
                field(200, [&](std::string_view part) { filter = decode_filter(part); }));
    if (!chart) return;
    chart->filter = std::move(filter);
    charts.push_back(std::move(*chart));
}

void decode_body(std::string_view message, std::vector<ChartDefinition>& charts) {
    read_fields(message, field(1, [&](std::string_view part) { decode_item(part, charts); }));
}

MetricDefinition decode_definition(std::string_view message) {
    MetricDefinition definition;
    read_fields(message, field(1, definition.name), field(2, definition.expression),
                field(3, [&](std::string_view part) { definition.filter = decode_filter(part); }));
    return definition;
}

/// Definitions may refer to one another; the ones NVIDIA ships do not, and a loop must end.
constexpr int max_definition_depth = 4;

std::optional<double> combined(double left, char op, double right) {
    double value = 0;
    switch (op) {
        case '+':
            value = left + right;
            break;
        case '-':
            value = left - right;
            break;
        case '*':
            value = left * right;
            break;
        case '/':
            value = left / right;
            break;
        default:
            return std::nullopt;
    }
    if (!std::isfinite(value)) return std::nullopt;
    return value;
}

/// A value of a chart: the number where all inputs are there, the formula, and what is missing.
struct Evaluation {
    std::optional<double> value;
    std::string expression;
    std::vector<std::string> missing;
};

class Evaluator {
  public:
    Evaluator(const RooflineSection& section, std::optional<std::uint32_t> arch, const MetricLookup& metrics)
        : section_(section), arch_(arch), metrics_(metrics) {}

    [[nodiscard]] Evaluation evaluate(const ChartValue& value) const {
        Evaluation result;
        double sum = 0;
        for (const ChartMetric& term : value.terms) {
            if (!result.expression.empty()) result.expression += " + ";
            sum += resolve(term, result).value_or(0);
        }
        if (value.clock) {
            if (value.terms.size() > 1) result.expression = "(" + result.expression + ")";
            result.expression += " * ";
            sum *= resolve(*value.clock, result).value_or(0);
        }
        if (!value.terms.empty() && result.missing.empty() && std::isfinite(sum)) result.value = sum;
        return result;
    }

  private:
    /// The first choice for this GPU that has a value, else the first for this GPU.
    std::optional<double> resolve(const ChartMetric& metric, Evaluation& result) const {
        const ChartMetric::Choice* fallback = nullptr;
        for (const ChartMetric::Choice& choice : metric.choices) {
            if (!choice.filter.accepts(arch_)) continue;
            if (const auto value = metric_value(choice.name, 0)) {
                result.expression += clean_utf8(choice.name);
                return value;
            }
            if (fallback == nullptr) fallback = &choice;
        }
        if (fallback == nullptr) fallback = &metric.choices.front();
        result.missing.push_back(clean_utf8(fallback->name));
        result.expression += result.missing.back();
        return std::nullopt;
    }

    /// A stored metric, or one that the section defines.
    [[nodiscard]] std::optional<double> metric_value(std::string_view name, int depth) const {
        if (const auto stored = metrics_(name)) return stored;
        if (depth == max_definition_depth) return std::nullopt;
        for (const MetricDefinition& definition : section_.definitions)
            if (definition.name == name && definition.filter.accepts(arch_))
                return expression_value(definition.expression, depth + 1);
        return std::nullopt;
    }

    /// "operand op operand", with single spaces around the operator, as metric names may hold '-' or '+'.
    [[nodiscard]] std::optional<double> expression_value(std::string_view expression, int depth) const {
        const std::size_t space = expression.find(' ');
        if (space == std::string_view::npos) return operand_value(expression, depth);
        if (expression.size() < space + 4 || expression[space + 2] != ' ') return std::nullopt;
        const auto left = operand_value(expression.substr(0, space), depth);
        const auto right = operand_value(expression.substr(space + 3), depth);
        if (!left || !right) return std::nullopt;
        return combined(*left, expression[space + 1], *right);
    }

    [[nodiscard]] std::optional<double> operand_value(std::string_view operand, int depth) const {
        if (const auto number = parse_number<double>(operand)) return number;
        return metric_value(operand, depth);
    }

    const RooflineSection& section_;
    std::optional<std::uint32_t> arch_;
    const MetricLookup& metrics_;
};

NcuRoof roof(const ChartLine& line, const Evaluator& evaluator) {
    Evaluation work = evaluator.evaluate(line.work);
    Evaluation traffic = evaluator.evaluate(line.traffic);
    return {line.label, work.value, traffic.value, std::move(work.expression), std::move(traffic.expression)};
}

NcuRooflineDot point(const ChartLine& line, const Evaluator& evaluator) {
    Evaluation work = evaluator.evaluate(line.work);
    Evaluation traffic = evaluator.evaluate(line.traffic);
    work.missing.insert(work.missing.end(), traffic.missing.begin(), traffic.missing.end());
    return {line.label, work.value, traffic.value, std::move(work.missing)};
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
    read_fields(message, field(1, [&](std::string_view part) { section.identifier = clean_utf8(part); }),
                field(5, [&](std::string_view part) { decode_body(part, section.charts); }),
                field(10, [&](std::string_view list) {
                    read_fields(list, field(1, [&](std::string_view part) {
                                    section.definitions.push_back(decode_definition(part));
                                }));
                }));
    return section;
}

const RooflineSection& RooflineSections::decoded(std::string_view message) {
    const auto known = sections_.find(message);
    if (known != sections_.end()) return known->second;
    return sections_.emplace(message, decode_roofline_section(message)).first->second;
}

void evaluate_roofline_section(const RooflineSection& section, std::optional<std::uint32_t> arch,
                               const MetricLookup& metrics, std::vector<NcuRooflineChart>& charts) {
    const Evaluator evaluator(section, arch, metrics);
    for (const ChartDefinition& definition : section.charts) {
        if (!definition.filter.accepts(arch)) continue;
        NcuRooflineChart& chart = charts.emplace_back();
        chart.section = section.identifier;
        chart.label = definition.label;
        for (const ChartLine& line : definition.roofs)
            chart.roofs.push_back(roof(line, evaluator));
        for (const ChartLine& line : definition.points)
            chart.points.push_back(point(line, evaluator));
    }
}

}  // namespace roofwalk::ncu
