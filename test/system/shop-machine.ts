import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { BootedMachine } from './booted-machine.ts';

const CONFIG = 'etc/tilld/tilld.jsonc';
const LedgerFile = z.object({ records: z.array(z.object({ amountMinor: z.int(), result: z.string() })) });
/** Another amount each time: the same one within half a minute would be the same sale. */
let amount = 700;

/** A booted machine with the demo's shop: one virtual terminal, and the stand-in of the service. */
export class ShopMachine {
  readonly machine: BootedMachine;

  private constructor(machine: BootedMachine) {
    this.machine = machine;
  }

  /** @param autopilot `off`: each customer waits for {@link approve} */
  static async boot(deb: string, autopilot: 'approve' | 'off'): Promise<ShopMachine> {
    const machine = await BootedMachine.boot(deb, (root) => {
      cpSync(join(root, 'usr/share/tilld/demo/tilld.jsonc'), join(root, CONFIG));
    });
    const shop = new ShopMachine(machine);
    shop.edit((text) => text.replace('"autopilot": "approve"', `"autopilot": "${autopilot}"`));
    await shop.restart();
    return shop;
  }

  get config(): string {
    return readFileSync(this.machine.at(CONFIG), 'utf8');
  }

  edit(change: (text: string) => string): void {
    writeFileSync(this.machine.at(CONFIG), change(this.config));
  }

  restart(): Promise<string> {
    return this.machine.must('systemctl restart tilld', 60_000);
  }

  /** It answers, and can sell. */
  sells(withinMs = 60_000): Promise<string> {
    return this.machine.until(
      `curl -sS -m 5 http://127.0.0.1:8480/healthz | grep -q '"can_sell":true'`,
      withinMs,
    );
  }

  /** A customer comes to the terminal and decides nothing yet. @returns the id of the payment */
  async customer(): Promise<string> {
    amount += 1;
    const call = `tillctl --json pay --device "Counter 1" --amount ${(amount / 100).toFixed(2)} --no-wait`;
    const { id } = JSON.parse(await this.machine.must(call)).data;
    await this.machine.until(`curl -s http://127.0.0.1:8481/sandbox/terminals | grep -q 'Present card'`);
    return id;
  }

  approve(): Promise<string> {
    return this.machine.must(
      `curl -sS -f -H 'content-type: application/json' http://127.0.0.1:8481/sandbox/terminals/counter-1/keys -d '{"key":"approve"}'`,
    );
  }

  /** A payment from its beginning to its end. */
  async sell(): Promise<string> {
    const id = await this.customer();
    await this.approve();
    return this.outcome(id);
  }

  /** The end of a payment. */
  async outcome(id: string): Promise<string> {
    for (;;) {
      const { out } = await this.machine.sh('tillctl --json payments --limit 100');
      const payments: readonly { id: string; status: string }[] =
        out === '' ? [] : (JSON.parse(out).data ?? []);
      const status = payments.find((payment) => payment.id === id)?.status ?? 'in_progress';
      if (status !== 'in_progress' && status !== 'requested') return status;
      await wait(300);
    }
  }

  /** How often the terminal has charged the amount of the newest customer, by its own ledger. */
  async charges(): Promise<number> {
    const text = await this.machine.must('cat /var/lib/tilld/sandbox/terminal-counter-1.json');
    const { records } = LedgerFile.parse(JSON.parse(text));
    return records.filter((line) => line.amountMinor === amount && line.result === 'approved').length;
  }

  /** The release that answers. */
  async release(): Promise<string> {
    return JSON.parse(await this.machine.must('tillctl --json status')).data.version;
  }

  /** `install ok installed 0.2.0` */
  async packaged(): Promise<string> {
    return this.machine.must(`dpkg-query -W -f '\${Status} \${Version}' tilld`);
  }
}
