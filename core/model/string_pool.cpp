// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/string_pool.h"

namespace roofwalk {

StringPool::StringPool() {
    (void)intern("");
}

StringPool::StringPool(const StringPool& other) {
    for (const std::string& text : other.texts_)
        (void)intern(text);
}

StringPool& StringPool::operator=(const StringPool& other) {
    if (this != &other) *this = StringPool(other);
    return *this;
}

TextId StringPool::intern(std::string_view text) {
    if (const auto it = index_.find(text); it != index_.end()) return it->second;
    const auto id = static_cast<TextId>(texts_.size());
    index_.emplace(texts_.emplace_back(text), id);
    return id;
}

TextId StringPool::find(std::string_view text) const {
    const auto it = index_.find(text);
    return it == index_.end() ? TextId::none : it->second;
}

}  // namespace roofwalk
