import { type Static, Type } from 'typebox';
import { Address, AmountRuleSchema, ChannelSchema } from '../payment-sessions/index.ts';
import {
  Amount,
  DateTime,
  type EventTypes,
  Metadata,
  Money,
  Named,
  Nullable,
  Uuid,
  VisibleLines,
  VisibleText,
} from '../platform/http/schemas.ts';
import { ListPage, listQuery } from '../platform/lists/schemas.ts';
import { LINK_STATUSES, PAYER_FIELDS } from './queries.ts';

/** So many are counted each time a payer opens a session, and of each link in a list. */
export const MOST_PAYMENTS = 10_000;

const PayerFieldSchema = (what: string) =>
  Type.Enum([...PAYER_FIELDS], {
    description: `Whether the payer is asked for ${what}. Where it is missing, the session has yours.`,
  });

export const CreateLinkBody = Type.Object(
  {
    title: VisibleText({
      minLength: 1,
      maxLength: 100,
      pattern: '\\S',
      description: 'What is paid for, as the payer reads it.',
      examples: ['School fees, first term'],
      'x-hint': 'must be 1 to 100 characters',
    }),
    description: Type.Optional(VisibleLines({ minLength: 1, maxLength: 500, description: 'More about it.' })),
    amount: Type.Optional(Amount('What every payer pays. Left out, the payer names an amount.')),
    minAmount: Type.Optional(Amount('The least that a payer may name. Only without an amount.')),
    maxAmount: Type.Optional(Amount('The most that a payer may name. Only without an amount.')),
    amountRule: Type.Optional(AmountRuleSchema()),
    channels: Type.Optional(
      Type.Array(ChannelSchema(), { minItems: 1, maxItems: 3, uniqueItems: true, default: ['BANK_TRANSFER'] }),
    ),
    payerName: Type.Optional(PayerFieldSchema('a name')),
    payerEmail: Type.Optional(PayerFieldSchema('an e-mail address')),
    maxPayments: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MOST_PAYMENTS,
        description: 'After so many paid sessions it opens no more. 1 for a single payment; left out, any number.',
        'x-hint': `must be from 1 to ${MOST_PAYMENTS}`,
      }),
    ),
    expiresAt: Type.Optional(DateTime('From then on it opens no more sessions; at most ten years ahead.')),
    returnUrl: Type.Optional(Address('Where the payer goes afterwards. Believe only what the API says.')),
    walletId: Type.Optional(Uuid('Any wallet of yours; the main wallet unless given.')),
    metadata: Type.Optional(Nullable(Metadata())),
  },
  { additionalProperties: false },
);

export type CreateLinkInput = Static<typeof CreateLinkBody>;

export const LinkParams = Type.Object({ linkId: Uuid('The payment link.') });

export const PaymentLinkSchema = Named(
  'PaymentLink',
  Type.Object({
    linkId: Uuid(),
    url: Type.String({
      description: 'The page on which people pay: give its address to your payers.',
      examples: ['https://pay.example/pay/7k3m9q2x4v8w0abc'],
    }),
    status: Type.Enum([...LINK_STATUSES], {
      description:
        'INACTIVE: you switched it off. USED_UP: `maxPayments` sessions were paid. EXPIRED: `expiresAt` has passed.',
    }),
    title: Type.String(),
    description: Nullable(Type.String()),
    amount: Nullable(Money('What every payer pays; null where the payer names an amount.')),
    minAmount: Nullable(Money('The least that a payer may name.')),
    maxAmount: Nullable(Money('The most that a payer may name.')),
    currency: Type.Literal('NGN'),
    amountRule: AmountRuleSchema(),
    channels: Type.Array(ChannelSchema()),
    payerName: PayerFieldSchema('a name'),
    payerEmail: PayerFieldSchema('an e-mail address'),
    maxPayments: Nullable(Type.Integer({ description: 'Null: any number.' })),
    paidSessions: Type.Integer({
      description: `Sessions under it that were paid, counted up to ${MOST_PAYMENTS}. More than maxPayments where several payers paid at once.`,
    }),
    walletId: Uuid('Which is credited.'),
    returnUrl: Nullable(Type.String()),
    metadata: Type.Unknown({ description: 'What you sent, unchanged.' }),
    mode: Type.Enum(['SANDBOX', 'LIVE']),
    expiresAt: Nullable(DateTime()),
    createdAt: DateTime(),
    updatedAt: DateTime(),
  }),
);

export const LinkPage = ListPage(PaymentLinkSchema);

export const ListLinksQuery = Type.Object(listQuery(), { additionalProperties: false });

const link = (summary: string) => ({ summary, data: PaymentLinkSchema });

export const paymentLinkEvents: EventTypes = {
  'payment_link.created': link('A payment link was made.'),
  'payment_link.deactivated': link('A payment link was switched off.'),
  'payment_link.activated': link('A payment link was switched on again.'),
};
