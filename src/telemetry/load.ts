import type { Logger } from 'pino';
import type { Config } from '../config.js';
import type { Sources, Telemetry } from './index.js';

/** Starts telemetry if it is configured. Otherwise none of its packages are loaded. */
export async function startIfWanted(
  config: Config,
  log: Logger,
  sources: Sources,
): Promise<Telemetry | undefined> {
  if (config.METRICS_PORT === undefined && config.OTEL_EXPORTER_OTLP_ENDPOINT === undefined)
    return undefined;
  const { startTelemetry } = await import('./index.js');
  return startTelemetry(config, log, sources);
}
