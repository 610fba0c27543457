import { useRef, useState } from 'preact/hooks';
import { problemOf } from './reading.js';

/**
 * An action that a person starts: one at a time; what starts it meanwhile is ignored. `problem` and `done` are texts for the page, empty while there is none.
 * A button of it is `aria-disabled` while it is `busy`: one that is disabled loses the focus.
 * @returns {{ busy: boolean, problem: string, done: string, run: (work: () => Promise<unknown>, done?: string) => Promise<boolean> }}
 */
export function useAction() {
  const [{ error, ...state }, setState] = useState({
    busy: false,
    done: '',
    error: /** @type {unknown} */ (null),
  });
  const isRunning = useRef(false);
  return {
    ...state,
    // By the error, not kept as words: the language of the page may change.
    problem: error === null ? '' : problemOf(error),
    run: async (work, done = '') => {
      if (isRunning.current) return false;
      isRunning.current = true;
      setState({ busy: true, done: '', error: null });
      try {
        await work();
        setState({ busy: false, done, error: null });
        return true;
      } catch (error) {
        setState({ busy: false, done: '', error });
        return false;
      } finally {
        isRunning.current = false;
      }
    },
  };
}
