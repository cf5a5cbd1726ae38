import createClient from 'openapi-fetch';
import { noteTime, nowMs } from './clock.ts';
import { ApiError, changedFile, connectionLost, failureOf } from './errors.ts';
import { supportHeaders } from './support-view.ts';
import type { Data, Input, Method, Mode, PathWith } from './types.ts';

/** One for the whole page: the cookie that it stands beside is one as well. */
let csrfToken: string | undefined;
let renewSession: () => Promise<unknown> = () => Promise.resolve();
let calledAt = nowMs();

export function setCsrfToken(token: string | undefined): void {
  csrfToken = token;
}

/** How the token is read again when another tab has changed it. */
export function onStaleToken(renew: () => Promise<unknown>): void {
  renewSession = renew;
}

/** When the service was last asked: the idle limit of the session counts from there. */
export const lastCallAt = (): number => calledAt;

export interface CallOptions {
  mode: Mode;
  /** Sent as `Idempotency-Key`: what carries the same key is done once. */
  key?: string | undefined;
  signal?: AbortSignal | undefined;
  /** Called where a request with a key was lost and goes again by itself: whatever is said of that one, the first may count. */
  onLost?: (() => void) | undefined;
  /** Fails where it would otherwise ask the person to sign in. */
  quiet?: boolean;
  /** Is of the operator's desk, also where the page is a support view. */
  desk?: boolean;
  /** Sends it in another way than the browser's own, as to see how far it is: see `watch-upload.ts`. */
  fetch?: ((request: Request) => Promise<Response>) | undefined;
}

type Loose = { path?: Record<string, unknown>; query?: Record<string, unknown>; body?: unknown };

/** Lost once, a request that carries a key is sent again by itself after this. */
const RETRY_AFTER_MS = 1_200;
/** Without an answer for so long it is lost: a phone that has changed its network would wait for ever. Uploads take their time. */
const READ_MS = 20_000;
const WRITE_MS = 60_000;

const client = createClient<Record<string, Record<string, never>>>({ baseUrl: location.origin });
type Answered = { data?: unknown; error?: unknown; response: Response };
type Send = (method: string, path: string, init: object) => Promise<Answered>;
const send = client.request as unknown as Send;

/**
 * Sends a request of the API document and gives what it answers under `data`.
 * A session that has ended, and a step-up that is needed, are asked of the person; then the request is
 * repeated. @throws ApiError
 */
export const call = callLoosely as unknown as <M extends Method, P extends PathWith<M>>(
  method: M,
  path: P,
  input: Input<M, P>,
  options: CallOptions,
) => Promise<Data<M, P>>;

/** What holds for every operation. Which of all the inputs it is decides nothing here, and is too much for the compiler. */
function callLoosely(method: string, path: string, input: Loose, options: CallOptions): Promise<unknown> {
  return withPerson(() => sendOnce(method, path, input, options), options);
}

type Repeated = Pick<CallOptions, 'key' | 'signal' | 'onLost' | 'quiet'>;

/** Makes an attempt, and another once the person has done what its refusal asks for. @throws ApiError */
export async function withPerson<T>(attempt: () => Promise<T>, options: Repeated = {}): Promise<T> {
  try {
    return await attempt();
  } catch (error) {
    if (!(error instanceof ApiError) || !(await isResolved(error, options))) throw error;
    return attempt();
  }
}

/** Does what a refusal asks for; false where nothing can be done about it here. */
async function isResolved(error: ApiError, { key, signal, onLost, quiet }: Repeated): Promise<boolean> {
  switch (error.code) {
    case 'SESSION_MISSING':
    case 'SESSION_EXPIRED':
      return quiet === true ? false : ask('SIGN_IN');
    case 'STEP_UP_REQUIRED':
      return ask('STEP_UP');
    case 'CSRF_REFUSED':
      await renewSession();
      return true;
    case 'CONNECTION_LOST':
      if (key === undefined || signal?.aborted === true) return false;
      onLost?.();
      await new Promise((resolve) => setTimeout(resolve, RETRY_AFTER_MS));
      return true;
    default:
      return false;
  }
}

async function sendOnce(method: string, path: string, input: Loose, options: CallOptions): Promise<unknown> {
  calledAt = nowMs();
  const { data, error, response } = await answerOf(method, path, input, options);
  noteTime(response);
  if (!response.ok || response.redirected) throw failureOf(response, error ?? data);
  const body = withoutDisguise(data) as { status?: boolean; data?: unknown } | null | undefined;
  if (body?.status === false) throw failureOf(response, body);
  // Every answer of the service says its status: what says none, such as an empty one, is of something before it.
  if (body?.status !== true) throw connectionLost(method);
  return 'data' in body ? body.data : body;
}

/** Marks that turn the direction of writing, and spaces without a width: with them one name passes for another. */
const DISGUISE = /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g;

/** What is typed today has none of them; in what was kept before, a sign that can be seen stands in their place. */
function withoutDisguise(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll(DISGUISE, '\ufffd');
  if (Array.isArray(value)) return value.map(withoutDisguise);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withoutDisguise(one)]));
}

async function answerOf(method: string, path: string, input: Loose, options: CallOptions): Promise<Answered> {
  const headers: Record<string, string> = { 'X-Mode': options.mode, ...(options.desk === true ? {} : supportHeaders) };
  if (method !== 'get' && csrfToken !== undefined) headers['X-CSRF-Token'] = csrfToken;
  if (options.key !== undefined) headers['Idempotency-Key'] = options.key;
  const given = options.signal === undefined ? [] : [options.signal];
  const limit = AbortSignal.timeout(method === 'get' ? READ_MS : WRITE_MS);
  try {
    return await send(method.toUpperCase(), path, {
      params: { path: input.path, query: input.query },
      body: input.body,
      headers,
      credentials: 'same-origin',
      signal: AbortSignal.any(input.body instanceof FormData ? given : [...given, limit]),
      fetch: options.fetch,
    });
  } catch (error) {
    if (options.signal?.aborted === true) throw error;
    throw (await changedFile(input.body)) ?? connectionLost(method);
  }
}

/**
 * What the API has to ask of the person before a request can go on: to sign in again, or to give the password again (step-up).
 * One question stands at a time, however many requests wait for it; a dialog answers it.
 */
export type Prompt = 'SIGN_IN' | 'STEP_UP';

interface Question {
  prompt: Prompt;
  answer: Promise<boolean>;
  settle(given: boolean): void;
}

let question: Question | undefined;
const listeners = new Set<() => void>();

/** Resolves with true once the person has done it, false where they turn it down. */
export function ask(prompt: Prompt): Promise<boolean> {
  if (question?.prompt === prompt) return question.answer;
  question?.settle(false);
  const { promise, resolve } = Promise.withResolvers<boolean>();
  question = { prompt, answer: promise, settle: resolve };
  notify();
  return promise;
}

export function settlePrompt(given: boolean): void {
  question?.settle(given);
  question = undefined;
  notify();
}

export const currentPrompt = (): Prompt | undefined => question?.prompt;

export function onPrompt(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function notify(): void {
  for (const listener of listeners) listener();
}
