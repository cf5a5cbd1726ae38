import { useQueryClient } from '@tanstack/react-query';
import { useId, useRef, useState } from 'react';
import { call } from './call.ts';
import { ApiError } from './errors.ts';
import { focusNear } from './focus.ts';
import { useMode } from './session.ts';
import type { Data, Input, Method, PathWith } from './types.ts';

/** Methods whose operations take an `Idempotency-Key`. */
const KEYED: readonly Method[] = ['post', 'patch'];

/**
 * The keys of requests without an answer, by what they ask: a person who closes a dialog or leaves a page, and asks the
 * same again, repeats the same request. They are dropped with the tab, or once something else was done at the same
 * `place`: switching something off, on and off again is three requests.
 */
const unansweredKeys = new Map<string, { key: string; place: string | undefined }>();
/** More than anybody leaves open; the oldest goes. */
const MOST_UNANSWERED = 50;

export interface Action<I, D> {
  /** Sends it. While it is under way, asking again gives the same answer: a double click is one request. @throws ApiError */
  run(input: I): Promise<D>;
  isPending: boolean;
  /** A request went out and nobody knows what became of it: the next attempt asks about it under its key. */
  isUnanswered: boolean;
  error: ApiError | undefined;
  /** Forgets the error, as when a dialog closes. A request without an answer keeps its key. */
  reset(): void;
}

export interface ActionOptions {
  /** Addresses whose reads are asked again afterwards; without it, everything that is in sight in this mode. */
  changes?: readonly string[];
  /** Sends it in another way than the browser's own: see `watch-upload.ts`. */
  fetch?: (request: Request) => Promise<Response>;
  /** What a form that somebody has come back to would send: it may have been sent before, and have no answer yet. */
  resumes?: object;
}

/**
 * Something that changes something. It is sent with an `Idempotency-Key`, which stays the same for the same request until an
 * answer came: after a lost connection the next attempt asks about that one, so money moves once. A refusal is an answer; the
 * attempt after it is a new request.
 */
export function useAction<M extends Exclude<Method, 'get'>, P extends PathWith<M>>(
  method: M,
  path: P,
  options: ActionOptions = {},
): Action<Input<M, P>, Data<M, P>> {
  const mode = useMode();
  const queries = useQueryClient();
  const own = useId();
  const underWay = useRef<Promise<Data<M, P>>>(undefined);
  const [isPending, setPending] = useState(false);
  const [isUnanswered, setUnanswered] = useState(
    () => options.resumes !== undefined && unansweredKeys.has(nameOf(mode, method, path, options.resumes, own)),
  );
  const [error, setError] = useState<ApiError>();

  async function sendWithKey(input: Input<M, P>): Promise<Data<M, P>> {
    const place = placeOf(method, String(path), input);
    const asked = nameOf(mode, method, path, input, own);
    const keepFocus = focusNear(document.activeElement);
    const key = KEYED.includes(method) ? (unansweredKeys.get(asked)?.key ?? crypto.randomUUID()) : undefined;
    setPending(true);
    setError(undefined);
    try {
      const onLost = () => keepKey(asked, key, place);
      const data = await call(method, path, input, { mode, key, onLost, fetch: options.fetch });
      unansweredKeys.delete(asked);
      for (const [other, kept] of unansweredKeys) if (kept.place === place && place) unansweredKeys.delete(other);
      return data;
    } catch (thrown) {
      const failure =
        thrown instanceof ApiError ? thrown : new ApiError(String(thrown), { code: 'UNKNOWN', status: 0 });
      if (!isAnswered(failure)) keepKey(asked, key, place);
      else if (!isAboutCaller(failure)) unansweredKeys.delete(asked);
      setError(failure);
      throw failure;
    } finally {
      setPending(false);
      setUnanswered(unansweredKeys.has(asked));
      underWay.current = undefined;
      const changed = queries.invalidateQueries({
        predicate: ({ queryKey }) => isChanged(queryKey, options.changes, mode),
      });
      void changed.then(keepFocus);
    }
  }

  return {
    run: (input) => {
      underWay.current ??= sendWithKey(input);
      return underWay.current;
    },
    isPending,
    isUnanswered,
    error,
    reset: () => setError(undefined),
  };
}

/** Under which the key of a request is kept. */
const nameOf = (mode: string, method: Method, path: string | number | symbol, input: object, own: string): string =>
  `${mode} ${method} ${String(path)} ${askedBy(input, own)}`;

/** What a request asks, without the PIN, which a key does not stand for. A form with files is that of who sends it. */
function askedBy(input: object, own: string): string {
  if ('body' in input && input.body instanceof FormData) return own;
  return JSON.stringify(input, (name, value: unknown) => (name === 'pin' ? undefined : value));
}

/**
 * What a request is about, as far as its address says; nothing where it takes the PIN to make something: that moves money,
 * and what has no answer may have been paid, whatever was paid since.
 */
function placeOf(method: Method, path: string, input: object): string | undefined {
  const { body, path: params } = input as { body?: unknown; path?: unknown };
  const takesPin = typeof body === 'object' && body !== null && 'pin' in body;
  if (takesPin && method !== 'patch') return undefined;
  return (path.match(/.*}/)?.[0] ?? path) + JSON.stringify(params);
}

function keepKey(asked: string, key: string | undefined, place: string | undefined): void {
  if (key === undefined) return;
  unansweredKeys.delete(asked);
  unansweredKeys.set(asked, { key, place });
  const [oldest] = unansweredKeys.keys();
  if (unansweredKeys.size > MOST_UNANSWERED && oldest !== undefined) unansweredKeys.delete(oldest);
}

/**
 * Refusals of the caller, before the request itself is looked at: a wrong PIN after a lost answer says nothing about
 * the request before it, so the attempt after that uses the same key. Nor does a page of a proxy (`HTTP_404`).
 */
function isAboutCaller({ status, code }: ApiError): boolean {
  return [400, 401, 403, 423, 429].includes(status) || /^(PIN|HTTP)_/.test(code);
}

/** Without an answer, and while the first request is still being worked on, nobody knows what became of it. */
export function isAnswered(error: ApiError): boolean {
  return error.status !== 0 && error.status < 500 && error.code !== 'IDEMPOTENCY_KEY_IN_USE';
}

function isChanged(key: readonly unknown[], changes: readonly string[] | undefined, mode: string): boolean {
  if (key[0] !== mode) return false;
  return changes === undefined || changes.some((path) => String(key[1]).startsWith(path));
}
