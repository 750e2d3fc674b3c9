// SPDX-License-Identifier: BSD-3-Clause
#include "engine/formats/slp/fresh_images.h"

#include <algorithm>
#include <array>
#include <fstream>

#include "engine/formats/hdf5/attribute.h"
#include "engine/formats/hdf5/dataset.h"
#include "engine/formats/hdf5/file.h"
#include "engine/formats/slp/write_plan.h"
#include "engine/formats/try.h"

namespace skein::formats::slp {
namespace {

/// Rows are written some megabytes at a time.
constexpr std::uint64_t kBatchBytes = 4U << 20U;

Result<void> writeInteger(hid_t object, const char* name, std::int64_t value) {
    const h5::Id space(H5Screate(H5S_SCALAR));
    const h5::Id attribute(H5Acreate2(object, name, H5T_STD_I64LE, space.get(), H5P_DEFAULT, H5P_DEFAULT));
    if (!attribute || H5Awrite(attribute.get(), H5T_NATIVE_INT64, &value) < 0)
        return h5::failure(ErrorCode::Io, std::string("write the attribute ") + name);
    return {};
}

}  // namespace

Result<void> writeFreshImages(h5::OutputFile& file, const FreshImages& images, const std::filesystem::path& spool,
                              const std::stop_token& stop) {
    SKEIN_TRY(group, h5::createGroup(file.get(), images.group));
    std::uint64_t longest = 1;
    for (const auto& [offset, size] : images.places)
        longest = std::max(longest, size);
    const std::array<hsize_t, 2> shape = {images.places.size(), longest};
    const h5::Id space(H5Screate_simple(2, shape.data(), nullptr));
    const h5::Id created(
        H5Dcreate2(group.get(), "video", H5T_STD_I8LE, space.get(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    if (!created)
        return h5::failure(ErrorCode::Io, "make the pictures of " + images.group);
    std::ifstream in(spool, std::ios::binary);
    const std::size_t batch = std::max<std::uint64_t>(1, kBatchBytes / longest);
    std::vector<char> rows;
    for (std::size_t first = 0; first < images.places.size(); first += batch) {
        if (stop.stop_requested())
            return fail(ErrorCode::Cancelled, "Writing the package was cancelled.");
        const std::size_t count = std::min(batch, images.places.size() - first);
        rows.assign(count * longest, 0);
        for (std::size_t i = 0; i < count; ++i) {
            const auto [offset, size] = images.places[first + i];
            in.seekg(static_cast<std::streamoff>(offset));
            if (!in.read(rows.data() + i * longest, static_cast<std::streamsize>(size)))
                return fail(ErrorCode::Io, "Cannot read back " + spool.string() + "; is the disk full?");
        }
        const std::array<hsize_t, 2> start = {first, 0}, extent = {count, longest};
        const h5::Id memory(H5Screate_simple(2, extent.data(), nullptr));
        const h5::Id target(H5Dget_space(created.get()));
        H5Sselect_hyperslab(target.get(), H5S_SELECT_SET, start.data(), nullptr, extent.data(), nullptr);
        if (H5Dwrite(created.get(), H5T_NATIVE_INT8, memory.get(), target.get(), H5P_DEFAULT, rows.data()) < 0)
            return h5::failure(ErrorCode::Io, "write the pictures of " + images.group);
        SKEIN_CHECK(file.check());
    }
    SKEIN_CHECK(h5::writeVariableTextAttribute(created.get(), "format", "png"));
    SKEIN_CHECK(h5::writeVariableTextAttribute(created.get(), "channel_order", "RGB"));
    SKEIN_CHECK(writeInteger(created.get(), "frames", images.sourceFrames));
    SKEIN_CHECK(writeInteger(created.get(), "height", images.height));
    SKEIN_CHECK(writeInteger(created.get(), "width", images.width));
    SKEIN_CHECK(writeInteger(created.get(), "channels", images.channels));
    if (images.fps > 0)
        SKEIN_CHECK(h5::writeNumberAttribute(created.get(), "fps", images.fps));
    SKEIN_TRY(numbers, h5::createTable(group.get(), "frame_numbers", H5T_STD_I64LE, images.frames.size()));
    SKEIN_CHECK(h5::writeRows(numbers, H5T_NATIVE_INT64, 0, images.frames.size(), images.frames.data()));
    SKEIN_TRY(source, h5::createGroup(group.get(), "source_video"));
    if (images.sourceRow.size() > WritePlan::kLargestAttribute)
        return h5::writeText(source.get(), "json", images.sourceRow);
    return h5::writeVariableTextAttribute(source.get(), "json", images.sourceRow);
}

}  // namespace skein::formats::slp
