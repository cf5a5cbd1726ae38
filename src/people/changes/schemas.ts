import { Type } from 'typebox';
import { DateTime, Named, Nullable, Uuid } from '../../platform/http/schemas.ts';
import { RoleSchema } from '../sessions/schemas.ts';
import { CHANGE_KINDS } from './queries.ts';

/** What waits for a second person. */
export const ChangeSchema = Named(
  'Change',
  Type.Object({
    changeId: Uuid(),
    kind: Type.Enum([...CHANGE_KINDS], {
      description: 'An invitation, another role, or a second factor that is switched off for somebody who lost it.',
    }),
    title: Type.String({ examples: ['Invite ada@shop.example as approver'] }),
    personId: Uuid('Whom it is about; of an invitation who is to become one.'),
    email: Type.String(),
    role: Nullable(RoleSchema),
    roleBefore: Nullable(RoleSchema),
    reason: Nullable(Type.String({ description: 'What the operator’s terminal gave as the reason.' })),
    needed: Type.Integer({ description: 'How many people have to agree.' }),
    given: Type.Integer({ description: 'How many have.' }),
    madeBy: Type.Object({ personId: Nullable(Uuid('Null: the operator’s terminal.')), name: Type.String() }),
    madeAt: DateTime(),
    expiresAt: DateTime('Without enough people who agree until then it is off.'),
    mayApprove: Type.Boolean({ description: 'May you, who ask, agree to it now?' }),
    mayReject: Type.Boolean({ description: 'May you reject it, or take it back where you asked for it?' }),
    whyNot: Nullable(Type.String({ description: 'Why you may not agree, in a sentence.' })),
  }),
);

export const ChangeParams = Type.Object({ changeId: Uuid() });

export const DecidedSchema = Named(
  'Decided',
  Type.Object({
    status: Type.Enum(['PENDING', 'APPROVED', 'REJECTED', 'WITHDRAWN'], {
      description: '`PENDING`: more people have to agree.',
    }),
  }),
);

/** Whether something about people is done, or waits. */
export const ChangeIdSchema = () => Nullable(Uuid('The change that waits for a second person; null: it is done.'));
