import { TextDecoder } from 'node:util';
import { AppError } from '../errors.ts';
import { bodyNotUtf8, parseJson } from '../http/json-body.ts';
import { bytesOf } from '../uploads.ts';
import { createListSplitter } from './split-list.ts';

/**
 * The list that a JSON object has as one of its members, entry by entry, and at last the other members. Never more of the
 * text is in memory than one entry and what stands around the list, with all that is refused in every body.
 */
export async function* readList(fd: number, member: string): AsyncGenerator<unknown, Record<string, unknown>> {
  const splitter = createListSplitter(member);
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  for await (const chunk of bytesOf(fd)) {
    for (const text of splitter.push(decoded(decoder, chunk))) yield parseJson(text);
  }
  decoded(decoder);
  const around = splitter.end();
  const body = parseJson(around.text);
  if (body === null || typeof body !== 'object' || Array.isArray(body)) {
    throw new AppError('invalid', 'VALIDATION_FAILED', 'body must be an object.', {
      errors: [{ field: 'body', message: 'must be an object' }],
    });
  }
  if (!around.hasList) return body as Record<string, unknown>;
  const { [member]: _, ...others } = body as Record<string, unknown>;
  return others;
}

/** Without a chunk: the end, which may cut a character in two. */
function decoded(decoder: TextDecoder, chunk?: Buffer): string {
  try {
    return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true });
  } catch {
    throw bodyNotUtf8();
  }
}
