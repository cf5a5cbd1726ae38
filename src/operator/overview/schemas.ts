import { Type } from 'typebox';
import { DateTime, Named, Nullable } from '../../platform/http/schemas.ts';
import { Word } from '../schemas.ts';

const count = (description: string) => Type.Integer({ minimum: 0, description });

export const OverviewSchema = Named(
  'Overview',
  Type.Object({
    merchantsToReview: count('Merchants whose details wait for a decision.'),
    unknownOutcomes: count('Payouts whose outcome people have to decide.'),
    proposalsForMe: count('Proposed outcomes that another person made and that wait for a second one.'),
    webhooksFailing: count('Webhook addresses that do not take what they are told.'),
    floatDifferences: count('Groups of rails whose last comparison with the books differs.'),
    railsDown: count('Rails that are in use and do not answer this process, or do not open.'),
    settlementToDecide: count('Lines of settlement files that differ from the books and wait for somebody.'),
    booksWrong: Type.Boolean({ description: 'The last proof that could be made found the books wrong.' }),
    lastVerify: Nullable(
      Type.Object({
        state: Word(['RUNNING', 'RIGHT', 'WRONG', 'FAILED'] as const),
        startedAt: DateTime(),
        finishedAt: Nullable(DateTime()),
      }),
    ),
  }),
);
