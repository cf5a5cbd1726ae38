import { type Static, Type } from 'typebox';
import { inboundStatus } from '../collections/index.ts';
import {
  AccountNumber,
  Amount,
  DateTime,
  Email,
  type EventTypes,
  Metadata,
  Money,
  Named,
  Nullable,
  PhoneNumber,
  Uuid,
  VisibleText,
} from '../platform/http/schemas.ts';
import { ListPage, listQuery } from '../platform/lists/schemas.ts';
import { OPENED_BY } from './queries.ts';
import { SESSION_STATUSES } from './session-state.ts';
import { CollectionSettingsSchema } from './settings-schemas.ts';

const MIN_MINUTES = 15;
const MAX_MINUTES = 480;
export const DEFAULT_MINUTES = 30;
const MAX_URL = 2_000;

export const AmountRuleSchema = () =>
  Type.Enum(['EXACT', 'AT_LEAST', 'ANY'], {
    description:
      'What completes it. EXACT: this amount. AT_LEAST: this or more. ANY: whatever comes first. Other amounts are credited all the same.',
  });

const FeeBearerSchema = (description: string) => Type.Enum(['MERCHANT', 'CUSTOMER'], { description });

export const ChannelSchema = () =>
  Type.Enum(['BANK_TRANSFER', 'HOSTED', 'CARD'], {
    description:
      'BANK_TRANSFER: an account number for this payment. HOSTED: a page of the provider. CARD: a page that takes cards, with the service CARD.',
  });

export const Address = (description: string) =>
  Type.String({
    minLength: 1,
    maxLength: MAX_URL,
    pattern: '^[!-~]*$',
    description,
    examples: ['https://shop.example/thanks'],
    'x-hint': `must be an https address of at most ${MAX_URL} characters, without spaces and with letters of other alphabets encoded`,
  });

export const OpenSessionBody = Type.Object(
  {
    amount: Amount(),
    currency: Type.Optional(Type.Literal('NGN')),
    reference: Type.Optional(
      Type.String({
        pattern: '^(?!MN[SLB])[A-Za-z0-9._/-]{1,64}$',
        description:
          'Your own, unique for ever. The same one with the same content answers with the same session. Those of public keys are apart: they take none of yours.',
        examples: ['ORDER-2026-0042'],
        'x-hint':
          'must be 1 to 64 letters, digits, dots, dashes, slashes or underscores, not beginning with MNS, MNL or MNB',
      }),
    ),
    customer: Type.Optional(
      Type.Object(
        {
          name: VisibleText({ minLength: 1, maxLength: 100, examples: ['Ada Obi'] }),
          email: Email(),
          phoneNumber: Type.Optional(PhoneNumber()),
        },
        {
          additionalProperties: false,
          description: 'Who pays; some providers ask for it. May be left out with a customerId.',
        },
      ),
    ),
    customerId: Type.Optional(
      Uuid('One of your customers, for your own lists. Nothing is merged by name or address. Not with a public key.'),
    ),
    description: Type.Optional(
      VisibleText({ minLength: 1, maxLength: 100, description: 'What is paid for, as the payer reads it.' }),
    ),
    metadata: Type.Optional(Nullable(Metadata())),
    channels: Type.Optional(
      Type.Array(ChannelSchema(), { minItems: 1, maxItems: 3, uniqueItems: true, default: ['BANK_TRANSFER'] }),
    ),
    amountRule: Type.Optional(AmountRuleSchema()),
    expiresInMinutes: Type.Optional(
      Type.Integer({
        minimum: MIN_MINUTES,
        maximum: MAX_MINUTES,
        default: DEFAULT_MINUTES,
        'x-hint': `must be from ${MIN_MINUTES} to ${MAX_MINUTES}`,
      }),
    ),
    returnUrl: Type.Optional(
      Address('Where the payer goes afterwards. That a payer comes there proves nothing: read the session.'),
    ),
    cancelUrl: Type.Optional(Address('Where the payer goes who abandons it.')),
    feeBearer: Type.Optional(
      FeeBearerSchema(
        'Who bears the operator’s fee and its VAT. MERCHANT, unless given: they come out of the amount. CUSTOMER: they are asked for on top of it. Not with a public key.',
      ),
    ),
    walletId: Type.Optional(Uuid('Any wallet of yours; the main wallet unless given. Not with a public key.')),
  },
  { additionalProperties: false },
);

export type OpenSessionInput = Static<typeof OpenSessionBody>;

export const SessionParams = Type.Object({ sessionId: Uuid('The payment session.') });

/** The secret is for browsers; a secret key needs none. */
export const SessionSecretQuery = Type.Object(
  {
    clientSecret: Type.Optional(
      Type.String({
        maxLength: 200,
        description: 'With a public key: of this session. The header X-Client-Secret is the better place.',
      }),
    ),
  },
  { additionalProperties: false },
);

const SessionAccountSchema = Named(
  'SessionAccount',
  Type.Object({
    bankCode: Nullable(Type.String()),
    bankName: Type.String({ examples: ['Wema Bank'] }),
    accountNumber: AccountNumber(),
    accountName: Type.String({ description: 'As the payer’s bank will show it.' }),
  }),
);

const SessionCustomerSchema = Named(
  'SessionCustomer',
  Type.Object({ name: Type.String(), email: Type.String(), phoneNumber: Nullable(Type.String()) }),
);

const shared = {
  sessionId: Uuid(),
  reference: Type.String({ description: 'Yours, or ours where you gave none.' }),
  status: Type.Enum([...SESSION_STATUSES], {
    description: 'OPENING: the provider is being asked. FAILED: it will not open it as it was asked.',
  }),
  conclusive: Type.Boolean({ description: 'The status does not change any more.' }),
  payable: Type.Boolean({ description: 'It can be paid now; only then it shows how.' }),
  amount: Money('What was asked for.'),
  feeBearer: FeeBearerSchema('CUSTOMER: fee and VAT are asked for on top of the amount.'),
  fee: Money('Asked for on top of the amount, as quoted when it was opened; zero where the merchant bears it.'),
  vat: Money('VAT on that fee.'),
  amountToPay: Money(
    'What the payer has to send: amount, fee and VAT, and more where the provider adds a fee of its own.',
  ),
  received: Money('What came in all.'),
  outstanding: Money('What is still to come.'),
  excess: Money('What came beyond the amount to pay.'),
  currency: Type.Literal('NGN'),
  amountRule: AmountRuleSchema(),
  description: Nullable(Type.String()),
  channels: Type.Array(ChannelSchema()),
  accounts: Type.Array(SessionAccountSchema, { description: 'What a payer types. Empty unless it is payable.' }),
  ussdCode: Nullable(Type.String({ description: 'What a payer can dial instead.' })),
  pageUrl: Nullable(Type.String({ description: 'The page of the provider to send the payer to.' })),
  returnUrl: Nullable(Type.String()),
  cancelUrl: Nullable(Type.String()),
  mode: Type.Enum(['SANDBOX', 'LIVE']),
  expiresAt: DateTime('Until then the account number is shown. Money that comes later is credited, as LATE.'),
  version: Type.Integer({ description: 'Grows with every change.' }),
};

/** The part that a payer's browser may see: no data of the payer, and no metadata. */
const PublicSessionSchema = Named(
  'PublicPaymentSession',
  Type.Object({ ...shared, merchantName: Type.String({ description: 'Who is paid.' }) }),
);

const NOTES = ['SHORT', 'OVERPAID', 'LATE', 'SECOND_PAYMENT'] as const;

const SessionPaymentSchema = Named(
  'SessionPayment',
  Type.Object({
    paymentId: Uuid('As in GET /collection/payment.'),
    amount: Money('What the payer sent, whole.'),
    status: inboundStatus('Where it is now; in an event, where it was as it came.'),
    note: Nullable(
      Type.Enum([...NOTES], {
        description: 'SHORT: too little. OVERPAID: too much. LATE: after its end. SECOND_PAYMENT: it was paid already.',
      }),
    ),
    receivedAt: DateTime(),
  }),
);

const PaymentSessionSchema = Named(
  'PaymentSession',
  Type.Object({
    ...shared,
    reason: Nullable(Type.String({ description: 'Why it failed, or was ended; for programs.' })),
    message: Nullable(Type.String({ description: 'The same, for people.' })),
    walletId: Uuid('Which is credited.'),
    customer: SessionCustomerSchema,
    customerId: Nullable(Uuid('The customer that you named.')),
    linkId: Nullable(Uuid('The payment link under which the payer opened it.')),
    metadata: Nullable(Metadata()),
    openedBy: Type.Enum([...OPENED_BY], {
      description: 'PUBLIC_KEY: from a browser. LINK: a payer, under a payment link.',
    }),
    unpricedByServer: Type.Boolean({
      description:
        'Opened with a public key: a browser named the amount. Compare it with your price before you deliver. An amount ' +
        'that a payer names under a payment link is within its limits.',
    }),
    openedAt: Nullable(DateTime()),
    paidAt: Nullable(DateTime()),
    createdAt: DateTime(),
    updatedAt: DateTime(),
  }),
);

/** The data of an event about a session. */
const SessionEventSchema = Type.Interface([PaymentSessionSchema], {
  payment: Type.Union([SessionPaymentSchema, Type.Null()], { description: 'The payment that the event is about.' }),
});

export const PaymentSessionDetailSchema = Named(
  'PaymentSessionDetail',
  Type.Interface([PaymentSessionSchema], {
    payments: Type.Array(SessionPaymentSchema, { description: 'In the order in which they came, at most 100.' }),
  }),
);

/** All of a session or only its public half, by the key that asks. */
export const AnySessionSchema = Type.Union([PaymentSessionDetailSchema, PublicSessionSchema]);

const clientSecret = Type.String({
  description: 'For the browser of the payer: with your public key it reads the public half of this session.',
});

const checkoutUrl = Type.String({
  description:
    'The page on which the payer pays. Send them there, or open it with manilla.js. Keep it as secret as the clientSecret.',
});
const opened = { clientSecret, checkoutUrl };

export const CheckoutSchema = Named('PaymentSessionCheckout', Type.Object({ checkoutUrl }));

export const OpenedSessionSchema = Type.Union([
  Named('OpenedPaymentSession', Type.Interface([PaymentSessionSchema], opened)),
  Named('OpenedPublicPaymentSession', Type.Interface([PublicSessionSchema], opened)),
]);

export const CheckedSessionSchema = Named(
  'CheckedPaymentSession',
  Type.Object({
    found: Type.Boolean({ description: 'The provider confirmed a payment just now.' }),
    session: AnySessionSchema,
  }),
);

export const SessionPage = ListPage(PaymentSessionSchema);

const filter = {
  status: Type.Optional(Type.Enum([...SESSION_STATUSES], { description: 'Only those in this state.' })),
  openedBy: Type.Optional(Type.Enum([...OPENED_BY], { description: 'Only those that were opened with this.' })),
  walletId: Type.Optional(Uuid('Only those that credit this wallet.')),
  linkId: Type.Optional(Uuid('Only those of this payment link.')),
  customerId: Type.Optional(Uuid('Only those of this customer.')),
};

export const SessionCsvQuery = Type.Object(filter, { additionalProperties: false });

export const ListSessionsQuery = Type.Object(
  {
    ...listQuery(),
    ...filter,
    reference: Type.Optional(
      Type.String({
        maxLength: 64,
        description:
          'Only the one with this reference. Without openedBy=PUBLIC_KEY never one that a public key opened: their references are apart from yours.',
      }),
    ),
  },
  { additionalProperties: false },
);

const data = SessionEventSchema;

export const paymentSessionEvents: EventTypes = {
  'payment_session.created': { summary: 'A payment session was asked for; the provider opens it.', data },
  'payment_session.opened': { summary: 'A payment session can be paid.', data },
  'payment_session.partially_paid': {
    summary:
      'Less than was asked for came for a session, and the rest may still come. Without `payment` it came before the session was open.',
    data,
  },
  'payment_session.paid': { summary: 'A payment session is paid; `excess` is what came beyond it.', data },
  'payment_session.payment_received': {
    summary:
      'A payment came for a session whose state it does not change: late, beyond what was asked for, or before it is open.',
    data,
  },
  'payment_session.expired': { summary: 'Nobody paid a session in time, or not all of it.', data },
  'payment_session.cancelled': { summary: 'A payment session was cancelled.', data },
  'payment_session.failed': {
    summary: 'A provider refused to open a payment session, for `reason` and `message`.',
    data,
  },
  'collection_settings.updated': {
    summary: 'What public keys may do was changed.',
    data: CollectionSettingsSchema,
  },
};
