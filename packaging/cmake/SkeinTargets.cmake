# skein_add_library and skein_add_test: the only way targets are made, so that warnings, include paths and the
# dependency rules are the same everywhere.

function(skein_target_defaults target)
    target_include_directories(${target} PUBLIC ${CMAKE_SOURCE_DIR})
    target_compile_options(${target} PRIVATE
        -Wall -Wextra -Wshadow -Wconversion -Wundef -Wnon-virtual-dtor -Woverloaded-virtual
        # GCC 12 sees overlapping copies inside std::string's own operator+ at -O3 (GCC bug 105651).
        $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>
        $<$<BOOL:${SKEIN_WARNINGS_AS_ERRORS}>:-Werror>)
    target_compile_definitions(${target} PRIVATE SKEIN_VERSION="${PROJECT_VERSION}")
endfunction()

# skein_add_library(NAME [SHARED|MODULE|INTERFACE] SOURCES a.cpp... [PUBLIC dep...] [PRIVATE dep...])
function(skein_add_library name)
    cmake_parse_arguments(ARG "SHARED;MODULE;INTERFACE" "" "SOURCES;PUBLIC;PRIVATE" ${ARGN})
    if(ARG_UNPARSED_ARGUMENTS)
        message(FATAL_ERROR "skein_add_library(${name}): unknown arguments ${ARG_UNPARSED_ARGUMENTS}")
    endif()
    if(ARG_INTERFACE)
        add_library(${name} INTERFACE)
        target_include_directories(${name} INTERFACE ${CMAKE_SOURCE_DIR})
        target_link_libraries(${name} INTERFACE ${ARG_PUBLIC})
    else()
        if(ARG_SHARED)
            add_library(${name} SHARED ${ARG_SOURCES})
        elseif(ARG_MODULE)
            add_library(${name} MODULE ${ARG_SOURCES})
        else()
            add_library(${name} STATIC ${ARG_SOURCES})
        endif()
        skein_target_defaults(${name})
        target_link_libraries(${name} PUBLIC ${ARG_PUBLIC} PRIVATE ${ARG_PRIVATE})
    endif()
    set_property(GLOBAL APPEND PROPERTY SKEIN_LIBRARIES ${name})
    set_property(TARGET ${name} PROPERTY SKEIN_DEPENDS "${ARG_PUBLIC};${ARG_PRIVATE}")
endfunction()

# What every test includes, compiled once: QtTest alone takes longer than most tests' own code. Tests with widgets have
# a header of their own, since Qt's headers depend on which Qt modules are used. Qt6::Test is linked by file: its target
# defines a folder that differs from test to test and would make the shared header useless.
function(skein_add_test_header name)
    file(WRITE ${CMAKE_BINARY_DIR}/tests/${name}.cpp "// Carries the precompiled header of tests.\n")
    add_library(${name} STATIC ${CMAKE_BINARY_DIR}/tests/${name}.cpp)
    skein_test_settings(${name})
    if(name STREQUAL "skein_widget_test_header")
        target_link_libraries(${name} PRIVATE Qt6::Widgets)
        target_precompile_headers(${name} PRIVATE <QtWidgets>)
    endif()
    target_precompile_headers(${name} PRIVATE
        <QtTest> <algorithm> <filesystem> <fstream> <functional> <map> <memory> <optional> <string> <vector>
        ${CMAKE_SOURCE_DIR}/tests/support/patience.h)
endfunction()

function(skein_test_settings target)
    skein_target_defaults(${target})
    target_compile_definitions(${target} PRIVATE QT_NO_KEYWORDS QT_TESTLIB_LIB)
    target_include_directories(${target} SYSTEM PRIVATE
        $<TARGET_PROPERTY:Qt6::Test,INTERFACE_INCLUDE_DIRECTORIES>)
    target_link_libraries(${target} PRIVATE Qt6::Core)
    # Tests are compiled often and run briefly.
    target_compile_options(${target} PRIVATE -O1)
endfunction()

# skein_add_test(tst_name SOURCES a.cpp... [LINK dep...] [LABELS unit|ui|parity|slow...] [TIMEOUT s])
# One Qt Test executable per subject; none of the window where that is not built.
function(skein_add_test name)
    cmake_parse_arguments(ARG "" "TIMEOUT" "SOURCES;LINK;LABELS" ${ARGN})
    if("skein_ui" IN_LIST ARG_LINK AND NOT TARGET skein_ui)
        return()
    endif()
    set(header skein_test_header)
    if("skein_ui" IN_LIST ARG_LINK OR "Qt6::Widgets" IN_LIST ARG_LINK)
        set(header skein_widget_test_header)
    endif()
    if(NOT TARGET ${header})
        skein_add_test_header(${header})
    endif()
    add_executable(${name} ${ARG_SOURCES})
    set_target_properties(${name} PROPERTIES AUTOMOC ON RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
    skein_test_settings(${name})
    target_precompile_headers(${name} REUSE_FROM ${header})
    target_compile_definitions(${name} PRIVATE
        SKEIN_SOURCE_DIR="${CMAKE_SOURCE_DIR}" SKEIN_BINARY_DIR="${CMAKE_BINARY_DIR}")
    target_link_libraries(${name} PRIVATE $<TARGET_FILE:Qt6::Test> ${ARG_LINK})
    skein_run_test(${name} PROGRAM ${name} LABELS ${ARG_LABELS} TIMEOUT ${ARG_TIMEOUT})
endfunction()

# skein_run_test(NAME PROGRAM tst_name [SCALE pixels per point] [LABELS ...] [TIMEOUT s])
# Runs a test with a private home and without a display. The limit, for each of its functions too, is there for a test
# that hangs: on a machine with other work everything may take many times as long as on an idle one.
function(skein_run_test name)
    cmake_parse_arguments(ARG "" "PROGRAM;SCALE;TIMEOUT" "LABELS" ${ARGN})
    if(NOT ARG_SCALE)
        set(ARG_SCALE 1)
    endif()
    if(NOT ARG_TIMEOUT)
        set(ARG_TIMEOUT 300)
    endif()
    if(NOT ARG_LABELS)
        set(ARG_LABELS unit)
    endif()
    set(home ${CMAKE_BINARY_DIR}/tests/home/${name})
    file(MAKE_DIRECTORY ${home})
    add_test(NAME ${name} COMMAND ${ARG_PROGRAM})
    set_tests_properties(${name} PROPERTIES TIMEOUT ${ARG_TIMEOUT} LABELS "${ARG_LABELS}"
        ENVIRONMENT "QT_QPA_PLATFORM=offscreen;LC_ALL=C.UTF-8;QT_SCALE_FACTOR=${ARG_SCALE};QTEST_FUNCTION_TIMEOUT=${ARG_TIMEOUT}000;HOME=${home};XDG_CONFIG_HOME=${home}/config;XDG_CACHE_HOME=${home}/cache;XDG_DATA_HOME=${home}/data;XDG_RUNTIME_DIR=${home}")
endfunction()

# The layers of engine/README.md, enforced: a target may reach only what its row allows, through any chain of links.
# Each entry is "target:forbidden-name"; the walk names the path that breaks the rule.
function(skein_check_dependencies)
    get_property(libraries GLOBAL PROPERTY SKEIN_LIBRARIES)
    foreach(library IN LISTS libraries)
        if(library MATCHES "^skein_(ui|canvas)")
            set(forbidden "^Skein::Torch$")
        elseif(library MATCHES "^skein_torch(_core|_check)?$|^skein_cuda$")
            set(forbidden "^Qt6::|^PkgConfig::LIBAV|hdf5|^yaml-cpp|^skein_(video|formats|pipeline|tracking|ui)")
        else()
            set(forbidden "^Qt6::|^Skein::Torch$|^skein_ui")
        endif()
        skein_walk(${library} "${library}" "${forbidden}")
    endforeach()
endfunction()

function(skein_walk target path forbidden)
    if(NOT TARGET ${target})
        return()
    endif()
    get_target_property(depends ${target} SKEIN_DEPENDS)
    foreach(dependency IN LISTS depends)
        if(dependency STREQUAL "" OR dependency STREQUAL "depends-NOTFOUND")
            continue()
        endif()
        if(dependency MATCHES "${forbidden}")
            message(FATAL_ERROR "Forbidden dependency: ${path} -> ${dependency} (see engine/README.md)")
        endif()
        skein_walk(${dependency} "${path} -> ${dependency}" "${forbidden}")
    endforeach()
endfunction()

# skein_add_benchmark(bench_name SOURCES a.cpp... [LINK dep...])
# A program that prints a table, compiled with the rest so that it keeps compiling, and never run as a test. What it
# measures is the shipped code: it is optimised as that is.
function(skein_add_benchmark name)
    cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
    if("skein_ui" IN_LIST ARG_LINK AND NOT TARGET skein_ui)
        return()
    endif()
    add_executable(${name} ${ARG_SOURCES})
    set_target_properties(${name} PROPERTIES AUTOMOC ON RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/benchmarks)
    skein_target_defaults(${name})
    target_compile_definitions(${name} PRIVATE QT_NO_KEYWORDS
        SKEIN_SOURCE_DIR="${CMAKE_SOURCE_DIR}" SKEIN_BINARY_DIR="${CMAKE_BINARY_DIR}")
    target_link_libraries(${name} PRIVATE ${ARG_LINK})
endfunction()
