import type { PairedDevice as PairedDeviceView, Passkey as PasskeyView } from '../contract/sign-in.ts';
import type { PairedDevice, Passkey } from '../ports.ts';
import { instant, instantOrNull } from './instant.ts';

export function renderPasskey({ id, createdAt, lastUsedAt }: Passkey): PasskeyView {
  return { id, object: 'passkey', created_at: instant(createdAt), last_used_at: instantOrNull(lastUsedAt) };
}

export function renderPairedDevice({ id, name, pairedAt, withdrawnAt }: PairedDevice): PairedDeviceView {
  return {
    id,
    object: 'paired_device',
    name,
    status: withdrawnAt === null ? 'paired' : 'withdrawn',
    paired_at: instant(pairedAt),
    withdrawn_at: instantOrNull(withdrawnAt),
  };
}
