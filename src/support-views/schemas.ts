import { Type } from 'typebox';
import { DateTime, Named, Nullable, Uuid } from '../platform/http/schemas.ts';

export const SupportViewSchema = Named(
  'SupportView',
  Type.Object({
    supportViewId: Uuid(),
    mode: Type.Enum(['SANDBOX', 'LIVE']),
    by: Type.String({ description: 'Who of the operator’s staff.', examples: ['Amaka Eze'] }),
    reason: Type.String({ examples: ['You asked why a payout of 12 May is unknown.'] }),
    openedAt: DateTime(),
    expiresAt: DateTime('When it ends at the latest.'),
    endedAt: Nullable(DateTime('When it was ended before its time.')),
    isOpen: Type.Boolean({ description: 'False also where its session has ended.' }),
  }),
);
