import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { witnessPlace } from '../../../src/runtime/witness-place.ts';
import { aFolder } from '../../support/money-database.ts';

const pathOf = (place: ReturnType<typeof witnessPlace>) => (place.kind === 'file' ? place.path : place.why);

describe('the place outside the state folder', () => {
  it('is the configured folder, else that of the service manager, else that of the user', () => {
    const [state, mine, home] = [aFolder(), aFolder(), aFolder()];
    const service = join(aFolder(), 'tilld-witness');
    const env = { STATE_DIRECTORY: `${state}:${service}`, XDG_STATE_HOME: home };
    expect(dirname(pathOf(witnessPlace(state, mine, env)))).toBe(mine);
    expect(dirname(pathOf(witnessPlace(state, undefined, env)))).toBe(service);
    const user = witnessPlace(state, undefined, { XDG_STATE_HOME: home });
    expect(dirname(pathOf(user))).toBe(join(home, 'tilld-witness'));
  });

  it('has a file of its own for each state folder, and the same one by whatever link the folder is named', () => {
    const [one, other, dir] = [aFolder(), aFolder(), aFolder()];
    const link = join(aFolder(), 'link');
    symlinkSync(one, link);
    const nameOf = (folder: string) => basename(pathOf(witnessPlace(folder, dir, {})));
    expect(nameOf(link)).toBe(nameOf(one));
    expect(nameOf(other)).not.toBe(nameOf(one));
  });

  it('is none inside the state folder, where every copy would carry it', () => {
    const state = aFolder();
    expect(witnessPlace(state, join(state, 'witness'), {})).toMatchObject({ kind: 'none' });
    expect(witnessPlace(state, state, {})).toMatchObject({ kind: 'none' });
    mkdirSync(`${state}-witness`);
    expect(witnessPlace(state, `${state}-witness`, {})).toMatchObject({ kind: 'file' });
  });

  it('is none where it cannot be made, and says why', () => {
    const file = join(aFolder(), 'file');
    writeFileSync(file, '');
    expect(witnessPlace(aFolder(), join(file, 'x'), {})).toMatchObject({
      kind: 'none',
      why: expect.stringContaining('cannot be used'),
    });
  });
});
