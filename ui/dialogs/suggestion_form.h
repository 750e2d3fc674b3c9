// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QWidget>
#include <memory>

#include "engine/suggestions/suggest.h"

class QComboBox;
class QDoubleSpinBox;
class QFormLayout;
class QPushButton;
class QSpinBox;
class QStackedWidget;

namespace skein::ui {

/// The choice of a method and its parameters, one page a method, with the defaults that people know. Frames are shown
/// as the window numbers them.
class SuggestionForm : public QWidget {
    Q_OBJECT
public:
    SuggestionForm(const project::Labels& labels, int firstFrameNumber, QWidget* parent);

    [[nodiscard]] suggestions::Method method() const;
    /// The project to compare with was read; null: none.
    void setOther(std::shared_ptr<const project::Labels> other, const QString& name);

    /// From now on the form is as high as the fields of the chosen method; before, as those of the method with most.
    void fitToPage();

Q_SIGNALS:
    void changed();
    void otherWanted();  ///< the person wants to choose the project to compare with

private:
    QFormLayout* addPage(const QString& name, const QString& explanation);
    QSpinBox* addInt(QFormLayout* form, const char* id, const QString& label, const QString& tip, int least, int most,
                     int value);
    QDoubleSpinBox* addReal(QFormLayout* form, const char* id, const QString& label, const QString& tip, double least,
                            double most, double value, int decimals);
    QComboBox* addChoice(QFormLayout* form, const char* id, const QString& label, const QString& tip,
                         const QStringList& choices);
    void addRow(QFormLayout* form, const char* id, const QString& label, const QString& tip, QWidget* field);

    QComboBox* m_method;
    QStackedWidget* m_pages;
    QSpinBox *m_perVideo, *m_seed;
    QComboBox* m_sampling;
    QSpinBox *m_samples, *m_components, *m_clusters, *m_perCluster, *m_imageSeed;
    QComboBox *m_imageSampling, *m_across, *m_feature;
    QDoubleSpinBox* m_scale;
    QComboBox* m_scoreMode;
    QDoubleSpinBox* m_limit;
    QSpinBox *m_least, *m_most;
    QComboBox* m_node;
    QDoubleSpinBox *m_threshold, *m_pixels, *m_apart;
    QSpinBox *m_from, *m_to, *m_novel, *m_expected;
    QPushButton* m_otherButton;
    std::shared_ptr<const project::Labels> m_other;
    int m_firstNumber;
    bool m_fitsPage = false;
};

}  // namespace skein::ui
