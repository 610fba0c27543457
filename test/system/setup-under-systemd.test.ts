import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packages } from '../package/releases.ts';
import { BootedMachine, lackingToBoot } from './booted-machine.ts';

const lack = lackingToBoot();
const TERMINAL =
  'tillctl simulate-terminal --protocol zvt --listen tcp:10.77.0.40:20007 --beyond-loopback --autopilot approve --no-keys --ledger /root/ledger.json';
/** The network is searched, and the first that is found there is taken. */
const ANSWERS = ['live', 'de', 'search', '', '', '', '', 'no', '', 'shop', 'Anna', '1.23'];

describe.skipIf(lack !== '')(`tillctl setup on a machine with the package${lack && ` (${lack})`}`, () => {
  let machine: BootedMachine;
  beforeAll(async () => {
    const [deb = ''] = await packages('0.1.0', ['amd64'], 'none');
    machine = await BootedMachine.boot(deb);
  }, 300_000);
  afterAll(() => machine?.off());

  it('goes from the package to the first sale, and names the first person', async () => {
    await machine.must(
      'ip link add shop type veth peer name wall && ip addr add 10.77.0.40/28 dev shop && ip link set shop up && ip link set wall up',
    );
    await machine.must(`systemd-run --unit terminal ${TERMINAL}`);
    await machine.until(`ss -Hltn 'sport = :20007' | grep -q LISTEN`);
    const { out, err } = await machine.sh(
      `printf '%s\\n' ${ANSWERS.map((answer) => `'${answer}'`).join(' ')} | tillctl setup`,
      120_000,
    );
    expect(err).toContain('looking for terminals at 14 addresses');
    expect(err).toContain('found: 10.77.0.40:20007, which may be a terminal for zvt');
    expect(err).toMatch(/Counter 1 answers/);
    expect(err).toMatch(/Anna signs in at http:\/\/localhost:8480 with the code \d{4} \d{4}/);
    expect(out).toMatch(/HAS paid 1\.23 EUR/);
    const { data } = JSON.parse(await machine.must('tillctl --json payments'));
    expect(data).toMatchObject([{ status: 'succeeded', amount_minor: 123 }]);
    expect(await machine.must('tillctl people list')).toMatch(/Anna +ops +active/);
    expect(err).toContain('tillctl refund ID');
    expect(await machine.must(`tillctl refund ${data[0].id}`, 60_000)).toContain('1.23 EUR');
    expect(await machine.must('tillctl people audit')).toMatch(/refund_requested .*Anna/);
  }, 180_000);

  it('offers passkeys and the pages, with every library in the package', async () => {
    const ask = "curl -sS -m 10 -H 'content-type: application/json' http://localhost:8480";
    expect(await machine.must(`${ask}/v2/sign-in-challenges -d '{}'`)).toMatch(/"challenge":"[\w-]{40,}"/);
    for (const name of ['preact', 'uqr', 'signals'])
      expect(await machine.must(`${ask}/console/vendor/${name}.js -o /dev/null -w '%{http_code}'`)).toBe(
        '200',
      );
  });

  it('shows the pages in the language of the shop', async () => {
    expect(await machine.must('curl -sS -m 10 http://localhost:8480/')).toContain('data-language="de"');
  });

  it('serves tablets of the shop under an authority whose key no one else can read', async () => {
    const file = '/var/lib/tilld/credentials/shop-ca-shop.pem';
    await machine.until("ss -Hltn 'sport = :8443' | grep -q LISTEN");
    expect(await machine.must(`stat -c '%U %a' ${file}`)).toBe('tilld 600');
    const at = 'curl -sS -m 10 --resolve shop.local:8443:127.0.0.1 -o /dev/null -w %{http_code}';
    await machine.must('curl -sS -m 10 -o /root/ca.crt http://127.0.0.1:8443/trust/ca.crt');
    const pem = 'echo -----BEGIN CERTIFICATE-----; base64 -w64 /root/ca.crt; echo -----END CERTIFICATE-----';
    await machine.must(`(${pem}) > /root/ca.pem`);
    expect(await machine.must(`${at} --cacert /root/ca.pem https://shop.local:8443/`)).toBe('200');
    expect((await machine.sh(`${at} https://shop.local:8443/`)).status).not.toBe(0);
  });

  it('asks nothing of a machine that is set up, and says what is missing', async () => {
    const { out, err } = await machine.sh('tillctl setup </dev/null', 60_000);
    expect(err).toContain('names a terminal already');
    expect(out).toMatch(/Still missing|Nothing is missing/);
  }, 90_000);
});
