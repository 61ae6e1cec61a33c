// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

#include "core/base/error.h"
#include "core/workspace/session.h"

namespace roofwalk {

/// Which session is to be opened.
struct SessionOrder {
    QString file;           ///< absolute; empty: none, and what was done before is forgotten
    bool recovers = false;  ///< the file is a copy that was saved by itself
};

/// A session and the files that it names.
struct OpenSession {
    SessionOrder order;
    WorkspaceSpec session;
    std::string hash;       ///< content_hash() of the file
    QStringList sources;    ///< absolute, in the order of the session
    QStringList baselines;  ///< absolute, in the order of the session
};

/// Reads a session file; runs on the pool. A session without a source is an error unless other reports are
/// opened beside it.
[[nodiscard]] Result<OpenSession> read_open_session(const SessionOrder& order, bool reports_beside);

/// What is to be said when no report of a session could be read.
[[nodiscard]] Error no_report_of(const OpenSession& session);

}  // namespace roofwalk
