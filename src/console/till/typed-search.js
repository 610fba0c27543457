import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError } from '../app/api.js';
import { problemOf } from '../parts/reading.js';

const TYPING_MS = 200;

/**
 * A search that reads while a person types, a moment behind the last key; a newer one ends an older one.
 * `found` null: nothing was read yet. `isKept` false: the list is not mirrored (501). `ask` reads at once.
 * @template T
 * @param {(text: string, before: T | null, signal: AbortSignal) => Promise<T>} read `before`: the next page of it is wanted
 * @param {string} [initial] the first text
 */
export function useTypedSearch(read, initial = '') {
  const [text, setText] = useState(initial);
  const [found, setFound] = useState(/** @type {T | null} */ (null));
  const { problem, isKept, alone, later, stop } = useNewestRead();

  /** @param {string} asked @param {T | null} before */
  const ask = async (asked, before = null) => {
    const next = await alone((signal) => read(asked, before, signal));
    if (next !== null) setFound(() => next);
  };
  useEffect(() => {
    void ask(initial);
    return stop;
  }, []);
  return {
    text,
    found,
    problem,
    isKept,
    alone,
    /** Another text, read at once. @param {string} next */
    search: (next) => {
      setText(next);
      return ask(next);
    },
    /** @param {string} next */
    type: (next) => {
      setText(next);
      later(() => void ask(next));
    },
    more: () => void ask(text, found),
  };
}

/** One read at a time: a newer one ends an older one, also one that waits for the last key. */
function useNewestRead() {
  const [problem, setProblem] = useState('');
  const [isKept, setKept] = useState(true);
  const reading = useRef(/** @type {AbortController | null} */ (null));
  const typing = useRef(/** @type {ReturnType<typeof setTimeout> | undefined} */ (undefined));

  const stop = () => {
    clearTimeout(typing.current);
    reading.current?.abort();
  };
  /**
   * Null: it failed, or a newer one has ended it.
   * @template R
   * @param {(signal: AbortSignal) => Promise<R>} work
   * @returns {Promise<R | null>}
   */
  const alone = async (work) => {
    stop();
    const abort = new AbortController();
    reading.current = abort;
    try {
      const result = await work(abort.signal);
      if (abort.signal.aborted) return null;
      setProblem('');
      return result;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (abort.signal.aborted) return null;
      if (error.status === 501) setKept(false);
      else setProblem(problemOf(error));
      return null;
    }
  };
  /** A moment behind the last key. @param {() => void} work */
  const later = (work) => {
    clearTimeout(typing.current);
    typing.current = setTimeout(work, TYPING_MS);
  };
  return { problem, isKept, alone, later, stop };
}
