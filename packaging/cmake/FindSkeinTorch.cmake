# Finds LibTorch and defines Skein::Torch: headers plus libtorch_cpu and libc10, nothing else. CUDA joins at run time.
# SkeinLocateTorch says where it is looked for. CMake's own find_package(Torch) is not used, since the CUDA build of
# LibTorch makes it insist on a CUDA toolkit.
include(SkeinLocateTorch)
set(SKEIN_ROOT ${CMAKE_SOURCE_DIR})
unset(SKEIN_TORCH_ROOT CACHE)
skein_locate_torch(SKEIN_TORCH_ROOT)
foreach(sentence IN LISTS SKEIN_TORCH_ROOT_REJECTED)
    message(STATUS "${sentence}")
endforeach()
if(NOT SKEIN_TORCH_ROOT)
    message(FATAL_ERROR "LibTorch ${SKEIN_TORCH_OLDEST} or later was not found. Run packaging/setup, or give its folder "
        "with -DTorch_DIR=... or -DCMAKE_PREFIX_PATH=...; -DSKEIN_WITH_TORCH=OFF builds without inference.")
endif()
message(STATUS "LibTorch: ${SKEIN_TORCH_ROOT}")

# The wheels of NVIDIA's run time lie beside torch: nvidia/cu13/lib (2.11 and later), or one folder for each library.
get_filename_component(torch_site ${SKEIN_TORCH_ROOT}/.. REALPATH)
file(GLOB SKEIN_NVIDIA_LIBRARY_DIRS LIST_DIRECTORIES true ${torch_site}/nvidia/*/lib)
add_library(Skein::Torch INTERFACE IMPORTED GLOBAL)
target_include_directories(Skein::Torch SYSTEM INTERFACE ${SKEIN_TORCH_ROOT}/include)
target_link_libraries(Skein::Torch INTERFACE ${SKEIN_TORCH_ROOT}/lib/libtorch_cpu.so ${SKEIN_TORCH_ROOT}/lib/libc10.so)
set(rpaths -Wl,--disable-new-dtags -Wl,-rpath,${SKEIN_TORCH_ROOT}/lib)
foreach(dir IN LISTS SKEIN_NVIDIA_LIBRARY_DIRS)
    list(APPEND rpaths -Wl,-rpath,${dir} -Wl,-rpath-link,${dir})
endforeach()
# libtorch_cpu names CUDA libraries that are only needed when CUDA is used.
target_link_options(Skein::Torch INTERFACE ${rpaths} -Wl,--allow-shlib-undefined)
