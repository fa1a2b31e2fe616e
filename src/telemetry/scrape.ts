/** Metrics for Prometheus, at /metrics on a separate port: the public port never serves them. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { PrometheusExporter } from '@opentelemetry/exporter-prometheus';

export interface Scrape {
  readonly reader: PrometheusExporter;
  close(): void;
}

/** @throws when the port is in use. */
export async function serveMetrics(host: string, port: number): Promise<Scrape> {
  const reader = new PrometheusExporter({ preventServerStart: true, withoutScopeInfo: true });
  const server = createServer(
    { maxHeaderSize: 8 * 1024, headersTimeout: 5000, requestTimeout: 5000 },
    (request, response) => {
      const isRead = request.method === 'GET' || request.method === 'HEAD';
      if (isRead && request.url === '/metrics') reader.getMetricsRequestHandler(request, response);
      else response.writeHead(404).end();
    },
  );
  await once(server.listen(port, host), 'listening');
  return {
    reader,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
