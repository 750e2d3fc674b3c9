// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <stdexcept>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

namespace skein {

enum class ErrorCode {
    NotFound,
    Io,
    Format,
    Unsupported,
    Decode,
    Model,
    Device,
    OutOfMemory,
    Cancelled,
    InvalidArgument,
    Internal
};

/// What went wrong, for a person. `message` is one sentence: what, where, and where possible what to do.
/// `context` is added on the way up, innermost first.
class Error {
public:
    Error(ErrorCode code, std::string message) : m_code(code), m_message(std::move(message)) {}

    [[nodiscard]] ErrorCode code() const noexcept { return m_code; }
    [[nodiscard]] const std::string& message() const noexcept { return m_message; }
    [[nodiscard]] const std::vector<std::string>& context() const noexcept { return m_context; }

    [[nodiscard]] Error withContext(std::string text) && {
        m_context.push_back(std::move(text));
        return std::move(*this);
    }
    [[nodiscard]] Error withContext(std::string text) const& { return Error(*this).withContext(std::move(text)); }

    /// "message (while ..., while ...)": one line, for logs and the command line.
    [[nodiscard]] std::string describe() const;

private:
    ErrorCode m_code;
    std::string m_message;
    std::vector<std::string> m_context;
};

/// Outcome of what can fail in a correct program: files, formats, devices, models, a person's input.
template <class T>
class [[nodiscard]] Result : public tl::expected<T, Error> {
public:
    using tl::expected<T, Error>::expected;
};

[[nodiscard]] inline tl::unexpected<Error> fail(ErrorCode code, std::string message) {
    return tl::unexpected<Error>(Error(code, std::move(message)));
}
[[nodiscard]] inline tl::unexpected<Error> fail(Error error) {
    return tl::unexpected<Error>(std::move(error));
}

/// Throws std::logic_error; used by SKEIN_EXPECTS.
[[noreturn]] void preconditionFailed(const char* condition, const char* what, const char* file, int line);

}  // namespace skein

/// A broken precondition is a defect of the caller and throws std::logic_error, in release builds too.
#define SKEIN_EXPECTS(condition, what)                                         \
    do {                                                                       \
        if (!(condition))                                                      \
            ::skein::preconditionFailed(#condition, what, __FILE__, __LINE__); \
    } while (false)
