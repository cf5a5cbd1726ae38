import type { AppError, ErrorKind } from './errors.ts';
import { jsonOf } from './json-text.ts';

/**
 * What a client gets: an HTTP status and the finished JSON text, so that a replay is the first answer byte for byte.
 */
export interface Answer {
  status: number;
  body: string;
}

/** The HTTP status of each kind of refusal. Only this file knows statuses. */
const STATUS: Record<ErrorKind, number> = {
  invalid: 400,
  misdirected: 421,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  refused: 422,
  locked: 423,
  rate_limited: 429,
  unavailable: 503,
};

/** `{status: true, message, data?}`. `data` must be wire-ready: money as numbers, times as ISO 8601 text. */
export function success(message: string, data?: unknown): Answer {
  return { status: 200, body: jsonOf({ status: true, message, data }) };
}

/** The same from data that is JSON text already. */
export function successJson(message: string, dataJson: string): Answer {
  return { status: 200, body: `{"status":true,"message":${JSON.stringify(message)},"data":${dataJson}}` };
}

/** A refusal as data: a sentence for people, a stable code for programs. */
export type Refusal = Pick<AppError, 'message' | 'code' | 'errors'> & Partial<Pick<AppError, 'problems'>>;

/**
 * `{status: false, message, code, errors?, problems?, requestId, docUrl}` with the status of the error's kind.
 * @param requestId the request that was refused: a repetition of it, answered from its idempotency key, has it again
 */
export function failure(error: AppError, requestId: string): Answer {
  return { status: STATUS[error.kind], body: failureBody(error, requestId) };
}

/** `docUrl` is relative to this installation, so that no host name is stored with an answer. */
export function failureBody({ message, code, errors, problems }: Refusal, requestId: string): string {
  return JSON.stringify({ status: false, message, code, errors, problems, requestId, docUrl: `/docs/errors#${code}` });
}
