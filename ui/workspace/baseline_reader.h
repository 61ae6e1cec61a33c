// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QStringList>

#include "core/base/notice.h"
#include "ui/workspace/job.h"

namespace roofwalk {

class Document;

/// Reads older reports on the pool, for a document to be compared with.
class BaselineReader : public QObject {
    Q_OBJECT

  public:
    explicit BaselineReader(Document& document, QObject* parent = nullptr);

    /// Those that can be read take the place of the older reports of the document, by the time at which they
    /// were written; it stays as it is when there are none.
    void read(const QStringList& paths);
    [[nodiscard]] Job& job() { return job_; }

  signals:
    /// The older reports are in the document: those that could be read.
    void done();
    void failed(const roofwalk::Error& error);
    /// A report is not whole.
    void noticed(const roofwalk::Notice& notice);

  private:
    Document& document_;
    Job job_;
};

}  // namespace roofwalk
