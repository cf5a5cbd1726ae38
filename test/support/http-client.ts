import { Agent, request } from 'undici';
import type { TestApp } from './app.ts';
import type { SampleRequest } from './operations.ts';

export interface HttpAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

/** Sends requests over sockets, many at once, as clients do. */
export interface HttpClient {
  send(request: SampleRequest, headers: Record<string, string>): Promise<HttpAnswer>;
  close(): Promise<void>;
}

export function httpClient(baseUrl: string, connections: number): HttpClient {
  const dispatcher = new Agent({ connections, pipelining: 1, connectTimeout: 10_000, headersTimeout: 60_000 });
  return {
    async send({ method, url, body }, headers) {
      const answer = await request(`${baseUrl}${url}`, {
        dispatcher,
        method,
        headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        body: body === undefined ? null : JSON.stringify(body),
      });
      return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() };
    },
    close: () => dispatcher.destroy(),
  };
}

/** Opens the app's port; the address comes back. */
export async function listen(app: TestApp['app']): Promise<string> {
  await app.server.listen({ port: 0, host: '127.0.0.1' });
  return `http://127.0.0.1:${(app.server.server.address() as { port: number }).port}`;
}

/** How many there are of each. */
export function tally(values: readonly (string | number)[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
}
