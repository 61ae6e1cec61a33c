// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/roofline/practical_roof.h"

#include <QRegularExpression>
#include <QTest>

#include "tests/core/roofline/profiles.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_practical {

using namespace roofwalk;
using namespace roofwalk::test;

namespace {

constexpr Boundary hbm = Boundary::hbm_dram_rw;

KernelPoint reaching(double share, const Device& device) {
    return point_of(profile_of(device, {launch(1, {{fp32, 1e9}}, {{hbm, share * 1e12}})}));
}

Device plain() {
    return machine({compute_ceiling(fp32, 10e12)}, {bandwidth_ceiling(hbm, 1e12)});
}

/// The per cents in a text, in their order.
QStringList shares_in(const std::string& text) {
    static const QRegularExpression share(QStringLiteral("[0-9.]+(?= %)"));
    QStringList shares;
    for (const QRegularExpressionMatch& match : share.globalMatch(QString::fromStdString(text)))
        shares.append(match.captured());
    return shares;
}

}  // namespace

class TestPractical : public QObject {
    Q_OBJECT

  private slots:
    void a_limit_belongs_to_the_better_band() {
        QCOMPARE(practical_band(reaching(0.66, plain()), {}), PracticalBand::little_room);
        QCOMPARE(practical_band(reaching(0.44, plain()), {0.75, 0.5}), PracticalBand::some_room);
        QCOMPARE(practical_band(reaching(0.43, plain()), {0.75, 0.5}), PracticalBand::much_room);
    }
    void a_ceiling_measured_on_the_device_is_practical_already() {
        Device device = plain();
        device.ceilings.bandwidth[0].provenance.source = CeilingSource::benchmark;
        QCOMPARE(reaching(0.66, device).practical_efficiency.value(), 0.66);
        QCOMPARE(reaching(0.66, plain()).practical_efficiency.value(), 0.75);
    }
    void the_sentence_tells_both_shares_and_the_room() {
        for (const double share : {0.88, 0.44, 0.22}) {
            const KernelPoint point = reaching(share, plain());
            const std::string text = practical_text(point, {});
            QCOMPARE(shares_in(text),
                     (QStringList{QString::number(100 * share / 0.88, 'f', 1), QStringLiteral("88.0")}));
            QVERIFY(text.find(label_of(*practical_band(point, {}))) != std::string::npos);
        }
    }
    void beyond_the_practical_roof_the_assumption_is_named() {
        const KernelPoint faster = reaching(0.924, plain());
        QCOMPARE(practical_band(faster, {}), PracticalBand::exceeded);
        QCOMPARE(shares_in(practical_text(faster, {})), (QStringList{"105.0", "88.0"}));
        Device device = plain();
        device.ceilings.bandwidth[0].provenance.source = CeilingSource::benchmark;
        QCOMPARE(shares_in(practical_text(reaching(1.004, device), {})), QStringList("100.4"));
    }
    // 0.90 of the time at HBM, 0.89 in FP32, of which less is assumed to be reached.
    void the_ceiling_of_the_assumption_need_not_bind() {
        const KernelPoint faster =
            point_of(profile_of(plain(), {launch(1, {{fp32, 0.89 * 10e12}}, {{hbm, 0.90 * 1e12}})}));
        QCOMPARE(faster.binding, std::optional(CeilingTarget(hbm)));
        const std::string text = practical_text(faster, {});
        QCOMPARE(shares_in(text), (QStringList{"111.3", "80.0"}));
        QVERIFY(text.find("FP32") != std::string::npos && text.find("DRAM") == std::string::npos);
    }
    void what_is_assumed_was_not_measured() {
        AnalysisOptions options;
        options.practical = {1, 1};
        const Profile profile = profile_of(plain(), {launch(1, {{fp32, 1e9}}, {{hbm, 1.004 * 1e12}})});
        const KernelPoint point = analyse(profile, options).points[0];
        QCOMPARE(shares_in(practical_text(point, options)).last(), QStringLiteral("100.0"));
    }
    void figures_in_doubt_have_no_band() {
        const KernelPoint above = reaching(2, plain());
        QVERIFY(above.practical_efficiency);
        QVERIFY(!practical_band(above, {}));
        QCOMPARE(practical_text(above, {}), std::string());
        KernelPoint contradicted = reaching(0.66, plain());
        contradicted.contradicted = true;
        QVERIFY(!practical_band(contradicted, {}));
        const KernelPoint unknown = point_of(profile_of(plain(), {launch(1, {}, {{hbm, 1e9}})}));
        QVERIFY(!practical_band(unknown, {}));
    }
    void bands_have_words_and_stable_names() {
        QVERIFY(label_of(PracticalBand::some_room) == "some room");
        QVERIFY(id_of(PracticalBand::much_room) == "much_room");
        QVERIFY(label_of(PracticalBand::exceeded) == "above what is usual");
    }
};

}  // namespace tst_practical

ROOFWALK_TEST(tst_practical, TestPractical, NoApplication)
#include "tst_practical.moc"
