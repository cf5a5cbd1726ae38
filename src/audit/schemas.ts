import { Type } from 'typebox';
import { PeriodQuery } from '../platform/http/period.ts';
import { DateTime, Named, Nullable, Uuid } from '../platform/http/schemas.ts';
import { listQuery } from '../platform/lists/schemas.ts';
import { ACTOR_KINDS, AUDIT_CATEGORIES, AUDIT_OUTCOMES } from './queries.ts';

const word = (words: readonly string[], description: string) =>
  Type.Unsafe<string>({ type: 'string', enum: [...words], description });

const filter = {
  person: Type.Optional(Uuid('Only what this person did.')),
  action: Type.Optional(
    Type.String({
      maxLength: 100,
      description: 'Part of an action, or words of its summary, in any order.',
      examples: ['payout'],
    }),
  ),
  category: Type.Optional(
    Type.Enum([...AUDIT_CATEGORIES], {
      description:
        'Only actions of one kind, however many others there are: keys, PIN and secrets; people; signing in; whose ' +
        'details were looked at; rules, limits and addresses.',
    }),
  ),
  outcome: Type.Optional(Type.Enum([...AUDIT_OUTCOMES])),
  once: Type.Optional(
    Type.Boolean({
      description:
        'Each action once: leaves out that it was asked for where its end is written down. Of these 10,000 are counted.',
    }),
  ),
  ...PeriodQuery,
};

export const AuditQuery = Type.Object({ ...filter, ...listQuery() }, { additionalProperties: false });
export const AuditCsvQuery = Type.Object(filter, { additionalProperties: false });

const merchantId = Type.Optional(Uuid('Only the log of this merchant.'));
export const OperatorAuditQuery = Type.Object(
  { merchantId, ...filter, ...listQuery() },
  { additionalProperties: false },
);
export const OperatorAuditCsvQuery = Type.Object({ merchantId, ...filter }, { additionalProperties: false });

export const AuditEntrySchema = Named(
  'AuditEntry',
  Type.Object({
    entryId: Uuid(),
    at: DateTime(),
    actor: Type.Object({
      kind: word(ACTOR_KINDS, 'Somebody of the business, of the operator, an API key, or the service itself.'),
      personId: Nullable(Type.String()),
      name: Type.String(),
      role: Nullable(Type.String()),
    }),
    action: Type.String({ examples: ['POST /payout/single'] }),
    summary: Type.String({ description: 'What was done, in words.', examples: ['Sent a payout'] }),
    category: Nullable(word(AUDIT_CATEGORIES, 'Null for what belongs to none of these.')),
    outcome: word(AUDIT_OUTCOMES, 'ASKED before anything happens; then DONE, or REFUSED with the code.'),
    code: Nullable(
      Type.String({
        examples: ['INSUFFICIENT_FUNDS'],
        description: 'Null too where the operator’s staff were refused, but for their support views.',
      }),
    ),
    subject: Type.Record(Type.String(), Type.Unknown(), {
      description: 'What it was about.',
      examples: [{ amount: 1500.5 }],
    }),
    mode: Nullable(word(['SANDBOX', 'LIVE'], 'Null where it belongs to no mode.')),
    ip: Nullable(Type.String()),
    userAgent: Nullable(Type.String()),
    requestId: Nullable(Type.String({ description: 'The entries of one request share it.' })),
  }),
);

export const OperatorAuditEntrySchema = Named(
  'OperatorAuditEntry',
  Type.Interface([AuditEntrySchema], {
    merchantId: Nullable(Uuid('Null: no merchant’s.')),
    businessName: Nullable(Type.String()),
  }),
);
