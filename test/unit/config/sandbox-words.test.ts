import { expect, it } from 'vitest';
import { AutopilotWord, FaultKindWord, FaultPointWord } from '../../../src/config/schema-sandbox.ts';
import { FAULT_KINDS, FAULT_POINTS, KEYS } from '../../../src/sandbox/controllable-terminal.ts';

it('the config knows the words of the virtual terminals, though neither may import the other', () => {
  expect(FaultPointWord.options).toEqual([...FAULT_POINTS]);
  expect(FaultKindWord.options).toEqual([...FAULT_KINDS]);
  expect(AutopilotWord.options).toEqual([...KEYS, 'off']);
});
