import { Type } from 'typebox';
import { type EventTypes, Money, Nullable } from '../platform/http/schemas.ts';
import { ApprovalEventSchema } from './schemas.ts';

export const approvalEvents: EventTypes = {
  'approval.requested': { summary: 'Something waits for approval.', data: ApprovalEventSchema },
  'approval.decided': {
    summary: 'Somebody decided about an approval, or it ended undecided; its status says which.',
    data: ApprovalEventSchema,
  },
  'approval.rules_changed': {
    summary: 'The rules of approval were changed, or approvals were switched on or off.',
    data: Type.Object({
      isMakerCheckerEnabled: Type.Boolean(),
      version: Type.Integer(),
      rules: Type.Array(Type.Object({ fromAmount: Money('From this amount on.'), approvals: Type.Integer() })),
      reason: Nullable(
        Type.String({ description: 'Why the operator switched approvals off; null for your own change.' }),
      ),
    }),
  },
};
