/* For tests that run over many models: the files of a folder. */
#ifndef NH_TEST_FILES_H
#define NH_TEST_FILES_H

#include <stddef.h>

typedef struct test_file {
    char *path;
    char *text;
    size_t length;
} test_file;

typedef struct test_files {
    test_file *items;
    size_t count;
} test_files;

/* Adds all *.nh below a folder, or one file, in the order of their names. Ends the program where that cannot be
 * done. */
void test_files_add(test_files *files, const char *path);
void test_files_free(test_files *files);

#endif
