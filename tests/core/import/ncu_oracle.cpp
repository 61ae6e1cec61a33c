// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/import/ncu_oracle.h"

#include <QFile>
#include <QJsonDocument>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "tests/support/samples.h"

namespace roofwalk::test {

namespace {

template <class T>
T value_or_throw(Result<T> result) {
    if (!result) throw std::runtime_error(to_line(result.error()));
    return std::move(*result);
}

std::string_view text_of(std::span<const std::byte> bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};  // NOLINT: bytes seen as characters
}

QJsonObject load_oracle(const std::filesystem::path& report) {
    QFile file(QString::fromStdString(oracle_of(report).string()));
    if (!file.open(QIODevice::ReadOnly)) throw std::runtime_error("no oracle beside " + report.string());
    return QJsonDocument::fromJson(file.readAll()).object();
}

}  // namespace

OracleReport::OracleReport(const std::filesystem::path& report)
    : file_(value_or_throw(MappedFile::open(report))),
      container_(container_of(text_of(file_.bytes()))),
      results_(decode_results(container_)),
      oracle_(load_oracle(report)) {}

QJsonObject OracleReport::kernel(std::size_t index) const {
    return oracle_["kernels"].toArray().at(static_cast<qsizetype>(index)).toObject();
}

std::optional<double> oracle_number(const QJsonValue& value) {
    if (value.isDouble()) return value.toDouble();
    const QString text = value.toString();
    if (text == "nan") return std::numeric_limits<double>::quiet_NaN();
    if (text == "inf") return std::numeric_limits<double>::infinity();
    if (text == "-inf") return -std::numeric_limits<double>::infinity();
    return std::nullopt;
}

bool same_number(std::optional<double> a, std::optional<double> b) {
    if (!a || !b) return a.has_value() == b.has_value();
    if (std::isnan(*a) || std::isnan(*b)) return std::isnan(*a) && std::isnan(*b);
    if (*a == *b) return true;
    return std::abs(*a - *b) <= 1e-12 * std::max(std::abs(*a), std::abs(*b));
}

bool add_sample_rows() {
    const auto reports = sample_reports();
    QTest::addColumn<QString>("report");
    for (const auto& report : reports)
        QTest::newRow(report.filename().c_str()) << QString::fromStdString(report.string());
    return !reports.empty();
}

std::filesystem::path sample_of_row() {
    QFETCH(QString, report);
    return report.toStdString();
}

}  // namespace roofwalk::test
