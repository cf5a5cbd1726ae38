import { keptByOwner } from '../platform/cache.ts';
import { startLongWork } from '../platform/give-way.ts';
import { Failure } from '../platform/http/schemas.ts';
import { type Hidden, parseAsWritten, type Redactor, redactorOf } from './redact.ts';

/** The schemas of an operation, as its route has them. */
export interface OperationSchemas {
  body?: unknown;
  response?: unknown;
}

/** A body as it went over the line, held until it is redacted. */
export interface RawBody {
  /** JSON; undefined where it is no JSON, or larger than is read. */
  text: string | undefined;
  /** 0: there was none. */
  bytes: number;
}

export interface RawBodies {
  schemas: OperationSchemas;
  isRefusal: boolean;
  request: RawBody;
  answer: RawBody;
}

/** A larger body is not read again: its size is kept. A page of fifty records has less. */
export const MAX_READ = 64 * 1024;
/** Kept of one body, in characters; more is cut off, and said to be. */
export const MAX_KEPT = 8 * 1024;
/** Raw bodies that wait in one process, of all merchants, in characters. */
export const MAX_WAITING_LENGTH = 2 * 1024 * 1024;
/** Of one merchant and mode: so many at once, and one more each second. Half of them are for refusals. */
const BURST = 200;
const EACH_SECOND = 1;
/** Redacting takes no more of the processor in a second; what is left over then is dropped. */
const MAX_MS = 10;

/** Raw bodies that may wait, in characters, however long redacting took. */
const LEAST_WAITING_LENGTH = 64 * 1024;

export const lengthOf = ({ request, answer }: RawBodies): number =>
  (request.text?.length ?? 0) + (answer.text?.length ?? 0);

/**
 * How many characters may wait for the next turn: somewhat more than were redacted in this one. What waits beyond that is kept
 * in memory for a second to be dropped unread.
 * @param redacted how many of `waiting` there was time for. @param before how many might wait until now
 */
export function nextWaitingLength(waiting: readonly RawBodies[], redacted: number, before: number): number {
  if (redacted === waiting.length) return Math.min(before * 2, MAX_WAITING_LENGTH);
  const length = waiting.slice(0, redacted).reduce((sum, bodies) => sum + lengthOf(bodies), 0);
  return Math.min(Math.max(Math.ceil(length * 1.25), LEAST_WAITING_LENGTH), MAX_WAITING_LENGTH);
}

/** How many bodies of one merchant may be kept now. */
export interface BodyBudget {
  take(key: string, isRefusal: boolean): boolean;
  /** A second has gone by. */
  refill(): void;
}

export function createBodyBudget(): BodyBudget {
  const spent = new Map<string, number>();
  return {
    take(key, isRefusal) {
      const used = spent.get(key) ?? 0;
      if (used >= (isRefusal ? BURST : BURST / 2)) return false;
      spent.set(key, used + 1);
      return true;
    },
    refill() {
      for (const [key, used] of spent) {
        if (used <= EACH_SECOND) spent.delete(key);
        else spent.set(key, used - EACH_SECOND);
      }
    },
  };
}

type Kept = 'FULL' | 'CUT' | 'SIZE' | 'NONE';

/** One body as the table has it. */
export interface KeptBody {
  kept: Kept;
  text: string | null;
  bytes: number;
}

export interface KeptBodies {
  request: KeptBody;
  answer: KeptBody;
}

const ofRefusals = redactorOf(Failure);

const redactorsOf = keptByOwner(({ body, response }: OperationSchemas) => {
  const ofAnswer = (response as Record<string, unknown> | undefined)?.['200'];
  return {
    request: body === undefined ? undefined : redactorOf(jsonSchemaOf(body)),
    answer: ofAnswer === undefined ? undefined : redactorOf(jsonSchemaOf(ofAnswer)),
  };
});

/** Of a body that may come in several formats, that of JSON. */
function jsonSchemaOf(schema: unknown): unknown {
  const { content } = schema as { content?: Record<string, { schema?: unknown }> };
  return content?.['application/json']?.schema ?? schema;
}

/** What may be kept of a request and its answer: what is hidden in the one is hidden in the texts of the other. */
export function keptBodies({ schemas, isRefusal, request, answer }: RawBodies): KeptBodies {
  const hidden: Hidden = new Map();
  const redact = redactorsOf(schemas);
  const shownRequest = redactBody(request, redact.request, hidden);
  const shownAnswer = redactBody(answer, isRefusal ? ofRefusals : redact.answer, hidden);
  return { request: kept(request, shownRequest), answer: kept(answer, shownAnswer) };
}

/** Of what cannot be redacted, whatever the reason, only the size: nobody else's bodies are lost with it. */
function keptAlone(bodies: RawBodies): KeptBodies {
  try {
    return keptBodies(bodies);
  } catch {
    return { request: kept(bodies.request, undefined), answer: kept(bodies.answer, undefined) };
  }
}

/** Undefined where nothing but the size may be kept. */
function redactBody({ text }: RawBody, redact: Redactor | undefined, hidden: Hidden): unknown {
  if (text === undefined || redact === undefined || text.length > MAX_READ) return undefined;
  try {
    return redact(parseAsWritten(text), hidden);
  } catch {
    return undefined;
  }
}

function kept({ text: given, bytes: length }: RawBody, shown: unknown): KeptBody {
  if (length === 0) return { kept: 'NONE', text: null, bytes: 0 };
  const bytes = given === undefined ? length : Buffer.byteLength(given);
  if (shown === undefined) return { kept: 'SIZE', text: null, bytes };
  const text = JSON.stringify(shown).replaceAll('\\u0000', '\ufffd').toWellFormed();
  return text.length <= MAX_KEPT
    ? { kept: 'FULL', text, bytes }
    : { kept: 'CUT', text: text.slice(0, MAX_KEPT).toWellFormed(), bytes };
}

/** Redacts what waits, a little at a time so that requests are served between; what takes too long is left out. */
export async function redactAll<T>(waiting: readonly T[], rawOf: (one: T) => RawBodies) {
  const done: { of: T; bodies: KeptBodies }[] = [];
  const work = startLongWork();
  for (const one of waiting) {
    done.push({ of: one, bodies: keptAlone(rawOf(one)) });
    if (work.usedMs() >= MAX_MS) break;
    await work.giveWay();
  }
  return done;
}
