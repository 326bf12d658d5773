/* The door of base/: memory, texts, numbers, source positions and messages. */
#ifndef NH_BASE_H
#define NH_BASE_H

#include "base/alloc.h"
#include "base/context.h"
#include "base/lanes.h"
#include "base/rational.h"
#include "base/source.h"
#include "base/text.h"

#endif
