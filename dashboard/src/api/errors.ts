export interface FieldProblem {
  /** The name of the field in the request, `item.amount` for one inside another. */
  field: string;
  message: string;
}

/** Something that is wrong, as data. */
export interface Problem {
  code: string;
  field: string | null;
  params: Readonly<Record<string, unknown>>;
  message: string;
}

/** A request that did not do what was asked, in words that a person can act on. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** Stable and UPPER_SNAKE, for decisions; `CONNECTION_LOST` where no answer came. */
  readonly code: string;
  /** 0 where no answer came. */
  readonly status: number;
  readonly errors: readonly FieldProblem[];
  readonly problems: readonly Problem[];
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    message: string,
    given: {
      code: string;
      status: number;
      errors?: readonly FieldProblem[];
      problems?: readonly Problem[];
      requestId?: string | undefined;
      retryAfterSeconds?: number | undefined;
    },
  ) {
    super(message);
    this.code = given.code;
    this.status = given.status;
    this.errors = given.errors ?? [];
    this.problems = given.problems ?? [];
    this.requestId = given.requestId;
    this.retryAfterSeconds = given.retryAfterSeconds;
  }
}

export function connectionLost(): ApiError {
  return new ApiError(`The connection was lost before a response arrived. ${ASK_AGAIN}`, {
    code: 'CONNECTION_LOST',
    status: 0,
  });
}

const ASK_AGAIN = 'Retry: the same request is sent again and takes effect only once.';

/**
 * That a file of a form was saved again, moved or unplugged after it was chosen; undefined where all can be read. To a
 * browser it is a lost connection, and would be for ever.
 */
export async function changedFile(body: unknown): Promise<ApiError | undefined> {
  for (const file of body instanceof FormData ? body.values() : []) {
    if (typeof file === 'string') continue;
    try {
      await file.slice(0, 1).arrayBuffer();
    } catch {
      const message = `${file.name} was changed or moved after you chose it. Choose it again.`;
      return new ApiError(message, { code: 'FILE_CHANGED', status: 422 });
    }
  }
  return undefined;
}

interface Failure {
  message?: unknown;
  code?: unknown;
  errors?: unknown;
  problems?: unknown;
}

/** What a failed answer says; an answer that is not ours (a proxy's page) gets a sentence of its own. */
export function failureOf(response: Response, body: unknown): ApiError {
  const failure = typeof body === 'object' && body !== null ? (body as Failure) : {};
  const message =
    failure.code === 'OUTCOME_UNKNOWN' ? `The service could not say what became of it. ${ASK_AGAIN}` : failure.message;
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN);
  return new ApiError(typeof message === 'string' ? message : sentenceFor(response.status), {
    code: typeof failure.code === 'string' ? failure.code : `HTTP_${response.status}`,
    status: response.status,
    errors: Array.isArray(failure.errors) ? (failure.errors as FieldProblem[]) : [],
    problems: Array.isArray(failure.problems) ? (failure.problems as Problem[]) : [],
    requestId: response.headers.get('x-request-id') ?? undefined,
    retryAfterSeconds: Number.isNaN(retryAfter) ? undefined : retryAfter,
  });
}

function sentenceFor(status: number): string {
  if (status === 502 || status === 503 || status === 504) return 'The service is not reachable right now.';
  return `The service answered with an error (${status}).`;
}

/** What any thrown value says to a person. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'Something went wrong.';
}
