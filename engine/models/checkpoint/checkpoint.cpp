// SPDX-License-Identifier: BSD-3-Clause
#include "engine/models/checkpoint/checkpoint.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <unordered_map>

#include "engine/models/checkpoint/pickle.h"
#include "engine/models/checkpoint/zip_archive.h"

namespace skein::models {
namespace {

constexpr std::size_t kMaxDimensions = 16;

std::optional<ElementType> storageType(const std::string& global) {
    static const std::pair<const char*, ElementType> kTypes[] = {
        {"torch FloatStorage", ElementType::Float32},        {"torch DoubleStorage", ElementType::Float64},
        {"torch HalfStorage", ElementType::Float16},         {"torch BFloat16Storage", ElementType::BFloat16},
        {"torch LongStorage", ElementType::Int64},           {"torch IntStorage", ElementType::Int32},
        {"torch ShortStorage", ElementType::Int16},          {"torch CharStorage", ElementType::Int8},
        {"torch ByteStorage", ElementType::UInt8},           {"torch BoolStorage", ElementType::Bool},
        {"torch.storage UntypedStorage", ElementType::UInt8}};
    for (const auto& [name, type] : kTypes)
        if (global == name)
            return type;
    return std::nullopt;
}

/// Turns the pickled description of one tensor into a view, checking every number against the storage's bytes.
class TensorReader {
public:
    TensorReader(const ZipArchive& archive, const Pickle& pickle, std::string root)
        : m_archive(archive), m_pickle(pickle), m_root(std::move(root)) {
        for (const ZipArchive::Member& member : archive.members())
            m_members.emplace(member.name, &member);
    }

    Result<TensorView> read(const std::string& key, const Pickle::Object& object) const {
        const auto broken = [&](const std::string& what) {
            return fail(ErrorCode::Format,
                        m_archive.file()->path().string() + ": the weight '" + key + "' is damaged: " + what + ".");
        };
        if (object.kind == Pickle::Kind::Opaque || object.kind == Pickle::Kind::Global)
            return fail(ErrorCode::Unsupported,
                        m_archive.file()->path().string() + ": the weight '" + key + "' is made by '" + object.text +
                            "', which is not a known way to store a weight; nothing of it was run.");
        if (object.kind != Pickle::Kind::Tensor || object.items.size() < 4)
            return broken("it is not a tensor");
        const Pickle::Object& storage = m_pickle[object.items[0]];
        const auto offset = integer(object.items[1]);
        if (storage.kind != Pickle::Kind::Storage || storage.items.size() < 5)
            return broken("it has no storage");
        const Pickle::Object& typeName = m_pickle[storage.items[1]];
        const auto type = typeName.kind == Pickle::Kind::Global ? storageType(typeName.text) : std::nullopt;
        if (!type)
            return fail(ErrorCode::Unsupported, m_archive.file()->path().string() + ": the weight '" + key +
                                                    "' has the unknown storage type '" + typeName.text + "'.");
        const Pickle::Object& name = m_pickle[storage.items[2]];
        if (name.kind != Pickle::Kind::Text)
            return broken("its storage has no name");
        const auto member = m_members.find(m_root + "data/" + name.text);
        if (member == m_members.end())
            return broken("its storage " + name.text + " is not in the file");
        const auto bytes = m_archive.data(*member->second);
        if (!bytes)
            return fail(bytes.error());

        TensorView view;
        view.type = *type;
        if (!sizes(object.items[2], view.shape) || !sizes(object.items[3], view.strides) ||
            view.shape.size() != view.strides.size() || !offset || *offset < 0)
            return broken("its shape cannot be read");
        const auto available = bytes->size() / elementSize(*type);
        if (!reaches(view, static_cast<std::uint64_t>(*offset), available))
            return broken("it needs more numbers than the " + std::to_string(available) + " that are stored");
        view.data = bytes->data() + static_cast<std::size_t>(*offset) * elementSize(*type);
        return view;
    }

private:
    std::optional<std::int64_t> integer(Pickle::Id id) const {
        const Pickle::Object& object = m_pickle[id];
        if (object.kind != Pickle::Kind::Int)
            return std::nullopt;
        return object.integer;
    }
    bool sizes(Pickle::Id id, std::vector<std::int64_t>& out) const {
        const Pickle::Object& object = m_pickle[id];
        if ((object.kind != Pickle::Kind::Tuple && object.kind != Pickle::Kind::List) ||
            object.items.size() > kMaxDimensions)
            return false;
        for (const Pickle::Id item : object.items) {
            const auto value = integer(item);
            if (!value || *value < 0 || *value > INT32_MAX)
                return false;
            out.push_back(*value);
        }
        return true;
    }
    /// Whether the last element lies inside; sizes and strides are below 2^31, so only the sum can overflow.
    static bool reaches(const TensorView& view, std::uint64_t offset, std::uint64_t available) {
        std::uint64_t last = offset;
        std::uint64_t count = 1;
        for (std::size_t d = 0; d < view.shape.size(); ++d) {
            const auto size = static_cast<std::uint64_t>(view.shape[d]);
            if (size == 0)
                return offset <= available;
            last += (size - 1) * static_cast<std::uint64_t>(view.strides[d]);
            count *= size;
            // A stride of 0 repeats stored numbers without limit; no weight is stored that way.
            if (last >= available || count > available)
                return false;
        }
        return last < available;
    }

    const ZipArchive& m_archive;
    const Pickle& m_pickle;
    std::string m_root;
    std::unordered_map<std::string, const ZipArchive::Member*> m_members;
};

const ZipArchive::Member* findMember(const ZipArchive& archive, const std::string& name) {
    for (const ZipArchive::Member& member : archive.members())
        if (member.name == name)
            return &member;
    return nullptr;
}

}  // namespace

std::size_t elementSize(ElementType type) {
    switch (type) {
        case ElementType::Float64:
        case ElementType::Int64:
            return 8;
        case ElementType::Float32:
        case ElementType::Int32:
            return 4;
        case ElementType::Float16:
        case ElementType::BFloat16:
        case ElementType::Int16:
            return 2;
        case ElementType::Int8:
        case ElementType::UInt8:
        case ElementType::Bool:
            return 1;
    }
    return 1;
}

const char* elementName(ElementType type) {
    switch (type) {
        case ElementType::Float32:
            return "float32";
        case ElementType::Float64:
            return "float64";
        case ElementType::Float16:
            return "float16";
        case ElementType::BFloat16:
            return "bfloat16";
        case ElementType::Int64:
            return "int64";
        case ElementType::Int32:
            return "int32";
        case ElementType::Int16:
            return "int16";
        case ElementType::Int8:
            return "int8";
        case ElementType::UInt8:
            return "uint8";
        case ElementType::Bool:
            return "bool";
    }
    return "unknown";
}

std::int64_t TensorView::elementCount() const {
    std::int64_t count = 1;
    for (const std::int64_t size : shape)
        count *= size;
    return count;
}

bool TensorView::isContiguous() const {
    std::int64_t expected = 1;
    for (std::size_t d = shape.size(); d-- > 0;) {
        if (shape[d] != 1 && strides[d] != expected)
            return false;
        expected *= shape[d];
    }
    return true;
}

const TensorView* Checkpoint::find(std::string_view key) const {
    for (const auto& [name, view] : m_tensors)
        if (name == key)
            return &view;
    return nullptr;
}

Result<Checkpoint> Checkpoint::open(const std::filesystem::path& path) {
    auto file = MappedFile::open(path);
    if (!file)
        return fail(file.error());
    const auto archive = ZipArchive::open(*file);
    if (!archive)
        return fail(archive.error());
    const auto refuse = [&](ErrorCode code, const std::string& what) {
        return fail(code, path.string() + " is not a checkpoint that can be used: " + what + ".");
    };

    // The folder's name inside the archive varies with how it was written.
    const ZipArchive::Member* description = nullptr;
    constexpr std::string_view kDescription = "/data.pkl";
    for (const ZipArchive::Member& member : archive->members())
        if (member.name.ends_with(kDescription)) {
            if (description != nullptr)
                return refuse(ErrorCode::Format, "it holds more than one data.pkl");
            description = &member;
        }
    if (description == nullptr)
        return refuse(ErrorCode::Format, "it is a zip file without data.pkl");
    const std::string root = description->name.substr(0, description->name.size() - kDescription.size() + 1);
    if (const ZipArchive::Member* order = findMember(*archive, root + "byteorder")) {
        const auto bytes = archive->data(*order);
        if (!bytes)
            return fail(bytes.error());
        const std::string_view text(reinterpret_cast<const char*>(bytes->data()), bytes->size());
        if (!text.starts_with("little"))
            return refuse(ErrorCode::Unsupported, "its numbers are stored in big-endian order");
    }

    const auto bytes = archive->data(*description);
    if (!bytes)
        return fail(bytes.error());
    const auto pickle = Pickle::read(*bytes);
    if (!pickle)
        return fail(Error(pickle.error()).withContext("while reading " + path.string()));
    const Pickle::Object& top = (*pickle)[pickle->root()];
    if (top.kind == Pickle::Kind::Opaque)
        return refuse(ErrorCode::Unsupported,
                      "it holds an object made by '" + top.text + "' in place of a dictionary; nothing of it was run");
    const auto stateId = pickle->find(top, "state_dict");
    if (!stateId)
        return refuse(ErrorCode::Format, "it has no 'state_dict'");
    const Pickle::Object& state = (*pickle)[*stateId];
    if (state.kind != Pickle::Kind::Dict)
        return refuse(ErrorCode::Unsupported, "its 'state_dict' is not a dictionary" +
                                                  (state.kind == Pickle::Kind::Opaque
                                                       ? " but made by '" + state.text + "'; nothing of it was run"
                                                       : std::string()));

    Checkpoint checkpoint;
    checkpoint.m_file = *file;
    const TensorReader reader(*archive, *pickle, root);
    std::unordered_map<std::string, std::size_t> places;
    for (std::size_t i = 0; i + 1 < state.items.size(); i += 2) {
        const Pickle::Object& keyObject = (*pickle)[state.items[i]];
        if (keyObject.kind != Pickle::Kind::Text)
            return refuse(ErrorCode::Format, "a key of its 'state_dict' is not text");
        std::string key = keyObject.text;
        constexpr std::string_view kModel = "model.";
        constexpr std::string_view kCompiled = "_orig_mod.";
        if (!key.starts_with(kModel))
            continue;
        key.erase(0, kModel.size());
        if (key.starts_with(kCompiled))
            key.erase(0, kCompiled.size());
        auto view = reader.read(keyObject.text, (*pickle)[state.items[i + 1]]);
        if (!view)
            return fail(view.error());
        const auto [place, isNew] = places.emplace(key, checkpoint.m_tensors.size());
        if (isNew)
            checkpoint.m_tensors.emplace_back(key, std::move(*view));
        else
            checkpoint.m_tensors[place->second].second = std::move(*view);
    }
    return checkpoint;
}

}  // namespace skein::models
