import { type ApiDocument, type DocumentResponse, operationsIn } from '../document.ts';
import { API_ERROR_CODES, type ErrorCode, INSIDE_ERROR_CODES, PEOPLE_ERROR_CODES } from '../error-codes.ts';
import { codesOf } from '../error-responses.ts';

const INTRODUCTION = `# Errors

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
export function errorGuide(document: ApiDocument): string {
  const operations = operationsByCode(document);
  const sections = [
    section('Codes of the API', API_ERROR_CODES, operations),
    section('Codes of the dashboard', PEOPLE_ERROR_CODES, operations),
    section('Codes that no operation answers with', INSIDE_ERROR_CODES, operations),
  ];
  return [INTRODUCTION, ...sections].join('\n');
}

function section(title: string, codes: Readonly<Record<string, ErrorCode>>, operations: Map<string, string[]>): string {
  const entries = Object.entries(codes)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([code, { status, means }]) => {
      const told = operations.get(code) ?? [];
      const where = told.length === 0 || told.length > 12 ? '' : `\n\nOperations: ${told.join(', ')}.\n`;
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
