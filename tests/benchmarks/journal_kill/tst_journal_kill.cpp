// SPDX-License-Identifier: GPL-3.0-or-later
#include <unistd.h>

#include <QApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <QUndoStack>
#include <bit>
#include <cstdio>
#include <random>

#include "engine/formats/slp.h"
#include "ui/document.h"
#include "ui/edit/editor.h"
#include "ui/frame_contents.h"
#include "ui/recovery/recovery_keeper.h"
#include "ui/recovery/unsaved_work.h"
#include "ui/view_state.h"

// S-01: a process that edits a project with the window's own parts is killed (SIGKILL) at random moments. What comes
// back must be the project as it was after one of its edits, at most two seconds before the end, and the project's file
// must be whole. The editing process writes down a hash of the project after each edit.
using namespace skein;

namespace {

constexpr int kFrames = 300;
constexpr int kEditMs = 5;       ///< between two edits
constexpr int kSaveEvery = 150;  ///< edits
constexpr qint64 kMostLostMs = 2000;

int fromEnvironment(const char* name, int otherwise) {
    const int value = qEnvironmentVariableIntValue(name);
    return value > 0 ? value : otherwise;
}

/// Of everything a file would hold, in its order.
std::uint64_t hashOf(const project::Labels& labels) {
    std::uint64_t hash = 0xcbf29ce484222325U;
    const auto add = [&hash](std::uint64_t value) { hash = (hash ^ value) * 0x100000001b3U; };
    const auto addNumber = [&add](double value) {
        add(value != value ? 0x7ff8U : std::bit_cast<std::uint64_t>(value));
    };
    for (const project::Track& track : labels.tracks())
        add(std::hash<std::string>()(track.name));
    for (const auto& [video, frame] : labels.negativeFrames())
        add(video * 1000003U + static_cast<std::uint64_t>(frame));
    for (std::size_t row = 0; row < labels.frameCount(); ++row) {
        const project::FrameView frame = labels.frame(row);
        add(static_cast<std::uint64_t>(frame.frameIndex()));
        for (std::size_t i = 0; i < frame.instanceCount(); ++i) {
            const project::InstanceView instance = frame.instance(i);
            add(instance.header->kind == project::InstanceKind::User ? 1 : 2);
            add(static_cast<std::uint64_t>(instance.header->track));
            std::size_t source = 99;
            for (std::size_t k = 0; k < frame.instanceCount(); ++k)
                if (frame.instance(k).header->id == instance.header->fromPredicted)
                    source = k;
            add(source);
            for (const project::Point& point : instance.points) {
                addNumber(point.x);
                addNumber(point.y);
                add(point.visible ? 1 : 0);
            }
        }
    }
    return hash;
}

project::Labels sampleProject() {
    project::Labels labels;
    project::Skeleton skeleton;
    skeleton.name = "mouse";
    skeleton.nodes = {"nose", "back", "tail"};
    skeleton.edges = {{0, 1}, {1, 2}};
    labels.editSkeletons().push_back(skeleton);
    project::Video video;
    video.filename = "/nowhere/mouse.mp4";
    video.frameCount = kFrames;
    video.height = video.width = 500;
    video.channels = 1;
    labels.editVideos().push_back(video);
    labels.editTracks() = {{"a", 0, -1}, {"b", 0, -1}};
    for (int frame = 0; frame < kFrames; ++frame) {
        project::FrameData data;
        data.frameIndex = frame;
        for (int i = 0; i < 2; ++i) {
            project::InstanceData instance;
            instance.header.track = i;
            for (int node = 0; node < 3; ++node)
                instance.points.push_back({100.0 + frame + 20 * node, 100.0 + 200 * i, 0.5, true, false});
            data.instances.push_back(instance);
        }
        labels.appendFrame(data);
    }
    return labels;
}

/// The process that is killed: edits `path` and writes a line for each edit.
class Driver {
public:
    Driver(const QString& path, const QString& folder, const QString& log, unsigned seed, int edits)
        : m_view(nullptr),
          m_contents(&m_document, &m_view, nullptr),
          m_editor(&m_document, &m_view, &m_contents, nullptr),
          m_keeper(&m_document, nullptr),
          m_random(seed),
          m_edits(edits),
          m_path(path),
          m_log(log) {
        m_keeper.setFolder(folder);
        if (!m_log.open(QIODevice::WriteOnly | QIODevice::Append | QIODevice::Unbuffered))
            std::abort();
        QObject::connect(&m_document, &Document::opened, [this] {
            m_view.setVideo(0, kFrames);
            write(0);
            m_timer.start(kEditMs);
        });
        QObject::connect(&m_timer, &QTimer::timeout, [this] { edit(); });
        m_document.openProject(path);
    }

private:
    using Document = ui::Document;

    void write(int number) {
        m_log.write(QStringLiteral("%1 %2 %3\n")
                        .arg(number)
                        .arg(QDateTime::currentMSecsSinceEpoch())
                        .arg(hashOf(m_document.labels()))
                        .toUtf8());
    }

    void edit() {
        m_view.setFrame(static_cast<std::int64_t>(m_random() % kFrames));
        const project::FrameData frame = project::edit::frameAt(m_document.labels(), 0, m_view.frame());
        project::InstanceId instance = 0;
        bool user = false;
        if (!frame.instances.empty()) {
            const auto& chosen = frame.instances[m_random() % frame.instances.size()];
            instance = chosen.header.id;
            user = chosen.header.kind == project::InstanceKind::User;
            m_view.setSelected(instance);
        }
        const auto number = [this](unsigned n) { return static_cast<double>(m_random() % n); };
        switch (m_random() % 12) {
            case 0:
                m_editor.add(project::edit::Placement::Random);
                break;
            case 1:
                if (instance != 0)
                    m_editor.deleteSelected();
                break;
            case 2:
                m_editor.toggleNegative();
                break;
            case 3:
                if (instance != 0)
                    m_editor.newTrack();
                break;
            case 4:
                m_document.undoStack()->undo();
                break;
            case 5:
                if (instance != 0)
                    m_editor.setTrack(static_cast<int>(m_random() % 2));
                break;
            default:
                if (user)
                    m_editor.setPoint(instance, static_cast<int>(m_random() % 3),
                                      {number(500), number(500), project::kNaN, true, true});
                else if (instance != 0)
                    m_editor.accept(instance, false);
        }
        write(++m_done);
        if (m_done % kSaveEvery == 0)
            m_document.save(m_path);
        if (m_done == m_edits)
            m_timer.stop();  // and waits for its end
    }

    Document m_document;
    ui::ViewState m_view;
    ui::FrameContents m_contents;
    ui::Editor m_editor;
    ui::RecoveryKeeper m_keeper;
    std::mt19937 m_random;
    int m_done = 0, m_edits;
    QString m_path;
    QFile m_log;
    QTimer m_timer;
};

struct Step {
    int number;
    qint64 time;
    std::uint64_t hash;
};

std::vector<Step> stepsOf(const QString& log) {
    QFile file(log);
    std::vector<Step> steps;
    if (!file.open(QIODevice::ReadOnly))
        return steps;
    while (!file.atEnd()) {
        const QByteArray line = file.readLine();
        const auto words = line.trimmed().split(' ');
        if (line.endsWith('\n') && words.size() == 3)
            steps.push_back({words[0].toInt(), words[1].toLongLong(), words[2].toULongLong()});
    }
    return steps;
}

/// The last step after which the project was so; -1: never.
int lastWith(const std::vector<Step>& steps, std::uint64_t hash) {
    for (std::size_t i = steps.size(); i > 0; --i)
        if (steps[i - 1].hash == hash)
            return static_cast<int>(i - 1);
    return -1;
}

}  // namespace

class TestJournalKill : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void S01_atMostTwoSecondsAreLostWhereverTheProcessIsKilled() {
        const int kills = fromEnvironment("SKEIN_KILLS", 4);
        const int edits = fromEnvironment("SKEIN_KILL_EDITS", 300);
        std::mt19937 random(static_cast<unsigned>(fromEnvironment("SKEIN_KILL_SEED", 1)));
        const project::Labels sample = sampleProject();
        qint64 worstMs = 0, sumMs = 0;
        int worstEdits = 0, sumEdits = 0, killed = 0, duringSave = 0;
        for (int trial = 0; trial < kills; ++trial) {
            QTemporaryDir folder;
            const QString path = folder.filePath(QStringLiteral("mouse.slp"));
            const QString recovery = folder.filePath(QStringLiteral("recovery")),
                          log = folder.filePath(QStringLiteral("log"));
            QVERIFY(formats::writeSlp(sample, path.toStdString()));
            QProcess process;
            process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
            process.start(QCoreApplication::applicationFilePath(),
                          {QStringLiteral("--drive"), path, recovery, log, QString::number(random() % 100000),
                           QString::number(edits)});
            QVERIFY(process.waitForStarted());
            QTRY_VERIFY(!stepsOf(log).empty());
            const int after = static_cast<int>(random() % static_cast<unsigned>(edits * (kEditMs + 1)));
            process.waitForFinished(after);
            const qint64 end = QDateTime::currentMSecsSinceEpoch();
            process.kill();
            QVERIFY(process.waitForFinished());
            QVERIFY2(process.exitStatus() == QProcess::CrashExit, "it was killed and did not end by itself");
            ++killed;

            const std::vector<Step> steps = stepsOf(log);
            QVERIFY(!steps.empty());
            const auto file = formats::readSlp(path.toStdString());
            QVERIFY2(file, file ? "" : file.error().message().c_str());
            int reached = lastWith(steps, hashOf(*file));
            QVERIFY2(reached >= 0, "the file holds the project as it was after one of the edits");
            const auto works = ui::findUnsavedWork(recovery);
            duringSave += works.size() > 1 ? 1 : 0;
            // Right after a save there may be two: of the time before and of the time after it.
            bool found = works.empty();
            for (const ui::UnsavedWork& work : works) {
                const auto recovered = ui::recoverWork(work);
                if (!recovered)
                    continue;
                found = true;
                const int step = lastWith(steps, hashOf(recovered->project.labels));
                QVERIFY2(step >= 0, "what is recovered is the project as it was after one of the edits");
                reached = std::max(reached, step);
            }
            QVERIFY2(found, "the record belongs to the file that is there");
            const int lost = static_cast<int>(steps.size()) - 1 - reached;
            const qint64 lostMs = lost > 0 ? end - steps[static_cast<std::size_t>(reached) + 1].time : 0;
            std::printf("kill %2d after %5d ms: %4d edits made, %3d missing, %4lld ms\n", trial + 1, after,
                        steps.back().number, lost, static_cast<long long>(lostMs));
            worstMs = std::max(worstMs, lostMs);
            worstEdits = std::max(worstEdits, lost);
            sumMs += lostMs;
            sumEdits += lost;
            QVERIFY2(lostMs <= kMostLostMs, qPrintable(QString::number(lostMs)));
        }
        std::printf(
            "%d kills, no file damaged: at most %lld ms and %d edits missing, %.0f ms and %.1f edits on average; %d "
            "with a save just done\n",
            killed, static_cast<long long>(worstMs), worstEdits, double(sumMs) / kills, double(sumEdits) / kills,
            duringSave);
        std::fflush(stdout);
    }
};

int main(int argc, char** argv) {
    QApplication app(argc, argv);
    const QStringList arguments = QCoreApplication::arguments();
    if (arguments.size() == 7 && arguments[1] == QLatin1String("--drive")) {
        const Driver driver(arguments[2], arguments[3], arguments[4], arguments[5].toUInt(), arguments[6].toInt());
        return QApplication::exec();
    }
    TestJournalKill test;
    return QTest::qExec(&test, argc, argv);
}

#include "tst_journal_kill.moc"
