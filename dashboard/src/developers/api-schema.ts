import type { ApiDocument, Parameter, Schema } from './api-document.ts';

/** What a reference stands for. */
function resolved<T extends { $ref?: string }>(document: ApiDocument, part: T): T {
  if (part.$ref === undefined) return part;
  const [, , kind = '', name = ''] = part.$ref.split('/');
  return { ...(document.components[kind]?.[name] as T), ...withoutRef(part) };
}

function withoutRef<T extends { $ref?: string }>({ $ref: _, ...rest }: T): Omit<T, '$ref'> {
  return rest;
}

/** One operation as the explorer calls it. */
export interface Operation {
  id: string;
  method: string;
  /** With `{placeholders}`. */
  path: string;
  tag: string;
  summary: string;
  description: string | undefined;
  parameters: readonly Parameter[];
  body: Schema | undefined;
  /** The request that was recorded of it. */
  example: unknown;
  takesFile: boolean;
}

/** Every operation of keys, in the order of the document. */
export function operationsOf(document: ApiDocument): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const content = operation.requestBody?.content ?? {};
      const json = content['application/json'];
      return {
        id: operation.operationId,
        method: method.toUpperCase(),
        path,
        tag: operation.tags?.[0] ?? '',
        summary: operation.summary ?? '',
        description: operation.description,
        parameters: (operation.parameters ?? []).map((parameter) => resolved(document, parameter)),
        body: json?.schema,
        example: json?.example,
        takesFile: json === undefined && Object.keys(content).length > 0,
      };
    }),
  );
}

const MAX_DEPTH = 8;
/** What a field of this name holds, where its schema has no example. */
const KNOWN: Readonly<Record<string, unknown>> = {
  name: 'Yaba',
  message: 'Success',
  narration: 'Invoice 1009',
  description: 'Order 1007',
  bankCode: '058',
  bankName: 'Guaranty Trust Bank',
  accountNumber: '0123456785',
  accountName: 'ADA OBI',
  email: 'ada@example.com',
  phoneNumber: '2348012345678',
  reference: 'INV-2026-0042',
  batchReference: 'MNB01a1fb3c0e3774cd82b336bd0b75c143',
  currency: 'NGN',
  requestId: '01a1fb3c-0ee1-7b7e-8f5c-5ce3f0ad5b0b',
  idempotencyKey: 'payday-2026-11',
  rail: 'sandbox',
  reason: 'OUTCOME_UNKNOWN',
  url: 'https://shop.example.com/hooks/manilla',
  fileName: 'salaries.csv',
  amount: 15_000,
  totalAmount: 15_076.88,
  charges: 76.88,
  fee: 25,
  vat: 1.88,
  bookedBalance: 250_000,
  availableBalance: 234_923.12,
};

/** A value as a schema describes it: its own examples, else the simplest thing that fits. */
export function exampleOf(document: ApiDocument, given: Schema, depth = 0, name = ''): unknown {
  const schema = resolved(document, given);
  if (schema.examples !== undefined) return schema.examples[0];
  if (schema.enum !== undefined) return schema.enum[0];
  if (depth > MAX_DEPTH) return null;
  if (schema.allOf !== undefined) {
    return Object.assign({}, ...schema.allOf.map((part) => exampleOf(document, part, depth + 1))) as unknown;
  }
  if (schema.anyOf !== undefined) return exampleOf(document, schema.anyOf[0] ?? {}, depth + 1, name);
  const type = typeof schema.type === 'string' ? schema.type : schema.type?.[0];
  if (schema.properties !== undefined) {
    const fields = Object.entries(schema.properties);
    return Object.fromEntries(fields.map(([field, of]) => [field, exampleOf(document, of, depth + 1, field)]));
  }
  const known = KNOWN[name];
  if (known !== undefined && typeof known === type) return known;
  switch (type) {
    case 'array':
      return schema.items === undefined ? [] : [exampleOf(document, schema.items, depth + 1)];
    case 'integer':
    case 'number':
      return schema.minimum ?? 1;
    case 'boolean':
      return true;
    case 'string':
      return schema.format === 'uuid' ? '01a1fb3c-0ee6-70af-8c32-2cbdf443e475' : 'text';
    default:
      return {};
  }
}

export interface FieldRow {
  /** With its place: `payer.name`, `items[].amount`. */
  name: string;
  type: string;
  isRequired: boolean;
  description: string;
}

/** The fields of a schema, those inside others after them. */
export function fieldsOf(document: ApiDocument, given: Schema, prefix = '', depth = 0): FieldRow[] {
  const schema = merged(document, given);
  if (depth > 3) return [];
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const own = merged(document, field);
    const isList = typeOf(own) === 'array';
    const inner = isList && own.items !== undefined ? merged(document, own.items) : own;
    const row = {
      name: `${prefix}${name}`,
      type: wordsOf(own, inner),
      isRequired: schema.required?.includes(name) === true,
      description: field.description ?? own.description ?? '',
    };
    return [row, ...fieldsOf(document, inner, `${prefix}${name}${isList ? '[]' : ''}.`, depth + 1)];
  });
}

/** One schema of all that it is put together from. */
function merged(document: ApiDocument, given: Schema): Schema {
  const schema = resolved(document, given);
  const one = schema.anyOf?.find((part) => part.type !== 'null');
  if (one !== undefined)
    return { ...merged(document, one), ...(schema.description && { description: schema.description }) };
  if (schema.allOf === undefined) return schema;
  const parts = schema.allOf.map((part) => merged(document, part));
  return {
    type: 'object',
    properties: Object.assign({}, ...parts.map(({ properties }) => properties)) as Record<string, Schema>,
    required: parts.flatMap(({ required }) => required ?? []),
  };
}

const typeOf = ({ type }: Schema): string | undefined => (typeof type === 'string' ? type : type?.[0]);

function wordsOf(schema: Schema, inner: Schema): string {
  if (schema.enum !== undefined) return schema.enum.filter((word) => word !== null).join(', ');
  const type = typeOf(schema) ?? 'anything';
  return type === 'array' ? `list of ${typeOf(inner) ?? 'anything'}` : type;
}
