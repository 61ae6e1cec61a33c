// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QJsonArray>
#include <QJsonObject>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/base/mapped_file.h"
#include "core/import/ncu/ncu_container.h"
#include "tests/core/import/decoded_results.h"

namespace roofwalk::test {

/// A sample report taken apart, beside what an independent decoder says about it.
class OracleReport {
  public:
    explicit OracleReport(const std::filesystem::path& report);

    [[nodiscard]] const ncu::Container& container() const { return container_; }
    [[nodiscard]] const std::vector<DecodedResult>& results() const { return results_; }
    [[nodiscard]] const QJsonObject& oracle() const { return oracle_; }
    [[nodiscard]] QJsonObject kernel(std::size_t index) const;

  private:
    MappedFile file_;
    ncu::Container container_;
    std::vector<DecodedResult> results_;
    QJsonObject oracle_;
};

/// A number of the oracle: "nan", "inf" and "-inf" are written as texts there.
[[nodiscard]] std::optional<double> oracle_number(const QJsonValue& value);
/// Equal to a relative difference of 1e-12; NaN equals NaN, absent equals absent.
[[nodiscard]] bool same_number(std::optional<double> a, std::optional<double> b);

/// Adds a test row for each sample report; false when there are none.
[[nodiscard]] bool add_sample_rows();
/// The report of the current row.
[[nodiscard]] std::filesystem::path sample_of_row();

}  // namespace roofwalk::test
