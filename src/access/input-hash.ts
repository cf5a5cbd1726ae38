import { hash } from 'node:crypto';
import { bodyTooDeep } from './errors.ts';

/** No field of the interface goes deeper than metadata, which has a limit of its own far below this. */
const MAX_DEPTH = 32;

/**
 * What a request asks, in 43 characters: the same for the same operation and fields in any order. The PIN is left out:
 * it proves who asks, not what, and a hash of four digits would give it away.
 * @throws AppError `BODY_TOO_DEEP`
 */
export function inputHash(method: string, url: string, body: unknown): string {
  return hash('sha256', `${method} ${url}\n${canonical(body, 0)}`, 'base64url');
}

function canonical(value: unknown, depth: number): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
  if (depth > MAX_DEPTH) throw bodyTooDeep(MAX_DEPTH);
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item, depth + 1)).join(',')}]`;
  let text = '{';
  for (const key of Object.keys(value).sort()) {
    if (depth === 0 && key === 'pin') continue;
    text += `${JSON.stringify(key)}:${canonical((value as Record<string, unknown>)[key], depth + 1)},`;
  }
  return `${text}}`;
}
