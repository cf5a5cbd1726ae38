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

/** @param method of the request; what only reads has no effect to speak of. */
export function connectionLost(method: string): ApiError {
  const retry = method.toLowerCase() === 'get' ? 'Retry.' : ASK_AGAIN;
  return new ApiError(`The connection was lost before a response arrived. ${retry}`, {
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

/** Messages of the interface that are for programs, in words for a person at a page. */
const FOR_PEOPLE: Readonly<Record<string, string>> = {
  OUTCOME_UNKNOWN: `The service could not say what became of it. ${ASK_AGAIN}`,
  BATCH_CHANGED:
    'Somebody else changed the bulk payout at the same moment. Nothing was done: look at it again, and repeat.',
  BATCH_HAS_INVALID_ITEMS: 'Some rows cannot be paid. Correct them, or leave them out.',
  BATCH_NOTHING_TO_COMPARE: 'There is no earlier bulk payout like this one.',
  UPLOAD_ABANDONED: 'The upload took more than an hour. Nothing was kept of it: send the file again.',
  REFUND_ACCOUNT_NEEDED:
    'It is not known from which account this payment came. Enter the payer’s bank and account number.',
  WEBHOOK_ENDPOINT_DISABLED: 'The webhook address is disabled because it answered 410. Enable it first.',
};

/** The interface says `amount must be above zero`, `password is wrong`; under the field the name is not needed. */
export function asSentence(message: string): string {
  const text = message.trim().replace(/^(is|has) /, 'it $1 ');
  const begun = `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
  return /[.!?]$/.test(begun) ? begun : `${begun}.`;
}

/** A field of the interface as words, for one that the page does not have: `settlementBank.code` is "Settlement bank code". */
export function fieldWords(field: string): string {
  const words = field
    .replaceAll('.', ' ')
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase();
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

/** What a failed answer says; an answer that is not ours (a proxy's page) gets a sentence of its own. */
export function failureOf(response: Response, body: unknown): ApiError {
  const failure = typeof body === 'object' && body !== null ? (body as Failure) : {};
  const message = FOR_PEOPLE[String(failure.code)] ?? failure.message;
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
