# skein_locate_torch(result): the folder that holds LibTorch's include and lib, or "" where there is none; looked for
# in this order: Torch_DIR and CMAKE_PREFIX_PATH (variables, then environment), the wheels that packaging/setup
# unpacked, a torch that python3 can import. What was found but does not serve is listed in <result>_REJECTED.
#
# Also a script, so that packaging/setup decides by the same rules: cmake -DSKEIN_ROOT=repository -P this file
# prints the folder, or a sentence for each that does not serve.
set(SKEIN_TORCH_OLDEST 2.11)

# Sets `problem` in the caller: empty when `root` can be built against.
macro(skein_check_torch root)
    set(problem "")
    set(header ${root}/include/torch/headeronly/version.h)
    if(NOT EXISTS ${root}/lib/libtorch_cpu.so OR NOT EXISTS ${root}/include/ATen/ATen.h)
        set(problem "no LibTorch")
    elseif(NOT EXISTS ${header})
        set(problem "a LibTorch older than ${SKEIN_TORCH_OLDEST}")
    else()
        file(STRINGS ${header} lines REGEX "define TORCH_VERSION_(MAJOR|MINOR) ")
        string(REGEX REPLACE ".*MAJOR ([0-9]+).*MINOR ([0-9]+).*" "\\1.\\2" version "${lines}")
        if(version VERSION_LESS SKEIN_TORCH_OLDEST)
            set(problem "LibTorch ${version}, older than ${SKEIN_TORCH_OLDEST}")
        endif()
    endif()
endmacro()

function(skein_locate_torch result)
    set(candidates)
    foreach(dir IN LISTS Torch_DIR ITEMS $ENV{Torch_DIR})
        # Both torch/share/cmake/Torch, which CMake calls Torch_DIR, and the folder of LibTorch itself.
        list(APPEND candidates ${dir}/../../.. ${dir})
    endforeach()
    string(REPLACE ":" ";" prefixes "$ENV{CMAKE_PREFIX_PATH}")
    foreach(prefix IN LISTS CMAKE_PREFIX_PATH prefixes)
        # Both an unpacked LibTorch and torch.utils.cmake_prefix_path, which is torch/share/cmake.
        list(APPEND candidates ${prefix} ${prefix}/../..)
    endforeach()
    list(APPEND candidates ${SKEIN_ROOT}/.deps/torch-wheels/torch)

    set(rejected)
    foreach(candidate IN LISTS candidates ITEMS "python")
        if(candidate STREQUAL "python")
            find_program(SKEIN_PYTHON3 python3)
            if(NOT SKEIN_PYTHON3)
                break()
            endif()
            execute_process(
                COMMAND ${SKEIN_PYTHON3} -c "import importlib.util as u; s = u.find_spec('torch'); print(s.submodule_search_locations[0] if s else '')"
                OUTPUT_VARIABLE candidate OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
            if(NOT candidate)
                break()
            endif()
        endif()
        if(IS_DIRECTORY ${candidate})
            get_filename_component(candidate ${candidate} REALPATH)
            skein_check_torch(${candidate})
            if(NOT problem)
                set(${result} ${candidate} PARENT_SCOPE)
                set(${result}_REJECTED "" PARENT_SCOPE)
                return()
            elseif(NOT problem STREQUAL "no LibTorch")
                list(APPEND rejected "${candidate} has ${problem}.")
            endif()
        endif()
    endforeach()
    set(${result} "" PARENT_SCOPE)
    set(${result}_REJECTED "${rejected}" PARENT_SCOPE)
endfunction()

if(CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
    skein_locate_torch(root)
    foreach(line IN LISTS root root_REJECTED)
        execute_process(COMMAND ${CMAKE_COMMAND} -E echo "${line}")
    endforeach()
endif()
