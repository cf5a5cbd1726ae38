import { hash } from 'node:crypto';

/**
 * What a request asks, in 43 characters: the same for the same operation and fields in any order. The PIN is left out:
 * it proves who asks, not what, and a hash of four digits would give it away.
 */
export function inputHash(method: string, url: string, body: unknown): string {
  return hash('sha256', `${method} ${url}\n${canonical(body, true)}`, 'base64url');
}

/** Recursive: the server takes no body that nests deeper than it can follow. */
function canonical(value: unknown, top: boolean): string {
  // What no double holds.
  if (typeof value === 'bigint') return value.toString(16);
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item, false)).join(',')}]`;
  let text = '{';
  for (const key of Object.keys(value).sort()) {
    if (top && key === 'pin') continue;
    text += `${JSON.stringify(key)}:${canonical((value as Record<string, unknown>)[key], false)},`;
  }
  return `${text}}`;
}
