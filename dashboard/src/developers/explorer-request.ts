import type { ApiDocument } from './api-document.ts';
import { exampleOf, type Operation } from './api-schema.ts';

/** What is typed for an operation. */
export interface Typed {
  /** Of path, query and headers, by name. */
  parameters: Readonly<Record<string, string>>;
  body: string;
  idempotencyKey: string;
}

export interface Prepared {
  method: string;
  /** From the path on. */
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string | null;
  idempotencyKey: string | null;
}

const KEY_HEADER = 'Idempotency-Key';

/** The parameters that are typed, in the order of the document. */
export const typedParameters = ({ parameters }: Operation) => parameters.filter(({ name }) => name !== KEY_HEADER);

export const takesIdempotencyKey = ({ parameters }: Operation): boolean =>
  parameters.some(({ name }) => name === KEY_HEADER);

/** The recorded request, without the PIN, which is nobody's here; else one that is made of the schema. */
export function firstBody(document: ApiDocument, { body, example }: Operation): string {
  if (body === undefined) return '';
  const value = example ?? exampleOf(document, body);
  const isObject = value !== null && typeof value === 'object' && !Array.isArray(value);
  return JSON.stringify(isObject && 'pin' in value ? { ...value, pin: '' } : value, null, 2);
}

/** What stands in the way of sending it, in words. */
export function complaintAbout(operation: Operation, { parameters, body }: Typed): string | undefined {
  const missing = typedParameters(operation).find(
    ({ name, required }) => required === true && (parameters[name] ?? '').trim() === '',
  );
  if (missing !== undefined) return `Enter ${missing.name}.`;
  if (operation.body === undefined) return undefined;
  try {
    JSON.parse(body);
    return undefined;
  } catch (error) {
    return `The body is not JSON: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** The request as it is sent, but for the key. */
export function prepared(operation: Operation, { parameters, body, idempotencyKey }: Typed): Prepared {
  let url = operation.path;
  const query = new URLSearchParams();
  const headers: Record<string, string> = {};
  for (const { in: place, name } of typedParameters(operation)) {
    const value = (parameters[name] ?? '').trim();
    if (place === 'path') url = url.replace(`{${name}}`, encodeURIComponent(value));
    else if (value === '') continue;
    else if (place === 'query') query.set(name, value);
    else headers[name] = value;
  }
  const hasKey = takesIdempotencyKey(operation) && idempotencyKey !== '';
  return {
    method: operation.method,
    url: query.size === 0 ? url : `${url}?${query}`,
    headers,
    body: operation.body === undefined ? null : body,
    idempotencyKey: hasKey ? idempotencyKey : null,
  };
}

export interface Answered {
  status: number;
  durationMs: number;
  requestId: string | null;
  replayed: boolean;
  contentType: string;
  text: string;
}

/** More of an answer is not drawn. */
const MAX_SHOWN = 200_000;

/** Sends it with the key alone: no cookie goes along, so the answer is the one that a program gets. */
export async function sendPrepared(
  { method, url, headers, body, idempotencyKey }: Prepared,
  key: string,
): Promise<Answered> {
  const began = performance.now();
  const answer = await fetch(url, {
    method,
    headers: {
      ...headers,
      Authorization: `Bearer ${key}`,
      ...(idempotencyKey === null ? {} : { [KEY_HEADER]: idempotencyKey }),
      ...(body === null ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(body === null ? {} : { body }),
    credentials: 'omit',
    cache: 'no-store',
    redirect: 'error',
  });
  const contentType = answer.headers.get('content-type') ?? '';
  const text = /json|text/.test(contentType) ? await answer.text() : `${(await answer.blob()).size} bytes`;
  return {
    status: answer.status,
    durationMs: Math.round(performance.now() - began),
    requestId: answer.headers.get('x-request-id'),
    replayed: answer.headers.has('idempotency-replayed'),
    contentType,
    text: shown(text, contentType),
  };
}

function shown(text: string, contentType: string): string {
  const readable = contentType.includes('json') ? JSON.stringify(JSON.parse(text), null, 2) : text;
  return readable.length <= MAX_SHOWN ? readable : `${readable.slice(0, MAX_SHOWN)}\n… cut here`;
}
