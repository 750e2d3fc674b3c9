// SPDX-License-Identifier: BSD-3-Clause
#include "engine/pipeline/versions.h"

#include <H5public.h>

extern "C" {
#include <libavutil/avutil.h>
}

#include "engine/base/version.h"
#include "engine/inference/runner.h"

namespace skein::pipeline {

std::vector<std::pair<std::string, std::string>> libraryVersions(bool withTorch) {
    std::vector<std::pair<std::string, std::string>> versions{{"skein", version()}};
    if (withTorch)
        if (auto backend = inference::openBackend(); backend)
            versions.emplace_back("libtorch", (*backend)->devices().torchVersion);
    versions.emplace_back("ffmpeg", av_version_info());
    unsigned major = 0, minor = 0, release = 0;
    if (H5get_libversion(&major, &minor, &release) >= 0)
        versions.emplace_back("hdf5",
                              std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(release));
    return versions;
}

}  // namespace skein::pipeline
