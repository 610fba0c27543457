import type { Config } from './schema.ts';

type IntegrationConfig = NonNullable<Config['integrations'][keyof Config['integrations']]>;

/** When one resource of an integration runs; what its own schedule does not say is the integration's. */
export function scheduleOf(
  { interval_s, quiet_hours, time_zone, schedules }: IntegrationConfig,
  resource: string,
) {
  const own = schedules[resource];
  const quiet = own?.quiet_hours ?? quiet_hours;
  return {
    intervalS: own?.interval_s ?? interval_s,
    jitterS: own?.jitter_s,
    cron: own?.cron,
    quietHours: quiet === 'none' ? undefined : quiet,
    timeZone: own?.time_zone ?? time_zone,
  };
}
