// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/import/nsys_fixture.h"

#include <sqlite3.h>

#include <cstdio>
#include <fstream>
#include <iterator>

#include "tests/support/samples.h"

namespace roofwalk::test {

std::string nsys_statements() {
    std::ifstream file(data_folder() / "trace" / "nsys.sql");
    return {std::istreambuf_iterator<char>(file), {}};
}

std::string database_of(const std::string& statements) {
    sqlite3* database = nullptr;
    if (sqlite3_open(":memory:", &database) != SQLITE_OK ||
        sqlite3_exec(database, statements.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK)
        std::fprintf(stderr, "%s\n", sqlite3_errmsg(database));
    sqlite3_int64 size = 0;
    unsigned char* bytes = sqlite3_serialize(database, "main", &size, 0);
    std::string image(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(size));
    sqlite3_free(bytes);
    sqlite3_close(database);
    return image;
}

}  // namespace roofwalk::test
