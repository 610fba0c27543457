import { zvt } from '../../../drivers/terminals/zvt/manifest.ts';

/** Faults that a sale of so many minor units triggers in the driver, once the terminal has begun. */
export const FAULTS = { rejection: 1001, timer: 1002, throws: 1003, idle: 1004, busy: 1005 } as const;

function fail(words: string): never {
  throw new Error(`planted: ${words}`);
}

/** Holds the event loop. */
function hold(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

/** The driver of ZVT, which fails in ways that no caller can catch. A preload: the product knows nothing of it. */
const load = zvt.load.bind(zvt);
Object.assign(zvt, {
  load: async () => {
    const driver = await load();
    return {
      open: async (...args: Parameters<typeof driver.open>) => {
        const session = await driver.open(...args);
        const execute = session.execute.bind(session);
        session.execute = (command, observer, signal) => {
          const { minor } = command.amount;
          if (minor === FAULTS.busy) args[1].clock.timer('busy', 50, () => hold(1500));
          if (minor === FAULTS.throws) fail('before anything was sent');
          const running = execute(command, observer, signal);
          if (minor === FAULTS.rejection)
            setTimeout(() => void Promise.reject(new Error('planted: rejection')), 100);
          if (minor === FAULTS.timer) setTimeout(() => fail('in a timer'), 100);
          if (minor === FAULTS.idle) setTimeout(() => fail('after the payment'), 3_000);
          return running;
        };
        return session;
      },
    };
  },
});
