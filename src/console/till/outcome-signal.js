import { useEffect, useRef } from 'preact/hooks';
import { useConsole } from '../app/console.js';

/** Tones in Hz, one after the other, and the vibration in ms: two rising ones for a paid sale, a long low one for any other end. */
const PAID = { tones: [660, 990], toneS: 0.14, vibration: [80, 60, 80] };
const NOT_PAID = { tones: [220], toneS: 0.5, vibration: [400] };
const VOLUME = 0.2;

/**
 * Makes the end of a payment heard and felt where this browser is set to it. A payment that had ended before the page showed it makes no signal.
 * @param {import('../app/contract.js').Payment} payment
 */
export function useOutcomeSignal({ id, completed_at, status }) {
  const { preferences } = useConsole();
  const open = useRef('');
  const isEnded = completed_at !== null;
  useEffect(() => {
    if (!isEnded) open.current = id;
    else if (open.current === id) {
      open.current = '';
      if (preferences.hasSignals.peek()) play(status === 'succeeded' ? PAID : NOT_PAID);
    }
  }, [id, isEnded]);
}

/** @param {{ tones: readonly number[], toneS: number, vibration: number[] }} signal */
function play({ tones, toneS, vibration }) {
  navigator.vibrate?.(vibration);
  const context = new AudioContext();
  const gain = new GainNode(context, { gain: VOLUME });
  gain.connect(context.destination);
  for (const [index, frequency] of tones.entries()) {
    const tone = new OscillatorNode(context, { frequency });
    tone.connect(gain);
    tone.start(context.currentTime + index * toneS);
    tone.stop(context.currentTime + (index + 1) * toneS);
    if (index === tones.length - 1) tone.onended = () => void context.close();
  }
}
