// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/wire/agent_address.h"
#include "tests/support/folder_tests.h"

#include <QTest>

namespace tst_agent_address {

using namespace roofwalk;

class TestAgentAddress : public QObject {
    Q_OBJECT

  private slots:
    void it_is_abstract_and_names_the_process() {
        const wire::SocketAddress at = wire::agent_address(4711);
        QCOMPARE(at.address.sun_family, sa_family_t{AF_UNIX});
        const std::string path(at.address.sun_path, at.size - offsetof(sockaddr_un, sun_path));
        QCOMPARE(path, std::string("\0roofwalk-agent-4711", 20));
    }
};

}  // namespace tst_agent_address

ROOFWALK_TEST(tst_agent_address, TestAgentAddress, NoApplication)
#include "tst_agent_address.moc"
