// SPDX-License-Identifier: GPL-3.0-or-later
// Usage: write_fixture full|small FILE. Writes a report made for tests.
#include <fstream>
#include <string>

#include "tests/support/ncu_fixtures.h"

int main(int argc, char** argv) {
    using namespace roofwalk::test;
    if (argc != 3) return 2;
    const std::string name = argv[1];
    const Fixture fixture = name == "full" ? full_report_fixture() : small_report_fixture();
    std::ofstream file(argv[2], std::ios::binary);
    file << write_report(fixture);
    return file.flush() ? 0 : 1;
}
