// SPDX-License-Identifier: BSD-3-Clause
#include "engine/base/result.h"

namespace skein {

std::string Error::describe() const {
    std::string text = m_message;
    for (const std::string& c : m_context)
        text += (&c == &m_context.front() ? " (" : ", ") + c;
    if (!m_context.empty())
        text += ')';
    return text;
}

void preconditionFailed(const char* condition, const char* what, const char* file, int line) {
    throw std::logic_error(std::string(file) + ":" + std::to_string(line) + ": " + what + " [" + condition + "]");
}

}  // namespace skein
