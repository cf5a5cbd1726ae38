import { type TSchema, type TStringOptions, Type } from 'typebox';

/** The events of a module, by type: when one is written, and the schema of its `data`. */
export type EventTypes = Readonly<Record<string, { summary: string; data: TSchema }>>;

/**
 * Shared parts of the interface's schemas. They validate, type and document at once. `x-log` says what the request log
 * keeps of a text, see `src/request-log/redact.ts`.
 */

export const Uuid = (description?: string) =>
  Type.String({ format: 'uuid', ...(description === undefined ? {} : { description }) });

/** The refusal of a body whose fields are all optional, where it has none of them. */
export const ONE_FIELD = 'must have at least one field to change';

/** The largest amount that a request may name: what a JSON number holds to the kobo. */
export const MAX_NAIRA = 9_999_999_999_999.99;

const naira = (description: string, least: object, example: number) =>
  Type.Number({ ...least, maximum: MAX_NAIRA, 'x-decimals': 2, description, examples: [example], 'x-money': true });

/** An amount in a request body: naira as a JSON number with at most two decimals. `parseAmount` reads it. */
export const Amount = (description = 'Naira, at most two decimals.') =>
  naira(description, { exclusiveMinimum: 0 }, 1500.5);

/** The same where it may be zero. */
export const AmountFromZero = (description = 'Naira, at most two decimals.', example = 500_000) =>
  naira(description, { minimum: 0 }, example);

/** The largest whole number that a request may have: 15 digits, which every program keeps exactly. */
export const MAX_INTEGER = 999_999_999_999_999;

export const Money = (description: string) =>
  Type.Number({ description: `${description} In naira, at most two decimals.` });

/** A sum without a bound: money that moves back and forth adds up to any amount in time. */
export const MoneySum = (description: string) =>
  Nullable(Money(`${description} Null from 70 trillion on, which no JSON number holds to the kobo.`));

/**
 * A name, or another text that people read: without invisible characters, and stored in one form. Every text of a body
 * that is shown to somebody is one, or one of `VisibleLines`.
 */
export const VisibleText = (options: TStringOptions) =>
  Type.String({ ...options, format: 'visible-text', 'x-one-form': true });

/** The same, of several lines. */
export const VisibleLines = (options: TStringOptions) =>
  Type.String({ ...options, format: 'visible-lines', 'x-one-form': true });

/**
 * Some words of a list in a query string, separated by commas: `FAILED,REVERSED`. Read it with `wordsOf`.
 * @param words each is only letters, digits and underscores
 */
export const SomeOf = (words: readonly string[], description: string, example: readonly string[] = words.slice(0, 2)) =>
  Type.String({
    pattern: `^(?:${words.join('|')})(?:,(?:${words.join('|')})){0,${words.length - 1}}$`,
    description: `${description} Several with commas between them: ${words.join(', ')}.`,
    examples: [example.join(',')],
    'x-hint': `must be one or more of ${words.join(', ')}, with commas between them`,
  });

/** The words of a `SomeOf`, each once and in one order; undefined where none is given. */
export function wordsOf<Word extends string>(text: string | undefined): Word[] | undefined {
  return text === undefined ? undefined : ([...new Set(text.split(','))].sort() as Word[]);
}

/** An amount in a query string, as text: naira with at most two decimals. Read it with `parseAmountText`. */
export const AmountText = (description: string) =>
  Type.String({
    pattern: '^\\d{1,13}(?:\\.\\d{1,2})?$',
    description: `${description} In naira, at most two decimals.`,
    examples: ['1500.50'],
    'x-hint': 'must be an amount in naira such as 1500 or 1500.50',
  });

export const Narration = () =>
  VisibleText({
    minLength: 1,
    maxLength: 100,
    description: 'What the money is for; at most 100 characters.',
    'x-log': 'TEXT',
    examples: ['Weekly sweep'],
  });

/** The merchant's transaction PIN. Its shape is checked here, the rest by the PIN guard. */
export const Pin = () =>
  Type.String({
    pattern: '^\\d{4,6}$',
    description: 'The merchant transaction PIN, 4 to 6 digits.',
    examples: ['4826'],
    'x-hint': 'must be the 4 to 6 digits of your PIN',
    'x-log': 'SECRET',
  });

export const BankCode = () =>
  Type.String({
    pattern: '^\\d{3,6}$',
    examples: ['058'],
    'x-hint': 'must be 3 to 6 digits',
    description: 'Bank code, see GET /bank.',
  });

export const AccountNumber = (description = 'NUBAN, 10 digits.') =>
  Type.String({
    pattern: '^\\d{10}$',
    examples: ['0123456785'],
    'x-hint': 'must be 10 digits',
    description,
    'x-log': 'LAST4',
  });

export const PhoneNumber = () =>
  Type.String({
    pattern: '^\\+?\\d{7,15}$',
    examples: ['2348012345678'],
    'x-hint': 'must be 7 to 15 digits, with country prefix',
    'x-log': 'PERSONAL',
  });

/** `metadataText` limits its size. */
export const Metadata = () =>
  Type.Record(Type.String(), Type.Unknown(), {
    maxProperties: 50,
    description: 'Free-form data of yours; comes back unchanged. At most 8 KB of JSON, 50 keys and five levels.',
    examples: [{ orderId: 'A-1009' }],
  });

export const EMAIL_PATTERN = '^[!-;=?A-~]+@[!-;=?A-~]+\\.[!-;=?A-~]+$';
/** The longest address that SMTP carries. */
export const MAX_EMAIL_LENGTH = 254;

export const Email = () =>
  Type.String({
    maxLength: MAX_EMAIL_LENGTH,
    pattern: EMAIL_PATTERN,
    examples: ['ada@example.com'],
    'x-hint': 'must be an e-mail address',
    'x-log': 'PERSONAL',
  });

export const DateTime = (description?: string) =>
  Type.String({
    format: 'date-time',
    examples: ['2026-11-20T09:30:00.000Z'],
    ...(description === undefined ? {} : { description }),
  });

export const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/** The beginning of every answer of success. */
export const SuccessBase = Type.Object(
  {
    status: Type.Literal(true),
    message: Type.String({ description: 'A sentence for people.', examples: ['Success'] }),
  },
  { title: 'Success', description: 'The request was carried out.' },
);

/** `{status: true, message, data}` */
export const Success = <T extends TSchema>(data: T) =>
  Type.Object({ ...SuccessBase.properties, data }, { 'x-extends': 'Success' });

/** The same schema with a name, which generators use for the type. */
export const Named = <T extends TSchema>(title: string, schema: T): T => Object.assign(schema, { title });

/** Something that is wrong or was noticed, for programs and for people. */
export const ProblemSchema = Named(
  'Problem',
  Type.Object({
    code: Type.String({
      description: 'Stable; for programs. A page of the guide has them all.',
      examples: ['AMOUNT_NOT_POSITIVE'],
    }),
    field: Nullable(
      Type.String({ description: 'The field that it is about; null for the whole.', examples: ['amount'] }),
    ),
    params: Type.Object({}, { additionalProperties: Type.Unknown(), description: 'What the message is made of.' }),
    message: Type.String({
      description: 'A sentence for people.',
      examples: ['The amount must be greater than zero.'],
    }),
  }),
);

export const Failure = Type.Object(
  {
    status: Type.Literal(false),
    message: Type.String({
      description: 'A sentence for people.',
      examples: ['Insufficient funds: ₦1,200.00 is available.'],
    }),
    code: Type.String({ description: 'Stable; for programs.', examples: ['INSUFFICIENT_FUNDS'] }),
    errors: Type.Optional(
      Type.Array(Type.Object({ field: Type.String(), message: Type.String() }, { title: 'FieldError' })),
    ),
    problems: Type.Optional(
      Type.Array(ProblemSchema, { description: 'What is wrong, as data: with a file or a step, or what is repeated.' }),
    ),
    requestId: Type.String({
      description: 'The X-Request-Id of the request that was refused. Quote it when you ask for help.',
      examples: ['mX3kP0aQ-4f'],
    }),
    docUrl: Type.String({
      format: 'uri-reference',
      description: 'Where this installation explains the code.',
      examples: ['/docs/errors#INSUFFICIENT_FUNDS'],
    }),
  },
  { title: 'Failure', description: 'The request was refused and moved nothing.' },
);

/** The documented answer of a route. Its refusals are in `config.errorCodes`, and written out by status. */
export const answers = (success: TSchema): Record<'200', TSchema> => ({ 200: success });
