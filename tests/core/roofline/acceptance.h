// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTest>
#include <cmath>
#include <string>
#include <string_view>

#include "core/chart/scene/scene.h"
#include "tests/core/roofline/profiles.h"

/// Rows of the acceptance tests: each is named by its entry in the acceptance list and holds what the program
/// says beside what is right.
namespace roofwalk::test {

inline void add_number_columns() {
    QTest::addColumn<double>("said");
    QTest::addColumn<double>("right");
    QTest::addColumn<double>("tolerance");
}

/// `tolerance` is half a unit of the last digit that the list prints.
inline void number(const std::string& entry, double said, double right, double tolerance) {
    QTest::newRow(entry.c_str()) << said << right << tolerance;
}

inline void compare_numbers() {
    QFETCH(double, said);
    QFETCH(double, right);
    QFETCH(double, tolerance);
    QVERIFY2(std::abs(said - right) <= tolerance, qPrintable(QString::number(said, 'g', 12)));
}

inline void add_word_columns() {
    QTest::addColumn<QString>("said");
    QTest::addColumn<QString>("right");
}

inline void word(const char* entry, std::string_view said, std::string_view right) {
    QTest::newRow(entry) << QString::fromUtf8(said.data(), static_cast<qsizetype>(said.size()))
                         << QString::fromUtf8(right.data(), static_cast<qsizetype>(right.size()));
}

inline void compare_words() {
    QFETCH(QString, said);
    QTEST(said, "right");
}

inline std::string_view word_of(std::optional<Side> side) {
    return side ? id_of(*side) : "unknown";
}

inline Scene scene_of(const Profile& profile, const SceneOptions& scene = {},
                      const AnalysisOptions& options = {}) {
    return build_scene(profile, analyse(profile, options), scene);
}

/// The intensity of the tick "HBM ridge ..."; NaN when the chart has none.
inline double ridge_tick(const Scene& scene, std::string_view level) {
    for (const RidgeMark& ridge : scene.ridges)
        if (ridge.name.starts_with(level)) return ridge.x;
    return std::nan("");
}

/// "roof-hbm roof-fp32": what is drawn, in the order of the scene.
inline std::string roofs_drawn(const Scene& scene) {
    std::string ids;
    for (const Roof& roof : scene.roofs)
        ids += (ids.empty() ? "" : " ") + roof.id;
    return ids;
}

}  // namespace roofwalk::test
