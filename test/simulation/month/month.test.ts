import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { fastFolder } from '../fast-folder.ts';
import { monthFigure } from './month-figure.ts';

const root = fastFolder();
afterAll(() => root.remove());

describe('a month without the service', () => {
  it('is reported once and whole within the allowance, old keys are looked up, and nobody at the counter waits behind it', async () => {
    const folder = join(root.path, 'month');
    mkdirSync(folder);
    const figure = await monthFigure({ payments: 120, seed: 1, folder });
    expect(figure.failures).toEqual([]);
    expect(figure).toMatchObject({ lost: 0, doubled: 0, keys_reused_old: 0, echoes_run: 0 });
    expect(figure.keys_old).toBeGreaterThan(0);
    expect(figure.live.count).toBeGreaterThan(20);
  }, 300_000);
});
