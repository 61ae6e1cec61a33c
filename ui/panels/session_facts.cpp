// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/session_facts.h"

#include <QFileInfo>
#include <algorithm>

#include "core/base/text.h"
#include "core/roofline/summary.h"
#include "ui/panels/fact_words.h"
#include "ui/widgets/qt_text.h"

namespace roofwalk {

QString session_headline(const Analysis& analysis) {
    return to_qt(session_sentence(analysis));
}

FactTable class_table(const Analysis& analysis) {
    QString rows = to_qt(noun_of(analysis.options.group_by, 2));
    rows[0] = rows[0].toUpper();
    FactTable table{.headers = {tr("Class"), rows, tr("of time")}};
    for (const ClassShare& share : class_shares(analysis))
        table.rows.append(
            {{{to_qt(label_of(share))},
              {to_qt(format_count(share.kernels))},
              {share.without_time == share.kernels ? tr("time not measured")
                                                   : to_qt(format_percent(share.share_of_time))}}});
    return table;
}

FactTable device_table(const Profile& profile) {
    FactTable table;
    for (const Device& device : profile.devices) {
        QStringList facts;
        if (device.sm_count) facts.append(tr("%1 SMs").arg(*device.sm_count));
        if (device.compute_capability)
            facts.append(
                tr("CC %1.%2").arg(device.compute_capability->major).arg(device.compute_capability->minor));
        table.rows.append({{{to_qt(device.name)}, {facts.join(QStringLiteral(", "))}}});
    }
    return table;
}

FactTable file_table(const Profile& profile) {
    FactTable table;
    for (const SourceInfo& source : profile.sources) {
        const QString path = to_qt(source.path);
        const QString written = to_qt(source.tool.empty() ? source.format : source.tool);
        table.rows.append({{{QFileInfo(path).fileName(), path},
                            {source.partial ? tr("%1, partial").arg(written) : written}}});
    }
    return table;
}

QStringList profile_warnings(const Profile& profile, qsizetype most) {
    QStringList lines;
    qsizetype beyond = 0;
    for (const Warning& warning : profile.warnings) {
        const QString line = to_qt(to_line(warning.message));
        if (lines.contains(line)) continue;
        if (lines.size() < most)
            lines.append(line);
        else
            ++beyond;
    }
    if (beyond > 0) lines.append(tr("And more: %1").arg(beyond));
    return lines;
}

}  // namespace roofwalk
