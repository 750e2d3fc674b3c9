// SPDX-License-Identifier: BSD-3-Clause
#include "engine/tracking/detail/optical_flow.h"

#include <limits>
#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>
#include <opencv2/video/tracking.hpp>
#include <string>

#include "engine/base/log.h"

namespace skein::tracking {

class FlowImage {
public:
    int width = 0, height = 0, channels = 0;  // of the scaled image
    std::vector<cv::Mat> pyramid;
};

std::shared_ptr<const FlowImage> OpticalFlow::prepare(const Image& image) const {
    if (image.width <= 0 || image.height <= 0 ||
        image.sizeBytes() != image.rowBytes() * static_cast<std::size_t>(image.height))
        return nullptr;
    try {
        // OpenCV only reads from it; the pyramid gets its own pixels.
        const cv::Mat view(image.height, image.width, CV_8UC(image.channels),
                           const_cast<std::uint8_t*>(image.pixels.data()));
        cv::Mat scaled = view;
        if (image.channels == 4)
            cv::cvtColor(view, scaled, cv::COLOR_BGRA2RGB);
        if (m_scale != 1)
            cv::resize(cv::Mat(scaled), scaled, cv::Size(), m_scale, m_scale);
        auto result = std::make_shared<FlowImage>();
        result->width = scaled.cols;
        result->height = scaled.rows;
        result->channels = scaled.channels();
        cv::buildOpticalFlowPyramid(scaled, result->pyramid, cv::Size(m_windowSize, m_windowSize), m_levels,
                                    /*withDerivatives=*/false, cv::BORDER_REFLECT_101, cv::BORDER_CONSTANT,
                                    /*tryReuseInputImage=*/false);
        return result;
    } catch (const cv::Exception& e) {
        log::warning("Optical flow cannot use an image of " + std::to_string(image.width) + " x " +
                     std::to_string(image.height) + " pixels; its instances are compared unmoved. " + e.err);
        return nullptr;
    }
}

bool OpticalFlow::move(const FlowImage& from, const FlowImage& to, std::span<const PointD> points,
                       std::vector<PointD>& moved) const {
    if (from.width != to.width || from.height != to.height || from.channels != to.channels || points.empty())
        return false;
    const auto scale = static_cast<float>(m_scale);
    std::vector<cv::Point2f> start;
    start.reserve(points.size());
    for (const PointD& point : points)
        start.emplace_back(static_cast<float>(point.x) * scale, static_cast<float>(point.y) * scale);
    std::vector<cv::Point2f> end;
    std::vector<unsigned char> found;
    try {
        cv::calcOpticalFlowPyrLK(from.pyramid, to.pyramid, start, end, found, cv::noArray(),
                                 cv::Size(m_windowSize, m_windowSize), m_levels,
                                 cv::TermCriteria(cv::TermCriteria::COUNT | cv::TermCriteria::EPS, 30, 0.01));
    } catch (const cv::Exception& e) {
        log::warning("Optical flow failed between two frames; their instances are compared unmoved. " + e.err);
        return false;
    }
    constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
    moved.resize(points.size());
    for (std::size_t i = 0; i < points.size(); ++i)
        moved[i] = found[i] == 0 ? PointD{kNaN, kNaN}
                                 : PointD{static_cast<double>(end[i].x / scale), static_cast<double>(end[i].y / scale)};
    return true;
}

}  // namespace skein::tracking
