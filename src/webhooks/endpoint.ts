/** A webhook endpoint. Instants in epoch milliseconds UTC. */
export interface Endpoint {
  readonly id: string;
  readonly url: string;
  /** Event types, each once. */
  readonly events: readonly string[];
  /** `disabled`: no new delivery is created for it; pending ones wait and end with their 24 hours. */
  readonly status: 'enabled' | 'disabled';
  /** The signing secret, encrypted by the sealer: never the secret itself. */
  readonly sealedSecret: string;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** The purpose that the sealed secret of an endpoint is bound to: it opens for no other. */
export function secretPurpose(endpointId: string): string {
  return `webhook-endpoint/${endpointId}/signing-secret`;
}
