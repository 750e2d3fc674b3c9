# Settings for every target: language level, output folders, sanitizers, compiler cache.
if(NOT CMAKE_BUILD_TYPE)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
# Symbols stay inside each library: the inference backend is opened with dlopen and shares nothing by name.
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
set_property(GLOBAL PROPERTY GLOBAL_DEPENDS_NO_CYCLES ON)

find_program(SKEIN_CCACHE ccache)
if(SKEIN_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    # Paths are taken relative to the tree, so that every clone shares the cache; time_macros and pch_defines let it serve
    # sources that use a precompiled header.
    set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
        CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1 CCACHE_SLOPPINESS=pch_defines,time_macros ${SKEIN_CCACHE})
endif()

if(SKEIN_SANITIZE)
    add_compile_options(-fsanitize=${SKEIN_SANITIZE} -fno-omit-frame-pointer)
    add_link_options(-fsanitize=${SKEIN_SANITIZE})
endif()

set(SKEIN_TORCH_JOBS 1 CACHE STRING "LibTorch sources that are compiled at a time; each needs over a gigabyte")
set_property(GLOBAL APPEND PROPERTY JOB_POOLS skein_torch=${SKEIN_TORCH_JOBS})
