// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QStringList>
#include <functional>

namespace roofwalk {

class Document;
class MessageBar;
struct OpenSession;

/// What a person is told of the files that are open, above the chart; nothing of files that are closed.
class FileNotices : public QObject {
    Q_OBJECT

  public:
    /// `ask_device` shows where the GPU of files that name none is chosen. Lives as long as `messages`.
    FileNotices(Document& document, MessageBar& messages, std::function<bool()> ask_device);

    /// Of files that could be read or written after all.
    void withdraw_errors(const QStringList& paths);

  private:
    void offer_to_join();
    /// Of files that name none.
    void offer_to_name_device();
    void warn_of_partial_files(const QStringList& paths);
    /// What a session holds and cannot be used: operations that bind nothing, members nobody knows.
    void warn_of_session(const OpenSession& session);
    /// Messages about files that are closed, and offers that nothing calls for any more.
    void withdraw();

    Document& document_;
    MessageBar& messages_;
    std::function<bool()> ask_device_;
    QStringList open_paths_;  ///< of the files that are shown
};

}  // namespace roofwalk
