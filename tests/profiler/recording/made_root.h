// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTemporaryDir>
#include <filesystem>
#include <fstream>
#include <string>

namespace roofwalk::test {

/// A folder that stands for the root of a machine.
class MadeRoot {
  public:
    [[nodiscard]] std::filesystem::path path() const { return folder_.path().toStdString(); }

    /// Writes a file, and the folders to it.
    std::filesystem::path write(const std::string& name, const std::string& text) const {
        const std::filesystem::path file = path() / name;
        std::filesystem::create_directories(file.parent_path());
        std::ofstream(file) << text;
        return file;
    }

    /// Writes a program that its owner may start; it does nothing but `script`.
    std::filesystem::path write_program(const std::string& name, const std::string& script = {}) const {
        const std::filesystem::path file = write(name, "#!/bin/sh\n" + script);
        std::filesystem::permissions(file, std::filesystem::perms::owner_all);
        return file;
    }

  private:
    QTemporaryDir folder_;
};

}  // namespace roofwalk::test
