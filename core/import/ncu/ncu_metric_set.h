// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace roofwalk::ncu {

/// What one value message holds; the file stays mapped while it is used.
struct Value {
    enum class Kind : std::uint8_t { none, number, text };

    Kind kind = Kind::none;  ///< none: the message is absent or empty ("n/a")
    double number = 0;       ///< may be NaN or infinite
    std::string_view text;

    /// The number, when there is one and it is finite.
    [[nodiscard]] std::optional<double> finite() const;
};

/// Reads a value message: string, float, double, uint32 or uint64. Throws protozero::exception.
[[nodiscard]] Value decode_value(std::string_view message);

/// Metric names of a report by id, and ids by name. Names are views into the file.
class StringTable {
  public:
    /// Whether one of `names` is already there: then they belong to a table of their own.
    [[nodiscard]] bool holds_any(const std::vector<std::string_view>& names) const;
    void append(const std::vector<std::string_view>& names);

    /// Names that are not text in UTF-8, as metrics never have: what they name cannot be told.
    [[nodiscard]] std::size_t damaged() const { return damaged_; }
    /// Names that stood there already: if one is too many, every later name belongs to another metric.
    [[nodiscard]] std::size_t repeated() const { return repeated_; }
    [[nodiscard]] std::size_t size() const { return names_.size(); }
    [[nodiscard]] std::string_view name(std::uint32_t id) const { return names_[id]; }
    [[nodiscard]] std::optional<std::uint32_t> find(std::string_view name) const;

  private:
    std::vector<std::string_view> names_;
    std::unordered_map<std::string_view, std::uint32_t> ids_;
    std::size_t damaged_ = 0;
    std::size_t repeated_ = 0;
};

using NumberVisitor = std::function<void(std::string_view name, double value)>;
using EntryVisitor = std::function<void(std::string_view name, const Value& value, std::string_view entry)>;
using InstanceVisitor = std::function<void(const Value& id, const Value& value)>;

/// The metrics of one result by name. One object serves all results of a file: loading the next result
/// costs time in its own metrics only. Instances are read when asked for.
class MetricSet {
  public:
    /// Takes the metric entries of a result; `names` and the file must outlive their use. Of repeated
    /// entries the last wins, but one with instances goes before one without. Throws protozero::exception.
    void load(const std::vector<std::string_view>& entries, const StringTable& names);

    /// The value of a metric, or null when the result has no entry of that name.
    [[nodiscard]] const Value* find(std::string_view name) const;
    [[nodiscard]] std::optional<double> finite(std::string_view name) const;
    [[nodiscard]] std::optional<std::string_view> text(std::string_view name) const;

    /// Sum over the instances of a metric, or its value when it was stored without instances.
    [[nodiscard]] std::optional<double> instance_sum(std::string_view name) const;
    /// Executed warp instructions of an opcode; absent when opcode counts were not stored.
    [[nodiscard]] std::optional<double> opcode_count(std::string_view opcode) const;

    /// The instances of a metric that have a text and a finite number: executed instructions by opcode. Calls
    /// nothing when the metric was stored without instances.
    void for_each_instance(std::string_view name, const NumberVisitor& visit) const;

    /// Those that have a time, a number, instead: samples.
    void for_each_sample(std::string_view name, const std::function<void(double, double)>& visit) const;

    /// Every metric with a finite number, in the order of the file.
    void for_each_finite(const NumberVisitor& visit) const;
    /// Every metric, also without a value, in the order of the file, with its entry.
    void for_each_entry(const EntryVisitor& visit) const;
    /// The instances of an entry; those before damage.
    static void for_each_instance_of(std::string_view entry, const InstanceVisitor& visit);
    /// Entries whose name the report does not define; they are left out.
    [[nodiscard]] std::size_t unnamed() const { return unnamed_; }

  private:
    struct Slot {
        std::uint32_t id = 0;
        Value value;
        std::string_view entry;
        bool has_instances = false;
    };

    void store(std::string_view entry);
    [[nodiscard]] bool holds(std::uint32_t id) const;
    [[nodiscard]] const Slot* slot(std::string_view name) const;

    const StringTable* names_ = nullptr;
    std::vector<Slot> slots_;           // of this result, in file order
    std::vector<std::uint32_t> place_;  // in slots_ by name id; holds where the slot there has that id
    std::size_t unnamed_ = 0;
    mutable std::map<std::string_view, double> opcodes_;  // of this result, read when asked for
    mutable bool opcodes_read_ = false;
};

}  // namespace roofwalk::ncu
