import { readFileSync } from 'node:fs';

/** A request body and the answer to it, as a service gave it. */
interface Example {
  request?: unknown;
  response?: unknown;
}

/** By `operationId`. `npm run examples` records them anew. */
export const EXAMPLES: Readonly<Record<string, Example>> = JSON.parse(
  readFileSync(new URL('./examples.json', import.meta.url), 'utf8'),
);
