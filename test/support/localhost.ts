import { lookup } from 'node:dns/promises';

/** Why a test that connects to the name `localhost` is skipped, for its title; empty when the name leads somewhere. */
export const lackOfLocalhost: string = await lookup('localhost').then(
  () => '',
  () => ' (skipped: this machine has no name localhost in /etc/hosts)',
);
