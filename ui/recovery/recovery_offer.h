// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QObject>
#include <functional>
#include <vector>

#include "ui/recovery/recovery_keeper.h"
#include "ui/recovery/unsaved_work.h"
#include "ui/session.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/message_bar.h"

namespace skein::ui {

/// Offers work that a crash left behind: on the empty state, and as a message when its project is opened. GUI thread
/// only.
class RecoveryOffer : public QObject {
    Q_OBJECT
public:
    RecoveryOffer(Document* document, Session* session, RecoveryKeeper* keeper, MessageBar* messages, EmptyState* empty,
                  QWidget* window);

    /// Looks for such work again.
    void look();
    void recover(const UnsavedWork& work);
    void showDifferences(const UnsavedWork& work);
    void discard(const UnsavedWork& work);

private:
    enum class Place { File, Copy };
    void take(const UnsavedWork& work, Place place);
    void sayRecovered(const RecoveredWork& recovered, bool asStep);
    void show();

    Document* m_document;
    Session* m_session;
    RecoveryKeeper* m_keeper;
    MessageBar* m_messages;
    EmptyState* m_empty;
    QWidget* m_window;
    std::vector<UnsavedWork> m_found;
};

}  // namespace skein::ui
