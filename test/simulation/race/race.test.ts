import { afterAll, describe, expect, it } from 'vitest';
import { fastFolder } from '../fast-folder.ts';
import { raceFigure } from './race-figure.ts';

const root = fastFolder();
afterAll(() => root.remove());

describe('two agents on one device with one key', () => {
  it('never run the same payment of the service twice, in 200 races', async () => {
    const printed: string[] = [];
    const figure = await raceFigure({
      from: 1,
      races: 200,
      root: root.path,
      say: (line) => printed.push(line),
    });
    expect(printed).toEqual([]);
    expect(figure).toMatchObject({ races: 200, run_twice: 0, failures: [] });
    expect(figure.run_once).toBeGreaterThan(150);
    expect(figure.contested).toBeGreaterThan(50);
  }, 300_000);
});
