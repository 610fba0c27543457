import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { groupOf, userNamed, userOf } from '../../../src/cli/users.ts';
import { portOwner } from '../../../src/runtime/port-owner.ts';
import { aFolder } from '../../support/money-database.ts';

describe('the user whose program has a port', () => {
  it.each(['127.0.0.1', '::1'])('is named while it listens on %s, and not afterwards', async (host) => {
    const server = createServer().listen(0, host);
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const address = server.address();
    const port = address !== null && typeof address === 'object' ? address.port : 0;
    expect(portOwner(port)).toBe(userInfo().uid);
    server.close();
    await once(server, 'close');
    expect(portOwner(port)).toBeNull();
  });

  it('is not known where the system does not say', () => {
    expect(portOwner(80, join(aFolder(), 'nothing'))).toBeNull();
  });
});

describe('users and groups of this machine', () => {
  it('have names, or the number where there is none', () => {
    const folder = aFolder();
    const passwd = join(folder, 'passwd');
    writeFileSync(passwd, 'root:x:0:0::/root:/bin/sh\ntilld:x:997:996::/var/lib/tilld:/bin/false\n');
    expect([userOf(0, passwd), userOf(997, passwd), userOf(5, passwd)]).toEqual(['root', 'tilld', 'user 5']);
    expect([userNamed('tilld', passwd), userNamed('till', passwd)]).toEqual([997, null]);
    expect([groupOf(0), groupOf(4_000_000, passwd)]).toEqual(['root', 'group 4000000']);
    expect(userOf(0, join(folder, 'nothing'))).toBe('user 0');
  });
});
