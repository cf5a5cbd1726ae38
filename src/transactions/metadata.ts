import { invalidField } from '../platform/errors.ts';

/** Metadata is a note on a transaction, not a document store: it rides in every view, event and webhook of it. */
const MAX_BYTES = 8 * 1024;
/** The object itself is the first level. */
const MAX_DEPTH = 5;

/**
 * A merchant's free-form data as the JSON text that is kept and given back byte for byte; null where there is none.
 * @param text as it was sent.
 * @throws AppError `VALIDATION_FAILED` beyond 8 KB or five levels.
 */
export function metadataText(metadata: object | null | undefined, text: string | undefined): string | null {
  if (metadata === undefined || metadata === null) return null;
  if (isDeeper(metadata, MAX_DEPTH)) throw invalidField('metadata', `must be nested at most ${MAX_DEPTH} levels deep.`);
  if (text === undefined) throw new Error('there is metadata without its text');
  const bytes = Buffer.byteLength(text);
  if (bytes > MAX_BYTES) throw invalidField('metadata', `must be at most 8 KB of JSON; it is ${bytes} bytes.`);
  return text;
}

function isDeeper(value: unknown, levels: number): boolean {
  if (value === null || typeof value !== 'object') return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1));
}
