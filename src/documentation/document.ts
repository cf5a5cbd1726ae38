import type { RouteFacts } from '../access/index.ts';
import type { DocumentSchema } from './components.ts';

/** Where the facts of a route ride until the document is finished. */
export const FACTS = 'x-facts';

export interface DocumentResponse {
  description?: string;
  headers?: Record<string, object>;
  content?: Record<string, { schema?: DocumentSchema; example?: unknown }>;
}

/** An operation as the document has it. */
export interface DocumentOperation {
  operationId?: string;
  tags?: string[];
  summary?: string;
  parameters?: object[];
  requestBody?: { content: Record<string, { schema?: DocumentSchema; example?: unknown }> };
  responses?: Record<string, DocumentResponse>;
  [FACTS]?: RouteFacts;
  [keyword: string]: unknown;
}

/** An OpenAPI 3.1 document, as far as it is looked into here. */
export interface ApiDocument {
  paths?: Record<string, Record<string, DocumentOperation>>;
  webhooks?: Record<string, object>;
  components?: Record<string, Record<string, unknown>>;
  tags?: { name: string }[];
  [keyword: string]: unknown;
}

type Operations = NonNullable<ApiDocument['paths']>;

export const operationsIn = (paths: Operations): DocumentOperation[] =>
  Object.values(paths).flatMap((item) => Object.values(item));

export function mapOperations(
  paths: Operations,
  change: (operation: DocumentOperation) => DocumentOperation,
): Operations {
  return Object.fromEntries(
    Object.entries(paths).map(([path, item]) => [
      path,
      Object.fromEntries(Object.entries(item).map(([method, operation]) => [method, change(operation)])),
    ]),
  );
}
