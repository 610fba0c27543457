import { useState } from 'preact/hooks';
import { problemOf } from './reading.js';

/**
 * An action that a person starts: one at a time. `problem` and `done` are texts for the page, empty while there is none.
 * @returns {{ busy: boolean, problem: string, done: string, run: (work: () => Promise<unknown>, done?: string) => Promise<boolean> }}
 */
export function useAction() {
  const [state, setState] = useState({ busy: false, problem: '', done: '' });
  return {
    ...state,
    run: async (work, done = '') => {
      setState({ busy: true, problem: '', done: '' });
      try {
        await work();
        setState({ busy: false, problem: '', done });
        return true;
      } catch (error) {
        setState({ busy: false, problem: problemOf(error), done: '' });
        return false;
      }
    },
  };
}
