import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AppError } from '../../../src/base/errors.ts';
import type { CommandRecord } from '../../../src/fleet/agent/command-records.ts';
import type { DoCommand } from '../../../src/fleet/agent/commands.ts';
import { FleetCommand } from '../../../src/fleet/contract/command.ts';
import { sendCommand } from '../../../src/hub/commands/send.ts';
import { makeOperatorKey, signCommand } from '../../../src/hub/commands/sign.ts';
import { asTenant } from '../../../src/hub/database/connect.ts';
import { systemClock } from '../../../src/runtime/system-clock.ts';
import { Shop, type TestHub, testHub } from '../../fleet/hub.ts';
import { commandsOf } from './commands-of.ts';

/** `npm run fleet:test -- hostile-commands` sends 10,000. */
const HOSTILE = Number(process.env['FLEET_HOSTILE_COMMANDS'] ?? 1_000);
const AGENT = randomUUID();
const NOW = () => Math.floor(Date.now() / 1_000);
const SIGNAL = new AbortController().signal;

/** A shop's table of commands: what it ran, and what its file holds. */
function aShop(run: DoCommand = async () => 'it was done', kept: CommandRecord[] = []) {
  const ran: unknown[] = [];
  const doing: DoCommand = (command, signal) => {
    ran.push(command);
    return run(command, signal);
  };
  return { ...commandsOf({ run: doing, kept, clock: systemClock }), ran };
}

describe('a command of a hub at the shop', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tilld-operator-'));
  const keyFile = join(folder, 'operator.key');
  const anna = { name: 'Anna', key: '' };
  beforeAll(() => {
    anna.key = makeOperatorKey(keyFile);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const signed = async (command: unknown, changes: Readonly<Record<string, unknown>> = {}, key?: string) => {
    const asked = { agentId: AGENT, operator: 'Anna', seconds: 3_600, command, ...changes };
    const envelope = await signCommand(key ?? keyFile, asked, Date.now());
    const { jti } = JSON.parse(Buffer.from(envelope.split('.')[1] ?? '', 'base64url').toString());
    return { id: String(jti), envelope };
  };
  /** Signed by the operator, whatever it is: as a mistaken or hostile operator could. */
  const raw = async (claims: Readonly<Record<string, unknown>>) => {
    const { readFileSync } = await import('node:fs');
    const { importJWK } = await import('jose');
    const key = await importJWK(JSON.parse(readFileSync(keyFile, 'utf8')), 'EdDSA');
    const all = { jti: randomUUID(), sub: AGENT, iss: 'Anna', iat: NOW(), exp: NOW() + 60, ...claims };
    return {
      id: String(all.jti),
      envelope: await new SignJWT(all).setProtectedHeader({ alg: 'EdDSA' }).sign(key),
    };
  };

  it('runs when an operator that the shop trusts has signed it, once, however often it is handed over', async () => {
    const { commands, ran, file } = aShop();
    const command = await signed({ kind: 'resume', provider: 'provider_a' });
    for (let times = 0; times < 3; times += 1) await commands.take([command], AGENT, [anna], SIGNAL);
    expect(ran).toEqual([{ kind: 'resume', provider: 'provider_a' }]);
    expect(commands.outcomes()).toEqual([{ id: command.id, state: 'done', details: 'it was done' }]);
    commands.reported(commands.outcomes());
    expect(commands.outcomes()).toEqual([]);
    const { commands: restarted, ran: again } = aShop(undefined, [...file.records]);
    await restarted.take([command], AGENT, [anna], SIGNAL);
    expect(again).toEqual([]);
    expect(restarted.outcomes()).toMatchObject([{ id: command.id, state: 'done' }]);
  });

  it('is on disk before it begins, and does not run again when the process ended meanwhile', async () => {
    const onDisk: string[] = [];
    const shop = aShop(async () => {
      onDisk.push(shop.file.records.at(-1)?.state ?? '');
      throw new Error('the process ends here');
    });
    const command = await signed({ kind: 'doctor' });
    await shop.commands.take([command], AGENT, [anna], SIGNAL);
    expect(onDisk).toEqual(['begun']);
    const ended = shop.file.records.map((record): CommandRecord => ({ ...record, state: 'begun' }));
    const { commands, ran } = aShop(undefined, ended);
    await commands.take([command], AGENT, [anna], SIGNAL);
    expect(ran).toEqual([]);
    expect(commands.outcomes()).toMatchObject([{ id: command.id, state: 'interrupted' }]);
  });

  it('is refused in words where it is not for this shop, not signed, too old, or for too long', async () => {
    const stranger = join(folder, `stranger-${randomUUID()}.key`);
    makeOperatorKey(stranger);
    const doctor = { kind: 'doctor' };
    const cases = [
      [await signed(doctor, {}, stranger), /operator that this shop trusts/],
      [await signed(doctor, { agentId: randomUUID() }), /another shop/],
      [{ ...(await signed(doctor)), id: randomUUID() }, /another id/],
      [await signed(doctor, { seconds: 8 * 86_400 }), /more than seven days/],
      [await signed(doctor, { seconds: -1 }), /expired/],
      [{ id: randomUUID(), envelope: 'x.y.z' }, /not signed/],
      [await signed(doctor, { operator: 'Bob' }), /names Bob as its operator, and the key of Anna/],
      [
        await raw({ command: doctor, only_at_night: true }),
        /a form that this release of tilld does not know/,
      ],
      [await raw({ command: doctor, exp: 2 ** 53 - 1 }), /a form that this release of tilld does not know/],
    ] as const;
    for (const [command, words] of cases) {
      const { commands, ran } = aShop();
      await commands.take([command], AGENT, [anna], SIGNAL);
      expect(ran).toEqual([]);
      expect(commands.outcomes()).toMatchObject([
        { state: 'refused', details: expect.stringMatching(words) },
      ]);
    }
    const { commands, ran } = aShop();
    await commands.take([await signed(doctor)], AGENT, [], SIGNAL);
    expect([ran, commands.outcomes()[0]?.state]).toEqual([[], 'refused']);
  });

  it('is shown under the name that the shop gave to its key', async () => {
    const bob = { name: 'Bob', key: makeOperatorKey(join(folder, 'bob.key')) };
    const { commands } = aShop();
    for (const [name, key] of [
      ['Bob', 'bob.key'],
      ['Anna', 'bob.key'],
      ['Anna', 'operator.key'],
    ] as const)
      await commands.take(
        [await signed({ kind: 'doctor' }, { operator: name }, join(folder, key))],
        AGENT,
        [anna, bob],
        SIGNAL,
      );
    expect(commands.records.map(({ operator, state }) => [operator, state])).toEqual([
      ['Bob', 'done'],
      ['Bob', 'refused'],
      ['Anna', 'done'],
    ]);
  });

  it('leaves no secret and no id of another system in its details, and no more than a hub takes', async () => {
    const words = [
      'error · service · key rk_live_0123456789abcdefghij · card 4111 1111 1111 1111 · \u0000',
      'https://anna:geheim@hub.example/a?token=abc · anna@example.com · customer cus_NffrFeUfNV2Hib',
      'eyJhbGciOiJFZERTQSJ9.eyJpc3MiOiJ4In0.c2lnbmF0dXJl1234',
      `payment ${AGENT} · /var/lib/tilld/money.db.damaged-2026-11-27-1 · 12 checks`,
    ].join('\n');
    const { commands } = aShop(async () => words);
    await commands.take([await signed({ kind: 'doctor' })], AGENT, [anna], SIGNAL);
    const details = commands.outcomes()[0]?.details ?? '';
    expect(details).not.toMatch(/0123456789|1111 1111|geheim|token=|@example|NffrFe|eyJ|c2ln/);
    expect(details).not.toContain('\u0000');
    expect(details).toContain(`payment ${AGENT} · /var/lib/tilld/money.db.damaged-2026-11-27-1 · 12 checks`);
    const { commands: failing } = aShop(async () => {
      throw new Error(`x ${'rk_live_0123456789abcdefghij '.repeat(100_000)}`);
    });
    await failing.take([await signed({ kind: 'doctor' })], AGENT, [anna], SIGNAL);
    expect(failing.outcomes()[0]?.details?.length).toBeLessThanOrEqual(4_000);
    expect(failing.outcomes()[0]?.details).not.toContain('0123');
  });

  it('that touches the books is left to a person, and an unknown kind is not supported', async () => {
    const { commands, ran } = aShop();
    const id = randomUUID();
    for (const command of [
      { kind: 'end_of_day', device_id: id },
      { kind: 'resolve', payment_id: id },
      { kind: 'retry_report', report_id: id },
      { kind: 'drop_report', report_id: id },
      { kind: 'adopt', device_id: id },
    ])
      await commands.take([await signed(command)], AGENT, [anna], SIGNAL);
    await commands.take([await raw({ command: { kind: 'pay', amount_minor: 100 } })], AGENT, [anna], SIGNAL);
    expect(ran).toEqual([]);
    expect(commands.outcomes().map(({ state }) => state)).toEqual([
      ...Array(5).fill('needs_person'),
      'unsupported',
    ]);
  });

  it('that configures is run where it is whole, and is refused in words by shop and signer where it is not', async () => {
    const { commands, ran } = aShop(async ({ kind }) => {
      if (kind === 'configuration') throw new AppError('FLEET_COMMAND_REFUSED', 'it is not newer');
      return '';
    });
    const whole = { kind: 'configuration', revision: 3, settings: { heartbeat_ms: 20_000 } };
    await commands.take([await signed(whole)], AGENT, [anna], SIGNAL);
    expect(ran).toEqual([whole]);
    const cases = [
      [{ settings: { service: { credential: 'other' } } }, /service\.credential names a secret/],
      [{ settings: { environment: 'live' } }, /environment cannot be configured by a hub/],
      [{ settings: {}, at_night: true }, /at_night cannot be configured by a hub/],
      [{ settings: {}, revision: 0 }, /revision/],
      [{}, /settings/],
    ] as const;
    for (const [more, words] of cases) {
      const command = { kind: 'configuration', revision: 4, ...more };
      await commands.take([await raw({ command })], AGENT, [anna], SIGNAL);
      await expect(signed(command)).rejects.toThrow(words);
    }
    expect(ran).toHaveLength(1);
    expect(commands.records.map(({ state, details }) => [state, details])).toEqual([
      ['refused', 'it is not newer'],
      ...cases.map(([, words]) => ['refused', expect.stringMatching(words)]),
    ]);
  });

  it('cannot fill the memory of a shop: one envelope under ever new ids is refused, and forgotten', async () => {
    const { commands, ran, file } = aShop();
    const { envelope } = await signed({ kind: 'doctor' }, { agentId: randomUUID() });
    for (let number = 0; number < 500; number += 1)
      await commands.take([{ id: randomUUID(), envelope }], AGENT, [anna], SIGNAL);
    expect(file.records.length).toBeLessThanOrEqual(200);
    await commands.take([await signed({ kind: 'doctor' })], AGENT, [anna], SIGNAL);
    expect(ran).toEqual([{ kind: 'doctor' }]);
  });

  it('does not begin once the shop stops', async () => {
    const stopping = new AbortController();
    const { commands, ran } = aShop(async () => {
      stopping.abort();
      throw new Error('it was stopped');
    });
    const three = [
      await signed({ kind: 'doctor' }),
      await signed({ kind: 'doctor' }),
      await signed({ kind: 'doctor' }),
    ];
    await commands.take(three, AGENT, [anna], stopping.signal);
    expect(ran).toHaveLength(1);
    expect(commands.outcomes()).toMatchObject([{ state: 'interrupted' }]);
  });

  it('knows no kind that moves money', () => {
    const kinds = FleetCommand.options.flatMap((group) => group.options.map((one) => one.shape.kind.value));
    expect(kinds.toSorted()).toEqual(
      [
        'adopt',
        'configuration',
        'doctor',
        'drop_report',
        'end_of_day',
        'resolve',
        'restart',
        'resume',
        'resync',
        'retry_report',
      ].toSorted(),
    );
  });

  it('hostile ones run nothing: foreign signatures, kinds that move money, fields too many, altered envelopes', async () => {
    const foreign = generateKeyPairSync('ed25519').privateKey;
    const kinds = [
      'pay',
      'refund',
      'void',
      'sale',
      'capture',
      'Pay',
      'resume ',
      'constructor',
      '__proto__',
      '',
    ];
    const { commands, ran } = aShop();
    const good = await signed({ kind: 'resume', provider: 'provider_a' });
    for (let number = 0; number < HOSTILE; number += 1) {
      const kind = kinds[number % kinds.length] ?? '';
      const way = number % 4;
      const claims = { jti: randomUUID(), sub: AGENT, iss: 'Eve', iat: NOW(), exp: NOW() + 1 };
      if (way === 0) {
        const envelope = await new SignJWT({ ...claims, command: { kind: 'resume', provider: 'provider_a' } })
          .setProtectedHeader({ alg: 'EdDSA' })
          .sign(foreign);
        await commands.take([{ id: claims.jti, envelope }], AGENT, [anna], SIGNAL);
      } else if (way === 1) {
        const at = number % good.envelope.length;
        const other = good.envelope[at] === 'A' ? 'B' : 'A';
        const envelope = good.envelope.slice(0, at) + other + good.envelope.slice(at + 1);
        await commands.take([{ id: randomUUID(), envelope }], AGENT, [anna], SIGNAL);
      } else {
        const more =
          way === 2 ? { amount_minor: number } : { kind: 'resume', provider: 'p', pay: { amount_minor: 1 } };
        await commands.take(
          [await raw({ command: { kind, ...more }, exp: NOW() + 1 })],
          AGENT,
          [anna],
          SIGNAL,
        );
      }
      commands.reported(commands.outcomes());
    }
    expect(ran).toEqual([]);
    expect(commands.records.every(({ state }) => state === 'refused' || state === 'unsupported')).toBe(true);
  }, 60_000);

  describe('at the hub', () => {
    let hub: TestHub;
    beforeAll(async () => {
      hub = await testHub();
      hub.now = Date.now();
      for (const name of ['Bakery', 'Butcher']) await hub.tenant(name);
    });
    afterAll(() => hub.stop());

    const joined = async (tenant: string, name: string) => {
      const shop = new Shop(hub.send);
      await shop.join(await hub.invite(tenant, name));
      const [tenantId = '', agentId = ''] = shop.issuer?.split('/') ?? [];
      return { shop, tenantId, agentId };
    };
    const sent = (tenantId: string, envelope: string) =>
      asTenant(hub.database, tenantId, (transaction) =>
        sendCommand(transaction, tenantId, envelope, 'test', hub.now),
      );

    it('waits for its agent alone, and its outcome is noted once, in the audit, too', async () => {
      const { shop, tenantId, agentId } = await joined('Bakery', 'commands');
      const { shop: neighbour } = await joined('Bakery', 'neighbour');
      const { id, envelope } = await signed({ kind: 'doctor' }, { agentId });
      await sent(tenantId, envelope);
      await expect(sent(tenantId, envelope)).rejects.toMatchObject({ code: 'COMMAND_SENT' });
      expect((await neighbour.exchange({}, hub.now)).body.data.commands).toEqual([]);
      for (let times = 0; times < 2; times += 1)
        expect((await shop.exchange({}, hub.now)).body.data.commands).toEqual([{ id, envelope }]);
      const outcomes = [{ id, state: 'done', details: 'all is well' }];
      await neighbour.exchange({ outcomes }, hub.now);
      for (let times = 0; times < 2; times += 1)
        expect((await shop.exchange({ outcomes }, hub.now)).body.data.commands).toEqual([]);
      const { rows } = {
        rows: await hub.database.selectFrom('audit').select(['action', 'actor', 'details']).execute(),
      };
      const ended = rows.filter(({ action }) => action === 'command_ended');
      expect(ended).toMatchObject([{ actor: `agent ${agentId}` }]);
      expect(JSON.parse(ended[0]?.details ?? '')).toMatchObject({
        command: id,
        operator: 'Anna',
        state: 'done',
      });
    });

    it('is withheld from an agent in quarantine, and when it has expired', async () => {
      const { shop, tenantId, agentId } = await joined('Bakery', 'withheld');
      await sent(tenantId, (await signed({ kind: 'doctor' }, { agentId, seconds: 60 })).envelope);
      await hub.database
        .updateTable('agent')
        .set({ quarantined: 'two_processes' })
        .where('id', '=', agentId)
        .execute();
      expect((await shop.exchange({}, hub.now)).body.data.commands).toEqual([]);
      await hub.database.updateTable('agent').set({ quarantined: null }).where('id', '=', agentId).execute();
      expect((await shop.exchange({}, hub.now)).body.data.commands).toHaveLength(1);
      hub.now = Date.now() + 61_000;
      expect((await shop.exchange({}, hub.now)).body.data.commands).toEqual([]);
    });

    it('is not kept for an agent of another merchant, or of a kind that no hub may ask for', async () => {
      const { tenantId } = await joined('Bakery', 'home');
      const { agentId: foreign } = await joined('Butcher', 'foreign');
      const { envelope } = await signed({ kind: 'doctor' }, { agentId: foreign });
      await expect(sent(tenantId, envelope)).rejects.toMatchObject({ code: 'RESOURCE_MISSING' });
      const pay = await raw({ command: { kind: 'pay', amount_minor: 1 }, exp: NOW() + 600 });
      await expect(sent(tenantId, pay.envelope)).rejects.toMatchObject({ code: 'COMMAND_INVALID' });
      await expect(sent(tenantId, 'nonsense')).rejects.toMatchObject({ code: 'COMMAND_INVALID' });
      await expect(signed({ kind: 'refund' })).rejects.toMatchObject({ code: 'COMMAND_INVALID' });
    });

    it('is refused in words where its instants, its agent or its operator are none', async () => {
      const { tenantId, agentId } = await joined('Bakery', 'odd');
      const command = { kind: 'doctor' };
      const far = 2 ** 53 - 1;
      for (const [claims, words] of [
        [{ iat: far - 60, exp: far }, /<=253402300799/],
        [{ iat: -1 }, />=0/],
        [{ iat: NOW() + 86_400, exp: NOW() + 90_000 }, /signed in the future by the clock of the hub/],
        [{ iss: '' }, /iss/],
        [{ note: 'x' }, /note/],
      ] as const) {
        const { envelope } = await raw({ command, sub: agentId, ...claims });
        const refused = await sent(tenantId, envelope).catch((error: unknown) => error);
        expect(refused).toMatchObject({ code: 'COMMAND_INVALID', message: expect.stringMatching(words) });
      }
      for (const [changes, words] of [
        [{ agentId: 'Berlin 1' }, /--agent is no id/],
        [{ operator: '' }, /--operator must be a name/],
        [{ operator: 'x'.repeat(101) }, /--operator must be a name/],
      ] as const)
        await expect(signed(command, changes)).rejects.toMatchObject({
          code: 'COMMAND_INVALID',
          message: expect.stringMatching(words),
        });
    });
  });
});
