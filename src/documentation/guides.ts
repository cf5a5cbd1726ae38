import { readFileSync } from 'node:fs';
import {
  type ApiDocument,
  type Components,
  type DocumentResponse,
  type DocumentSchema,
  operationsIn,
} from './document.ts';
import { API_ERROR_CODES, type ErrorCode, INSIDE_ERROR_CODES } from './error-codes.ts';
import { codesOf } from './error-responses.ts';
import { PEOPLE_ERROR_CODES } from './people-error-codes.ts';

const EVENTS_INTRODUCTION = `# Events

Every event has the same envelope: \`id\`, \`type\`, \`sequence\`, \`mode\`, \`createdAt\`, the request that caused it, and
\`data\`, which is the subject as it was after the change. How to receive events, check their signatures and read the log
is in [Webhooks and the event log](webhooks.md).
`;

/** The catalogue of events, from the section of the API document that says what is sent. */
function eventGuide({ webhooks = {}, components }: ApiDocument): string {
  const schemas = (components?.['schemas'] ?? {}) as Components;
  const entries = Object.entries(webhooks).map(([type, item]) => {
    const { summary, requestBody } = (item as { post: { summary: string; requestBody: Body } }).post;
    const data = requestBody.content['application/json'].schema.properties?.['data'] as DocumentSchema | undefined;
    return `## ${type}\n\n${summary}\n\n${fieldTable(data ?? {}, schemas)}`;
  });
  return [EVENTS_INTRODUCTION, ...entries].join('\n');
}

interface Body {
  content: { 'application/json': { schema: DocumentSchema } };
}

function fieldTable(schema: DocumentSchema, schemas: Components): string {
  const { properties = {} } = resolved(schema, schemas);
  const rows = Object.entries(properties).map(([name, field]) => {
    const { description = '' } = field as DocumentSchema;
    const meaning = (description || (resolved(field as DocumentSchema, schemas).description ?? '')).replaceAll(
      '|',
      '\\|',
    );
    return `| \`${name}\` | ${typeOf(field as DocumentSchema, schemas)} | ${meaning} |`;
  });
  return ['| field of `data` | type | meaning |', '|---|---|---|', ...rows, ''].join('\n');
}

function typeOf(schema: DocumentSchema, schemas: Components): string {
  const { type, anyOf, enum: words } = resolved(schema, schemas);
  if (Array.isArray(anyOf)) return anyOf.map((each) => typeOf(each as DocumentSchema, schemas)).join(' or ');
  if (Array.isArray(words)) return words.map((word) => `\`${String(word)}\``).join(', ');
  return typeof type === 'string' ? type : Array.isArray(type) ? (type as string[]).join(' or ') : 'any';
}

function resolved(schema: DocumentSchema, schemas: Components): DocumentSchema {
  const name = /^#\/components\/schemas\/(\w+)$/.exec(typeof schema['$ref'] === 'string' ? schema['$ref'] : '')?.[1];
  return name === undefined ? schema : (schemas[name] ?? {});
}

const ERRORS_INTRODUCTION = `# Errors

A request that is refused is answered with

\`\`\`json
{
  "status": false,
  "message": "Insufficient funds: ₦1,200.00 is available.",
  "code": "INSUFFICIENT_FUNDS",
  "requestId": "mX3kP0aQ-4f",
  "docUrl": "/docs/errors#INSUFFICIENT_FUNDS"
}
\`\`\`

Programs read \`code\`: it never changes its meaning. People read \`message\`. \`errors\` names the fields at fault where
there are any, each with a \`field\` and a \`message\`. \`requestId\` is the \`X-Request-Id\` of the request; quote it when
you ask for help. 423, 429 and 503 carry \`Retry-After\` where the same request may succeed later. 404 is also the answer
for what belongs to another merchant or to the other mode.
`;

/** The catalogue of error codes, with an anchor for each: what `docUrl` of a refusal points at. */
function errorGuide(document: ApiDocument): string {
  const operations = operationsByCode(document);
  const sections = [
    section('Codes of the API', API_ERROR_CODES, operations),
    section('Codes of the dashboard', PEOPLE_ERROR_CODES, operations),
    section('Codes that no operation answers with', INSIDE_ERROR_CODES, operations),
  ];
  return [ERRORS_INTRODUCTION, ...sections].join('\n');
}

function section(title: string, codes: Readonly<Record<string, ErrorCode>>, operations: Map<string, string[]>): string {
  const entries = Object.entries(codes)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([code, { status, means }]) => {
      const using = operations.get(code) ?? [];
      const where = using.length === 0 || using.length > 12 ? '' : `\n\nOperations: ${using.join(', ')}.\n`;
      return `### ${code}\n\n${status === null ? '' : `HTTP ${status}. `}${means}.${where}`;
    });
  return [`## ${title}`, ...entries].join('\n\n');
}

function operationsByCode({ paths = {}, components }: ApiDocument): Map<string, string[]> {
  const shared = (components?.['responses'] ?? {}) as Record<string, DocumentResponse>;
  const found = new Map<string, string[]>();
  for (const { operationId = '', responses = {} } of operationsIn(paths)) {
    for (const response of Object.values(responses)) {
      const name = (response as { $ref?: string }).$ref?.split('/').at(-1);
      for (const code of codesOf(name === undefined ? response : (shared[name] ?? {}))) {
        found.set(code, [...(found.get(code) ?? []), `\`${operationId}\``]);
      }
    }
  }
  return found;
}

/** A page for integrators, at `/docs/<name>` and as Markdown at `/docs/<name>.md`. */
export interface Guide {
  name: string;
  title: string;
  /** One line: what somebody finds there. */
  about: string;
  markdown: string;
}

const FILES = [
  { name: 'integrating', about: 'Keys, modes, amounts, idempotency, payouts, approvals and going live.' },
  { name: 'operations-of-the-api', about: 'Every operation in one line.' },
  { name: 'webhooks', about: 'Receiving events, checking signatures, reading the event log.' },
  { name: 'checkout', about: 'Payment sessions on a page, payment links, and the page over your own.' },
  { name: 'bulk-files', about: 'Lists of payouts as CSV, Excel workbook or JSON.' },
  { name: 'states', about: 'Every status, what follows it, and what is final.' },
  { name: 'sandbox-rail', about: 'Every way in which a bank goes wrong, on request.' },
  { name: 'rails', about: 'The banks and providers that pay, and what they report.' },
];

/** Where the guides find a service on the reader's own machine. Those that an installation serves name its own address. */
export const EXAMPLE_ADDRESS = 'http://127.0.0.1:3000';

export const CHANGELOG = 'changelog';

/** Everything that an integrator reads of this installation; the catalogues are made from the API document. */
export function guidesOf(document: ApiDocument): Guide[] {
  const files = FILES.map(({ name, about }) => {
    const markdown = readProjectFile(`docs/${name}.md`);
    return { name, about, title: titleOf(markdown), markdown };
  });
  const errors = { name: 'errors', title: 'Errors', about: 'Every error code: its status and what to do.' };
  const events = { name: 'events', title: 'Events', about: 'Every type of event and the fields of its data.' };
  return [
    ...files,
    { ...errors, markdown: errorGuide(document) },
    { ...events, markdown: eventGuide(document) },
    {
      name: CHANGELOG,
      title: 'Changelog',
      about: 'What changed from version to version.',
      // Its links begin at the folder above that of the guides.
      markdown: readProjectFile('CHANGELOG.md').replaceAll('](docs/', ']('),
    },
  ];
}

const readProjectFile = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

const titleOf = (markdown: string): string => /^# (.+)$/m.exec(markdown)?.[1] ?? '';
