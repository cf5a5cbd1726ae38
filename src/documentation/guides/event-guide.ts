import type { Components, DocumentSchema } from '../components.ts';
import type { ApiDocument } from '../document.ts';

const INTRODUCTION = `# Events

Every event has the same envelope: \`id\`, \`type\`, \`sequence\`, \`mode\`, \`createdAt\`, the request that caused it, and
\`data\`, which is the subject as it was after the change. How to receive events, check their signatures and read the log
is in [Webhooks and the event log](webhooks.md).
`;

/** The catalogue of events, from the section of the API document that says what is sent. */
export function eventGuide({ webhooks = {}, components }: ApiDocument): string {
  const schemas = (components?.['schemas'] ?? {}) as Components;
  const entries = Object.entries(webhooks).map(([type, item]) => {
    const { summary, requestBody } = (item as { post: { summary: string; requestBody: Body } }).post;
    const data = requestBody.content['application/json'].schema.properties?.['data'] as DocumentSchema | undefined;
    return `## ${type}\n\n${summary}\n\n${fieldTable(data ?? {}, schemas)}`;
  });
  return [INTRODUCTION, ...entries].join('\n');
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
