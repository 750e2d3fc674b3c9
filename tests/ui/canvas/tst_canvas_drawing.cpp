// SPDX-License-Identifier: GPL-3.0-or-later
#include <QApplication>
#include <QDir>
#include <QPainter>
#include <QTest>
#include <cmath>

#include "tests/support/made_frame.h"
#include "ui/canvas/ink.h"
#include "ui/canvas/map_overlay.h"
#include "ui/canvas/name_layout.h"
#include "ui/canvas/overlay_painter.h"
#include "ui/canvas/picture_adjustment.h"
#include "ui/theme.h"

using namespace skein;
using namespace skein::ui;

namespace {

constexpr int kWidth = 240, kHeight = 160;
constexpr int kLevel = 70;          ///< of the ground
const QPointF kBesideEdge(-1, -1);  ///< inside a node, and not over the edge that leaves it
constexpr project::InstanceId kUser = 1, kPrediction = 2;

/// A user instance above and a prediction below, three nodes each, the last one not visible; far enough apart that each
/// edge's middle shows nothing but the edge.
ShownFrame scene(const OverlayStyle& style = {}, project::InstanceId selected = 0) {
    auto skeletons = std::make_shared<std::vector<project::Skeleton>>(1, test::chainSkeleton(3));
    ShownFrame frame;
    frame.frame = 0;
    frame.skeletons = skeletons;
    for (int i = 0; i < 2; ++i) {
        ShownInstance instance;
        instance.header.id = i == 0 ? kUser : kPrediction;
        instance.header.kind = i == 0 ? project::InstanceKind::User : project::InstanceKind::Predicted;
        instance.header.track = i + 3;
        instance.place = i;
        instance.speed = i == 0 ? 30 : 3;
        instance.skeleton = &skeletons->front();
        for (int n = 0; n < 3; ++n) {
            project::Point p;
            p.x = 40 + n * 80;
            p.y = 40 + i * 70 + (n % 2) * 20;
            p.score = i == 0 ? project::kNaN : 0.25 + 0.25 * n;
            p.visible = n != 2;
            p.complete = i == 0 && n == 0;
            instance.points.push_back(p);
        }
        instance.color = instanceInk(instance, style, true);
        frame.instances.push_back(std::move(instance));
    }
    const std::vector<project::InstanceId> selection{selected};
    applyFocus(frame, style, selection);
    return frame;
}

QImage ground() {
    QImage image(kWidth, kHeight, QImage::Format_RGB32);
    image.fill(QColor(kLevel, kLevel, kLevel));
    return image;
}

QImage painted(const OverlayStyle& style, project::InstanceId selected = 0) {
    QImage image = ground();
    QPainter painter(&image);
    OverlayPainter().paint(painter, scene(style, selected), {}, style, ground(), selected);
    return image;
}

int levelsApart(QRgb a, QRgb b) {
    return std::max({std::abs(qRed(a) - qRed(b)), std::abs(qGreen(a) - qGreen(b)), std::abs(qBlue(a) - qBlue(b))});
}

bool like(const QImage& image, QPointF at, const QColor& color, int tolerance = 2) {
    return levelsApart(image.pixel(at.toPoint()), color.rgb()) <= tolerance;
}

QColor over(const QColor& ground, const QColor& ink, double alpha) {
    return theme::mix(ground, ink, alpha);
}

/// Middle of an edge of the i-th instance.
QPointF edgeMiddle(int i, int edge) {
    return {80.0 + edge * 80, 50.0 + i * 70};
}
QPointF nodeAt(int i, int node) {
    return {40.0 + node * 80, 40.0 + i * 70 + (node % 2) * 20};
}

}  // namespace

class TestCanvasDrawing : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { theme::apply(theme::Mode::Dark); }
    void init() { theme::setPalette(theme::Palette::Safe); }

    void V_05_nodesShowWhoMadeThemAndWhetherTheyAreVisible() {
        const QImage image = painted({});
        const QColor gray(kLevel, kLevel, kLevel), user = theme::trackColor(3), predicted = theme::trackColor(4);
        // A person's node: its colour, half through; a prediction's: full, and a diamond with corners left free.
        QVERIFY(like(image, nodeAt(0, 0) + kBesideEdge, over(gray, user, 128 / 255.0), 24));
        QVERIFY(!like(image, nodeAt(0, 0) + kBesideEdge, user, 40));
        QVERIFY(like(image, nodeAt(1, 0), predicted));
        // Not visible: hollow, also where the edge ends in it.
        OverlayStyle large;
        large.markerSize = 12;
        for (int i = 0; i < 2; ++i)
            QVERIFY(like(painted(large), nodeAt(i, 2) + QPointF(2, 0), gray));
        const auto inkAround = [&](QPointF node, const QColor& ink) {
            for (int dx = -6; dx <= 6; ++dx)
                for (int dy = -6; dy <= 6; ++dy)
                    if (like(image, node + QPointF(dx, dy), ink, 90) && !like(image, node + QPointF(dx, dy), gray, 8))
                        return true;
            return false;
        };
        QVERIFY(inkAround(nodeAt(0, 2), user));
        QVERIFY(inkAround(nodeAt(1, 2), predicted));
        OverlayStyle visibleOnly;
        visibleOnly.hiddenNodes = false;
        QVERIFY(like(painted(visibleOnly), nodeAt(0, 2) + QPointF(2, 0), gray, 0));
    }

    void V_05_colorsMeanWhatIsChosen_data() {
        QTest::addColumn<int>("by");
        QTest::addColumn<QList<QColor>>("inks");  // edge 0 of the user instance and of the prediction
        const auto track = [](int i) { return theme::trackColor(i); };
        theme::setPalette(theme::Palette::Safe);
        QTest::newRow("track") << int(ColorBy::Track) << QList<QColor>{track(3), track(4)};
        QTest::newRow("instance") << int(ColorBy::Instance) << QList<QColor>{track(0), track(1)};
        QTest::newRow("node") << int(ColorBy::Node) << QList<QColor>{track(1), track(1)};
        QTest::newRow("edge") << int(ColorBy::Edge) << QList<QColor>{track(0), track(0)};
        QTest::newRow("score") << int(ColorBy::Score) << QList<QColor>{theme::neutralColor(), inkColor(rampInk(0.25))};
        const ShownFrame frame = scene();
        QTest::newRow("speed") << int(ColorBy::Speed)
                               << QList<QColor>{inkColor(rampInk(speedShare(frame.instances[0]))),
                                                inkColor(rampInk(speedShare(frame.instances[1])))};
    }
    void V_05_colorsMeanWhatIsChosen() {
        QFETCH(int, by);
        QFETCH(QList<QColor>, inks);
        OverlayStyle style;
        style.colorBy = static_cast<ColorBy>(by);
        const QImage image = painted(style);
        for (int i = 0; i < 2; ++i) {
            // The middle pixel of a thin line is its colour, up to what the smoothing takes.
            const QPointF middle = edgeMiddle(i, 0);
            int best = 255;
            for (int dy = -1; dy <= 1; ++dy)
                best = std::min(best, levelsApart(image.pixel(middle.toPoint() + QPoint(0, dy)), inks[i].rgb()));
            QVERIFY2(best <= 60, qPrintable(QStringLiteral("instance %1: %2 levels off").arg(i).arg(best)));
        }
        comparePicture(image, QTest::currentDataTag());
    }

    void V_05_predictionsWithoutColorAreGreyAndOutlinedInYellow() {
        OverlayStyle style;
        style.colorPredicted = false;
        const QImage image = painted(style);
        QVERIFY(like(image, nodeAt(1, 0), theme::uncoloredColor()));
        bool yellow = false;
        for (int dx = -6; dx <= 6 && !yellow; ++dx)
            for (int dy = -6; dy <= 6; ++dy) {
                const QColor c = image.pixelColor((nodeAt(1, 0) + QPointF(dx, dy)).toPoint());
                yellow = yellow || (c.red() > 180 && c.green() > 150 && c.blue() < 90);
            }
        QVERIFY(yellow);
        QVERIFY(like(image, nodeAt(0, 0) + kBesideEdge, over(QColor(kLevel, kLevel, kLevel), theme::trackColor(3), 0.5),
                     24));
        comparePicture(image, "uncolored");
    }

    void palettesDifferAndRepeat() {
        for (int p = 0; p < theme::kPalettes; ++p) {
            theme::setPalette(static_cast<theme::Palette>(p));
            const int size = theme::paletteSize();
            QVERIFY(size >= 7);
            for (int i = 0; i < size; ++i) {
                QCOMPARE(theme::trackColor(i + size), theme::trackColor(i));
                for (int j = 0; j < i; ++j)
                    QVERIFY(theme::trackColor(i) != theme::trackColor(j));
            }
            // Inks and places in the table go both ways.
            for (int place = 0; place < inkCount(); ++place)
                QCOMPARE(inkPlace(inkAt(place)), place);
        }
        theme::setPalette(theme::Palette::Alphabet);
        QCOMPARE(theme::paletteSize(), 26);
        theme::setPalette(theme::Palette::Safe);
        // Skeletons go by their own style, whatever the rest of the window uses.
        OverlayStyle alphabet;
        alphabet.palette = theme::Palette::Alphabet;
        QVERIFY(painted({}) != painted(alphabet));
    }

    void focusLeavesOutWhatItShould() {
        OverlayStyle style;
        style.focus = Focus::OnlySelected;
        const QColor gray(kLevel, kLevel, kLevel);
        QVERIFY(!like(painted(style), nodeAt(0, 0), gray));  // nothing is selected: all are there
        const QImage one = painted(style, kPrediction);
        QVERIFY(like(one, nodeAt(0, 0), gray, 0));
        QVERIFY(!like(one, nodeAt(1, 0), gray));
        HitStyle hits;
        QVERIFY(hitsAt(scene(style, kPrediction), {}, nodeAt(0, 0), kPrediction, hits).empty());
        QCOMPARE(hitsAt(scene(style, kPrediction), {}, nodeAt(1, 0), kPrediction, hits).front().instance, kPrediction);
        style.focus = Focus::VisibleOnly;
        // The box that the mouse may be in is still there, but neither the node nor its edge.
        QCOMPARE(hitsAt(scene(style, kUser), {}, nodeAt(0, 2), kUser, hits).front().node, -1);
        QVERIFY(hitsAt(scene(style), {}, nodeAt(0, 2) + QPointF(2, -2), 0, hits).empty());
        style.focus = Focus::HiddenOfSelected;
        style.hiddenNodes = false;
        const ShownFrame of = scene(style, kUser);
        QVERIFY(of.instances[0].hiddenNodes && !of.instances[1].hiddenNodes);
        QCOMPARE(hitsAt(of, {}, nodeAt(0, 2), kUser, hits).front().node, 2);
    }

    void wedgesPointToTheDestination() {
        OverlayStyle style;
        style.edgeStyle = EdgeStyle::Wedge;
        const QImage image = painted(style);
        const auto thickness = [&](double along) {
            const QPointF at = nodeAt(0, 0) + along * (nodeAt(0, 1) - nodeAt(0, 0));
            int count = 0;
            for (int dy = -6; dy <= 6; ++dy)
                count += like(image, at + QPointF(0, dy), QColor(kLevel, kLevel, kLevel)) ? 0 : 1;
            return count;
        };
        QVERIFY(thickness(0.2) > thickness(0.8));
    }

    void namesOfTheSelectedInstanceHaveTheFirstChoice() {
        OverlayStyle style;
        style.names = true;
        ShownFrame frame = scene(style);
        frame.instances[1].points = frame.instances[0].points;  // the same place: one of each pair gives way
        for (const project::InstanceId selected : {kUser, kPrediction}) {
            const auto names = layOutNames(frame, {}, QFontMetricsF(QFont()), style, selected);
            QCOMPARE(names.size(), std::size_t{6});
            for (const NameBox& name : names)
                QCOMPARE(name.crowded, name.instance != selected);
        }
        // Without a selection the one on top.
        for (const NameBox& name : layOutNames(frame, {}, QFontMetricsF(QFont()), style))
            QCOMPARE(name.crowded, name.instance != kPrediction);
    }

    void V_05_namesTellTheStateOfTheirNodeByMoreThanColor() {
        OverlayStyle style;
        style.names = true;
        style.edges = false;
        const ShownFrame frame = scene(style);
        QImage image = ground();
        QPainter painter(&image);
        OverlayPainter overlay;
        overlay.paint(painter, frame, {}, style, ground(), 0);
        painter.end();
        const auto countOf = [&](project::InstanceId id, int node, auto wanted) {
            int count = 0;
            for (const NameBox& name : overlay.names())
                if (name.instance == id && name.node == node)
                    for (int y = int(name.box.top()) + 1; y < int(name.box.bottom()) - 1; ++y)
                        for (int x = int(name.box.left()) + 1; x < int(name.box.right()) - 1; ++x)
                            count += image.rect().contains(x, y) && wanted(QColor(image.pixel(x, y))) ? 1 : 0;
            return count;
        };
        const auto greenish = [](const QColor& c) { return c.green() > 140 && c.green() > c.red() + 40; };
        const auto reddish = [](const QColor& c) { return c.red() > 140 && c.red() > c.green() + 30; };
        QVERIFY(countOf(kUser, 0, greenish) > 20);
        QVERIFY(countOf(kUser, 1, reddish) > 20);
        QCOMPARE(countOf(kUser, 1, greenish), 0);
        QCOMPARE(countOf(kUser, 2, reddish), 0);
        // The tick makes room for itself; the ground of what is not visible is darker.
        const auto box = [&](project::InstanceId id, int node) {
            for (const NameBox& name : overlay.names())
                if (name.instance == id && name.node == node)
                    return name.box;
            return QRectF();
        };
        QVERIFY(box(kUser, 0).width() > box(kUser, 1).width() + kNameTick - 1);
        const auto corner = [&](int node) {
            return qGray(image.pixel(box(kUser, node).topLeft().toPoint() + QPoint(1, 1)));
        };
        QVERIFY(corner(2) < corner(1));
    }

    void scoresAreWrittenForPredictionsAlone() {
        OverlayStyle style;
        style.scores = true;
        const auto names = layOutNames(scene(style), {}, QFontMetricsF(QFont()), style);
        QCOMPARE(names.size(), std::size_t{3});
        for (const NameBox& name : names) {
            QCOMPARE(name.instance, kPrediction);
            QVERIFY(name.score > 0);
        }
    }

    void anAdjustedPictureFollowsItsTable() {
        QImage image(256, 2, QImage::Format_RGB32);
        for (int x = 0; x < 256; ++x)
            for (int y = 0; y < 2; ++y)
                image.setPixel(x, y, qRgb(x, 255 - x, 128));
        QCOMPARE(adjusted(image, {}), image);
        PictureAdjustment inverted;
        inverted.invert = true;
        QCOMPARE(adjusted(image, inverted).pixel(10, 0), qRgb(245, 10, 127));
        PictureAdjustment bright;
        bright.brightness = 0.2;
        QCOMPARE(qRed(adjusted(image, bright).pixel(100, 1)), 151);
        QCOMPARE(qRed(adjusted(image, bright).pixel(230, 1)), 255);
        PictureAdjustment contrast;
        contrast.contrast = 2;
        QCOMPARE(qRed(adjusted(image, contrast).pixel(150, 0)),
                 int(std::lround((150 / 255.0 - 0.5) * 2 * 255 + 127.5)));
        PictureAdjustment gamma;
        gamma.gamma = 2;
        QCOMPARE(qRed(adjusted(image, gamma).pixel(64, 0)), int(std::lround(255 * std::sqrt(64 / 255.0))));
        PictureAdjustment colors;
        colors.map = PictureAdjustment::Map::Ramp;
        QImage gray(2, 1, QImage::Format_RGB32);
        gray.setPixel(0, 0, qRgb(0, 0, 0));
        gray.setPixel(1, 0, qRgb(255, 255, 255));
        QCOMPARE(adjusted(gray, colors).pixelColor(0, 0), theme::rampColor(0));
        QCOMPARE(adjusted(gray, colors).pixelColor(1, 0), theme::rampColor(1));
    }

    void mapsLieWhereTheNetworkLooked() {
        // One map pixel of four frame pixels is hot, and its field points down.
        inference::FrameMaps maps;
        inference::MapLayer hot;
        hot.kind = inference::MapKind::Confidence;
        hot.channels = 1;
        hot.width = 60;
        hot.height = 40;
        hot.values.assign(60 * 40, 0.0F);
        hot.values[20 * 60 + 30] = 1;
        hot.step = 4;
        maps.layers.push_back(hot);
        inference::MapLayer field = hot;
        field.kind = inference::MapKind::PartAffinity;
        field.channels = 2;
        field.values.assign(2 * 60 * 40, 0.0F);
        field.values[60 * 40 + 20 * 60 + 30] = 1;
        maps.layers.push_back(field);
        QVERIFY(hasMaps(maps, MapChoice::Confidence) && hasMaps(maps, MapChoice::PartAffinity));
        QVERIFY(!hasMaps(maps, MapChoice::Centroids));
        const auto shown = [&](MapChoice choice) {
            QImage image = ground();
            QPainter painter(&image);
            paintMapOverlay(painter, makeMapOverlay(maps, choice), {});
            return image;
        };
        const auto centreOfChange = [](const QImage& image) {
            QPointF sum;
            double weight = 0;
            for (int y = 0; y < image.height(); ++y)
                for (int x = 0; x < image.width(); ++x) {
                    const double change = levelsApart(image.pixel(x, y), qRgb(kLevel, kLevel, kLevel));
                    sum += QPointF(x, y) * change;
                    weight += change;
                }
            return weight > 0 ? sum / weight : QPointF(-1000, 0);
        };
        const QPointF blob = centreOfChange(shown(MapChoice::Confidence));
        QVERIFY2(std::hypot(blob.x() - 120, blob.y() - 80) < 1,
                 qPrintable(QStringLiteral("%1 %2").arg(blob.x()).arg(blob.y())));
        const QImage arrow = shown(MapChoice::PartAffinity);
        const QPointF at = centreOfChange(arrow);
        QVERIFY(std::hypot(at.x() - 120, at.y() - 80) < 3);
        // An arrow down: higher than wide, and its head is below.
        int above = 0, below = 0;
        for (int x = 100; x < 140; ++x) {
            above += levelsApart(arrow.pixel(x, 77), qRgb(kLevel, kLevel, kLevel)) > 10 ? 1 : 0;
            below += levelsApart(arrow.pixel(x, 83), qRgb(kLevel, kLevel, kLevel)) > 10 ? 1 : 0;
        }
        QVERIFY(below > above && above > 0);
    }

private:
    /// Against the picture in the repository: 2 levels on 99.5 % of the pixels. SKEIN_KEEP_PICTURES names a folder that
    /// the pictures are written to, to be looked at and put in its place.
    static void comparePicture(const QImage& image, const QString& name) {
        const QString file = QStringLiteral("drawing-%1.png").arg(name);
        if (const QString keep = qEnvironmentVariable("SKEIN_KEEP_PICTURES"); !keep.isEmpty())
            QVERIFY(image.save(QDir(keep).filePath(file)));
        const QImage wanted =
            QImage(QStringLiteral(SKEIN_SOURCE_DIR "/tests/data/canvas/") + file).convertToFormat(QImage::Format_RGB32);
        QCOMPARE(wanted.size(), image.size());
        int off = 0;
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x)
                off += levelsApart(image.pixel(x, y), wanted.pixel(x, y)) > 2 ? 1 : 0;
        const double share = 1.0 - double(off) / (image.width() * image.height());
        QVERIFY2(share >= 0.995, qPrintable(QStringLiteral("%1 pixels of %2 differ").arg(off).arg(file)));
    }
};

QTEST_MAIN(TestCanvasDrawing)
#include "tst_canvas_drawing.moc"
