// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QImage>
#include <QWidget>

namespace skein::ui {

/// A picture as large as there is room for, never larger than it is; a word while there is none.
class RenderPreview : public QWidget {
    Q_OBJECT
public:
    explicit RenderPreview(QWidget* parent);

    /// `size`: of the picture before it was made smaller for this widget.
    void show(const QImage& picture, const QSize& size);
    void showWord(const QString& word);
    [[nodiscard]] const QImage& picture() const { return m_picture; }
    /// Pixels of the screen that a picture has room on.
    [[nodiscard]] QSize room() const { return size() * devicePixelRatioF(); }

    QSize sizeHint() const override { return {560, 420}; }
    QSize minimumSizeHint() const override { return {240, 180}; }

Q_SIGNALS:
    void roomChanged();

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    QImage m_picture;
    QSize m_size;
    QString m_word;
};

}  // namespace skein::ui
