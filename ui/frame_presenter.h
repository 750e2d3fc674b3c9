// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QElapsedTimer>
#include <QObject>

#include "ui/bridge/frame_service.h"
#include "ui/canvas/video_canvas.h"
#include "ui/document.h"
#include "ui/frame_contents.h"
#include "ui/view_state.h"

namespace skein::ui {

/// Brings the frame that ViewState names onto the canvas: asks for its picture and, when that is there, shows it
/// together with its instances. While a picture is on its way the old one stays, with its own instances. GUI thread
/// only.
class FramePresenter : public QObject {
    Q_OBJECT
public:
    FramePresenter(Document* document, ViewState* view, FrameContents* contents, VideoCanvas* canvas,
                   FrameService* service, QObject* parent);

    /// The picture of the wanted frame is not on the canvas yet.
    [[nodiscard]] bool isPending() const { return m_pending; }
    [[nodiscard]] const ShownFrame& shown() const { return m_canvas->contents(); }
    /// Instances of the shown frame, or how they look, have changed.
    void refreshContents();
    /// What frame index 0 is called, for sentences.
    void setFirstFrameNumber(int number) { m_firstNumber = number; }

Q_SIGNALS:
    void contentsChanged(const skein::ui::ShownFrame& shown);
    void pendingChanged(bool pending);

private:
    void present();
    void take(quint64 serial, qint64 frame, const ImagePtr& image);
    void fail(quint64 serial, qint64 frame, const UiError& error);
    void show(ImagePtr image, std::int64_t frame);
    void showWithoutPicture(const QString& sentence);
    void setPending(bool pending);
    [[nodiscard]] bool hasVideo() const;

    Document* m_document;
    ViewState* m_view;
    FrameContents* m_contents;
    VideoCanvas* m_canvas;
    FrameService* m_service;
    QElapsedTimer m_sinceShown;
    std::uint64_t m_serial = 0;
    std::int64_t m_lastWanted = 0;
    int m_firstNumber = 1;
    bool m_pending = false;
};

}  // namespace skein::ui
