import { TextDecoder } from 'node:util';
import { AppError, invalidField } from '../errors.ts';
import { bodyNotUtf8, jsonMalformed, parseJson } from '../http/json-body.ts';
import { bytesOf } from '../uploads.ts';

/** An entry of a list to be paid has some 200 bytes; the rest of the object is a handful of fields. */
const MAX_ENTRY_CHARACTERS = 16 * 1024;
const MAX_AROUND_CHARACTERS = 16 * 1024;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Splits the text of a JSON object into the entries of the list that it has under one name, and the rest. */
interface ListSplitter {
  /** The entries that are complete by now, as text. @throws AppError 400 for text that is no JSON, or far too long. */
  push(text: string): string[];
  /** When all text has come: the object with an empty list in place of the one that was split. */
  end(): { text: string; hasList: boolean };
}

/** It only finds the borders: whether an entry, and the rest, is JSON is found out when it is parsed. */
export function createListSplitter(member: string): ListSplitter {
  const head = createHead(member);
  const list = createBody(member);
  let tail = '';
  let phase: 'HEAD' | 'LIST' | 'TAIL' = 'HEAD';

  return {
    push(text) {
      let rest: string | undefined = text;
      const entries: string[] = [];
      if (phase === 'HEAD') {
        rest = head.push(rest);
        if (rest === undefined) return entries;
        phase = 'LIST';
      }
      if (phase === 'LIST') {
        rest = list.push(rest, entries);
        if (rest === undefined) return entries;
        phase = 'TAIL';
      }
      tail += rest;
      if (tail.length > MAX_AROUND_CHARACTERS) throw aroundTooLong(member);
      return entries;
    },
    end() {
      if (phase === 'LIST') throw jsonMalformed();
      return { text: `${head.text()}${phase === 'TAIL' ? ']' : ''}${tail}`, hasList: phase === 'TAIL' };
    },
  };
}

const aroundTooLong = (member: string) =>
  new AppError('invalid', 'VALIDATION_FAILED', `The body is too long beside ${member}.`, {
    errors: [{ field: 'body', message: `is too long beside ${member}` }],
  });

/** Text up to the bracket with which the list begins. `push` returns what comes after it, once it has come. */
function createHead(member: string): { push(text: string): string | undefined; text(): string } {
  let text = '';
  let at = 0;
  let depth = 0;
  let name = '';
  /** Directly after the colon of the member that is searched. */
  let isExpected = false;
  return {
    text: () => text,
    push(more) {
      text += more;
      while (at < text.length) {
        const unit = text.charCodeAt(at);
        if (unit === QUOTE) {
          const end = endOfString(text, at);
          if (end === undefined) break;
          name = depth === 1 ? text.slice(at, end) : '';
          at = end - 1;
        } else if (unit === OPEN_LIST && isExpected && depth === 1) {
          const rest = text.slice(at + 1);
          text = text.slice(0, at + 1);
          return rest;
        } else if (unit === OPEN_OBJECT || unit === OPEN_LIST) depth += 1;
        else if (unit === CLOSE_OBJECT || unit === CLOSE_LIST) depth -= 1;
        if (unit > 0x20) isExpected = unit === COLON && depth === 1 && isNamed(name, member);
        at += 1;
      }
      if (text.length > MAX_AROUND_CHARACTERS) throw aroundTooLong(member);
      return undefined;
    },
  };
}

/** A name may be written with escapes. */
function isNamed(quoted: string, member: string): boolean {
  try {
    return JSON.parse(quoted) === member;
  } catch {
    return false;
  }
}

/** The place after the string that begins at `at`; undefined while its end has not come. */
function endOfString(text: string, at: number): number | undefined {
  for (let end = at + 1; end < text.length; end += 1) {
    const unit = text.charCodeAt(end);
    if (unit === BACKSLASH) end += 1;
    else if (unit === QUOTE) return end + 1;
  }
  return undefined;
}

/** The entries of the list. `push` returns what comes after the bracket with which it ends, once that has come. */
function createBody(member: string): { push(text: string, entries: string[]): string | undefined } {
  let entry = '';
  let count = 0;
  let depth = 0;
  let isInString = false;
  let isEscaped = false;

  function requireShort(): void {
    if (entry.length > MAX_ENTRY_CHARACTERS) throw invalidField(`${member}.${count}`, 'is too long to be an entry');
  }

  function finish(entries: string[], isLast: boolean): void {
    requireShort();
    const text = entry.trim();
    entry = '';
    if (text === '') {
      // An empty list has no entry; with two commas, or a comma before the end, one is missing.
      if (isLast && count === 0) return;
      throw jsonMalformed();
    }
    count += 1;
    entries.push(text);
  }

  return {
    push(text, entries) {
      let from = 0;
      for (let at = 0; at < text.length; at += 1) {
        const unit = text.charCodeAt(at);
        if (isInString) {
          if (isEscaped) isEscaped = false;
          else if (unit === BACKSLASH) isEscaped = true;
          else if (unit === QUOTE) isInString = false;
        } else if (unit === QUOTE) isInString = true;
        else if (unit === OPEN_OBJECT || unit === OPEN_LIST) depth += 1;
        else if (depth > 0 && (unit === CLOSE_OBJECT || unit === CLOSE_LIST)) depth -= 1;
        else if (unit === COMMA || unit === CLOSE_LIST) {
          if (depth > 0) continue;
          entry += text.slice(from, at);
          from = at + 1;
          finish(entries, unit === CLOSE_LIST);
          if (unit === CLOSE_LIST) return text.slice(from);
        }
      }
      entry += text.slice(from);
      requireShort();
      return undefined;
    },
  };
}

/**
 * The list that a JSON object has as one of its members, entry by entry, and at last the other members. No more of the
 * text is in memory than one entry and the rest of the object. All that is refused in every body is refused here.
 */
export async function* readList(fd: number, member: string): AsyncGenerator<unknown, Record<string, unknown>> {
  const splitter = createListSplitter(member);
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let entries = 0;
  for await (const chunk of bytesOf(fd)) {
    for (const text of splitter.push(decoded(decoder, chunk))) yield parseJson(text, `${member}.${entries++}`);
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
