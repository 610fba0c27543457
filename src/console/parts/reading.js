import { useEffect, useRef, useState } from 'preact/hooks';
import { refusalWords } from '../../sentences/sentences.js';
import { ApiError } from '../app/api.js';
import { useConsole } from '../app/console.js';
import { t } from '../app/words.js';
import { tongue } from '../words/tongue.js';

/**
 * A document of the API, polled while the page is visible. It stays while tilld does not respond: `problem` says so.
 * `again` reads at once.
 * @param {string | null} path null: nothing is read
 * @param {number | ((document: any) => number)} everyMs 0: once; a function of what was read last (undefined: nothing was)
 * @param {(path: string) => Promise<any>} [read] how it is read; absent: as it is
 * @returns {{ document: any, problem: string, again: () => void }} `document` null: nothing was read yet
 */
export function useReading(path, everyMs, read) {
  const { api } = useConsole();
  const [reading, setReading] = useState(
    /** @type {{ of: string | null, document: any, error: unknown }} */ ({
      of: null,
      document: null,
      error: null,
    }),
  );
  const again = useRef(() => {});
  useEffect(() => {
    if (path === null) return;
    const loop = readingLoop(
      () => (read === undefined ? api.get(path) : read(path)),
      everyMs,
      (document) => setReading({ of: path, document, error: null }),
      (error) => setReading((before) => ({ ...before, error })),
    );
    again.current = loop.again;
    return loop.stop;
  }, [path, typeof everyMs === 'number' ? everyMs : 0]);
  return {
    document: reading.of === path ? reading.document : null,
    // By the error, not kept as words: the language of the page may change.
    problem: reading.error === null ? '' : problemOf(reading.error),
    again: () => again.current(),
  };
}

/**
 * A list of the API, polled as far as it was asked for: one page at first, and one more with each `more`.
 * @param {string} path without a query
 * @param {number} size of a page
 * @param {number} everyMs
 * @returns {{ document: any, problem: string, again: () => void, more: () => void }}
 */
export function useList(path, size, everyMs) {
  const { api } = useConsole();
  const pages = useRef(1);
  const reading = useReading(path, everyMs, async () => {
    const data = [];
    for (let page = 0; ; page += 1) {
      const read = await api.get(`${path}?limit=${size}&offset=${page * size}`);
      data.push(...read.data);
      if (!read.has_more || page + 1 >= pages.current) return { ...read, data };
    }
  });
  const more = () => {
    pages.current += 1;
    reading.again();
  };
  return { ...reading, more };
}

/**
 * @param {() => Promise<any>} read
 * @param {number | ((document: any) => number)} everyMs
 * @param {(document: any) => void} seen
 * @param {(error: unknown) => void} failed
 */
function readingLoop(read, everyMs, seen, failed) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  let turn = 0;
  /** @type {any} */
  let last;
  const interval = () => (typeof everyMs === 'number' ? everyMs : everyMs(last));
  const look = async () => {
    turn += 1;
    const mine = turn;
    clearTimeout(timer);
    try {
      const document = await read();
      if (mine === turn) {
        last = document;
        seen(document);
      }
    } catch (error) {
      if (mine === turn) failed(error);
    }
    if (mine === turn && interval() > 0) timer = setTimeout(lookIfSeen, interval());
  };
  const lookIfSeen = () => {
    if (document.visibilityState === 'visible') void look();
    else timer = setTimeout(lookIfSeen, interval());
  };
  void look();
  return {
    again: () => void look(),
    stop: () => {
      turn += 1;
      clearTimeout(timer);
    },
  };
}

/**
 * The text of an error.
 * @param {unknown} error
 */
export function problemOf(error) {
  if (!(error instanceof ApiError)) return t('refused', { reason: String(error) });
  if (error.status === 0) return t('unanswered');
  return refusalWords(error, tongue());
}
