/* The door of report/: one page of HTML. It takes results of the other rooms and computes nothing. Its call is public: see nonholo.h. */
#ifndef NH_REPORT_H
#define NH_REPORT_H

#include "nonholo.h"

#endif
