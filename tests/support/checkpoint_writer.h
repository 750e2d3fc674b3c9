// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "engine/models/network_plan.h"

// Writes small checkpoints byte by byte, so that tests need no trained model, and damaged or hostile ones at will.
namespace skein::test {

inline void putNumber(std::string& out, std::uint64_t value, int bytes) {
    for (int i = 0; i < bytes; ++i)
        out += static_cast<char>(value >> (8 * i) & 0xff);
}

/// Stored members, each payload on a 64-byte boundary as PyTorch lays them.
class ZipWriter {
public:
    void add(const std::string& name, const std::string& bytes) {
        const std::uint64_t offset = m_out.size();
        const std::size_t unpadded = m_out.size() + 30 + name.size() + 4;
        const std::size_t padding = (64 - unpadded % 64) % 64;
        header(m_out, 0x04034b50, name, bytes, padding + 4, false, 0);
        m_out += name;
        putNumber(m_out, 0x4246, 2);
        putNumber(m_out, padding, 2);
        m_out.append(padding, 'Z');
        m_out += bytes;
        header(m_directory, 0x02014b50, name, bytes, 0, true, offset);
        m_directory += name;
        ++m_count;
    }
    [[nodiscard]] std::string finish() const {
        std::string out = m_out + m_directory;
        putNumber(out, 0x06054b50, 4);
        putNumber(out, 0, 4);
        putNumber(out, m_count, 2);
        putNumber(out, m_count, 2);
        putNumber(out, m_directory.size(), 4);
        putNumber(out, m_out.size(), 4);
        putNumber(out, 0, 2);
        return out;
    }

private:
    static void header(std::string& out, std::uint64_t signature, const std::string& name, const std::string& bytes,
                       std::size_t extra, bool central, std::uint64_t offset) {
        putNumber(out, signature, 4);
        putNumber(out, 0, central ? 2 : 0);
        putNumber(out, 0, 2);
        putNumber(out, 0x808, 2);
        putNumber(out, 0, 2);  // stored
        putNumber(out, 0, 4);  // time, date
        putNumber(out, 0, 4);  // crc, not looked at
        putNumber(out, bytes.size(), 4);
        putNumber(out, bytes.size(), 4);
        putNumber(out, name.size(), 2);
        putNumber(out, extra, 2);
        if (central) {
            putNumber(out, 0, 2);
            putNumber(out, 0, 2);
            putNumber(out, 0, 2);
            putNumber(out, 0, 4);
            putNumber(out, offset, 4);
        }
    }
    std::string m_out, m_directory;
    std::uint64_t m_count = 0;
};

/// Pickle protocol 2, in the opcodes that torch.save uses.
class PickleWriter {
public:
    PickleWriter() { m_out = std::string("\x80\x02", 2); }
    PickleWriter& raw(std::string_view bytes) {
        m_out += bytes;
        return *this;
    }
    PickleWriter& text(const std::string& value) {
        m_out += 'X';
        putNumber(m_out, value.size(), 4);
        m_out += value;
        return *this;
    }
    PickleWriter& integer(std::int64_t value) {
        m_out += 'J';
        putNumber(m_out, static_cast<std::uint64_t>(value), 4);
        return *this;
    }
    PickleWriter& global(const std::string& module, const std::string& name) {
        m_out += "c" + module + "\n" + name + "\n";
        return *this;
    }
    PickleWriter& orderedDict() { return global("collections", "OrderedDict").raw(")R"); }
    PickleWriter& integers(const std::vector<std::int64_t>& values) {
        raw("(");
        for (const std::int64_t value : values)
            integer(value);
        return raw("t");
    }
    /// A float32 tensor whose numbers are the member data/<storage>.
    PickleWriter& tensor(const std::string& storage, std::int64_t elements, std::int64_t offset,
                         const std::vector<std::int64_t>& shape, const std::vector<std::int64_t>& strides,
                         const std::string& type = "FloatStorage") {
        global("torch._utils", "_rebuild_tensor_v2").raw("((").text("storage").global("torch", type).text(storage);
        text("cpu").integer(elements).raw("tQ").integer(offset).integers(shape).integers(strides);
        raw("\x89").orderedDict();
        return raw("tR");
    }
    [[nodiscard]] std::string finish() const { return m_out + "."; }

private:
    std::string m_out;
};

inline void writeFile(const std::filesystem::path& path, const std::string& bytes) {
    std::ofstream out(path, std::ios::binary);
    out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

/// Weights that are the same on every machine: a small linear congruential generator, scaled by the layer's width.
class WeightMaker {
public:
    explicit WeightMaker(std::uint32_t seed) : m_state(seed) {}
    [[nodiscard]] std::vector<float> make(const models::ParameterPlan& parameter) {
        std::int64_t count = 1;
        for (const std::int64_t size : parameter.shape)
            count *= size;
        const auto fan = static_cast<double>(count) / static_cast<double>(parameter.shape[0]);
        double scale = parameter.shape.size() > 1 ? 3.4 / std::sqrt(fan) : 0.2;
        double offset = 0;
        // Factors of normalisations and the like.
        if (parameter.key.ends_with("layer_scale") ||
            (parameter.shape.size() == 1 && parameter.key.ends_with(".weight"))) {
            scale = 0.5;
            offset = 1;
        }
        std::vector<float> values;
        for (std::int64_t i = 0; i < count; ++i) {
            m_state = m_state * 1664525U + 1013904223U;
            const double unit = static_cast<double>(m_state >> 8U) / 16777216.0 - 0.5;
            values.push_back(static_cast<float>(unit * scale + offset));
        }
        return values;
    }
    /// SwinT's table of where in the bias table each pair of pixels of a window looks; of window^4 entries.
    [[nodiscard]] static std::vector<std::int64_t> windowPairs(std::int64_t entries) {
        std::int64_t w = 1;
        while (w * w * w * w < entries)
            ++w;
        std::vector<std::int64_t> pairs;
        for (std::int64_t a = 0; a < w * w; ++a)
            for (std::int64_t b = 0; b < w * w; ++b)
                pairs.push_back((a / w - b / w + w - 1) * (2 * w - 1) + a % w - b % w + w - 1);
        return pairs;
    }

private:
    std::uint32_t m_state;
};

/// The bytes of a checkpoint that holds `parameters` with generated weights.
inline std::string checkpointBytes(const std::vector<models::ParameterPlan>& parameters, std::uint32_t seed = 1) {
    ZipWriter zip;
    PickleWriter pickle;
    WeightMaker maker(seed);
    pickle.raw("}(").text("epoch").integer(3).text("state_dict").orderedDict().raw("(");
    std::vector<std::string> storages;
    for (const models::ParameterPlan& parameter : parameters) {
        if (parameter.integer) {
            const std::vector<std::int64_t> pairs = WeightMaker::windowPairs(parameter.shape[0]);
            pickle.text("model." + parameter.key)
                .tensor(std::to_string(storages.size()), parameter.shape[0], 0, parameter.shape, {1}, "LongStorage");
            storages.emplace_back(reinterpret_cast<const char*>(pairs.data()), pairs.size() * sizeof(std::int64_t));
            continue;
        }
        const std::vector<float> values = maker.make(parameter);
        std::vector<std::int64_t> strides(parameter.shape.size(), 1);
        for (std::size_t d = parameter.shape.size(); d-- > 1;)
            strides[d - 1] = strides[d] * parameter.shape[d];
        pickle.text("model." + parameter.key)
            .tensor(std::to_string(storages.size()), static_cast<std::int64_t>(values.size()), 0, parameter.shape,
                    strides);
        storages.emplace_back(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float));
    }
    pickle.raw("uu");
    zip.add("best/data.pkl", pickle.finish());
    zip.add("best/byteorder", "little");
    for (std::size_t i = 0; i < storages.size(); ++i)
        zip.add("best/data/" + std::to_string(i), storages[i]);
    zip.add("best/version", "3\n");
    return zip.finish();
}

/// A checkpoint of any size with zeros for weights, written as a file with holes; beside it the state of an optimizer.
class LargeCheckpoint {
public:
    explicit LargeCheckpoint(std::filesystem::path path) : m_path(std::move(path)) {
        m_pickle.raw("}(").text("state_dict").orderedDict().raw("(");
    }
    /// Returns the weight's size in bytes.
    std::size_t add(const models::ParameterPlan& parameter) {
        std::vector<std::int64_t> strides(parameter.shape.size(), 1);
        for (std::size_t d = parameter.shape.size(); d-- > 1;)
            strides[d - 1] = strides[d] * parameter.shape[d];
        const std::int64_t count = strides[0] * parameter.shape[0];
        m_pickle.text("model." + parameter.key)
            .tensor(std::to_string(m_sizes.size()), count, 0, parameter.shape, strides);
        m_sizes.push_back(static_cast<std::uint64_t>(count) * sizeof(float));
        return static_cast<std::size_t>(m_sizes.back());
    }
    /// `states`: how often the optimizer keeps numbers of the size of each weight.
    void finish(int states) {
        const std::size_t weights = m_sizes.size();
        m_pickle.raw("u").text("optimizer_states").raw("](");
        for (std::size_t i = 0; i < weights * static_cast<std::size_t>(states); ++i) {
            const std::uint64_t size = m_sizes[i % weights];
            const auto count = static_cast<std::int64_t>(size / sizeof(float));
            m_pickle.tensor(std::to_string(m_sizes.size()), count, 0, {count}, {1});
            m_sizes.push_back(size);
        }
        m_pickle.raw("eu");
        // A zip file by hand, whose large members are skipped over instead of written.
        std::ofstream out(m_path, std::ios::binary);
        std::string directory;
        std::uint64_t count = 0;
        const auto member = [&](const std::string& name, std::uint64_t size, const std::string* bytes) {
            const auto offset = static_cast<std::uint64_t>(out.tellp());
            const std::uint64_t padding = (64 - (offset + 30 + name.size() + 4) % 64) % 64;
            std::string header;
            putNumber(header, 0x04034b50, 4);
            putNumber(header, 0x808ULL << 16U, 6);
            putNumber(header, 0, 8);
            putNumber(header, size, 4);
            putNumber(header, size, 4);
            putNumber(header, name.size(), 2);
            putNumber(header, padding + 4, 2);
            header += name;
            putNumber(header, 0x4246, 2);
            putNumber(header, padding, 2);
            header.append(padding, 'Z');
            out.write(header.data(), static_cast<std::streamsize>(header.size()));
            if (bytes != nullptr)
                out.write(bytes->data(), static_cast<std::streamsize>(size));
            else
                out.seekp(static_cast<std::streamoff>(size), std::ios::cur);
            putNumber(directory, 0x02014b50, 4);
            putNumber(directory, 0, 4);
            putNumber(directory, 0x808, 2);
            putNumber(directory, 0, 8);
            putNumber(directory, 0, 2);
            putNumber(directory, size, 4);
            putNumber(directory, size, 4);
            putNumber(directory, name.size(), 2);
            putNumber(directory, 0, 8);
            putNumber(directory, 0, 4);
            putNumber(directory, offset, 4);
            directory += name;
            ++count;
        };
        const std::string pickle = m_pickle.finish();
        member("best/data.pkl", pickle.size(), &pickle);
        for (std::size_t i = 0; i < m_sizes.size(); ++i)
            member("best/data/" + std::to_string(i), m_sizes[i], nullptr);
        const auto at = static_cast<std::uint64_t>(out.tellp());
        std::string end;
        putNumber(end, 0x06054b50, 4);
        putNumber(end, 0, 4);
        putNumber(end, count, 2);
        putNumber(end, count, 2);
        putNumber(end, directory.size(), 4);
        putNumber(end, at, 4);
        putNumber(end, 0, 2);
        out << directory << end;
    }

private:
    std::filesystem::path m_path;
    PickleWriter m_pickle;
    std::vector<std::uint64_t> m_sizes;
};

/// A training configuration of a small bottom-up UNet: nodes a, b, c in a chain.
inline std::string bottomUpConfig(const std::string& unet =
                                      "filters: 8\n      filters_rate: 1.5\n      max_stride: 8\n"
                                      "      up_interpolate: false\n      output_stride: 2") {
    return R"(data_config:
  preprocessing:
    ensure_rgb: false
    ensure_grayscale: false
    max_height: null
    max_width: null
    scale: 1.0
  skeletons:
  - name: fly
    nodes:
    - name: a
    - name: b
    - name: c
    edges:
    - source: {name: a}
      destination: {name: b}
    - source: {name: b}
      destination: {name: c}
    symmetries:
    - - name: a
      - name: c
model_config:
  backbone_config:
    unet:
      in_channels: 1
      kernel_size: 3
      )" + unet +
           R"(
    convnext: null
    swint: null
  head_configs:
    single_instance: null
    bottomup:
      confmaps:
        part_names: [a, b, c]
        sigma: 1.5
        output_stride: 2
      pafs:
        edges:
        - [a, b]
        - [b, c]
        sigma: 8
        output_stride: 4
trainer_config:
  max_epochs: 7
  run_name: tiny
)";
}

}  // namespace skein::test
