// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/report_table.h"

#include <functional>

#include "core/model/partial_words.h"
#include "core/report/report_columns.h"
#include "core/roofline/summary.h"

namespace roofwalk {

ReportTable report_table(const Profile& profile, const Analysis& analysis) {
    std::vector<std::reference_wrapper<const KernelPoint>> ranked;
    for (const std::uint32_t index : ranked_points(analysis))
        ranked.emplace_back(analysis.points[index]);
    ReportTable table = filled(report_columns(profile, analysis), ranked);
    table.note = partial_sentence(profile);
    return table;
}

}  // namespace roofwalk
