# Finds LibTorch and defines Skein::Torch: headers plus libtorch_cpu and libc10, nothing else. CUDA joins at run time.
# Looked for in this order: Torch_DIR and CMAKE_PREFIX_PATH, an importable Python torch, the wheels that
# packaging/setup unpacked into .deps. CMake's own find_package(Torch) is not used, since the CUDA build of LibTorch
# makes it insist on a CUDA toolkit.
set(candidates)
if(Torch_DIR)
    list(APPEND candidates ${Torch_DIR}/../../..)
endif()
foreach(prefix IN LISTS CMAKE_PREFIX_PATH)
    # Accepts both an unpacked LibTorch and torch.utils.cmake_prefix_path (torch/share/cmake).
    list(APPEND candidates ${prefix} ${prefix}/../..)
endforeach()
set(unpacked ${CMAKE_SOURCE_DIR}/.deps/torch-wheels/torch)
if(NOT EXISTS ${unpacked}/lib/libtorch_cpu.so AND NOT SKEIN_TORCH_ROOT)
    find_program(SKEIN_PYTHON3 python3)
    if(SKEIN_PYTHON3)
        execute_process(
            COMMAND ${SKEIN_PYTHON3} -c "import importlib.util as u; s=u.find_spec('torch'); print(s.submodule_search_locations[0] if s else '')"
            OUTPUT_VARIABLE python_torch OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
        list(APPEND candidates ${python_torch})
    endif()
endif()
list(APPEND candidates ${unpacked})

set(SKEIN_TORCH_ROOT "" CACHE PATH "Folder that holds LibTorch's include and lib")
if(NOT SKEIN_TORCH_ROOT)
    foreach(candidate IN LISTS candidates)
        if(EXISTS ${candidate}/lib/libtorch_cpu.so AND EXISTS ${candidate}/include/ATen/ATen.h)
            get_filename_component(root ${candidate} REALPATH)
            set_property(CACHE SKEIN_TORCH_ROOT PROPERTY VALUE ${root})
            break()
        endif()
    endforeach()
endif()
if(NOT SKEIN_TORCH_ROOT)
    message(FATAL_ERROR "LibTorch was not found. Run packaging/setup, or give its folder with -DTorch_DIR=... or "
        "-DCMAKE_PREFIX_PATH=...; -DSKEIN_WITH_TORCH=OFF builds without inference.")
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
