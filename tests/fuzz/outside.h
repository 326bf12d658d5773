/* Included before each file of the program, where it is part of a fuzz target: what it asks of the outside is answered in memory.
 * Nothing is read or written but what the target hands out, no signal is set, and contexts have small limits. */
#ifndef NH_FUZZ_OUTSIDE_H
#define NH_FUZZ_OUTSIDE_H

#include "nonholo.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

int program_main(int argc, char **argv);
FILE *outside_fopen(const char *path, const char *mode);
int outside_mkstemp(char *path);
int outside_unlink(const char *path);
int outside_rename(const char *from, const char *to);
char *outside_realpath(const char *path, char *resolved);
int outside_stat(const char *path, struct stat *status);
int outside_setitimer(int which, const struct itimerval *timer, struct itimerval *old);
void (*outside_signal(int number, void (*handler)(int)))(int);
nh_context *outside_context(const nh_options *options);

#ifndef NH_FUZZ_OUTSIDE /* the target itself */
#define main program_main
#define fopen outside_fopen
#define mkstemp outside_mkstemp
#define unlink outside_unlink
#define rename outside_rename
#define realpath outside_realpath
#define stat(path, status) outside_stat(path, status)
#define setitimer outside_setitimer
#define signal outside_signal
#define nh_context_new outside_context
#endif

#endif
