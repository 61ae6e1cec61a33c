// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/commands/bind_operation.h"

#include <QCoreApplication>

#include "core/model/kernel_name.h"
#include "ui/document.h"
#include "ui/qt_text.h"

namespace roofwalk {

namespace {

constexpr std::size_t name_chars = 32;

Bindings with(Bindings bindings, const UserBinding& binding) {
    std::erase_if(bindings.user, [&](const UserBinding& said) {
        return said.kernel == binding.kernel && said.launch == binding.launch;
    });
    if (!binding.operation.empty()) bindings.user.push_back(binding);
    return bindings;
}

}  // namespace

BindOperation::BindOperation(Document& document, const UserBinding& binding)
    : document_(document), before_(document.bindings()), after_(with(before_, binding)) {
    setText(QCoreApplication::translate("BindOperation", "operation of %1")
                .arg(to_qt(shorten_kernel_name(binding.kernel, name_chars))));
}

void BindOperation::undo() {
    document_.set_bindings(before_);
}

void BindOperation::redo() {
    document_.set_bindings(after_);
}

}  // namespace roofwalk
