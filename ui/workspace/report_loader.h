// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QStringList>
#include <cstdint>
#include <memory>

#include "core/base/notice.h"
#include "core/workspace/load_files.h"
#include "ui/workspace/job.h"

namespace roofwalk {

class Document;
struct LoadedView;

/// The reports of a document are opened, added, closed and read again, one after another or all at once, on
/// the pool. It stays as it is until they are read, and when none of them can be.
class ReportLoader : public QObject {
    Q_OBJECT

  public:
    enum class Opening : std::uint8_t { replace, add };

    explicit ReportLoader(Document& document);

    /// Files that are being read already are read too, unless these replace them.
    void open(const QStringList& paths, Opening opening);
    /// Reads a session, its reports and those `beside` in the place of what is open, and brings back what was
    /// done with them.
    void open_session(const SessionRequest& session, const QStringList& beside);
    /// Whether a session is being read, which will take the place of what is done here.
    [[nodiscard]] bool session_arrives() const { return job_.running() && asked_.session; }
    void reload();
    /// Makes one run of the reports, or shows each by itself again; not while others take their place.
    void set_joined(bool joined);
    /// Takes this GPU for the one that an open file leaves unnamed: by its name, and with the ceilings that a
    /// person typed of it. Null: not told. Nothing changes while other files take the place of those open.
    void set_ran_on(const Device* device);
    /// Shows what a recording has brought so far, under the path of its file; nothing is read. Its first
    /// profile takes the place of what is open.
    void show_recording(OpenFile recording);
    /// Closes one file, or gives up reading it; the others stay. The last one leaves the document empty.
    void close(const QString& path);
    void close_all();
    /// Whether nothing stays open without that file.
    [[nodiscard]] bool is_last(const QString& path) const;

    /// Reads older reports to compare with. Those that can be read take the place of the older ones, by the
    /// time at which they were written; these stay when there are none.
    void compare_with(const QStringList& paths);
    /// Older reports that those open are compared with, oldest first. They stay when files are opened, and go
    /// with the last one that is closed.
    void set_baselines(std::vector<OpenFile> baselines);
    [[nodiscard]] Job& baseline_job() { return baseline_job_; }

    /// Also at work while files are closed; reading() tells whether it reads any.
    [[nodiscard]] Job& job() { return job_; }
    [[nodiscard]] bool reading() const { return job_.running() && asked_.reads(); }

  signals:
    /// Files were read: those asked for that could be.
    void opened(const QStringList& paths);
    /// Reports were read that hold different counters of the same kernels.
    void separate_runs_opened();
    /// What became one run, a sentence each.
    void runs_joined(const QStringList& sentences);
    /// The session given to open_session() is on screen, but for what the chart shows of its plane.
    void session_opened(const std::shared_ptr<const roofwalk::OpenSession>& session);
    /// A report is not what it was when it was last read, or when the session was saved.
    void report_changed(const QString& path);

    /// The older reports of compare_with() are in the document: those that could be read.
    void baselines_read();
    /// One of them is not whole.
    void noticed(const roofwalk::Notice& notice);

  private:
    [[nodiscard]] LoadRequest under_way() const;
    /// Shows what stays anew, as `change` has it.
    template <class Change>
    void show_anew(Change change);
    void start(LoadRequest asked);
    void install(LoadedView loaded);

    Document& document_;
    LoadRequest asked_;  ///< under way
    Job job_;
    Job baseline_job_;
};

}  // namespace roofwalk
