import { Type } from 'typebox';
import { KeySchema } from '../access/index.ts';
import { DateTime, Named, Nullable, Uuid, VisibleText } from '../platform/http/schemas.ts';
import { NAME_WITHOUT_LINK } from '../platform/text.ts';
import { ChangeIdSchema, Email, Password, RoleSchema } from './session-schemas.ts';

/** The secret of a link. What it is not is found out where it is used: any wrong one is just a wrong one. */
export const Token = () => Type.String({ minLength: 1, maxLength: 100, description: 'What stands behind #token=.' });

export const PersonName = (example: string) =>
  VisibleText({
    minLength: 1,
    maxLength: 60,
    pattern: NAME_WITHOUT_LINK,
    examples: [example],
    'x-hint': 'must be a name of at most 60 characters, without a link',
  });

export const BusinessName = () =>
  VisibleText({
    minLength: 2,
    maxLength: 100,
    pattern: NAME_WITHOUT_LINK,
    examples: ['Adire & Co'],
    'x-hint': 'must be a name of 2 to 100 characters, without a link',
  });

export const MemberSchema = Named(
  'Member',
  Type.Object({
    personId: Uuid(),
    email: Type.String(),
    firstName: Type.String(),
    lastName: Type.String(),
    role: Nullable(RoleSchema),
    status: Type.Union([Type.Literal('ACTIVE'), Type.Literal('INVITED'), Type.Literal('DISABLED')]),
    secondFactor: Type.Boolean(),
    lastSeenAt: Nullable(DateTime('Exact to a minute.')),
    createdAt: DateTime(),
    you: Type.Boolean(),
  }),
);

export const PersonIdSchema = Named('PersonId', Type.Object({ personId: Uuid() }));

/** Whom an invitation is for, and whether it waits. */
export const InvitedSchema = Named('Invited', Type.Interface([PersonIdSchema], { changeId: ChangeIdSchema() }));

export const InviteMemberBody = Type.Object({ email: Email(), role: RoleSchema }, { additionalProperties: false });
export const InviteOperatorBody = Type.Object({ email: Email() }, { additionalProperties: false });
const KeepKeys = () =>
  Type.Optional(
    Type.Boolean({
      description: 'Leaves in force the keys that they made and that are more than they may have from now on.',
    }),
  );

export const RoleBody = Type.Object({ role: RoleSchema, keepKeys: KeepKeys() }, { additionalProperties: false });
export const RemoveQuery = Type.Object({ keepKeys: KeepKeys() }, { additionalProperties: false });

/** What went with somebody's rights. */
export const TakenSchema = Named(
  'Taken',
  Type.Object({
    keysRevoked: Type.Integer({ description: 'Keys that they made, of both modes.' }),
    invitationsWithdrawn: Type.Integer({ description: 'Open invitations that they had sent.' }),
  }),
);

export const RoleChangedSchema = Named('RoleChanged', Type.Interface([TakenSchema], { changeId: ChangeIdSchema() }));

export const KeyOfMakerSchema = Named(
  'KeyOfMaker',
  Type.Interface([KeySchema], { mode: Type.Enum(['SANDBOX', 'LIVE']) }),
);

export const LookBody = Type.Object({ token: Token() }, { additionalProperties: false });
export const InvitationSchema = Named(
  'Invitation',
  Type.Object({
    email: Type.String(),
    businessName: Nullable(Type.String({ description: "Null: the operator's staff." })),
    role: Nullable(RoleSchema),
    invitedBy: Type.String(),
  }),
);

export const AcceptBody = Type.Object(
  { token: Token(), password: Password(), firstName: PersonName('Bola'), lastName: PersonName('Ade') },
  { additionalProperties: false },
);
