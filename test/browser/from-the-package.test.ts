import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packages } from '../package/releases.ts';
import { BootedMachine, lackingToBoot } from '../system/booted-machine.ts';
import { PATH as CHROMIUM, isChromium, openBrowser, openPage } from './browser.ts';
import {
  addPasskey,
  addPerson,
  comeBackByPasskey,
  giveAuthenticator,
  shownCode,
  typeCode,
} from './signing-people-in.ts';
import { lastOutcome, take } from './staff.ts';

const lack = isChromium ? lackingToBoot() : 'passkeys are made in Chromium';
const TERMINAL =
  'tillctl simulate-terminal --protocol zvt --listen tcp:127.0.0.1:20007 --autopilot approve --no-keys --ledger /root/ledger.json';
const ANSWERS = ['live', 'en', '127.0.0.1:20007', '', '', '', 'no', '', '', 'Olga', '1.23'];
const PAGES = 'http://localhost:8480';

describe.skipIf(lack !== '')(`a new user${lack && ` (${lack})`}`, () => {
  let machine: BootedMachine;
  let browser: Browser;
  beforeAll(async () => {
    const [deb = ''] = await packages('0.1.0', ['amd64'], 'none');
    machine = await BootedMachine.boot(deb);
    browser = await openBrowser({ starter: machine.inItsNetwork(CHROMIUM) });
  }, 300_000);
  afterAll(async () => {
    await browser?.close();
    await machine?.off();
  });

  it('installs the package, sets it up, signs in with a passkey, pairs a tablet, takes a payment there, and disables the person', async () => {
    await machine.must(`systemd-run --unit terminal ${TERMINAL}`);
    await machine.until(`ss -Hltn 'sport = :20007' | grep -q LISTEN`);
    const answers = ANSWERS.map((answer) => `'${answer}'`).join(' ');
    const { out, err } = await machine.sh(`printf '%s\\n' ${answers} | tillctl setup`, 120_000);
    expect(out).toMatch(/HAS paid 1\.23 EUR/);
    const [, printed = '', code = ''] = /signs in at (http\S+) with the code (\d{4} \d{4})/.exec(err) ?? [];
    expect(printed).toBe(PAGES);

    const office = await openPage(browser, printed);
    await giveAuthenticator(office.page);
    await typeCode(office.page, code);
    await addPasskey(office.page);
    await comeBackByPasskey(office.page, 'Olga');

    await office.page.goto(`${PAGES}/#/ops/people`);
    const anna = await addPerson(office.page, 'Anna');
    await anna.getByRole('button', { name: 'Code to sign in' }).click();
    const hers = await shownCode(office.page);
    await office.page.getByRole('button', { name: 'Pair a device' }).click();
    const pairing = await shownCode(office.page);

    const tablet = await openPage(browser, `${PAGES}/#/pair/${pairing}`, { hasTouch: true });
    await tablet.page.getByLabel(/^Name of this device/).fill('Tablet');
    await tablet.page.getByRole('button', { name: 'Pair' }).click();
    await tablet.page.getByRole('button', { name: 'Sign in' }).click();
    await typeCode(tablet.page, hers);
    await take(tablet.page, '13.00', 'basket 1');
    await lastOutcome(tablet.page, 'paid');
    const { data } = JSON.parse(await machine.must('tillctl --json payments'));
    expect(data.map(({ amount_minor: amount }: { amount_minor: number }) => amount)).toEqual([1300, 123]);

    await anna.getByRole('button', { name: 'End the sign-in' }).click();
    await office.page.getByRole('dialog').getByRole('button', { name: 'End the sign-in' }).click();
    await tablet.page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await tablet.page.reload();
    await tablet.page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await machine.must('tillctl people audit')).toMatch(/person_disabled/);
    expect([office.faults, tablet.faults]).toEqual([[], []]);
  }, 240_000);
});
