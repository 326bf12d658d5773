#include "files.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static void *must(void *pointer, const char *path)
{
    if (!pointer) {
        perror(path);
        exit(2);
    }
    return pointer;
}

static void add_file(test_files *files, const char *path)
{
    FILE *stream = must(fopen(path, "rb"), path);
    test_file file = {.path = must(strdup(path), path)};
    for (size_t got = 1; got > 0; file.length += got) {
        file.text = must(realloc(file.text, file.length + 4096), path);
        got = fread(file.text + file.length, 1, 4096, stream);
    }
    fclose(stream);
    files->items = must(realloc(files->items, (files->count + 1) * sizeof file), path);
    files->items[files->count++] = file;
}

static void add_folder(test_files *files, const char *path)
{
    struct dirent **entries;
    int count = scandir(path, &entries, NULL, alphasort);
    must(count < 0 ? NULL : entries, path);
    for (int i = 0; i < count; i++) {
        const char *name = entries[i]->d_name;
        char *inner = must(malloc(strlen(path) + strlen(name) + 2), path);
        sprintf(inner, "%s/%s", path, name);
        struct stat status;
        bool folder = stat(inner, &status) == 0 && S_ISDIR(status.st_mode);
        size_t length = strlen(name);
        if (name[0] != '.' && (folder || (length > 3 && strcmp(name + length - 3, ".nh") == 0)))
            test_files_add(files, inner);
        free(inner);
        free(entries[i]);
    }
    free(entries);
}

void test_files_add(test_files *files, const char *path)
{
    struct stat status;
    must(stat(path, &status) == 0 ? &status : NULL, path);
    if (S_ISDIR(status.st_mode))
        add_folder(files, path);
    else
        add_file(files, path);
}

void test_files_free(test_files *files)
{
    for (size_t i = 0; i < files->count; i++) {
        free(files->items[i].path);
        free(files->items[i].text);
    }
    free(files->items);
    *files = (test_files){NULL, 0};
}
