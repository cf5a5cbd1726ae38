import { useQuery } from '@tanstack/react-query';
import { connectionLost } from '../api/errors.ts';

/** What is read here of a JSON Schema. */
export interface Schema {
  $ref?: string;
  type?: string | readonly string[];
  format?: string;
  description?: string;
  enum?: readonly (string | number | boolean | null)[];
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  items?: Schema;
  anyOf?: readonly Schema[];
  allOf?: readonly Schema[];
  examples?: readonly unknown[];
  default?: unknown;
  minimum?: number;
}

export interface Parameter {
  $ref?: string;
  in: 'path' | 'query' | 'header';
  name: string;
  required?: boolean;
  description?: string;
  schema: Schema;
}

interface DocumentOperation {
  operationId: string;
  summary?: string;
  description?: string;
  tags?: readonly string[];
  parameters?: readonly Parameter[];
  requestBody?: { content: Readonly<Record<string, { schema: Schema; example?: unknown }>> };
}

interface DocumentEvent {
  post: { summary: string; requestBody: { content: { 'application/json': { schema: Schema; example?: unknown } } } };
}

/** The part of the API document that these pages show. */
export interface ApiDocument {
  paths: Readonly<Record<string, Readonly<Record<string, DocumentOperation>>>>;
  webhooks: Readonly<Record<string, DocumentEvent>>;
  components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** The document that the service serves: fetched when a page shows something of it, once for as long as pages are open. */
export function useApiDocument() {
  return useQuery({ queryKey: ['api-document'], queryFn: fetchDocument, staleTime: Number.POSITIVE_INFINITY });
}

async function fetchDocument({ signal }: { signal: AbortSignal }): Promise<ApiDocument> {
  const answer = await fetch('/openapi.json', { signal, credentials: 'omit' });
  if (!answer.ok) throw connectionLost('get');
  return (await answer.json()) as ApiDocument;
}
