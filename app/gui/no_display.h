// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace roofwalk {

/// While it lives, a Qt that finds no display to draw on ends the program with words for a person and exit
/// code 4, instead of a core dump. Its life is the making of the application.
class NoDisplayNote {
  public:
    NoDisplayNote();
    ~NoDisplayNote();
    NoDisplayNote(const NoDisplayNote&) = delete;
    NoDisplayNote& operator=(const NoDisplayNote&) = delete;
};

}  // namespace roofwalk
