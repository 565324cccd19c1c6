"""One pool of worker processes, and one queue of calls, for all notebooks of a build.

The build opens the pool, and sweeps in its notebooks send their calls there. So all cores are busy
whichever notebooks are under way, a worker imports what it needs once and not once for each
notebook, and a call that two notebooks ask for is made once.
"""

import os
import pickle
import secrets
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from functools import partial
from multiprocessing import AuthenticationError, get_context
from multiprocessing.connection import Client, Listener
from typing import Any, Self

ADDRESS, KEY, NOTEBOOK = "RLPAPER_POOL", "RLPAPER_POOL_KEY", "RLPAPER_NOTEBOOK"


def reaches(function: Callable) -> bool:
    """Tell whether there is a pool that can import the function.

    It cannot import one that was typed into a notebook.
    """
    return ADDRESS in os.environ and function.__module__.split(".")[0] == "rlpaper"


def compute(
    function: Callable, calls: dict[int, tuple[str, tuple]], kept: Iterable[str] = ()
) -> Iterator[tuple[int, Any]]:
    """Call a function in the pool, and yield (number, answer) as the calls finish.

    Parameters
    ----------
    function : callable
    calls : dict
        By number the text that tells a call from others, and the arguments.
    kept : iterable of str
        Texts of further calls of the same sweep, whose answers were found in the cache; for the
        estimate of what remains.
    """
    with Client(os.environ[ADDRESS], authkey=bytes.fromhex(os.environ[KEY])) as connection:
        connection.send((os.environ.get(NOTEBOOK), function, calls, list(kept)))
        for _ in calls:
            number, answer, error, where = connection.recv()
            if error is not None:
                raise error from RuntimeError(where)
            yield number, answer


class Pool:
    """Worker processes for the calls of all notebooks.

    A context, within which the environment says where the pool is.

    Parameters
    ----------
    size : int
        Number of processes.
    """

    def __init__(self, size: int) -> None:
        self._workers = ProcessPoolExecutor(
            size, get_context("spawn"), _begin_worker, (os.getpid(),)
        )
        key = secrets.token_bytes(32)
        self._listener = Listener(backlog=64, authkey=key)
        self._environment = {ADDRESS: self._listener.address, KEY: key.hex()}
        self._calls: dict[tuple, Any] = {}
        self._asking, self._reading, self._closed = threading.Lock(), threading.Lock(), False
        #: By notebook: processor seconds of its calls that were made, calls that it asked for,
        #: calls in the cache of an earlier build.
        self.spent: Counter = Counter()
        self.asked: Counter = Counter()
        self.kept: Counter = Counter()

    def __enter__(self) -> Self:
        """Say in the environment where the pool is, and take calls."""
        os.environ.update(self._environment)
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        """Take no more calls; those that have not begun are not made."""
        for name in self._environment:
            del os.environ[name]
        self._closed = True
        self._listener.close()
        self._workers.shutdown(wait=False, cancel_futures=True)

    def seconds(self) -> dict[str, float]:
        """Return the processor time of the calls made, by function, from the longest down."""
        total: Counter = Counter()
        for (module, name, _), call in self._calls.items():
            if call.done() and not call.cancelled() and not call.exception():
                total[f"{module.removeprefix('rlpaper.papers.')}.{name}"] += call.result()[1]
        return dict(total.most_common())

    def _accept(self):
        while True:
            try:
                connection = self._listener.accept()
            except (AuthenticationError, EOFError, OSError):
                # Somebody does not know the key, or hangs up before saying it.
                if self._closed:
                    return
                continue
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection):
        """Answer one sweep; calls that nobody waits for any more are not made."""
        message = connection.recv_bytes()
        with self._reading:
            # It imports the function's module. Modules that need each other, imported at the same
            # time by two threads, may each find the other half made.
            notebook, function, calls, kept = pickle.loads(message)
        self.asked[notebook] += len(calls)
        with self._asking:
            # What another notebook of this build has left in the cache is not of an earlier build.
            made = {text for _, _, text in self._calls}
        self.kept[notebook] += sum(text not in made for text in kept)
        sending, asked = threading.Lock(), []

        def reply(number, call):
            if not call.cancelled():
                error = call.exception()
                answer = (
                    (number, None, error, str(error.__cause__))
                    if error
                    else (number, call.result()[0], None, None)
                )
                with sending, suppress(OSError):  # of a notebook that has failed meanwhile
                    connection.send(answer)

        for number, (text, arguments) in calls.items():
            called = arguments[0]
            key = called.__module__, called.__qualname__, text
            with self._asking:
                call = self._calls.get(key)
                if call is None or call.cancelled():
                    call = self._calls[key] = self._workers.submit(_timed, function, *arguments)
                    call.wanted = 0
                    call.add_done_callback(partial(self._count, notebook))
                call.wanted += 1
                asked.append(call)
            call.add_done_callback(partial(reply, number))
        with suppress(EOFError, OSError):
            connection.recv()  # nothing comes; this returns when the notebook has hung up
        with self._asking:
            for call in asked:
                call.wanted -= 1
                if not call.wanted:
                    call.cancel()

    def _count(self, notebook, call):
        if not call.cancelled() and not call.exception():
            self.spent[notebook] += call.result()[1]


def _timed(function, *arguments):
    start = time.process_time()
    return function(*arguments), time.process_time() - start


def end_with(parent: int) -> None:
    """End this process when that of the build is killed.

    Its kernel, and what that has started, then end by themselves.
    """

    def watch():
        while os.getppid() == parent:
            time.sleep(0.5)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _begin_worker(parent):
    end_with(parent)
    del os.environ[ADDRESS]  # a worker that waits for the pool would block it
