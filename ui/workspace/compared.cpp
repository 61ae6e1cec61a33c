// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/workspace/compared.h"

#include <QFileInfo>
#include <utility>

namespace roofwalk {

std::shared_ptr<const Compared> make_compared(std::vector<OpenFile> older,
                                              std::shared_ptr<const Profile> newest,
                                              std::shared_ptr<const Analysis> analysis,
                                              const MeasuredUse& measured,
                                              const CompareOptions& compare_options,
                                              const Progress& progress) {
    if (older.empty()) return nullptr;
    AnalysisOptions options = analysis->options;
    options.launch_operations.reset();  // they are of the launches of the newest
    auto compared = std::make_shared<Compared>(Compared{std::move(older), std::move(newest), {}, {}});
    std::vector<RunView> runs;
    for (const OpenFile& file : compared->older) {
        options.measured = measured_sets(*file.profile, measured);
        compared->analyses.push_back(
            std::make_shared<const Analysis>(analyse(*file.profile, options, progress)));
        runs.push_back({file.profile.get(), compared->analyses.back().get()});
        if (progress.cancelled()) return nullptr;
    }
    compared->analyses.push_back(std::move(analysis));
    runs.push_back({compared->newest.get(), compared->analyses.back().get()});
    compared->comparison = compare_runs(runs, compare_options);
    return compared;
}

QString name_of(const OpenFile& file) {
    return QFileInfo(file.path).fileName();
}

}  // namespace roofwalk
