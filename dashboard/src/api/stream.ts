import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { ask } from './call.ts';
import { renewSession, useMode } from './session.ts';
import { readsOf } from './stream-topics.ts';
import { SUPPORT_VIEW } from './support-view.ts';
import type { Mode } from './types.ts';

/** Nothing for so long, not even a sign of life: the line is dead. */
const SILENCE_MS = 50_000;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;
/** What changed is read again this often at most, however much changes. */
const GATHER_MS = 1_500;
/** A tab that nobody looks at gives its line back; when it is looked at again it hears what it missed. */
const HIDDEN_MS = 5_000;

let live = false;
const listeners = new Set<() => void>();

function setLive(value: boolean): void {
  if (live === value) return;
  live = value;
  for (const listener of listeners) listener();
}

function onLive(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether the page is notified of changes; while it is not, what it shows looks by itself. */
export const useIsLive = (): boolean => useSyncExternalStore(onLive, () => live);

/** Keeps the page notified of what changes in its mode, for as long as it is open and looked at. */
export function useStream(): void {
  const mode = useMode();
  const queries = useQueryClient();
  // A support view has no stream of its own: its pages look by themselves.
  useEffect(() => (SUPPORT_VIEW === undefined ? followChanges(mode, queries) : undefined), [mode, queries]);
}

interface Heard {
  lastEventId: string | undefined;
  topics: Set<string>;
}

function followChanges(mode: Mode, queries: QueryClient): () => void {
  const heard: Heard = { lastEventId: undefined, topics: new Set() };
  let line: AbortController | undefined;
  let gathering: ReturnType<typeof setTimeout> | undefined;
  let hiding: ReturnType<typeof setTimeout> | undefined;

  function readAgain(): void {
    gathering = undefined;
    const reads = readsOf(heard.topics);
    const profileChanged = heard.topics.delete('profile');
    heard.topics.clear();
    void queries.invalidateQueries({
      predicate: ({ queryKey }) => queryKey[0] === mode && reads.has(String(queryKey[1])),
    });
    if (profileChanged) void renewSession(queries).catch(() => undefined);
  }
  function change(topics: readonly string[]): void {
    for (const topic of topics) heard.topics.add(topic);
    gathering ??= setTimeout(readAgain, GATHER_MS);
  }
  function begin(): void {
    clearTimeout(hiding);
    if (line !== undefined || document.hidden) return;
    line = new AbortController();
    void keepReading({ mode, heard, signal: line.signal, change, renew: () => renewSession(queries) });
  }
  function end(): void {
    line?.abort();
    line = undefined;
    setLive(false);
  }
  function look(): void {
    if (document.hidden) hiding = setTimeout(end, HIDDEN_MS);
    else begin();
  }

  document.addEventListener('visibilitychange', look);
  begin();
  return () => {
    document.removeEventListener('visibilitychange', look);
    clearTimeout(gathering);
    clearTimeout(hiding);
    end();
  };
}

interface Reading {
  mode: Mode;
  heard: Heard;
  signal: AbortSignal;
  change: (topics: readonly string[]) => void;
  renew: () => Promise<unknown>;
}

/** Reads one stream after the other, with longer pauses where none comes about. */
async function keepReading(reading: Reading): Promise<void> {
  const { signal } = reading;
  for (let pauseMs = FIRST_PAUSE_MS; !signal.aborted; ) {
    const end = await readOne(reading).catch(() => 'LOST' as const);
    if (signal.aborted) return;
    setLive(false);
    if (end === 'RIGHTS_CHANGED') await reading.renew().catch(() => undefined);
    // Whoever leaves has no page to be notified of.
    if (end === 'SIGNED_OUT' && !(await ask('SIGN_IN'))) return;
    const isFine = end === 'SIGNED_OUT' || end === 'RIGHTS_CHANGED' || end === 'STOPPING' || end === 'OVER';
    pauseMs = isFine ? FIRST_PAUSE_MS : Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
    await pause(pauseMs * (0.5 + Math.random()), signal);
  }
}

/** @returns why it ended; refused where the service takes no more of them */
async function readOne({ mode, heard, signal, change }: Reading): Promise<string> {
  const line = new AbortController();
  const cut = () => line.abort();
  signal.addEventListener('abort', cut, { once: true });
  let silence = setTimeout(cut, SILENCE_MS);
  try {
    const headers: Record<string, string> = { accept: 'text/event-stream', 'X-Mode': mode };
    if (heard.lastEventId !== undefined) headers['Last-Event-ID'] = heard.lastEventId;
    const answer = await fetch('/stream', {
      headers,
      signal: line.signal,
      credentials: 'same-origin',
      cache: 'no-store',
    });
    if (answer.status === 401) return 'SIGNED_OUT';
    if (!answer.ok || answer.body === null) return 'REFUSED';
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return 'OVER';
      clearTimeout(silence);
      silence = setTimeout(cut, SILENCE_MS);
      const messages = (text + value).split('\n\n');
      text = messages.pop() ?? '';
      for (const message of messages) {
        const end = take(parse(message), heard, change);
        if (end !== undefined) return end;
      }
    }
  } finally {
    clearTimeout(silence);
    signal.removeEventListener('abort', cut);
  }
}

interface Message {
  event: string;
  id: string | undefined;
  data: { topics?: string[]; reason?: string };
}

function take(
  { event, id, data }: Message,
  heard: Heard,
  change: (topics: readonly string[]) => void,
): string | undefined {
  if (id !== undefined) heard.lastEventId = id;
  if (event === 'ready') setLive(true);
  if (event === 'change') change(data.topics ?? []);
  return event === 'end' ? (data.reason ?? 'OVER') : undefined;
}

/** A message of a stream of server-sent events, as this service writes them: one line a field. */
function parse(message: string): Message {
  const fields = new Map(
    message.split('\n').map((line) => {
      const at = line.indexOf(':');
      return [line.slice(0, at), line.slice(at + 1).trimStart()];
    }),
  );
  return { event: fields.get('event') ?? '', id: fields.get('id'), data: JSON.parse(fields.get('data') ?? '{}') };
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
