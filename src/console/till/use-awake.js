import { useEffect } from 'preact/hooks';

/**
 * Keeps the screen on while `isNeeded`, where the browser can (over https or on this machine). Browsers end it when the page is hidden: it is asked
 * for again when the page is back.
 * @param {boolean} isNeeded
 */
export function useAwake(isNeeded) {
  useEffect(() => {
    if (!isNeeded || !('wakeLock' in navigator)) return;
    /** @type {WakeLockSentinel | null} */
    let lock = null;
    let isOver = false;
    const ask = async () => {
      if (document.visibilityState !== 'visible') return;
      // A browser that saves its battery refuses; the payment goes on without it.
      const got = await navigator.wakeLock.request('screen').catch(() => null);
      if (isOver) void got?.release();
      else lock = got;
    };
    void ask();
    document.addEventListener('visibilitychange', ask);
    return () => {
      isOver = true;
      document.removeEventListener('visibilitychange', ask);
      void lock?.release();
    };
  }, [isNeeded]);
}
