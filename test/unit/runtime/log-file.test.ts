import fs, {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { roomFinding } from '../../../src/cli/offline/doctor/log-file.ts';
import { LogFile, type LogFileOptions } from '../../../src/runtime/log-file.ts';

const LINE = `${'x'.repeat(99)}\n`;

/** A folder for logs, and a disk that takes so many bytes; null: all. */
function aPlace(more: Partial<LogFileOptions> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'tilld-log-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const place = { folder, path: join(folder, 'tilld.log'), room: null as number | null, now: 0 };
  const otherwise: string[] = [];
  const notices: string[] = [];
  const ports = {
    otherwise: { write: (line: string) => otherwise.push(line) },
    notices: { write: (line: string) => notices.push(line) },
    clock: { monotonic: () => place.now },
  };
  aDisk(place);
  const open = () => LogFile.open({ path: place.path, maxBytes: 1000, keep: 2, ...more }, ports);
  return Object.assign(place, { otherwise, notices, open, text: () => readFileSync(place.path, 'utf8') });
}

/** What the system writes of what pino's destination gives it. */
function aDisk(place: { room: number | null }): void {
  const write = fs.writeSync;
  const spy = vi.spyOn(fs, 'writeSync').mockImplementation((file: number, data: unknown) => {
    const bytes = Buffer.from(data as string);
    const { room } = place;
    const part = room === null ? bytes : bytes.subarray(0, room);
    if (part.length === 0) throw Object.assign(new Error('ENOSPC: no space left'), { code: 'ENOSPC' });
    if (room !== null) place.room = room - part.length;
    return write(file, part);
  });
  onTestFinished(() => spy.mockRestore());
}

describe('the log in a file', () => {
  it('is set aside before it gets larger than it may, and no more than so many stay', () => {
    const place = aPlace();
    const log = place.open();
    for (let line = 0; line < 45; line += 1) log.write(`${String(line).padStart(99, '.')}\n`);
    expect(readdirSync(place.folder).sort()).toEqual(['tilld.log', 'tilld.log.1', 'tilld.log.2']);
    for (const name of readdirSync(place.folder))
      expect(statSync(join(place.folder, name)).size).toBeLessThanOrEqual(1000);
    expect(readFileSync(`${place.path}.1`, 'utf8')).toMatch(/^\.+30\n[\s\S]*\.39\n$/);
    expect(place.text()).toMatch(/^\.+40\n[\s\S]*\.44\n$/);
  });

  it('keeps nothing of a file that is full where none is to stay', () => {
    const place = aPlace({ keep: 0 });
    const log = place.open();
    for (let line = 0; line < 11; line += 1) log.write(LINE);
    expect([readdirSync(place.folder), place.text()]).toEqual([['tilld.log'], LINE]);
  });

  it('goes on in the same file after a restart, and counts what is in it', () => {
    const place = aPlace();
    place.open().write('before\n');
    const log = place.open();
    log.write('after\n');
    expect(place.text()).toBe('before\nafter\n');
    for (let line = 0; line < 10; line += 1) log.write(LINE);
    expect(readFileSync(`${place.path}.1`, 'utf8')).toMatch(/^before\nafter\n/);
  });

  it('is readable by its user and group alone', () => {
    const place = aPlace();
    place.open();
    expect(statSync(place.path).mode & 0o007).toBe(0);
  });

  it.each([
    ['a folder that is not there', (path: string) => join(path, 'nowhere', 'tilld.log')],
    ['a folder in its place', (path: string) => path],
    ['a device', () => '/dev/null'],
  ])('cannot be begun with %s, and says so', (_name, pathIn) => {
    const place = aPlace();
    place.path = pathIn(place.folder);
    expect(() => place.open()).toThrow(expect.objectContaining({ code: 'LOG_FILE_UNUSABLE' }));
    expect(() => place.open()).toThrow(`log.file: cannot write ${place.path}`);
  });

  it('gives its lines to standard error while the disk is full, says so once, and holds no half line', () => {
    const place = aPlace();
    const log = place.open();
    log.write('first\n');
    place.room = 3;
    for (const line of ['second\n', 'third\n']) log.write(line);
    place.now += 10_000;
    log.write('fourth\n');
    expect(place.otherwise).toEqual(['second\n', 'third\n', 'fourth\n']);
    expect(place.notices.map((line) => JSON.parse(line))).toMatchObject([
      { level: 'error', file: place.path, error: expect.stringMatching(/ENOSPC/) },
    ]);
    expect(place.text()).toBe('first\n');
    place.room = null;
    place.now += 10_000;
    log.write('fifth\n');
    expect(place.text()).toMatch(/^first\n\{"level":"warn","missed":3,[^\n]+\}\nfifth\n$/);
    log.write('sixth\n');
    expect(place.text()).toMatch(/\nfifth\nsixth\n$/);
  });

  it('notices that its folder has gone, and comes back with it', () => {
    const place = aPlace();
    const log = place.open();
    rmSync(place.folder, { recursive: true });
    place.now += 1000;
    log.write('into nothing\n');
    expect([place.otherwise, place.notices.length]).toEqual([['into nothing\n'], 1]);
    mkdirSync(place.folder);
    place.now += 10_000;
    log.write('back\n');
    expect(place.text()).toMatch(/"missed":1[^\n]+\nback\n$/);
  });

  it('goes on under its name when somebody has moved it: at once when told, else within a second', () => {
    const place = aPlace();
    const log = place.open();
    log.write('one\n');
    renameSync(place.path, `${place.path}.moved`);
    log.reopen();
    log.write('two\n');
    expect(place.text()).toBe('two\n');
    rmSync(place.path);
    place.now += 1000;
    log.write('three\n');
    expect(place.text()).toBe('three\n');
  });

  it('goes to standard error rather than get larger than it may where nothing can be set aside', () => {
    const place = aPlace({ keep: 1 });
    const log = place.open();
    mkdirSync(`${place.path}.1/kept`, { recursive: true });
    writeFileSync(`${place.path}.1/kept/x`, '');
    for (let line = 0; line < 12; line += 1) log.write(LINE);
    expect(statSync(place.path).size).toBe(1000);
    expect([place.otherwise.length, place.notices.length]).toEqual([2, 1]);
  });
});

describe('the doctor of a log in a file', () => {
  it('warns where it may come to more than there is room for', () => {
    const mebibyte = 1_048_576;
    expect(roomFinding('/log', 10 * mebibyte, 60 * mebibyte, 50 * mebibyte).level).toBe('ok');
    expect(roomFinding('/log', 10 * mebibyte, 60 * mebibyte, 49 * mebibyte)).toMatchObject({
      level: 'warn',
      what: expect.stringMatching(/10 of at most 60 MiB, and 49 MiB are free/),
      fix: expect.stringMatching(/log\.file\.max_bytes/),
    });
  });
});
