// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/workspace/change_bindings.h"

#include <QCoreApplication>
#include <utility>

#include "core/model/kernel_name.h"
#include "ui/widgets/qt_text.h"
#include "ui/workspace/document.h"

namespace roofwalk {

namespace {
constexpr std::size_t name_chars = 32;
}

ChangeBindings::ChangeBindings(Document& document, Bindings after, const QString& text)
    : QUndoCommand(text), document_(document), before_(document.bindings()), after_(std::move(after)) {}

void ChangeBindings::undo() {
    document_.set_bindings(before_);
}

void ChangeBindings::redo() {
    document_.set_bindings(after_);
}

ChangeBindings* bind_operation(Document& document, const UserBinding& binding) {
    Bindings after = document.bindings();
    std::erase_if(after.user, [&](const UserBinding& said) {
        return said.kernel == binding.kernel && said.launch == binding.launch;
    });
    if (!binding.operation.empty()) after.user.push_back(binding);
    return new ChangeBindings(document, std::move(after),
                              QCoreApplication::translate("ChangeBindings", "operation of %1")
                                  .arg(to_qt(shorten_kernel_name(binding.kernel, name_chars))));
}

}  // namespace roofwalk
