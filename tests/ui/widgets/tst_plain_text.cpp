// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/folder_tests.h"
#include "ui/widgets/plain_text.h"

#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QListView>
#include <QListWidget>
#include <QMenu>
#include <QTextBrowser>
#include <QTextDocument>
#include <QTimer>

#include "tests/ui/chart_hand.h"
#include "tests/ui/message_words.h"
#include "tests/ui/shown_tip.h"
#include "tests/ui/shown_window.h"
#include "ui/dialogs/shortcut_sheet.h"
#include "ui/dialogs/user_guide.h"
#include "ui/shell/recent_files.h"
#include "ui/shell/start_page.h"
#include "ui/widgets/file_chooser.h"

namespace tst_plain_text {

using namespace roofwalk;
using namespace roofwalk::test;

namespace {

/// A name that would be a picture if it were markup, with a letter that would be a key in a menu.
const QString hostile = QStringLiteral("<img src=file:picture.png> a&b");

/// Counts the pictures that any text in the process asks for while it lives. Qt asks when it finds no file.
class AskedResources {
  public:
    AskedResources() {
        urls().clear();
        QTextDocument::setDefaultResourceProvider([](const QUrl& url) {
            urls().append(url);
            return QVariant();
        });
    }
    ~AskedResources() { QTextDocument::setDefaultResourceProvider({}); }
    AskedResources(const AskedResources&) = delete;
    AskedResources& operator=(const AskedResources&) = delete;
    static QList<QUrl>& urls() {
        static QList<QUrl> list;
        return list;
    }
};

/// A profile of one kernel with the name.
QString write_named(const QTemporaryDir& folder, const QString& file, const QString& kernel) {
    QFile out(folder.filePath(file));
    if (!out.open(QIODevice::WriteOnly)) qFatal("cannot write");
    out.write(QStringLiteral(R"({"device": "A100 SXM4 80GB", "kernels": [{"name": "%1", "flops": 1e9,
                                 "bytes": 1e8, "duration_ns": 100000}]})")
                  .arg(kernel)
                  .toUtf8());
    return out.fileName();
}

/// What the labels of a widget show, read as Qt reads it.
QStringList words_of(const QWidget& widget) {
    QStringList words;
    for (const QLabel* label : widget.findChildren<QLabel*>()) {
        const bool plain = label->textFormat() == Qt::PlainText;
        words.append((plain ? label->text() : tip_words(label->text())).remove(QChar(0x200b)));
    }
    return words;
}

}  // namespace

class TestPlainText : public QObject {
    Q_OBJECT

  private slots:
    void a_tooltip_shows_what_it_is_given_data() {
        QTest::addColumn<QString>("text");
        QTest::newRow("short") << "kernel";
        QTest::newRow("template") << "void f<a<b>&>(c&&)";
        QTest::newRow("picture") << hostile;
        QTest::newRow("entity") << "a &lt; b &amp; c";
        QTest::newRow("lines") << "one\n  two <b>";
        QTest::newRow("long") << QString("word & ").repeated(40) + "end";
        QTest::newRow("empty") << QString();
    }
    void a_tooltip_shows_what_it_is_given() {
        QFETCH(QString, text);
        QCOMPARE(tip_words(tooltip_text(text)), text);
        QCOMPARE(tooltip_text(text).isEmpty(), text.isEmpty());
    }
    void a_long_tooltip_wraps() {
        QVERIFY(!Qt::mightBeRichText(tooltip_text("short")));
        QVERIFY(Qt::mightBeRichText(tooltip_text(QString("word ").repeated(40))));
        QLabel label;
        label.setText(tooltip_text(QString("cutlass::Kernel<").repeated(20)));
        label.setWordWrap(true);
        QVERIFY(label.sizeHint().width() <= 80 * label.fontMetrics().averageCharWidth());
    }
    void a_menu_shows_a_name_as_it_stands() {
        QMenu menu;
        QCOMPARE(words_of_menu(menu.addAction(menu_text("a&b\tc"))->text()), QString("a&b c"));
        QCOMPARE(words_of_menu("&Undo: move a&&b"), QString("Undo: move a&b"));
        QCOMPARE(words_of_menu("odd&"), QString("odd"));
    }
    void labels_and_questions_hold_no_markup() {
        QCOMPARE(PlainLabel(hostile).textFormat(), Qt::PlainText);
        const PlainMessageBox box(QMessageBox::Warning, "title", hostile, hostile, QMessageBox::Ok, nullptr);
        QVERIFY(box.findChildren<QLabel*>().size() >= 2);
        for (const QLabel* label : box.findChildren<QLabel*>())
            if (!label->text().isEmpty()) QCOMPARE(label->textFormat(), Qt::PlainText);
    }
    void the_pointer_over_a_recent_file_shows_its_path() {
        const QTemporaryDir folder;
        const QString path = folder.filePath("<img src=file:/nowhere/picture.png>/a&b.json");
        Settings settings(folder.filePath("settings.json"));
        RecentFiles recent(settings);
        recent.add(path);
        StartPage page(recent, {});
        page.show();
        QVERIFY(QTest::qWaitForWindowExposed(&page));
        auto& list = *page.findChild<QListWidget*>("recent_list");
        QCOMPARE(list.count(), 1);
        QCOMPARE(list.item(0)->text().left(8), QString("a&b.json"));
        const AskedResources asked;
        QCOMPARE(shown_tip(*list.viewport(), list.visualItemRect(list.item(0)).center()), path);
        QVERIFY(AskedResources::urls().isEmpty());
    }
    void the_pointer_over_a_kernel_in_the_table_shows_its_name() {
        ShownWindow s;
        QVERIFY(s.open({write_named(s.folder, "a.json", hostile)}));
        const AskedResources asked;
        const QModelIndex name = s.table().model()->index(0, test::column_of(s.table(), "kernel"));
        QCOMPARE(shown_tip(*s.table().viewport(), s.table().visualRect(name).center()), hostile);
        QVERIFY(AskedResources::urls().isEmpty());
    }
    void the_pointer_over_a_dot_shows_the_name_of_its_kernel() {
        ShownWindow s;
        QVERIFY(s.open({write_named(s.folder, "a.json", hostile)}));
        const AskedResources asked;
        QTest::mouseMove(&s.chart(), s.chart().dot_position(0).toPoint());
        QTRY_VERIFY(QToolTip::isVisible());
        QVERIFY2(tip_words(QToolTip::text()).contains(hostile), qPrintable(QToolTip::text()));
        QVERIFY(AskedResources::urls().isEmpty());
    }
    void a_kernel_a_message_and_a_title_show_names_as_they_stand() {
        ShownWindow s;
        const AskedResources asked;
        QVERIFY(s.open({write_named(s.folder, hostile + ".json", hostile)}));
        QVERIFY2(s.window.windowTitle().startsWith(hostile + ".json"), qPrintable(s.window.windowTitle()));
        s.document().select(0);
        QVERIFY(s.settle());
        QVERIFY(words_of(*s.window.findChild<KernelPanel*>()->widget()).join('\n').contains(hostile));
        s.window.open({s.folder.filePath("gone " + hostile)});
        QTRY_VERIFY(s.messages().count() > 0);
        QVERIFY2(told(s).contains(hostile), qPrintable(told(s)));
        QCoreApplication::processEvents();
        QVERIFY(AskedResources::urls().isEmpty());
    }
    void a_name_in_the_list_of_keys_is_text() {
        ShownWindow s;
        s.action("undo").setText("&Undo: move " + menu_text(hostile));
        const AskedResources asked;
        ShortcutSheet sheet(s.window.findChild<Actions*>()->sections());
        sheet.show();
        QVERIFY(QTest::qWaitForWindowExposed(&sheet));
        QVERIFY(words_of(sheet).contains("Undo: move " + hostile));
        QVERIFY(AskedResources::urls().isEmpty());
    }
    void a_question_about_a_file_shows_its_name() {
        const AskedResources asked;
        DesktopFileChooser chooser;
        QStringList words;
        QTimer::singleShot(0, this, [&] {
            auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
            if (box == nullptr) return;
            words = words_of(*box);
            box->button(QMessageBox::Cancel)->click();
        });
        QCOMPARE(chooser.ask_to_keep(nullptr, hostile), FileChooser::Keep::stay);
        QVERIFY2(words.join('\n').contains(hostile), qPrintable(words.join('\n')));
        QVERIFY(AskedResources::urls().isEmpty());
    }
    void a_text_that_is_markup_asks_for_its_picture() {
        const AskedResources asked;  // else the other tests would show nothing
        QLabel label(hostile);
        label.setTextFormat(Qt::RichText);
        label.show();
        QVERIFY(QTest::qWaitForWindowExposed(&label));
        QVERIFY(!AskedResources::urls().isEmpty());
    }
    void whatever_qt_shows_by_itself_is_text_too() {
        guard_plain_text();
        const AskedResources asked;
        QLabel label(hostile);
        label.setToolTip(hostile);
        label.show();
        QVERIFY(QTest::qWaitForWindowExposed(&label));
        QCOMPARE(label.textFormat(), Qt::PlainText);
        QCOMPARE(shown_tip(label, label.rect().center()), hostile);
        QString like_ours = tooltip_text("a <b>");
        like_ours.insert(like_ours.lastIndexOf('<'), hostile);
        label.setToolTip(like_ours);  // it begins and ends as ours do
        QCOMPARE(shown_tip(label, label.rect().center()), like_ours);
        label.setToolTip(tooltip_text(hostile));
        QCOMPARE(shown_tip(label, label.rect().center()), hostile);
        QMessageBox box(QMessageBox::Warning, "title", hostile);
        box.setInformativeText(hostile);
        box.show();
        QVERIFY(QTest::qWaitForWindowExposed(&box));
        QCOMPARE(words_of(box).count(hostile), 2);
        QVERIFY(AskedResources::urls().isEmpty());
    }
    void the_pointer_over_a_folder_in_a_file_dialog_shows_its_path() {
        guard_plain_text();
        const QTemporaryDir folder;
        const QString path = folder.filePath("<img src=file:picture.png> a&b");
        QVERIFY(QDir().mkpath(path));
        QFileDialog dialog;
        dialog.setOption(QFileDialog::DontUseNativeDialog);
        dialog.setSidebarUrls({QUrl::fromLocalFile(path)});
        const AskedResources asked;
        dialog.show();
        QVERIFY(QTest::qWaitForWindowExposed(&dialog));
        auto* places = dialog.findChild<QListView*>("sidebar");
        QVERIFY(places != nullptr);
        const QRect first = places->visualRect(places->model()->index(0, 0));
        QCOMPARE(shown_tip(*places->viewport(), first.center()), path);
        QVERIFY(AskedResources::urls().isEmpty());
    }
    void the_user_guide_shows_its_own_pictures_and_nothing_else() {
        UserGuide guide;
        auto& pages = *guide.findChild<QTextBrowser*>("user_guide_pages");
        const QVariant own = pages.loadResource(QTextDocument::ImageResource, QUrl("window.png"));
        QVERIFY(!QImage::fromData(own.toByteArray()).isNull());
        QVERIFY(pages.document()->resource(QTextDocument::ImageResource, QUrl("window.png")).isValid());
        QVERIFY(!pages.loadResource(QTextDocument::HtmlResource, QUrl("file:///etc/passwd")).isValid());
        QVERIFY(!pages.loadResource(QTextDocument::HtmlResource, QUrl("/etc/passwd")).isValid());
    }
};

}  // namespace tst_plain_text

ROOFWALK_TEST(tst_plain_text, TestPlainText, QApplication)
#include "tst_plain_text.moc"
