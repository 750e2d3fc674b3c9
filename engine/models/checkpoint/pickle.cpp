// SPDX-License-Identifier: BSD-3-Clause
#include "engine/models/checkpoint/pickle.h"

#include <bit>
#include <cstdint>
#include <cstdio>
#include <unordered_map>

namespace skein::models {
namespace {

/// Thrown inside this file only; read() turns it into an Error.
struct Broken {
    std::string what;
};

bool isTensorMaker(const std::string& global) {
    return global == "torch._utils _rebuild_tensor_v2" || global == "torch._utils _rebuild_tensor";
}

}  // namespace

/// A stack machine for the opcodes of Python's pickletools. The only calls it understands are those that make ordered
/// dictionaries, sizes, tensors and parameters; the outcome of every other call is opaque.
class PickleMachine {
public:
    PickleMachine(std::span<const std::byte> bytes, Pickle& out) : m_in(bytes), m_out(out) {}

    void run() {
        while (step()) {
        }
    }
    [[nodiscard]] std::size_t offset() const { return m_opcodeAt; }

private:
    using Id = Pickle::Id;
    using Kind = Pickle::Kind;
    using Object = Pickle::Object;

    // --- input
    std::span<const std::byte> take(std::uint64_t count) {
        if (count > m_in.size() - m_at)
            throw Broken{"it ends in the middle of a value"};
        const auto part = m_in.subspan(m_at, count);
        m_at += count;
        return part;
    }
    template <class T>
    T number() {
        T value = 0;
        const auto bytes = take(sizeof(T));
        for (std::size_t i = 0; i < sizeof(T); ++i)
            value = static_cast<T>(value | static_cast<T>(static_cast<T>(bytes[i]) << (8 * i)));
        return value;
    }
    std::string text(std::uint64_t count) {
        const auto bytes = take(count);
        return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
    }
    std::string line() {
        std::size_t end = m_at;
        while (end < m_in.size() && m_in[end] != std::byte{'\n'})
            ++end;
        if (end == m_in.size())
            throw Broken{"it ends in the middle of a name"};
        std::string result = text(end - m_at);
        ++m_at;
        return result;
    }

    // --- objects and stack
    /// Copies of one long list, made by a few bytes each, must not fill the memory.
    void countReferences(std::size_t count) {
        m_references += count;
        if (m_references > Pickle::kMaxReferences)
            throw Broken{"its objects refer to each other more than sixteen million times"};
    }
    Id make(Object object) {
        if (m_out.m_objects.size() >= Pickle::kMaxObjects)
            throw Broken{"it holds more than two million objects"};
        countReferences(object.items.size());
        m_out.m_objects.push_back(std::move(object));
        return static_cast<Id>(m_out.m_objects.size() - 1);
    }
    Object& at(Id id) { return m_out.m_objects[id]; }
    void push(Id id) { m_stack.push_back(id); }
    void push(Object object) { push(make(std::move(object))); }
    void pushKind(Kind kind, std::vector<Id> items = {}) {
        Object object;
        object.kind = kind;
        object.items = std::move(items);
        push(std::move(object));
    }
    void pushText(Kind kind, std::string value) {
        Object object;
        object.kind = kind;
        object.text = std::move(value);
        push(std::move(object));
    }
    void pushInt(std::int64_t value) {
        Object object;
        object.kind = Kind::Int;
        object.integer = value;
        push(std::move(object));
    }
    /// None, True and False are one object each, so that a file full of them costs nothing.
    void pushSingle(Kind kind, std::int64_t value) {
        const auto key = static_cast<std::size_t>(kind == Kind::None ? 0 : 1 + value);
        if (m_singles[key] == kNone) {
            Object object;
            object.kind = kind;
            object.integer = value;
            m_singles[key] = make(std::move(object));
        }
        push(m_singles[key]);
    }
    std::size_t floorOfStack() const { return m_marks.empty() ? 0 : m_marks.back(); }
    Id pop() {
        if (m_stack.size() <= floorOfStack())
            throw Broken{"it takes more values from the stack than there are"};
        const Id id = m_stack.back();
        m_stack.pop_back();
        return id;
    }
    Id top() {
        if (m_stack.size() <= floorOfStack())
            throw Broken{"it needs a value where the stack is empty"};
        return m_stack.back();
    }
    std::vector<Id> popToMark() {
        if (m_marks.empty())
            throw Broken{"it refers to a mark that was never set"};
        const auto begin = m_stack.begin() + static_cast<std::ptrdiff_t>(m_marks.back());
        std::vector<Id> items(begin, m_stack.end());
        m_stack.erase(begin, m_stack.end());
        m_marks.pop_back();
        return items;
    }
    void remember(std::uint64_t slot) {
        if (m_memo.size() >= Pickle::kMaxObjects && m_memo.find(slot) == m_memo.end())
            throw Broken{"it remembers more than two million values"};
        m_memo[slot] = top();
    }
    void recall(std::uint64_t slot) {
        const auto it = m_memo.find(slot);
        if (it == m_memo.end())
            throw Broken{"it recalls a value that was never remembered"};
        push(it->second);
    }

    // --- compound operations
    void append(Id target, const std::vector<Id>& items) {
        Object& object = at(target);
        if (object.kind == Kind::Opaque)
            return;
        if (object.kind != Kind::List && object.kind != Kind::Set)
            throw Broken{"it appends to what is not a list"};
        countReferences(items.size());
        object.items.insert(object.items.end(), items.begin(), items.end());
    }
    void setItems(Id target, const std::vector<Id>& items) {
        Object& object = at(target);
        if (object.kind == Kind::Opaque)
            return;
        if (object.kind != Kind::Dict || items.size() % 2 != 0)
            throw Broken{"it sets items of what is not a dictionary"};
        countReferences(items.size());
        object.items.insert(object.items.end(), items.begin(), items.end());
    }
    void pushOpaque(const std::string& global) { pushText(Kind::Opaque, global); }

    void global(const std::string& module, const std::string& name) {
        if (module.size() > kMaxName || name.size() > kMaxName)
            throw Broken{"the name of a function is longer than a thousand letters"};
        pushText(Kind::Global, module + " " + name);
    }

    void call(Id callable, Id arguments) {
        const std::string name = at(callable).text;
        if (at(callable).kind == Kind::Opaque) {
            pushOpaque(name);
            return;
        }
        if (at(callable).kind != Kind::Global)
            throw Broken{"it calls what is not a function"};
        // References into m_objects do not survive make(), so lists are copied, and only where they are kept.
        const bool plain = at(arguments).kind == Kind::Tuple;
        const std::size_t count = plain ? at(arguments).items.size() : 0;
        const Id first = count > 0 ? at(arguments).items[0] : kNone;
        if (name == "collections OrderedDict" && plain && count <= 1) {
            std::vector<Id> items;
            if (count == 1) {
                for (const Id pair : at(first).items) {
                    if (at(pair).items.size() != 2)
                        throw Broken{"an ordered dictionary is made of something other than pairs"};
                    items.insert(items.end(), at(pair).items.begin(), at(pair).items.end());
                }
            }
            pushKind(Kind::Dict, std::move(items));
        } else if (isTensorMaker(name) && plain) {
            pushKind(Kind::Tensor, std::vector<Id>(at(arguments).items));
        } else if (name == "torch._utils _rebuild_parameter" && count > 0) {
            push(first);
        } else if (name == "torch Size" && count == 1 &&
                   (at(first).kind == Kind::Tuple || at(first).kind == Kind::List)) {
            pushKind(Kind::Tuple, std::vector<Id>(at(first).items));
        } else {
            pushOpaque(name);
        }
    }

    void longInteger(std::uint64_t count) {
        const auto bytes = take(count);
        // Larger ones (seeds, hashes) are never needed; their value is left at the limit.
        std::uint64_t value = 0;
        for (std::size_t i = 0; i < bytes.size() && i < 8; ++i)
            value |= static_cast<std::uint64_t>(bytes[i]) << (8 * i);
        if (!bytes.empty() && bytes.size() < 8 && (std::to_integer<unsigned>(bytes.back()) & 0x80U) != 0)
            value |= ~std::uint64_t{0} << (8 * bytes.size());
        pushInt(bytes.size() > 8 ? INT64_MAX : static_cast<std::int64_t>(value));
    }

    bool step();

    static constexpr Id kNone = 0xffffffff;
    static constexpr std::size_t kMaxName = 1000;
    std::span<const std::byte> m_in;
    Pickle& m_out;
    std::size_t m_at = 0;
    std::size_t m_opcodeAt = 0;
    std::vector<Id> m_stack;
    std::vector<std::size_t> m_marks;
    std::unordered_map<std::uint64_t, Id> m_memo;
    std::size_t m_references = 0;
    Id m_singles[3] = {kNone, kNone, kNone};
};

bool PickleMachine::step() {
    m_opcodeAt = m_at;
    const auto opcode = number<std::uint8_t>();
    switch (opcode) {
        case 0x80:  // PROTO
            if (const auto version = number<std::uint8_t>(); version > 5)
                throw Broken{"it has the unknown protocol " + std::to_string(version)};
            return true;
        case 0x95:  // FRAME: only a hint about sizes
            take(8);
            return true;
        case '.':  // STOP
            m_out.m_root = pop();
            return false;
        case '(':  // MARK
            m_marks.push_back(m_stack.size());
            return true;
        case '0':  // POP, of a value or of a mark
            if (m_stack.size() > floorOfStack())
                m_stack.pop_back();
            else if (!m_marks.empty())
                m_marks.pop_back();
            else
                throw Broken{"it takes more values from the stack than there are"};
            return true;
        case '1':  // POP_MARK
            popToMark();
            return true;
        case '2':  // DUP
            push(top());
            return true;
        case 'N':
            pushSingle(Kind::None, 0);
            return true;
        case 0x88:
            pushSingle(Kind::Bool, 1);
            return true;
        case 0x89:
            pushSingle(Kind::Bool, 0);
            return true;
        case 'J':  // BININT
            pushInt(std::bit_cast<std::int32_t>(number<std::uint32_t>()));
            return true;
        case 'K':
            pushInt(number<std::uint8_t>());
            return true;
        case 'M':
            pushInt(number<std::uint16_t>());
            return true;
        case 0x8a:  // LONG1
            longInteger(number<std::uint8_t>());
            return true;
        case 0x8b:  // LONG4
            longInteger(number<std::uint32_t>());
            return true;
        case 'G': {  // BINFLOAT, the only big-endian value
            std::uint64_t bits = 0;
            for (const std::byte b : take(8))
                bits = bits << 8 | static_cast<std::uint64_t>(b);
            Object object;
            object.kind = Kind::Float;
            object.real = std::bit_cast<double>(bits);
            push(std::move(object));
            return true;
        }
        case 'X':  // BINUNICODE
        case 'T':  // BINSTRING
            pushText(Kind::Text, text(number<std::uint32_t>()));
            return true;
        case 0x8c:  // SHORT_BINUNICODE
        case 'U':   // SHORT_BINSTRING
            pushText(Kind::Text, text(number<std::uint8_t>()));
            return true;
        case 0x8d:  // BINUNICODE8
            pushText(Kind::Text, text(number<std::uint64_t>()));
            return true;
        case 'B':  // BINBYTES
            pushText(Kind::Bytes, text(number<std::uint32_t>()));
            return true;
        case 'C':  // SHORT_BINBYTES
            pushText(Kind::Bytes, text(number<std::uint8_t>()));
            return true;
        case 0x8e:  // BINBYTES8
            pushText(Kind::Bytes, text(number<std::uint64_t>()));
            return true;
        case ')':
            pushKind(Kind::Tuple);
            return true;
        case ']':
            pushKind(Kind::List);
            return true;
        case '}':
            pushKind(Kind::Dict);
            return true;
        case 0x8f:  // EMPTY_SET
            pushKind(Kind::Set);
            return true;
        case 0x91:  // FROZENSET
            pushKind(Kind::Set, popToMark());
            return true;
        case 't':  // TUPLE
            pushKind(Kind::Tuple, popToMark());
            return true;
        case 0x85:    // TUPLE1
        case 0x86:    // TUPLE2
        case 0x87: {  // TUPLE3
            std::vector<Id> items(static_cast<std::size_t>(opcode - 0x84));
            for (auto it = items.rbegin(); it != items.rend(); ++it)
                *it = pop();
            pushKind(Kind::Tuple, std::move(items));
            return true;
        }
        case 'q':  // BINPUT
            remember(number<std::uint8_t>());
            return true;
        case 'r':  // LONG_BINPUT
            remember(number<std::uint32_t>());
            return true;
        case 0x94:  // MEMOIZE
            remember(m_memo.size());
            return true;
        case 'h':
            recall(number<std::uint8_t>());
            return true;
        case 'j':
            recall(number<std::uint32_t>());
            return true;
        case 'c': {  // GLOBAL
            const std::string module = line();
            global(module, line());
            return true;
        }
        case 0x93: {  // STACK_GLOBAL
            const Id name = pop();
            const Id module = pop();
            if (at(name).kind != Kind::Text || at(module).kind != Kind::Text)
                throw Broken{"it names a global by something other than text"};
            global(std::string(at(module).text), std::string(at(name).text));
            return true;
        }
        case 'R':     // REDUCE
        case 0x81: {  // NEWOBJ
            const Id arguments = pop();
            const Id callable = pop();
            call(callable, arguments);
            return true;
        }
        case 0x92: {  // NEWOBJ_EX
            pop();
            const Id arguments = pop();
            const Id callable = pop();
            call(callable, arguments);
            return true;
        }
        case 'b':  // BUILD: the state of an ordered dictionary is its bookkeeping, of an opaque object nothing to us
            pop();
            top();
            return true;
        case 'Q': {  // BINPERSID
            const Id id = pop();
            if (at(id).kind != Kind::Tuple)
                throw Broken{"a storage is named by something other than a tuple"};
            pushKind(Kind::Storage, std::vector<Id>(at(id).items));
            return true;
        }
        case 'a': {  // APPEND
            const Id item = pop();
            append(top(), {item});
            return true;
        }
        case 'e':     // APPENDS
        case 0x90: {  // ADDITEMS
            const auto items = popToMark();
            append(top(), items);
            return true;
        }
        case 's': {  // SETITEM
            const Id value = pop();
            const Id key = pop();
            setItems(top(), {key, value});
            return true;
        }
        case 'u': {  // SETITEMS
            const auto items = popToMark();
            setItems(top(), items);
            return true;
        }
        default: {
            char code[8];
            std::snprintf(code, sizeof(code), "0x%02x", static_cast<unsigned>(opcode));
            throw Broken{std::string("it uses the operation ") + code + ", which no checkpoint needs"};
        }
    }
}

Result<Pickle> Pickle::read(std::span<const std::byte> bytes) {
    if (bytes.size() > kMaxBytes)
        return fail(ErrorCode::Format, "The checkpoint's description of its objects is larger than 64 MiB.");
    Pickle pickle;
    PickleMachine machine(bytes, pickle);
    try {
        machine.run();
    } catch (const Broken& broken) {
        return fail(ErrorCode::Format, "The checkpoint's description of its objects cannot be read: " + broken.what +
                                           " (byte " + std::to_string(machine.offset()) + ").");
    }
    return pickle;
}

std::optional<Pickle::Id> Pickle::find(const Object& dict, std::string_view key) const {
    if (dict.kind != Kind::Dict)
        return std::nullopt;
    std::optional<Id> found;
    for (std::size_t i = 0; i + 1 < dict.items.size(); i += 2) {
        const Object& k = m_objects[dict.items[i]];
        if (k.kind == Kind::Text && k.text == key)
            found = dict.items[i + 1];
    }
    return found;
}

}  // namespace skein::models
