import type { RouteFacts } from '../access/index.ts';
import { Failure } from '../platform/http/schemas.ts';
import {
  type ApiDocument,
  type DocumentOperation,
  type DocumentResponse,
  type DocumentSchema,
  headersOf,
  mapOperations,
  operationsIn,
} from './document.ts';
import { ERROR_CODES } from './error-codes.ts';
import { SUCCESS_DESCRIPTIONS } from './success-descriptions.ts';

/** Name and meaning of each status that a refusal comes with. */
const REFUSALS: Readonly<Record<string, { name: string; description: string }>> = {
  400: { name: 'BadRequest', description: 'The request is not well formed; `errors` names the fields at fault.' },
  401: { name: 'Unauthorized', description: 'No key or token was sent, or one that is not valid.' },
  403: { name: 'Forbidden', description: 'The key, the account or its state does not allow this.' },
  404: { name: 'NotFound', description: 'There is no such thing in this account and mode.' },
  408: { name: 'RequestTimeout', description: 'The request took too long to arrive.' },
  409: { name: 'Conflict', description: 'It does not fit what was done before; look at the present state first.' },
  413: { name: 'PayloadTooLarge', description: 'The body is larger than this operation takes.' },
  415: { name: 'UnsupportedMediaType', description: 'The body has a content type that this operation does not take.' },
  421: { name: 'MisdirectedRequest', description: 'The Host header names no address of this installation.' },
  422: { name: 'Unprocessable', description: 'The request is well formed and was refused; nothing moved.' },
  423: { name: 'Locked', description: 'PIN operations are locked after wrong PINs.' },
  429: { name: 'TooManyRequests', description: 'Too many requests; wait for `Retry-After`.' },
  431: { name: 'HeadersTooLarge', description: 'The headers are too large.' },
  500: { name: 'InternalError', description: 'A defect of ours. Treat the outcome as unknown and read it again.' },
  503: { name: 'Unavailable', description: 'Nothing was done. With `Retry-After` the same request may succeed soon.' },
};

/** What the framework says of an answer where a route says nothing. */
const DEFAULT_DESCRIPTION = 'Default Response';

/** What any operation may refuse with, whatever it does. */
const EVERYWHERE: readonly string[] = [
  'REQUEST_MALFORMED',
  'VALIDATION_FAILED',
  'NUL_CHARACTER',
  'URL_MALFORMED',
  'HOST_UNKNOWN',
  'RATE_LIMITED',
  'INTERNAL_ERROR',
  'SERVICE_UNAVAILABLE',
  'OVERLOADED',
];

const FAILURE: DocumentSchema = { ...Failure };

/**
 * The responses of an operation: its success in a sentence, and every refusal by status with the codes that it may carry.
 * @throws Error where a code is in no catalogue, or nothing says what a success brings
 */
export function responsesOf(
  operation: DocumentOperation,
  { codes, isIdempotent }: RouteFacts,
): Record<string, DocumentResponse> {
  const responses = documentedOf(operation, SUCCESS_DESCRIPTIONS[operation.operationId ?? ''], isIdempotent);
  for (const [status, found] of byStatus([...EVERYWHERE, ...codes])) {
    responses[status] ??= refusal(status, found, isIdempotent);
  }
  return responses;
}

/** Of an operation that only people use: the pages show the message of a refusal, whatever its code. */
export function responsesForPeople(operation: DocumentOperation): Record<string, DocumentResponse> {
  const refused = { description: 'Refused; nothing was done.', content: { 'application/json': { schema: FAILURE } } };
  return { ...documentedOf(operation, 'The request was carried out.', false), '4XX': refused, '5XX': refused };
}

/** What the route itself documents, with headers. Its own words come before `success`. */
function documentedOf(
  { operationId, responses = {} }: DocumentOperation,
  success: string | undefined,
  isIdempotent: boolean,
): Record<string, DocumentResponse> {
  const found = Object.entries(responses).map(([status, response]) => {
    const usual = REFUSALS[status]?.description ?? success;
    const description = response.description === DEFAULT_DESCRIPTION ? usual : response.description;
    if (description === undefined) throw new Error(`${operationId} has no sentence in success-descriptions.ts`);
    return [status, { ...response, description, headers: headersOf(status, isIdempotent) }] as const;
  });
  return Object.fromEntries(found);
}

function byStatus(codes: readonly string[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const code of new Set(codes)) {
    const known = ERROR_CODES[code];
    if (known === undefined) throw new Error(`${code} is not in the catalogue of error codes`);
    const status = String(known.status);
    found.set(status, [...(found.get(status) ?? []), code].sort());
  }
  return found;
}

function refusal(status: string, codes: readonly string[], isIdempotent: boolean): DocumentResponse {
  const description = REFUSALS[status]?.description;
  if (description === undefined) throw new Error(`no refusal is sent with the status ${status}`);
  const code = { type: 'object', properties: { code: { type: 'string', enum: [...codes] } } };
  return {
    description,
    headers: headersOf(status, isIdempotent),
    content: { 'application/json': { schema: { allOf: [FAILURE, code] } } },
  };
}

type Operations = NonNullable<ApiDocument['paths']>;

/** Makes each refusal that stands twice a component, and gives the operations back with references to it. */
export function shareRefusals(paths: Operations): { paths: Operations; responses: Record<string, DocumentResponse> } {
  const refusals = countRefusals(paths);
  const responses: Record<string, DocumentResponse> = {};
  const share = (status: string, response: DocumentResponse): DocumentResponse => {
    const text = JSON.stringify(response);
    const [usual, ...others] = refusals.get(status) ?? [];
    const found = [usual, ...others].find((variant) => variant?.text === text);
    if (usual === undefined || found === undefined || found.count < 2) return response;
    const name = nameOf(status, response, usual.response);
    responses[name] ??= response;
    if (JSON.stringify(responses[name]) !== text) return response;
    return { $ref: `#/components/responses/${name}` } as DocumentResponse;
  };
  const shared = mapOperations(paths, (operation) => ({
    ...operation,
    responses: Object.fromEntries(
      Object.entries(operation.responses ?? {}).map(([status, response]) => [status, share(status, response)]),
    ),
  }));
  return { paths: shared, responses };
}

/** A refusal as it stands, and in how many operations. */
interface Variant {
  text: string;
  response: DocumentResponse;
  count: number;
}

/** The variants of each refusal by status, the most frequent first. */
function countRefusals(paths: Operations): Map<string, Variant[]> {
  const found = new Map<string, Variant[]>();
  for (const [status, response] of operationsIn(paths).flatMap(({ responses = {} }) => Object.entries(responses))) {
    if (REFUSALS[status] === undefined) continue;
    const variants = found.get(status) ?? [];
    found.set(status, variants);
    const text = JSON.stringify(response);
    const known = variants.find((variant) => variant.text === text);
    if (known === undefined) variants.push({ text, response, count: 1 });
    else known.count += 1;
  }
  for (const variants of found.values()) variants.sort((one, other) => other.count - one.count);
  return found;
}

/** The status in words, and the first code that sets the refusal apart from the usual one: `ForbiddenSandboxOnly`. */
function nameOf(status: string, response: DocumentResponse, usual: DocumentResponse): string {
  const beyond = (one: DocumentResponse, other: DocumentResponse) =>
    codesOf(one).find((code) => !codesOf(other).includes(code));
  const [more, less] = [beyond(response, usual), beyond(usual, response)];
  const apart = more ?? (less === undefined ? '' : `WITHOUT_${less}`);
  const inWords = apart.toLowerCase().replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return `${REFUSALS[status]?.name}${inWords}`;
}

/** The codes that a documented refusal may carry. */
export function codesOf({ content }: DocumentResponse): string[] {
  const parts = (content?.['application/json']?.schema?.['allOf'] ?? []) as {
    properties?: { code?: { enum?: string[] } };
  }[];
  return parts.flatMap(({ properties }) => properties?.code?.enum ?? []);
}
