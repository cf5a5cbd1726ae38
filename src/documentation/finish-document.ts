import { SuccessBase } from '../platform/http/schemas.ts';
import { ListPageBase, PageBase } from '../platform/lists/schemas.ts';
import { type Components, shareParameters, withReferences } from './components.ts';
import { type ApiDocument, type DocumentOperation, FACTS, mapOperations } from './document.ts';
import { responsesForPeople, responsesOf, shareRefusals } from './error-responses.ts';
import { EXAMPLES } from './examples.ts';
import { forGenerators } from './for-generators.ts';
import { HEADERS, PARAMETERS } from './headers.ts';

/** Operations that only a signed-in person can use: the dashboard's own, and the operator's. */
const SESSION_ONLY = /^(Dashboard|Operator)/;

const isForPeople = ({ tags = [] }: DocumentOperation): boolean => tags.some((tag) => SESSION_ONLY.test(tag));

/**
 * What integrators read: the document without the operations that need a person's session. The whole one is the
 * dashboard's, whose types are generated from it (`npm run openapi`).
 */
export function publicDocument(made: ApiDocument): ApiDocument {
  const paths = Object.entries(made.paths ?? {}).map(([path, item]) => {
    const open = Object.entries(item).filter(([, operation]) => !isForPeople(operation));
    return [path, Object.fromEntries(open)] as const;
  });
  return finishDocument({
    ...made,
    paths: Object.fromEntries(paths.filter(([, item]) => Object.keys(item).length > 0)),
  });
}

/**
 * Makes of what the routes say the document that is served: what stands twice is a component, headers and refusals are
 * written out for each operation, and numbers say how wide they are. Pure: the same routes make the same document.
 * @throws Error where two schemas have one name or an error code is in no catalogue
 */
export function finishDocument(made: ApiDocument): ApiDocument {
  const schemas: Components = {};
  withReferences([SuccessBase, PageBase, ListPageBase], schemas);
  const { paths, responses } = shareRefusals(mapOperations(made.paths ?? {}, finishOperation));
  const { operations, parameters } = shareParameters(withReferences(paths, schemas));
  const shared = withReferences(responses, schemas);
  const finished = {
    ...made,
    paths: operations,
    // What only webhooks have stays where it is: oapi-codegen makes no types of what nothing else refers to.
    webhooks: withReferences(made.webhooks ?? {}, schemas, false),
    components: {
      ...made.components,
      headers: HEADERS,
      parameters: { ...PARAMETERS, ...parameters },
      responses: shared,
      schemas,
    },
  };
  return forGenerators(finished) as ApiDocument;
}

function finishOperation({ [FACTS]: facts, ...operation }: DocumentOperation): DocumentOperation {
  const { codes = [], isIdempotent = false } = facts ?? {};
  const parameters = [
    ...(operation.parameters ?? []),
    ...(isIdempotent ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
  ];
  return withExample({
    ...operation,
    ...(parameters.length > 0 ? { parameters } : {}),
    responses: isForPeople(operation) ? responsesForPeople(operation) : responsesOf(operation, { codes, isIdempotent }),
  });
}

/** The request and the answer that were seen of the operation, beside their schemas. */
function withExample(operation: DocumentOperation): DocumentOperation {
  const seen = EXAMPLES[operation.operationId ?? ''];
  if (seen === undefined) return operation;
  const json = operation.requestBody?.content['application/json'];
  if (json !== undefined && seen.request !== undefined) json.example = seen.request;
  const content = operation.responses?.['200']?.content;
  const answer = content?.['application/json'] ?? content?.['text/csv'];
  if (answer !== undefined && seen.response !== undefined) answer.example = seen.response;
  return operation;
}
