// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/wire/agent_address.h"

#include <QTest>

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

QTEST_APPLESS_MAIN(TestAgentAddress)
#include "tst_agent_address.moc"
