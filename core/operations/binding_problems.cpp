// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/binding_problems.h"

#include <fmt/format.h>

#include "core/base/nearest_names.h"
#include "core/base/text.h"

namespace roofwalk {

void BindingProblems::add(const std::string& cause, const Error& error, std::string_view example) {
    if (const auto known = place_of_cause_.find(cause); known != place_of_cause_.end()) {
        ++further_[known->second];
        return;
    }
    if (problems_.size() == most_problems) {
        ++dropped_;
        return;
    }
    place_of_cause_.emplace(cause, problems_.size());
    std::string where = shortened_word(example);
    if (!error.where.empty() && error.where != where) where += (where.empty() ? "" : ", ") + error.where;
    add({error.code, cause + ": " + error.what, std::move(where), error.hint});
}

void BindingProblems::add(Error problem) {
    if (problems_.size() == most_problems) {
        ++dropped_;
        return;
    }
    problems_.push_back(std::move(problem));
    further_.push_back(0);
}

std::vector<Error> BindingProblems::take() {
    for (std::size_t i = 0; i < problems_.size(); ++i)
        if (further_[i] > 0)
            problems_[i].where += fmt::format("{}and {} more like it", problems_[i].where.empty() ? "" : ", ",
                                              format_count(further_[i]));
    if (dropped_ > 0)
        problems_.push_back({ErrorCode::bad_argument,
                             fmt::format("{} further bindings could not be used",
                                         format_count(static_cast<double>(dropped_))),
                             "", ""});
    return std::move(problems_);
}

}  // namespace roofwalk
