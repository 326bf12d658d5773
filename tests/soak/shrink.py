"""A failing model made small: statements, entries of statements and parts of expressions are left out or made simpler, as long
as it fails in the same way."""
import time
from fractions import Fraction

import language


def variants(tree):
    """Simpler trees, the smallest first."""
    if tree is None:
        return
    kind = tree[0]
    if kind not in ('num', 'name', 'rate', '=', 'vector'):
        yield ('num', Fraction(0))
        yield ('num', Fraction(1))
    if kind == 'num' and tree[1] not in (0, 1):
        yield ('num', Fraction(1))
        if tree[1].denominator != 1:
            yield ('num', Fraction(round(tree[1]) or 1))
    if kind in ('name', 'rate'):
        yield ('num', Fraction(1))
    for child in children(tree):
        if kind != 'vector' and kind != '=':
            yield child
    for i, child in enumerate(children(tree)):
        for smaller in variants(child):
            yield with_child(tree, i, smaller)


def children(tree):
    kind = tree[0]
    if kind in ('num', 'name', 'rate'):
        return []
    return list(tree[2]) if kind == 'call' else list(tree[1]) if kind == 'vector' else list(tree[1:])


def with_child(tree, i, new):
    items = children(tree)
    items[i] = new
    kind = tree[0]
    return (kind, tree[1], items) if kind == 'call' else (kind, items) if kind == 'vector' else (kind, *items)


def smaller_models(model):
    """The model with one thing less."""
    for i in reversed(range(len(model))):
        yield model[:i] + model[i + 1:]
    for i in reversed(range(len(model))):
        keyword, entries = model[i]
        first = 2 if keyword in ('point', 'body') else 0
        for k in reversed(range(first, len(entries))):
            if len(entries) > 1:
                yield model[:i] + [[keyword, entries[:k] + entries[k + 1:]]] + model[i + 1:]
    for i in reversed(range(len(model))):
        keyword, entries = model[i]
        for k, (label, tree) in enumerate(entries):
            for smaller in variants(tree):
                yield model[:i] + [[keyword, entries[:k] + [[label, smaller]] + entries[k + 1:]]] + model[i + 1:]


def lines_less(text):
    lines = text.split('\n')
    for i in reversed(range(len(lines))):
        yield '\n'.join(lines[:i] + lines[i + 1:])


def shrink(text, fails, seconds):
    """fails(text) is true of the text, and of what is returned."""
    end = time.time() + seconds
    plain = language.write_model(language.statements(text))
    if not fails(plain):  # it is the layout that matters
        return descend(text, lines_less, lambda x: x, fails, end)
    return language.write_model(descend(language.statements(plain), smaller_models, language.write_model, fails, end))


def descend(best, smaller, write, fails, end):
    again = True
    while again and time.time() < end:
        again = False
        for candidate in smaller(best):
            if time.time() > end:
                break
            if len(write(candidate)) < len(write(best)) and fails(write(candidate)):
                best, again = candidate, True
                break
    return best
