// SPDX-License-Identifier: BSD-3-Clause
#include "engine/video/detail/hardware.h"

#include <algorithm>
#include <array>
#include <string>

#include "engine/video/decoder_choice.h"

namespace skein::video::detail {
namespace {

// Their standards say what each picture holds to the last bit. MPEG-2, MPEG-4 and JPEG leave rounding to the decoder.
constexpr std::array kExactCodecs = {AV_CODEC_ID_H264, AV_CODEC_ID_HEVC, AV_CODEC_ID_VP8, AV_CODEC_ID_VP9,
                                     AV_CODEC_ID_AV1};

bool decodesOnCuda(const AVCodec& codec) {
    // Decoders that wrap the driver's own give pictures in an order of theirs.
    if (av_codec_is_decoder(&codec) == 0 || codec.wrapper_name != nullptr)
        return false;
    for (int i = 0; const AVCodecHWConfig* config = avcodec_get_hw_config(&codec, i); ++i)
        if (config->device_type == AV_HWDEVICE_TYPE_CUDA &&
            (config->methods & AV_CODEC_HW_CONFIG_METHOD_HW_DEVICE_CTX) != 0)
            return true;
    return false;
}

class CudaHardware final : public Hardware {
public:
    explicit CudaHardware(AVBufferRef* device) : m_device(device) {}

    Result<const AVCodec*> decoderFor(AVCodecID id) const override {
        const std::string name = avcodec_get_name(id);
        if (std::find(kExactCodecs.begin(), kExactCodecs.end(), id) == kExactCodecs.end())
            return fail(ErrorCode::Unsupported, "Of the codec " + name + " a GPU gives other pixels.");
        void* state = nullptr;
        while (const AVCodec* codec = av_codec_iterate(&state))
            if (codec->id == id && decodesOnCuda(*codec))
                return codec;
        return fail(ErrorCode::Unsupported, "The installed FFmpeg cannot decode " + name + " on a GPU.");
    }
    AVBufferRef* device() const noexcept override { return m_device; }
    AVPixelFormat format() const noexcept override { return AV_PIX_FMT_CUDA; }
    int download(AVFrame& to, const AVFrame& from) const override { return av_hwframe_transfer_data(&to, &from, 0); }

private:
    AVBufferRef* m_device;  // never given back: at the end of the process the driver may be gone before it
};

Result<std::shared_ptr<const Hardware>> openGpu() {
    const LogCapture said;
    AVBufferRef* device = nullptr;
    const int code = av_hwdevice_ctx_create(&device, AV_HWDEVICE_TYPE_CUDA, nullptr, nullptr, 0);
    if (code >= 0)
        return std::make_shared<CudaHardware>(device);
    if (code == AVERROR(ENOMEM) && !said.contains("CUDA"))
        return fail(ErrorCode::Unsupported, "The installed FFmpeg was built without NVIDIA GPUs.");
    if (said.contains("Cannot load libcuda"))
        return fail(ErrorCode::Unsupported, "There is no NVIDIA driver on this machine.");
    if (said.contains("NO_DEVICE"))
        return fail(ErrorCode::Unsupported, "The NVIDIA driver finds no GPU.");
    return fail(ErrorCode::Unsupported, "The GPU cannot be opened: " + avErrorText(code) + ".");
}

}  // namespace

Result<std::shared_ptr<const Hardware>> sharedGpu() {
    static const Result<std::shared_ptr<const Hardware>> gpu = openGpu();
    return gpu;
}

}  // namespace skein::video::detail

namespace skein::video {

std::string whyNoGpuDecoding() {
    const auto gpu = detail::sharedGpu();
    return gpu ? std::string() : gpu.error().message();
}

}  // namespace skein::video
