import { describe, expect, it } from 'vitest';
import { standOfTerminal, whyNotTaken } from '../../../src/console/till/why-not-taken.js';
import { DEVICE } from '../cli/fake-daemon.ts';

const offline = { ...DEVICE, status: 'offline' as const, is_connected: false };

describe('a terminal that takes no sale now', () => {
  it.each([
    ['without power, is to be switched on', offline, 'offline', /Switch on Counter 1/],
    [
      'without paper, gets a new roll',
      { ...offline, is_connected: true, needs: 'terminal_printer' },
      'needs_person',
      /no paper, or its cover is open. Nothing was started. Put in a new roll/,
    ],
    [
      'that needs a person for another reason, is to be looked at',
      { ...offline, is_connected: true, needs: 'terminal_memory_full' },
      'needs_person',
      /cannot take a card now. Nothing was started. Look at what it shows/,
    ],
  ] as const)('%s', (_, device, stand, words) => {
    expect(standOfTerminal(device)).toBe(stand);
    expect(whyNotTaken(device, 100, false)).toMatch(words);
  });
});
