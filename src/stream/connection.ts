import { Readable } from 'node:stream';
import type { Mode } from '../platform/tenant.ts';
import { ALL_TOPICS, type Topic } from './topics.ts';

/** What is written and not taken yet, in bytes; beyond it changes are gathered and not written. */
const BUFFER_BYTES = 4 * 1024;
/** A client that reads nothing for so long has gone. */
const STALLED_MS = 60_000;

const END_GRACE_MS = 1_000;

/** Why the service closes a stream, as the page reads it. */
export type EndReason = 'SESSION_ENDED' | 'RIGHTS_CHANGED' | 'STOPPING';

export interface Connection {
  readonly body: Readable;
  /** Written at the next `flush`: what is noted until then is one message. */
  note(topics: Iterable<Topic>, upTo: bigint): void;
  /** Writes what was noted, or a sign of life where nothing was for long. False: nobody has read for too long. */
  flush(nowMs: number): boolean;
  end(reason: EndReason): void;
}

export interface ConnectionOptions {
  mode: Mode;
  /** What its person may hear of. */
  topics: ReadonlySet<Topic>;
  heartbeatMs: number;
  openedAtMs: number;
}

/** `SANDBOX.1042`: up to which event of which mode a page has heard. */
export const eventIdOf = (mode: Mode, sequence: bigint): string => `${mode}.${sequence}`;

/** The sequence of a `Last-Event-ID` of this mode; undefined for anything else. */
export function sequenceOf(mode: Mode, eventId: string | undefined): bigint | undefined {
  const [, ofMode, digits] = /^(SANDBOX|LIVE)\.(\d{1,18})$/.exec(eventId ?? '') ?? [];
  return ofMode === mode && digits !== undefined ? BigInt(digits) : undefined;
}

/**
 * One open page. It keeps no queue: what has changed is a set of topics, of which there are a dozen, so a page that reads
 * slowly costs as much as any other and misses nothing.
 */
export function createConnection({ mode, topics, heartbeatMs, openedAtMs }: ConnectionOptions): Connection {
  const pending = new Set<Topic>();
  let upTo = 0n;
  let isTaken = true;
  let writtenAtMs = openedAtMs;
  const body = new Readable({
    highWaterMark: BUFFER_BYTES,
    read() {
      isTaken = true;
    },
  });
  const write = (text: string): void => {
    isTaken = body.push(text);
  };
  return {
    body,
    note(changed, sequence) {
      if (sequence > upTo) upTo = sequence;
      for (const topic of changed) if (topics.has(topic)) pending.add(topic);
    },
    flush(nowMs) {
      if (body.destroyed) return false;
      if (!isTaken) return nowMs - writtenAtMs < STALLED_MS;
      if (pending.size > 0) {
        const data = JSON.stringify({ topics: ALL_TOPICS.filter((topic) => pending.has(topic)) });
        pending.clear();
        write(`id: ${eventIdOf(mode, upTo)}\nevent: change\ndata: ${data}\n\n`);
        writtenAtMs = nowMs;
      } else if (nowMs - writtenAtMs >= heartbeatMs) {
        write(': still here\n\n');
        writtenAtMs = nowMs;
      }
      return true;
    },
    end(reason) {
      if (body.destroyed) return;
      body.push(`event: end\ndata: ${JSON.stringify({ reason })}\n\n`);
      body.push(null);
      // Who does not read does not hear that it is over.
      setTimeout(() => body.destroy(), END_GRACE_MS).unref();
    },
  };
}
