import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fastFolder } from '../../simulation/fast-folder.ts';
import { buildRecorder, hasCompiler } from '../record/build.ts';
import { CONTROLS, playWith } from './controls.ts';
import { Cuts, type Verdict } from './cuts.ts';
import { playScenario, type RecordedScenario, recordingOf } from './recorded.ts';
import { SCENARIOS } from './scenarios.ts';

const canRecord = hasCompiler();
const LONG_MS = 180_000;
const SEEDS = [0, 1, 2, 5, 7];

describe.skipIf(!canRecord)(`a power cut${canRecord ? '' : ' (skipped: this machine has no cc)'}`, () => {
  let root: ReturnType<typeof fastFolder>;
  let recorder: string;
  beforeAll(() => {
    root = fastFolder();
    recorder = buildRecorder(root.path) ?? '';
  });
  afterAll(() => root.remove());

  const aFolderFor = (name: string) => {
    const folder = join(root.path, name);
    mkdirSync(folder);
    return folder;
  };
  const accusationsOf = (verdicts: readonly Verdict[]) =>
    verdicts.flatMap(({ boundary, seed, accusations }) =>
      accusations.map(({ crime, text }) => `${boundary}:${seed} ${crime}: ${text}`),
    );
  /** Some power cuts of a scenario, evenly spread. */
  const cut = async (scenario: RecordedScenario, images: number) => {
    const cuts = new Cuts(scenario, join(scenario.folder, 'images'));
    const step = (cuts.boundaries * SEEDS.length) / images;
    const verdicts: Verdict[] = [];
    for (let at = 1; at <= cuts.boundaries; at += step)
      verdicts.push(...(await cuts.at(Math.floor(at), SEEDS)));
    return verdicts;
  };

  it.each(['payment', 'recovery', 'checkpoint', 'days', 'restored'])(
    'in the scenario "%s" takes nothing that was acknowledged and leaves nothing half done',
    async (name) => {
      const verdicts = await cut(playScenario(name, aFolderFor(`scenario-${name}`), recorder), 100);
      expect(accusationsOf(verdicts)).toEqual([]);
      expect(verdicts.length).toBeGreaterThan(40);
    },
    LONG_MS,
  );

  it.each(CONTROLS)(
    'shows what the planted bug "$name" does',
    async (control) => {
      const scenario = playWith(control, control.scenario, aFolderFor(control.name), recorder);
      const found = accusationsOf(await cut(scenario, control.finds === 'epoch' ? 1000 : 120)).filter(
        (text) => text.includes(control.finds),
      );
      expect(found).not.toEqual([]);
    },
    LONG_MS,
  );

  it(
    'leaves a shop that opens again and charges nobody twice',
    async () => {
      const scenario = playScenario('recovery', aFolderFor('revived'), recorder);
      const cuts = new Cuts(scenario, join(scenario.folder, 'images'));
      for (let boundary = 40; boundary <= cuts.boundaries; boundary += 120) {
        expect(await cuts.revive({ boundary, seed: boundary % 12 })).toEqual([]);
      }
    },
    LONG_MS,
  );

  it(
    'can be played again: the same scenario writes the same, but for the salts of the log',
    () => {
      const shape = (name: string) =>
        recordingOf(playScenario('payment', aFolderFor(name), recorder)).map((event) =>
          event.type === 'write' ? `write ${event.offset} ${event.bytes.length}` : event.type,
        );
      expect(shape('once')).toEqual(shape('again'));
    },
    LONG_MS,
  );

  it('knows scenarios by name, each of them once', () => {
    expect(new Set(SCENARIOS.map(({ name }) => name)).size).toBe(SCENARIOS.length);
  });
});
