import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { call } from './call.ts';
import { ApiError } from './errors.ts';
import { useMode } from './session.ts';
import type { Data, Input, Method, PathWith } from './types.ts';

/** Methods whose operations take an `Idempotency-Key`. */
const KEYED: readonly Method[] = ['post', 'patch'];

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
}

/**
 * Something that changes something. It is sent with one `Idempotency-Key`, which stays the same until an answer came:
 * after a lost connection the next attempt asks about the same request, so money moves once. A refusal is an answer; the attempt
 * after it is a new request.
 */
export function useAction<M extends Exclude<Method, 'get'>, P extends PathWith<M>>(
  method: M,
  path: P,
  options: ActionOptions = {},
): Action<Input<M, P>, Data<M, P>> {
  const mode = useMode();
  const queries = useQueryClient();
  const key = useRef<string>(undefined);
  const unanswered = useRef(false);
  const underWay = useRef<Promise<Data<M, P>>>(undefined);
  const [isPending, setPending] = useState(false);
  const [isUnanswered, setUnanswered] = useState(false);
  const [error, setError] = useState<ApiError>();

  function forgetKey(): void {
    key.current = undefined;
    unanswered.current = false;
  }

  async function sendWithKey(input: Input<M, P>): Promise<Data<M, P>> {
    if (KEYED.includes(method)) key.current ??= crypto.randomUUID();
    setPending(true);
    setError(undefined);
    try {
      const data = await call(method, path, input, { mode, key: key.current, fetch: options.fetch });
      forgetKey();
      return data;
    } catch (thrown) {
      const failure =
        thrown instanceof ApiError ? thrown : new ApiError(String(thrown), { code: 'UNKNOWN', status: 0 });
      if (!isAnswered(failure)) unanswered.current = true;
      else if (!(unanswered.current && isAboutCaller(failure))) forgetKey();
      setError(failure);
      throw failure;
    } finally {
      setPending(false);
      setUnanswered(unanswered.current);
      underWay.current = undefined;
      void queries.invalidateQueries({ predicate: ({ queryKey }) => isChanged(queryKey, options.changes, mode) });
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

/**
 * Refusals of whoever asks, before it is looked at what was asked: a wrong PIN after a lost answer says nothing of the
 * request before it, so the attempt after that asks under the same key.
 */
function isAboutCaller({ status, code }: ApiError): boolean {
  return [400, 401, 403, 423, 429].includes(status) || code.startsWith('PIN_');
}

/** Without an answer, and while the first request is still being worked on, nobody knows what became of it. */
export function isAnswered(error: ApiError): boolean {
  return error.status !== 0 && error.status < 500 && error.code !== 'IDEMPOTENCY_KEY_IN_USE';
}

function isChanged(key: readonly unknown[], changes: readonly string[] | undefined, mode: string): boolean {
  if (key[0] !== mode) return false;
  return changes === undefined || changes.some((path) => String(key[1]).startsWith(path));
}
