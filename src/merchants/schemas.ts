import { type Static, Type } from 'typebox';
import { MAX_EMAIL_LENGTH, Named, ONE_FIELD, VisibleText } from '../platform/http/schemas.ts';
import { TypedPhoneNumber } from './phone-number.ts';
import { SERVICE_KEYS } from './services.ts';

const uuid = (description: string) => Type.String({ format: 'uuid', description });
const text = (description: string, example: string) => Type.String({ description, examples: [example] });
const oneOf = <const Values extends readonly string[]>(values: Values, description: string) =>
  Type.Unsafe<Values[number]>({ type: 'string', enum: [...values], description });
const flag = (description: string) => Type.Boolean({ description });

const Owner = Type.Object(
  {
    id: uuid('Identifier of the owner'),
    email: text('E-mail address', 'ada@adafoods.example'),
    firstName: text('First name', 'Ada'),
    lastName: text('Last name', 'Obi'),
    phoneNumber: text('Digits with the country prefix', '2348012345678'),
  },
  { description: 'The person behind the business' },
);

const MerchantWallet = Type.Object(
  {
    id: uuid('Identifier of the merchant wallet'),
    bankName: text('Bank that holds the wallet', 'Manilla Wallet'),
    accountName: text('Name of the account', 'Ada Foods Ltd'),
    accountNumber: text('Account number', '9912345678'),
    bookedBalance: Type.Number({ description: 'Everything booked, in naira', examples: [250000.5] }),
    availableBalance: Type.Number({ description: 'Booked less what is held, in naira', examples: [240000.5] }),
  },
  { description: 'The merchant wallet in the mode of the key' },
);

const Service = Type.Object({
  id: uuid('Identifier of the service'),
  name: text('Name', 'Payouts'),
  key: oneOf(SERVICE_KEYS, 'Stable key of the service'),
  description: text('What the service does', 'Pay to bank accounts: one, scheduled, or many at once'),
});

/** `data` of `GET /merchant/info`. */
export const MerchantSchema = Named(
  'Merchant',
  Type.Object({
    id: uuid('Identifier of the merchant'),
    logo: Type.Union([Type.String(), Type.Null()], { description: 'Address of the logo' }),
    city: text('City', 'Lagos'),
    state: text('State', 'Lagos'),
    address: text('Street address', '12 Marina Road'),
    country: text('Country', 'Nigeria'),
    postalCode: Type.Union([Type.String(), Type.Null()], { description: 'Postal code' }),
    email: text('E-mail address of the business', 'hello@adafoods.example'),
    phoneNumber: text('Digits with the country prefix', '2348012345678'),
    status: oneOf(['PENDING', 'ACTIVE', 'SUSPENDED'], 'Whether the merchant may move money'),
    initialStatus: oneOf(['NEW'], 'How the merchant came'),
    reviewStatus: oneOf(['PENDING', 'ACCEPTED', 'REJECTED'], 'What the operator decided'),
    businessName: text('Registered name', 'Ada Foods Ltd'),
    businessType: text('Kind of business', 'REGISTERED'),
    businessCategory: text('Line of business', 'Food and drink'),
    registrationNumber: text('Company registration number', 'RC1234567'),
    directorDateOfBirth: text('Date of birth of a director, YYYY-MM-DD; empty until given', '1985-04-17'),
    bvn: text('Bank verification number with its middle hidden; empty until given', '222*****901'),
    consentForm: Type.Union([Type.String(), Type.Null()], { description: 'Address of the consent form' }),
    agencyNetworkConsentForm: Type.Union([Type.String(), Type.Null()], {
      description: 'Address of the agency network consent form',
    }),
    ownerDetails: Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()], {
      description: 'More about the owner',
    }),
    cacDocuments: Type.Array(Type.String(), {
      description:
        'Addresses of the registration documents. Ours open for ten minutes, with a key that may merchant:read.',
    }),
    autoSettlement: flag('Collections go to the settlement account on each working day'),
    autoInstantSettlement: flag('Collections go to the settlement account at once'),
    isRefundEnabled: flag('Refunds are allowed'),
    isMakerCheckerEnabled: flag('What leaves the wallet needs a second person'),
    isConsentFormApproved: flag('The consent form was approved'),
    isAgencyNetworkConsentFormApproved: flag('The agency network consent form was approved'),
    enableSameBVNOrPhoneNumberForWalletCreation: flag('Several wallets may share a BVN or phone number'),
    sandboxWebhookURL: text('Where sandbox events go; empty for nowhere', 'https://adafoods.example/hooks/sandbox'),
    productionWebhookURL: text('Where live events go; empty for nowhere', 'https://adafoods.example/hooks'),
    createdAt: Type.String({ format: 'date-time', description: 'UTC', examples: ['2026-11-03T09:30:00.000Z'] }),
    owner: Owner,
    kycCompletedFields: Type.Array(Type.String(), {
      description: 'Parts of the review that are complete',
      examples: [['BASIC_DETAILS', 'BUSINESS_DETAILS', 'BUSINESS_DOCUMENTS', 'DIRECTOR_DETAILS', 'SETTLEMENT_ACCOUNT']],
    }),
    wallet: MerchantWallet,
    merchantEnabledServices: Type.Array(Service, { description: 'Services switched on for this merchant' }),
  }),
);

export type MerchantView = Static<typeof MerchantSchema>;
export type MerchantWalletView = Static<typeof MerchantWallet>;

const WebhookUrl = Type.String({
  pattern: '^(https?://\\S+)?$',
  maxLength: 2048,
  'x-hint': 'must be an http:// or https:// address of at most 2048 characters, or empty',
  description: 'An http(s) address; the empty text takes it away',
});

const field = (maxLength: number) =>
  Type.Optional(
    VisibleText({ minLength: 1, maxLength, pattern: '\\S', 'x-hint': `must be 1 to ${maxLength} characters` }),
  );

/** The address of a business, as wide as it was when the first were kept. */
export const CONTACT_EMAIL_PATTERN = '^[^\\s@]+@[^\\s@]+\\.[^\\s@]+$';

/** Body of `PATCH /merchant/info`. */
export const MerchantChangesSchema = Named(
  'MerchantChanges',
  Type.Object(
    {
      sandboxWebhookURL: Type.Optional(WebhookUrl),
      productionWebhookURL: Type.Optional(WebhookUrl),
      email: Type.Optional(
        VisibleText({
          pattern: CONTACT_EMAIL_PATTERN,
          maxLength: MAX_EMAIL_LENGTH,
          'x-hint': 'must be an e-mail address',
        }),
      ),
      phoneNumber: Type.Optional(TypedPhoneNumber()),
      address: field(200),
      city: field(80),
      state: field(80),
      country: field(80),
      postalCode: Type.Optional(
        VisibleText({
          pattern: '^$|\\S',
          maxLength: 20,
          'x-hint': 'must be at most 20 characters, or empty',
          description: 'The empty text takes it away',
        }),
      ),
      logo: Type.Optional(
        Type.String({
          pattern: '^(https?://\\S+)?$',
          maxLength: 2048,
          'x-hint': 'must be an http:// or https:// address of at most 2048 characters, or empty',
          description: 'An http(s) address; the empty text takes it away',
        }),
      ),
    },
    { additionalProperties: false, minProperties: 1, 'x-hint': ONE_FIELD },
  ),
);
