/*
 * Preloaded into a program, it moves the clock that people set (CLOCK_REALTIME) by PURSER_TEST_CLOCK_SHIFT seconds, and leaves the
 * monotonic one alone: as when the clock of a machine is wrong.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>

static long shift(void) {
	const char *seconds = getenv("PURSER_TEST_CLOCK_SHIFT");
	return seconds == NULL ? 0 : atol(seconds);
}

int clock_gettime(clockid_t clock, struct timespec *told) {
	static int (*real)(clockid_t, struct timespec *);
	if (real == NULL) real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
	int failed = real(clock, told);
	if (failed == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) told->tv_sec += shift();
	return failed;
}

int gettimeofday(struct timeval *restrict told, void *restrict zone) {
	static int (*real)(struct timeval *, void *);
	if (real == NULL) real = (int (*)(struct timeval *, void *))dlsym(RTLD_NEXT, "gettimeofday");
	int failed = real(told, zone);
	if (failed == 0) told->tv_sec += shift();
	return failed;
}

time_t time(time_t *told) {
	struct timespec now;
	clock_gettime(CLOCK_REALTIME, &now);
	if (told != NULL) *told = now.tv_sec;
	return now.tv_sec;
}
