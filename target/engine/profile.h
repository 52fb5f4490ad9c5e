/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The profile of a dispatch: what its code pages count beside CodePage.counted.
 */
#ifndef ENGINE_PROFILE_H
#define ENGINE_PROFILE_H

#include "wave.h"

/* What an instruction of a page has come to since the page was folded last. */
typedef struct ProfileSlot {
    uint64_t executed, lanes, ticks;
} ProfileSlot;

struct CodeProfile {
    Worker *worker;
    ProfileSlot slot[PAGE_SLOTS];
};

/* Where an engine collects what pages have counted. */
typedef struct Profile Profile;

Profile *profile_new(void);
void profile_free(Profile *profile);

/* Counts and times, then executes. */
UopFn profile_uop;

/* The instruction at @uop comes again: do not count it. */
void profile_take_back(Wave *wave, const Uop *uop);

/* Give a page of @worker something to count with. */
void profile_page(Worker *worker, CodePage *page);

/* Pass on what a page has counted, before it goes or its bytes change. */
void profile_fold(CodePage *page);

/* The wave has left its handlers: the last instruction ends here. */
void profile_stop(Worker *worker);

#endif
