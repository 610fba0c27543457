import { describe, expect, it } from 'vitest';
import { KeyWatch } from '../../../src/service/key-watch.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

function watched() {
  const clock = new VirtualClock();
  const files = { key: 'first' as string | null, reads: 0 };
  const heard: string[] = [];
  const read = () => {
    files.reads += 1;
    return files.key;
  };
  const watch = new KeyWatch(clock, read, () => heard.push(String(files.key)));
  return { clock, files, watch, heard };
}

describe("The service's key", () => {
  it('that is rolled is noticed at its next use, and told once', () => {
    const { files, watch, heard } = watched();
    expect(watch.current()).toBe('first');
    files.key = 'second';
    expect(watch.current()).toBe('second');
    watch.current();
    expect(heard).toEqual(['second']);
  });

  it('that is refused is looked at every two seconds, and no longer than that', async () => {
    const { clock, files, watch, heard } = watched();
    watch.current();
    watch.refused(true);
    watch.refused(true);
    await clock.advance(60_000);
    expect(files.reads).toBe(31);
    files.key = 'second';
    await clock.advance(2_000);
    expect(heard).toEqual(['second']);
    watch.refused(false);
    expect(clock.pending).toEqual([]);
  });

  it('that goes and comes back is told when it is there again', () => {
    const { files, watch, heard } = watched();
    watch.current();
    files.key = null;
    expect(watch.current()).toBeNull();
    expect(heard).toEqual([]);
    files.key = 'first';
    watch.current();
    expect(heard).toEqual(['first']);
  });
});
