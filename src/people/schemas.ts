import { Type } from 'typebox';
import { KeySchema, PERMISSIONS, ROLES, SCOPES } from '../access/index.ts';
import { SERVICE_KEYS } from '../merchants/index.ts';
import { DateTime, MAX_EMAIL_LENGTH, Named, Nullable, Uuid, VisibleText } from '../platform/http/schemas.ts';
import { NAME_WITHOUT_LINK } from '../platform/text.ts';
import { MAX_PASSWORD_LENGTH } from './password.ts';

export const Email = () =>
  Type.String({ minLength: 1, maxLength: MAX_EMAIL_LENGTH, examples: ['amaka@adire.example'] });

/** The command checks the length, where it matters. */
export const Password = () =>
  Type.String({ minLength: 1, maxLength: MAX_PASSWORD_LENGTH, examples: ['four words and a number 7'] });

const Code = () =>
  Type.String({
    minLength: 6,
    maxLength: 20,
    examples: ['123456'],
    description: 'Six digits of the authenticator app, or a recovery code.',
    'x-hint': 'must be the six digits of your app, or a recovery code',
  });

export const Nothing = Type.Null({ description: 'There is nothing to say.' });

export const SignInBody = Type.Object({ email: Email(), password: Password() }, { additionalProperties: false });

export const SignedInSchema = Named(
  'SignedIn',
  Type.Object({
    next: Type.Union([Type.Literal('DONE'), Type.Literal('SECOND_FACTOR')]),
  }),
);

export const CodeBody = Type.Object({ code: Code() }, { additionalProperties: false });

export const StepUpBody = Type.Object(
  { password: Password(), code: Type.Optional(Code()) },
  { additionalProperties: false },
);

export const StepUpSchema = Named(
  'StepUp',
  Type.Object({ stepUpUntil: DateTime('Until then the password counts as just given.') }),
);

export const RoleSchema = Named('Role', Type.Enum([...ROLES]));

const ScopeList = Type.Array(Type.Enum([...SCOPES]));

const PersonSchema = Named(
  'Person',
  Type.Object({
    personId: Uuid(),
    email: Type.String(),
    firstName: Type.String(),
    lastName: Type.String(),
    kind: Type.Union([Type.Literal('MEMBER'), Type.Literal('OPERATOR')]),
    role: Nullable(RoleSchema),
    secondFactor: Type.Boolean(),
    recoveryCodesLeft: Type.Integer(),
  }),
);

const OwnMerchantSchema = Named(
  'OwnMerchant',
  Type.Object({
    merchantId: Uuid(),
    businessName: Type.String(),
    status: Type.Enum(['PENDING', 'ACTIVE', 'SUSPENDED']),
    reviewStatus: Type.String(),
    approved: Type.Boolean({ description: 'It may move real money.' }),
    isMakerCheckerEnabled: Type.Boolean(),
    isPinSet: Type.Object({ SANDBOX: Type.Boolean(), LIVE: Type.Boolean() }),
    services: Type.Array(Type.Enum([...SERVICE_KEYS])),
  }),
);

const OpenSupportViewSchema = Named(
  'OpenSupportView',
  Type.Object({
    supportViewId: Uuid(),
    mode: Type.Enum(['SANDBOX', 'LIVE']),
    reason: Type.String({ description: 'As the merchant reads it.' }),
    openedAt: DateTime(),
    expiresAt: DateTime(),
  }),
);

/** All that a page needs to know of its viewer. */
export const SessionSchema = Named(
  'Session',
  Type.Object({
    person: PersonSchema,
    merchant: Nullable(OwnMerchantSchema),
    permissions: Type.Array(Type.Enum([...PERMISSIONS])),
    scopes: Type.Object({ SANDBOX: ScopeList, LIVE: ScopeList }),
    csrfToken: Type.String({ description: 'Send it as X-CSRF-Token with everything but GET.' }),
    expiresAt: DateTime(),
    idleExpiresAt: DateTime('Moves on with every use.'),
    stepUpUntil: Nullable(DateTime('Until then the password counts as just given.')),
    mailOutbox: Type.Boolean({ description: 'Whether this person may read the local outbox.' }),
    supportView: Nullable(OpenSupportViewSchema),
  }),
);

export const SessionRecord = Type.Object({
  sessionId: Uuid(),
  current: Type.Boolean(),
  createdAt: DateTime(),
  lastSeenAt: DateTime('Exact to a minute.'),
  ip: Type.String(),
  userAgent: Type.String(),
});

export const SessionParams = Type.Object({ sessionId: Uuid() });

/** Whether a change of people is done, or waits. */
const ChangeIdSchema = () => Nullable(Uuid('The change that waits for a second person; null: it is done.'));

/** The secret of a link. Its form is not checked here: any wrong one is just wrong. */
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

/** The invited person, and whether the invitation waits. */
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

/** What was removed together with a person's rights. */
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
