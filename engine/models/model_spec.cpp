// SPDX-License-Identifier: BSD-3-Clause
#include "engine/models/model_spec.h"

namespace skein::models {

const char* modelTypeName(ModelType type) {
    switch (type) {
        case ModelType::SingleInstance:
            return "single_instance";
        case ModelType::Centroid:
            return "centroid";
        case ModelType::CenteredInstance:
            return "centered_instance";
        case ModelType::BottomUp:
            return "bottomup";
        case ModelType::MultiClassBottomUp:
            return "multi_class_bottomup";
        case ModelType::MultiClassTopDown:
            return "multi_class_topdown";
    }
    return "unknown";
}

const char* modelTypeTitle(ModelType type) {
    switch (type) {
        case ModelType::SingleInstance:
            return "Single instance";
        case ModelType::Centroid:
            return "Centroid";
        case ModelType::CenteredInstance:
            return "Centered instance (top-down)";
        case ModelType::BottomUp:
            return "Bottom-up";
        case ModelType::MultiClassBottomUp:
            return "Multi-class bottom-up";
        case ModelType::MultiClassTopDown:
            return "Multi-class top-down";
    }
    return "Unknown";
}

const char* backboneName(BackboneType type) {
    switch (type) {
        case BackboneType::UNet:
            return "UNet";
        case BackboneType::ConvNext:
            return "ConvNeXt";
        case BackboneType::SwinT:
            return "SwinT";
    }
    return "unknown";
}

const char* headName(HeadKind kind) {
    switch (kind) {
        case HeadKind::SingleInstanceConfmaps:
            return "SingleInstanceConfmapsHead";
        case HeadKind::CentroidConfmaps:
            return "CentroidConfmapsHead";
        case HeadKind::CenteredInstanceConfmaps:
            return "CenteredInstanceConfmapsHead";
        case HeadKind::MultiInstanceConfmaps:
            return "MultiInstanceConfmapsHead";
        case HeadKind::PartAffinityFields:
            return "PartAffinityFieldsHead";
        case HeadKind::ClassMaps:
            return "ClassMapsHead";
        case HeadKind::ClassVectors:
            return "ClassVectorsHead";
    }
    return "unknown";
}

}  // namespace skein::models
