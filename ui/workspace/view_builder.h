// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <optional>

#include "core/workspace/load_files.h"
#include "core/workspace/workspace_result.h"
#include "ui/chart/chart_scene.h"
#include "ui/workspace/job.h"

namespace roofwalk {

/// What a view is made of.
struct ViewInputs {
    WorkspaceInputs inputs;
    ViewFocus focus;
    Theme theme = Theme::light;

    friend bool operator==(const ViewInputs&, const ViewInputs&) = default;
};

/// All that is shown.
struct ViewResult {
    WorkspaceResult result;
    ViewFocus focus;
    ChartScene scene;
};

/// What a load brings.
struct LoadedView {
    LoadResult files;
    ViewInputs wanted;
    std::optional<ViewResult> view;  ///< absent when nothing was read
};

/// Reads files, and makes the view of them in the place of that of `of`; also of those that stay, when one
/// `closes`. A report that takes the place of what was open is looked at where most time can be recovered.
[[nodiscard]] LoadedView load_view(const LoadRequest& loads, ViewInputs of, bool closes,
                                   const Progress& progress);

/// Makes views on the pool, and holds the last one.
class ViewBuilder : public QObject {
    Q_OBJECT

  public:
    explicit ViewBuilder(QObject* parent);

    [[nodiscard]] const ViewResult& view() const { return view_; }
    [[nodiscard]] Job& analysing() { return analyse_; }
    /// Starts what brings the view up to `wanted`, if it is not under way: the analysis anew, else what
    /// differs.
    void build(ViewInputs wanted);
    /// Gives up what is under way, for a view that was made of `of` elsewhere. Returns the view before.
    ViewResult put(ViewResult view, ViewInputs of);
    /// What is under way is of no use any more.
    void cancel_drawing() { draw_.cancel(); }

  signals:
    /// There is another analysis than in `before`, and everything that is made of it.
    void analysed(const roofwalk::ViewResult& before);
    /// Something that is made of the analysis is another than in `before`.
    void drawn(const roofwalk::ViewResult& before);
    /// The view stays as it was, since the analysis was stopped or failed.
    void stopped();
    /// A build ended, whatever came of it.
    void ended();
    void failed(const roofwalk::Error& error);

  private:
    ViewResult view_;
    ViewInputs newest_;  ///< of what is shown or under way
    Job analyse_;
    Job draw_;
};

}  // namespace roofwalk
