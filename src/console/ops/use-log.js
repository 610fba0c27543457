import { useEffect, useRef, useState } from 'preact/hooks';
import { useConsole } from '../app/console.js';
import { problemOf } from '../parts/reading.js';

/** @import { LogLine } from '../app/contract.js' */
/** @typedef {{ of: string, lines: readonly LogLine[], problem: string }} Tail */

const LOOK_MS = 1_500;
const MOST_SHOWN = 1_000;

/**
 * The growing log: reads after the last line; when that line is of an older process run, tilld returns all lines of the new one.
 * @param {string} level
 * @param {boolean} isHeld nothing is read meanwhile, and no line is lost
 */
export function useLog(level, isHeld) {
  const { api } = useConsole();
  const kept = useRef(/** @type {Tail} */ ({ of: level, lines: [], problem: '' }));
  const [tail, show] = useState(kept.current);
  useEffect(() => {
    if (isHeld) return;
    const reader = new AbortController();
    /** @param {Tail} seen */
    const seen = (seen) => {
      if (reader.signal.aborted) return;
      kept.current = seen;
      show(seen);
    };
    if (kept.current.of !== level) seen({ of: level, lines: [], problem: '' });
    const look = () =>
      readOn(kept.current, (path) => api.get(path, reader.signal)).then(seen, (error) =>
        seen({ ...kept.current, problem: problemOf(error) }),
      );
    void look();
    const timer = setInterval(() => document.visibilityState === 'visible' && void look(), LOOK_MS);
    return () => {
      clearInterval(timer);
      reader.abort();
    };
  }, [level, isHeld]);
  return tail;
}

/** @param {Tail} tail @param {(path: string) => Promise<{ data: readonly LogLine[] }>} get @returns {Promise<Tail>} */
async function readOn({ of, lines }, get) {
  const last = lines.at(-1);
  const after = last ? `&starting_after=${encodeURIComponent(last.id)}` : '';
  const { data } = await get(`/v2/log?level=${of}&limit=500${after}`);
  return { of, lines: [...lines, ...data].slice(-MOST_SHOWN), problem: '' };
}
