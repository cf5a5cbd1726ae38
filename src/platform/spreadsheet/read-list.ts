import { AppError } from '../errors.ts';
import { parseJson } from '../http/json-body.ts';
import { bytesOf } from './csv-text.ts';

/**
 * The list that a JSON object has as one of its members, entry by entry, and at last the other members. The text is
 * parsed as a whole, with all that is refused in every body: that takes a moment, and is why it is done in a thread.
 */
export async function* readList(fd: number, member: string): AsyncGenerator<unknown, Record<string, unknown>> {
  const chunks: Buffer[] = [];
  for await (const chunk of bytesOf(fd)) chunks.push(chunk);
  const body = parseJson(Buffer.concat(chunks).toString('utf8'));
  if (body === null || typeof body !== 'object' || Array.isArray(body)) {
    throw new AppError('invalid', 'VALIDATION_FAILED', 'body must be an object.', {
      errors: [{ field: 'body', message: 'must be an object' }],
    });
  }
  const { [member]: list, ...others } = body as Record<string, unknown>;
  if (!Array.isArray(list)) return list === undefined ? others : { ...others, [member]: list };
  yield* list;
  return others;
}
