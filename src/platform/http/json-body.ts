import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../errors.ts';
import { factsOf, memberSource, parseExactly, repeatedMember } from '../json-source.ts';
import { BYTE_ORDER_MARK } from '../text.ts';
import { shown, under } from './field-path.ts';
import { plainBodyOf } from './plain-request.ts';

/** Far deeper than any body of ours. Code that walks a body later may then be recursive. */
const MAX_DEPTH = 64;

declare module 'fastify' {
  interface FastifyRequest {
    /** The text of a JSON body. */
    bodySource: string;
  }
}

/**
 * JSON in UTF-8 is the only content type. Beyond the grammar, these are refused for every field at once: what
 * PostgreSQL cannot store (a NUL, half a character), what a JSON number cannot hold, what nests without end, and a
 * field that is named twice, of which a proxy may use the first and we the last.
 */
export function acceptJson(app: FastifyInstance): void {
  app.decorateRequest('bodySource', '');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', (request, payload, done) => {
    readBody(request, payload, done);
  });
}

/** A field of a JSON body as it was written, byte for byte; undefined where there is none. */
export function sourceOf({ bodySource }: FastifyRequest, field: string): string | undefined {
  return bodySource === '' ? undefined : memberSource(bodySource, field);
}

/** Stands for a JSON body that was not read yet: it is read from `request.raw`. */
export const STREAMED_BODY: Readonly<Record<string, never>> = Object.freeze({});

/**
 * For the routes of this scope: a JSON body that states a length of at most `maxBytes` is read as everywhere. Others
 * are left to the handler as a stream, because parsing them would hold up everyone.
 */
export function acceptStreamedJson(app: FastifyInstance, maxBytes: number): void {
  app.addContentTypeParser('application/json', (request, payload, done) => {
    if (isCoded(request)) {
      done(codingUnsupported());
      return;
    }
    const length = Number(request.headers['content-length'] ?? Number.NaN);
    if (length <= maxBytes) readBody(request, payload, done);
    else done(null, STREAMED_BODY);
  });
}

/** Reads a whole body of at most what its route takes. One that arrived with its head is there already. */
function readBody(request: FastifyRequest, payload: IncomingMessage, done: Done): void {
  const limit = request.route.bodyLimit;
  const stated = request.headers['content-length'];
  if (Number(stated ?? 0) > limit) {
    done(bodyTooLarge());
    return;
  }
  const plain = plainBodyOf(payload);
  if (plain !== undefined) {
    takeBody(request, plain, done);
    return;
  }
  const chunks: Buffer[] = [];
  let length = 0;
  payload.on('data', (chunk: Buffer) => {
    if (length > limit) return;
    length += chunk.length;
    if (length <= limit) {
      chunks.push(chunk);
      return;
    }
    chunks.length = 0;
    done(bodyTooLarge());
  });
  payload.on('error', () => done(requestCutShort()));
  payload.on('end', () => {
    if (length > limit) return;
    if (stated === undefined || Number(stated) === length) takeBody(request, Buffer.concat(chunks), done);
    else done(refused('CONTENT_LENGTH_WRONG', 'The body is not as long as Content-Length says.'));
  });
}

const requestCutShort = () => refused('REQUEST_MALFORMED', 'The request ended before its body had arrived.');

export const bodyNotUtf8 = () => refused('BODY_NOT_UTF8', 'The body is not text in UTF-8.');
export const jsonMalformed = () => refused('JSON_MALFORMED', 'The body is not valid JSON.');
/** JSON has none (RFC 8259, section 8.1), nobody sees one, and programs on Windows write it before their text. */
const beginsWithMark = () =>
  refused('JSON_MALFORMED', 'The body begins with a byte order mark, which JSON does not have. Send it without.');
export const bodyMissing = () => refused('BODY_MISSING', 'The body must be a JSON object.');

/** For a body in a format that a route does not read. @param words the formats that it reads. */
export function contentTypeUnsupported(words: string): Error {
  return Object.assign(new Error(words), { code: 'FST_ERR_CTP_INVALID_MEDIA_TYPE', words });
}

/** No body is decompressed: the result of a few bytes has no bound. */
const codingUnsupported = () => contentTypeUnsupported('The body must be sent as it is, not compressed.');

/** Some clients write a charset here; such a body is not compressed. */
const CODING = /\b(gzip|deflate|br|zstd|compress)\b/i;

function isCoded({ headers }: FastifyRequest): boolean {
  const coding = headers['content-encoding'];
  return coding !== undefined && CODING.test(coding);
}

/** The server's error for a large body, for a body that a handler reads. */
export function bodyTooLarge(): Error {
  return Object.assign(new Error('the body is too large'), { code: 'FST_ERR_CTP_BODY_TOO_LARGE' });
}

type Done = (error: Error | null, body?: unknown) => void;

function takeBody(request: FastifyRequest, bytes: Buffer, done: Done): void {
  let body: unknown;
  try {
    if (isCoded(request)) throw codingUnsupported();
    requireUtf8(request.headers['content-type'] ?? '', bytes);
    request.bodySource = bytes.toString('utf8');
    // Some clients name JSON as the type of every request: without a character it has no body, and its operation says
    // whether it needs one.
    body = request.bodySource === '' ? undefined : parseJson(request.bodySource);
    if (body === null) throw bodyMissing();
  } catch (error) {
    done(error as Error);
    return;
  }
  done(null, body);
}

const CHARSET = /;\s*charset\s*=\s*"?([^\s";]*)/i;

/** Bytes that are no text would be read as other text than was sent. */
function requireUtf8(contentType: string, bytes: Buffer): void {
  const charset = contentType.length > 'application/json'.length ? CHARSET.exec(contentType)?.[1] : undefined;
  if (charset !== undefined && !/^(utf-?8|us-ascii)$/i.test(charset)) {
    throw contentTypeUnsupported('The body must be JSON in UTF-8: no other charset is read.');
  }
  if (!isUtf8(bytes)) throw bodyNotUtf8();
}

/**
 * Parses JSON text, refusing all that is refused in every body. A number with more digits than a double holds becomes a
 * bigint, and fits no schema.
 * @param place of this text, where it is a part of a body
 * @throws AppError as for every body.
 */
export function parseJson(text: string, place = ''): unknown {
  if (text.length === 0) throw bodyMissing();
  const parsed = parsedOrRefused(text);
  const { members, hasLongNumbers } = factsOf(text);
  const fault = unkeepable(text, parsed, { members, place });
  if (fault !== undefined) throw fault;
  return hasLongNumbers ? parseExactly(text) : parsed;
}

function parsedOrRefused(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw text.startsWith(BYTE_ORDER_MARK) ? beginsWithMark() : jsonMalformed();
  }
}

/** @param field at fault, where one can be named: the sentence begins with it, and `errors` has it beside the rest */
function refused(code: string, message: string, field?: string): AppError {
  if (field === undefined) return new AppError('invalid', code, message);
  return new AppError('invalid', code, `${field} ${message}.`, { errors: [{ field, message }] });
}

function unkeepable(
  text: string,
  parsed: unknown,
  { members, place }: { members: number; place: string },
): AppError | undefined {
  const hasEscapes = text.includes('\\u');
  const found = { members: 0, tooDeep: false, nul: false, halfCharacter: false, tooLarge: false };
  look(parsed, MAX_DEPTH, hasEscapes, found);
  if (found.tooDeep) return refused('BODY_TOO_DEEP', `The body is nested more than ${MAX_DEPTH} levels deep.`);
  if (found.nul) {
    const complaint = 'holds a NUL character, which no field may contain';
    return refused('NUL_CHARACTER', complaint, placeOf(hasNul, parsed, place));
  }
  if (found.halfCharacter) {
    const complaint = 'holds half of a surrogate pair (\\ud800 to \\udfff alone), which is no character';
    return refused('HALF_CHARACTER', complaint, placeOf(isHalf, parsed, place));
  }
  if (found.tooLarge) {
    const complaint = 'is a number that is too large for JSON numbers';
    return refused('NUMBER_TOO_LARGE', complaint, placeOf(isTooLarge, parsed, place));
  }
  // An object keeps the last of two members with one name: the text then has more members than the object.
  if (members === found.members) return undefined;
  const field = shown((repeatedMember(text) ?? []).reduce(under, place)) || 'body';
  const errors = [{ field, message: 'is named more than once' }];
  return new AppError('invalid', 'FIELD_REPEATED', `The body names ${field} more than once.`, { errors });
}

interface Found {
  members: number;
  tooDeep: boolean;
  nul: boolean;
  halfCharacter: boolean;
  tooLarge: boolean;
}

function look(value: unknown, levelsLeft: number, hasEscapes: boolean, found: Found): void {
  if (typeof value === 'string') {
    if (hasEscapes) lookAtText(value, found);
  } else if (typeof value === 'number') {
    if (!Number.isFinite(value)) found.tooLarge = true;
  } else if (value !== null && typeof value === 'object') {
    if (levelsLeft === 0) {
      found.tooDeep = true;
    } else if (Array.isArray(value)) {
      for (const item of value) look(item, levelsLeft - 1, hasEscapes, found);
    } else {
      for (const name of Object.keys(value)) {
        found.members += 1;
        if (hasEscapes) lookAtText(name, found);
        look((value as Record<string, unknown>)[name], levelsLeft - 1, hasEscapes, found);
      }
    }
  }
}

/** Raw text has neither: JSON requires an escape for a NUL, and UTF-8 has no surrogates. */
function lookAtText(text: string, found: Found): void {
  if (hasNul(text)) found.nul = true;
  if (isHalf(text)) found.halfCharacter = true;
}

const hasNul = (value: unknown) => typeof value === 'string' && value.includes('\0');
const isHalf = (value: unknown) => typeof value === 'string' && !value.isWellFormed();
const isTooLarge = (value: unknown) => typeof value === 'number' && !Number.isFinite(value);

/** The field whose value, or whose name, is at fault. A body that is refused is walked a second time, others never. */
function placeOf(isFaulty: (value: unknown) => boolean, parsed: unknown, from: string): string {
  const within = (value: unknown, path: string): string | undefined => {
    if (isFaulty(value)) return path;
    if (value === null || typeof value !== 'object') return undefined;
    for (const [name, member] of Object.entries(value)) {
      const place = isFaulty(name) ? path : within(member, under(path, name));
      if (place !== undefined) return place;
    }
    return undefined;
  };
  const place = within(parsed, from) ?? from;
  return place === '' ? 'body' : shown(place);
}
