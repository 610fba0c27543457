import { describe, expect, it } from 'vitest';
import { silentLog } from '../../../src/base/log.ts';
import { WaitingDeadlines } from '../../../src/payment/dispatch/waiting-deadlines.ts';
import { anAttempt } from '../../support/attempts.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

function aRoom(onTimeOver: (id: string) => void = () => undefined) {
  const clock = new VirtualClock();
  const guest = anAttempt({ createdAt: clock.now(), expiresAt: clock.now() + 60_000 });
  return { clock, guest, room: new WaitingDeadlines(clock, silentLog, onTimeOver) };
}

describe('the deadlines of waiting requests', () => {
  it('says once that the time of a guest is over, to the millisecond', async () => {
    const over: string[] = [];
    const { clock, guest, room } = aRoom((id) => over.push(id));
    room.enter(guest);
    room.enter(guest);
    await clock.advance(59_999);
    expect(over).toEqual([]);
    await clock.advance(120_001);
    expect(over).toEqual([guest.id]);
  });

  it('makes nobody younger when the wall clock is set back, and nobody older than the wall clock says', async () => {
    const { clock, guest, room } = aRoom();
    room.enter(guest);
    await clock.advance(20_000);
    clock.jumpWallClock(-3_600_000);
    expect(room.msLeft(guest)).toBe(40_000);
    clock.jumpWallClock(7_200_000);
    expect(room.msLeft(guest)).toBeLessThan(0);
  });

  it('tries again when the end of a wait could not be stored, and harms nobody', async () => {
    let tries = 0;
    const { clock, guest, room } = aRoom((id) => {
      tries += 1;
      if (tries < 3) throw new Error('disk');
      room.leave(id);
    });
    room.enter(guest);
    await clock.advance(70_000);
    expect(tries).toBe(3);
    expect(clock.pending).toEqual([]);
  });

  it('takes nobody in once it is closed, and leaves no timer', () => {
    const { clock, guest, room } = aRoom();
    room.enter(guest);
    room.close();
    room.enter(guest);
    expect(clock.pending).toEqual([]);
  });
});
