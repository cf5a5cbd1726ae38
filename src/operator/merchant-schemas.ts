import { Type } from 'typebox';
import { SERVICE_KEYS } from '../merchants/index.ts';
import { NAME_PARTIES, NAME_VERDICTS, OnboardingSchema } from '../onboarding/index.ts';
import { DateTime, Money, MoneySum, Named, Nullable, Uuid } from '../platform/http/schemas.ts';
import { listQuery } from '../platform/lists/schemas.ts';
import { RailChoiceSchema } from '../rail-accounts/index.ts';
import { ModeName, OneOf, Reason } from './schemas.ts';
import { ScreenedPartySchema } from './screening-schemas.ts';

const Status = () => OneOf(['PENDING', 'ACTIVE', 'SUSPENDED'] as const);
const Review = () => OneOf(['PENDING', 'ACCEPTED', 'REJECTED'] as const);

export const ListMerchantsQuery = Type.Object(
  {
    status: Type.Optional(Status()),
    review: Type.Optional(
      OneOf(['SUBMITTED', 'PENDING', 'ACCEPTED', 'REJECTED'] as const, 'SUBMITTED: its details wait for a decision.'),
    ),
    search: Type.Optional(
      Type.String({
        maxLength: 100,
        description: 'Part of a name, an e-mail address or a registration number; or an id.',
      }),
    ),
    ...listQuery(),
  },
  { additionalProperties: false },
);

export const RegisteredSchema = Named(
  'Registered',
  Type.Object({
    merchantId: Uuid(),
    businessName: Type.String(),
    email: Type.String(),
    phoneNumber: Type.String(),
    status: Status(),
    reviewStatus: Review(),
    submittedAt: Nullable(DateTime('Set while its details wait for a decision.')),
    createdAt: DateTime(),
  }),
);

const Profile = Type.Object({
  businessType: Type.String(),
  businessCategory: Type.String(),
  registrationNumber: Type.String(),
  email: Type.String(),
  phoneNumber: Type.String(),
  address: Type.String(),
  city: Type.String(),
  state: Type.String(),
  country: Type.String(),
  postalCode: Nullable(Type.String()),
  directorDateOfBirth: Nullable(Type.String()),
  bvn: Type.String({ description: 'With its middle hidden; empty until given.', examples: ['222*****901'] }),
  owner: Type.Object({
    firstName: Type.String(),
    lastName: Type.String(),
    email: Type.String(),
    phoneNumber: Type.String(),
  }),
  isMakerCheckerEnabled: Type.Boolean(),
  kycCompletedFields: Type.Array(Type.String()),
  sandboxWebhookURL: Type.String(),
  productionWebhookURL: Type.String(),
});

const ServiceState = Type.Object({
  key: OneOf(SERVICE_KEYS),
  name: Type.String(),
  description: Type.String(),
  enabled: Type.Boolean(),
});

const StatusChange = Type.Object({
  changeId: Uuid(),
  action: Type.String({ examples: ['approve'] }),
  fromStatus: Status(),
  toStatus: Status(),
  actor: Type.String({ description: 'Who decided.' }),
  reason: Nullable(Type.String()),
  at: DateTime(),
  version: Nullable(
    Type.Integer({
      minimum: 1,
      description:
        'Which version of the merchant’s facts it was about, from 1. Null: no details were looked at, or kept.',
    }),
  ),
});

const NameFlagSchema = Named(
  'NameFlag',
  Type.Object({
    party: OneOf(NAME_PARTIES, 'OWNER: who signed up for the business.'),
    name: Type.String({ description: 'As the merchant gave it.' }),
    accountName: Type.String({ description: 'The name on the settlement account.' }),
    score: Type.Integer({ minimum: 0, maximum: 100, description: 'How like the two are.' }),
    verdict: OneOf(NAME_VERDICTS, 'SAME: the same words in any order. ALIKE: near, or one within the other.'),
    isProven: Type.Boolean({ description: 'A bank said in live mode that the account is in this name.' }),
  }),
);

export const DecidedFactsSchema = Named(
  'DecidedFacts',
  Type.Object({
    steps: Type.Record(Type.String(), Type.Record(Type.String(), Type.String()), {
      description: 'What was given, by step and field. A BVN shows its ends only.',
    }),
    documents: Type.Array(
      Type.Object({ documentId: Uuid(), kind: Type.String(), fileName: Type.String(), bytes: Type.Integer() }),
    ),
  }),
);

export const ChangeParams = Type.Object({ merchantId: Uuid(), changeId: Uuid() });

const Wallet = Type.Object({
  mode: ModeName(),
  walletId: Uuid(),
  accountNumber: Type.String(),
  bankName: Type.String(),
  bookedBalance: Money('Everything booked.'),
  availableBalance: Money('Booked less what is held.'),
  subaccounts: Type.Integer(),
  subaccountBalance: MoneySum('In all subaccounts together.'),
});

const LimitInForce = Type.Object({
  mode: ModeName(),
  perPayout: Nullable(Money('The most that one payout may be; null is no limit.')),
  perDay: Nullable(Money('The most that all payouts of a day may be; null is no limit.')),
  duplicateWindowSeconds: Type.Integer(),
  isOwn: Type.Boolean({ description: 'True where the merchant has a limit of its own, not that of all.' }),
});

const MerchantPersonSchema = Named(
  'MerchantPerson',
  Type.Object({
    personId: Uuid(),
    email: Type.String(),
    firstName: Type.String(),
    lastName: Type.String(),
    role: Nullable(Type.String({ examples: ['OWNER'] })),
    status: OneOf(['ACTIVE', 'DISABLED'] as const),
    secondFactor: Type.Boolean(),
    lastSeenAt: Nullable(DateTime()),
    createdAt: DateTime(),
  }),
);

const KeyCount = Type.Object({
  mode: ModeName(),
  active: Type.Integer(),
  rotationDue: Type.Integer({ description: 'Older than 90 days and still in force.' }),
});

const PinOfMode = Type.Object({ mode: ModeName(), isSet: Type.Boolean(), lockedUntil: Nullable(DateTime()) });

export const OperatorMerchantSchema = Named(
  'OperatorMerchant',
  Type.Interface([RegisteredSchema], {
    profile: Profile,
    onboarding: OnboardingSchema,
    nameFlags: Type.Array(NameFlagSchema, {
      description: 'The name on the settlement account, the least alike first.',
    }),
    screening: Type.Array(ScreenedPartySchema, {
      description:
        'Its names against the screening lists of live mode: a hit is for the person who reviews it to look into.',
    }),
    services: Type.Array(ServiceState),
    isRefundEnabled: Type.Boolean({ description: 'Its payments in may be refunded.' }),
    history: Type.Array(StatusChange, { description: 'What was decided, newest first.' }),
    wallets: Type.Array(Wallet, { description: 'One a mode.' }),
    limits: Type.Array(LimitInForce, { description: 'In force now, one a mode.' }),
    rails: Type.Array(RailChoiceSchema, { description: 'Which rails pay, one a mode.' }),
    keys: Type.Array(KeyCount, { description: 'API keys, one line a mode.' }),
    people: Type.Array(MerchantPersonSchema, { description: 'Who may sign in for it.' }),
    pins: Type.Array(PinOfMode, { description: 'One a mode.' }),
  }),
);

export const ApproveQuery = Type.Object(
  {
    submittedAt: Type.Optional(
      DateTime('When what was looked at was submitted; refused where something else waits by now.'),
    ),
  },
  { additionalProperties: false },
);

export const UnlockPinBody = Type.Object({ mode: ModeName() }, { additionalProperties: false });

export const ReasonBody = Type.Object({ reason: Reason() }, { additionalProperties: false });

export const ServiceBody = Type.Object(
  { key: OneOf(SERVICE_KEYS), enabled: Type.Boolean() },
  { additionalProperties: false },
);

export const RefundsBody = Type.Object({ enabled: Type.Boolean() }, { additionalProperties: false });

export const DocumentParams = Type.Object({ merchantId: Uuid(), documentId: Uuid() });
