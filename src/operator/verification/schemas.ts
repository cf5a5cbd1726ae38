import { Type } from 'typebox';
import { DateTime, Named, Nullable, Uuid } from '../../platform/http/schemas.ts';
import { Word } from '../schemas.ts';

const Check = Type.Object({
  name: Type.String({ description: 'Stable, for programs.', examples: ['debits-equal-credits'] }),
  sentence: Type.String({ description: 'What holds when nothing is found.' }),
  ok: Type.Boolean(),
  violations: Type.Integer(),
  examples: Type.Array(Type.Object({ merchantId: Type.String(), mode: Type.String(), detail: Type.String() }), {
    description: 'At most 20; amounts in kobo.',
  }),
});

export const VerifyRunSchema = Named(
  'VerifyRun',
  Type.Object({
    runId: Uuid(),
    state: Word(['RUNNING', 'RIGHT', 'WRONG', 'FAILED'] as const, 'FAILED: it could not be made.'),
    startedAt: DateTime(),
    finishedAt: Nullable(DateTime()),
    durationMs: Type.Integer(),
    startedBy: Type.String(),
    checksInAll: Type.Integer(),
    checks: Type.Array(Check, { description: 'As far as it has come.' }),
    sizes: Nullable(
      Type.Object({
        books: Type.Integer(),
        accounts: Type.Integer(),
        transfers: Type.Integer(),
        transactions: Type.Integer(),
      }),
    ),
  }),
);
