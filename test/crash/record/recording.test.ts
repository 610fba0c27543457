import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { aFolder } from '../../support/money-database.ts';
import { buildRecorder, hasCompiler } from './build.ts';
import { isBoundary, type RecordedEvent, readRecording, recordingEnvironment } from './recording.ts';

/** Runs a script with the recorder preloaded; `folder` and `ack` are there for it. */
function recorded(script: string): readonly RecordedEvent[] {
  const root = aFolder();
  const places = { folder: join(root, 'disk'), output: join(root, 'recording'), acks: join(root, 'acks') };
  mkdirSync(places.folder);
  const preamble = `import * as fs from 'node:fs';
    const folder = ${JSON.stringify(places.folder)};
    const beside = ${JSON.stringify(root)};
    const acks = fs.openSync(${JSON.stringify(places.acks)}, 'a');
    const ack = (text) => fs.writeSync(acks, text);`;
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--input-type=module', '--eval', preamble + script],
    {
      env: { ...process.env, ...recordingEnvironment(buildRecorder(root) ?? '', places) },
      encoding: 'utf8',
    },
  );
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return readRecording(places.output);
}

function lineOf(event: RecordedEvent): string {
  switch (event.type) {
    case 'open':
      return `open ${event.path}${event.created ? ' new' : ''}`;
    case 'write':
      return `write ${event.offset} ${event.bytes}`;
    case 'truncate':
      return `size ${event.size}`;
    case 'sync':
      return event.dataOnly ? 'sync data' : 'sync';
    case 'rename':
      return `rename ${event.path} ${event.to}`;
    case 'ack':
      return `ack ${event.text}`;
    default:
      return event.type;
  }
}

const canRecord = hasCompiler();

describe.skipIf(!canRecord)(`the recorder${canRecord ? '' : ' (skipped: this machine has no cc)'}`, () => {
  it('sees every change of a file below its folder, in order, with the acknowledgements among them', () => {
    const events = recorded(`
      const file = fs.openSync(folder + '/a', 'w');
      fs.writeSync(file, 'one');
      ack('first');
      fs.writeSync(file, 'two', 10);
      fs.fdatasyncSync(file);
      fs.ftruncateSync(file, 5);
      fs.fsyncSync(file);
      fs.closeSync(file);
      fs.appendFileSync(folder + '/a', 'tail');
      fs.renameSync(folder + '/a', folder + '/b');
      ack('second');
      fs.rmSync(folder + '/b');
      fs.writeFileSync(beside + '/elsewhere', 'unseen');`);
    const lines = events.map(lineOf);
    expect(lines.filter((line) => line !== 'close')).toEqual([
      'open a new',
      'write 0 one',
      'ack first',
      'write 10 two',
      'sync data',
      'size 5',
      'sync',
      'open a',
      'write 5 tail',
      'rename a b',
      'ack second',
      'unlink',
    ]);
    expect(events.filter(isBoundary)).toHaveLength(9);
  });

  it('refuses a recording with a change that it cannot follow', () => {
    const script = `
      fs.writeFileSync(beside + '/source', 'x'.repeat(100_000));
      fs.renameSync(beside + '/source', folder + '/moved');`;
    expect(() => recorded(script)).toThrow('cannot be replayed');
  });
});
