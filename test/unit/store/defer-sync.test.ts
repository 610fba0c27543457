import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { aMoneyDatabase } from '../../support/money-database.ts';

const SET = 'INSERT OR REPLACE INTO facts (name, value) VALUES (?, ?)';
const GET = 'SELECT value FROM facts WHERE name = ?';

describe('a commit whose sync may come later', () => {
  it('is read like any other, and is not sure until another commit is on disk', () => {
    const database = aMoneyDatabase();
    database.deferSync(() => database.transaction(() => database.run(SET, 'a', '1')));
    expect(database.get(GET, 'a')).toEqual({ value: '1' });
    expect(database.isDurable).toBe(false);
    database.transaction(() => database.run(SET, 'b', '1'));
    expect(database.isDurable).toBe(true);
  });

  it('is not made sure by a commit that wrote nothing without a sync of its own', () => {
    const database = aMoneyDatabase();
    database.deferSync(() => database.run(SET, 'a', '1'));
    const heard: string[] = [];
    database.onDurable(() => heard.push('durable'));
    database.transaction(() => database.get(GET, 'a'));
    expect(heard).toEqual(['durable']);
    expect(database.isDurable).toBe(true);
  });

  it('is told once it is on disk, after the commit that made it so has returned its work', () => {
    const database = aMoneyDatabase();
    const heard: string[] = [];
    database.deferSync(() => database.run(SET, 'a', '1'));
    database.onDurable(() => heard.push('a is sure'));
    expect(heard).toEqual([]);
    database.transaction(() => {
      database.run(SET, 'b', '1');
      heard.push('b is written');
    });
    expect(heard).toEqual(['b is written', 'a is sure']);
  });

  it('is on disk when harden returns', () => {
    const database = aMoneyDatabase();
    database.deferSync(() => database.run(SET, 'a', '1'));
    database.flush();
    expect(database.isDurable).toBe(true);
    const heard: string[] = [];
    database.onDurable(() => heard.push('at once'));
    expect(heard).toEqual(['at once']);
  });

  it('leaves every later commit as durable as before', () => {
    const database = aMoneyDatabase();
    database.deferSync(() => database.run(SET, 'a', '1'));
    expect(database.get('PRAGMA synchronous')).toEqual({ synchronous: 2 });
    expect(() =>
      database.deferSync(() =>
        database.transaction(() => {
          throw new Error('refused');
        }),
      ),
    ).toThrow('refused');
    expect(database.get('PRAGMA synchronous')).toEqual({ synchronous: 2 });
  });

  it('is as lost as its transaction when that is rolled back', () => {
    const database = aMoneyDatabase();
    expect(() =>
      database.deferSync(() =>
        database.transaction(() => {
          database.run(SET, 'a', '1');
          throw new Error('refused');
        }),
      ),
    ).toThrow('refused');
    expect(database.get(GET, 'a')).toBeUndefined();
    expect(database.isDurable).toBe(true);
  });

  it('outlives a process that is killed', () => {
    const path = aMoneyDatabase().path;
    const program = `
      const { Database } = await import('${new URL('../../../src/store/database.ts', import.meta.url)}');
      const { MONEY_MIGRATIONS } = await import('${new URL('../../../src/store/schema/migrations.ts', import.meta.url)}');
      const database = Database.open(${JSON.stringify(path)}, MONEY_MIGRATIONS, '0.1.0');
      database.deferSync(() => database.run(${JSON.stringify(SET)}, 'a', '1'));
      process.kill(process.pid, 'SIGKILL');`;
    spawnSync(process.execPath, ['--input-type=module', '--eval', program]);
    expect(aMoneyDatabase(path).get(GET, 'a')).toEqual({ value: '1' });
  });
});
