import type { Operation, Schema } from './operations.ts';

/** A body that is meant to cost the service more than its sender. */
export interface Attack {
  label: string;
  body: string;
}

/** Texts that expressions with two ways to match have trouble with. */
const FILLS = ['x', ' ', '(', '1', '@.', 'a-', '://', '\u0301', '<'];

const filled = (fill: string, bytes: number): string => fill.repeat(Math.ceil(bytes / Buffer.byteLength(fill)));

const made = new Map<number, string>();

/** As many short fields as fit: the same text each time, which is made once. */
export function unknownFields(bytes: number): string {
  const known = made.get(bytes);
  if (known !== undefined) return known;
  const members: string[] = [];
  for (let size = 2, at = 0; size < bytes - 12; at += 1) {
    const member = `"${at.toString(36)}":1`;
    members.push(member);
    size += member.length + 1;
  }
  const text = `{${members.join(',')}}`;
  made.set(bytes, text);
  return text;
}

/**
 * Bodies of up to `bytes` for an operation: fields that it does not know, each of its texts and lists as long as can be
 * sent, and deep ones. None is ever carried out.
 */
export function attacksOn({ body }: Operation, bytes: number): Attack[] {
  const room = bytes - 100;
  const anywhere: Attack[] = [
    { label: 'unknown fields, cut short', body: `${unknownFields(room)},` },
    { label: 'empty lists, cut short', body: `[${'[],'.repeat(room / 3)}` },
    { label: 'quotes, cut short', body: `{"a":"${'\\"'.repeat(room / 2)}` },
  ];
  if (body === undefined) return anywhere;
  const fields = Object.entries(body.properties ?? {});
  return [
    ...anywhere,
    { label: 'unknown fields', body: unknownFields(room) },
    { label: 'one long name', body: `{${JSON.stringify(filled('n', room))}:1}` },
    { label: 'long digits', body: `{"a":${filled('9', room)}}` },
    { label: 'many digits', body: `{"a":[${'1.234567890123456789,'.repeat(room / 21)}1]}` },
    { label: 'lists in lists', body: `{"a":[${`${'['.repeat(50)}${']'.repeat(50)},`.repeat(room / 101)}1]}` },
    ...fields.flatMap(([name, schema]) => attacksOnField(name, schema, room)),
  ];
}

function attacksOnField(name: string, schema: Schema, room: number): Attack[] {
  const as = (label: string, json: string) => ({ label: `${name}: ${label}`, body: `{"nobody":1,"${name}":${json}}` });
  const size = room - name.length - 30;
  const entries = (entry: string) =>
    as(`many of ${entry}`, `[${`${entry},`.repeat(size / (entry.length + 1))}${entry}]`);
  const shapes = [schema, ...(schema.anyOf ?? [])];
  return [
    ...(shapes.some(({ type }) => type === 'string')
      ? FILLS.map((fill) => as(`many of ${JSON.stringify(fill)}`, JSON.stringify(filled(fill, size))))
      : []),
    ...(shapes.some(({ type }) => type === 'array') ? [entries('1'), entries('{}'), entries('"a"')] : []),
    ...(shapes.some(({ type }) => type === 'object') ? [as('unknown fields', unknownFields(size))] : []),
  ];
}
