/* Inside present/: the two dynamical systems on a page, with their headings. */
#ifndef NH_PRESENT_SYSTEMS_H
#define NH_PRESENT_SYSTEMS_H

#include "present/writer.h"

void nh_first_system(nh_writer *);
void nh_second_system(nh_writer *);        /* with multipliers and reactive forces */
bool nh_first_is_large(const nh_writer *); /* there are no formulas for z' that a reader could use */
void nh_first_equations(nh_writer *);
void nh_second_equations(nh_writer *);
void nh_second_as_system(nh_writer *);   /* the linear system for D and lambda */
void nh_eliminated_objects(nh_writer *); /* of a large one: those that are asked for by their names */
void nh_reactions(nh_writer *);
void nh_abbreviations(nh_writer *); /* where k1 = ... */

#endif
