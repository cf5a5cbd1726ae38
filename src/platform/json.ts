/** Larger than any answer of the hot path; what is larger still takes the ordinary way. */
const scratch = Buffer.allocUnsafeSlow(256 * 1024);
const MAX_UTF8_BYTES_PER_CHARACTER = 3;

/**
 * JSON as UTF-8 bytes, encoded once: the same bytes are answered, kept in the event and replayed. A naira sign makes
 * V8 hold the whole text at two bytes a character, and every further encoding of it would cost as much as the first.
 */
export function jsonBytes(value: unknown): Buffer {
  const text = JSON.stringify(value);
  if (text.length * MAX_UTF8_BYTES_PER_CHARACTER > scratch.length) return Buffer.from(text);
  return Buffer.from(scratch.subarray(0, scratch.write(text)));
}
