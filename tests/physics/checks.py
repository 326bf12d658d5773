"""What the tests of this folder have in common: a test yields (whether it is good, what to say otherwise)."""
import sys
import time


def all_of(subject, *tests):
    """Ends the program, with 1 where something is not good or where there was next to nothing to see."""
    done = failed = 0
    for test in tests:
        began = time.monotonic()
        try:
            for good, text in test(subject):
                done += 1
                if not good:
                    failed += 1
                    print(text)
        except AssertionError as error:
            failed += 1
            print(f'{test.__name__}: {error}')
        print(f'{test.__name__}: {time.monotonic() - began:.1f} s')
    print(f'{done} checks, {failed} failures')
    sys.exit(1 if failed or done < 100 else 0)
