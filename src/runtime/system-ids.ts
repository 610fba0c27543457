import { v5, v7 } from 'uuid';
import type { Ids } from '../base/ids.ts';

/** Identifiers from the machine's own randomness. */
export const systemIds: Ids = {
  uuid: () => v7(),
  nameBased: (namespace, name) => v5(name, namespace),
  random: () => Math.random(),
};
