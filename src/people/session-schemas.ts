import { Type } from 'typebox';
import { PERMISSIONS, ROLES, SCOPES } from '../access/index.ts';
import { SERVICE_KEYS } from '../merchants/index.ts';
import { DateTime, MAX_EMAIL_LENGTH, Named, Nullable, Uuid } from '../platform/http/schemas.ts';
import { MAX_PASSWORD_LENGTH } from './password.ts';

export const Email = () =>
  Type.String({ minLength: 1, maxLength: MAX_EMAIL_LENGTH, examples: ['amaka@adire.example'] });

/** Whether it is long enough is said by the command, which knows where that matters. */
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

const ScopeList = Type.Array(Type.Enum(Object.keys(SCOPES)));

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

/** All that a page needs to know of who looks at it. */
export const SessionSchema = Named(
  'Session',
  Type.Object({
    person: PersonSchema,
    merchant: Nullable(OwnMerchantSchema),
    permissions: Type.Array(Type.Enum(Object.keys(PERMISSIONS))),
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

/** Whether something about people is done, or waits. */
export const ChangeIdSchema = () => Nullable(Uuid('The change that waits for a second person; null: it is done.'));
