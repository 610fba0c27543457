/** Where events are sent. Instants in epoch milliseconds UTC. */
export interface Endpoint {
  readonly id: string;
  readonly url: string;
  /** Event types, each once. */
  readonly events: readonly string[];
  /** `disabled`: nothing new is noted for it; what is pending waits and ends with its 24 hours. */
  readonly status: 'enabled' | 'disabled';
  /** The signing secret as the sealer has sealed it: never the secret itself. */
  readonly sealedSecret: string;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** What the sealed secret of an endpoint is bound to: it opens nowhere else. */
export function secretPurpose(endpointId: string): string {
  return `webhook-endpoint/${endpointId}/signing-secret`;
}
