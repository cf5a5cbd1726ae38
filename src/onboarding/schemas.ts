import { type Static, type TSchema, Type } from 'typebox';
import { CONTACT_EMAIL_PATTERN, TypedPhoneNumber } from '../merchants/index.ts';
import {
  DateTime,
  MAX_EMAIL_LENGTH,
  Named,
  Nullable,
  ONE_FIELD,
  ProblemSchema,
  Uuid,
  VisibleText,
} from '../platform/http/schemas.ts';
import { NAME_WITHOUT_LINK } from '../platform/text.ts';
import { READINESS_CODES, READINESS_PARTIES } from './live-readiness.ts';
import { BUSINESS_TYPES, DOCUMENT_KINDS, STEPS } from './steps.ts';

const anyOf = (values: readonly string[], description: string) => Type.Enum([...values], { description });

/** What may be left empty until the whole is submitted. */
const text = (maxLength: number, example: string) =>
  Type.Optional(
    VisibleText({
      maxLength,
      pattern: '^$|\\S',
      examples: [example],
      'x-hint': `must be at most ${maxLength} visible characters`,
    }),
  );

/** What an account cannot be without. */
const kept = (
  maxLength: number,
  example: string,
  { pattern, hint } = { pattern: '\\S', hint: `must be 1 to ${maxLength} visible characters` },
) =>
  Type.Optional(
    VisibleText({
      minLength: 1,
      maxLength,
      pattern,
      examples: [example],
      'x-hint': hint,
    }),
  );

const pattern = (regex: string, hint: string, example: string) =>
  Type.Optional(Type.String({ pattern: regex, maxLength: 254, examples: [example], 'x-hint': hint }));

const body = <T extends Record<string, TSchema>>(fields: T) =>
  Type.Object(fields, {
    additionalProperties: false,
    minProperties: 1,
    'x-hint': ONE_FIELD,
  });

export const BasicDetailsBody = body({
  businessName: kept(120, 'Ada Foods Ltd', {
    pattern: NAME_WITHOUT_LINK,
    hint: 'must be a name of 1 to 120 characters, without a link',
  }),
  businessType: Type.Optional(anyOf(BUSINESS_TYPES, 'How the business is registered.')),
  businessCategory: text(80, 'Food and drink'),
  email: kept(MAX_EMAIL_LENGTH, 'hello@adafoods.example', {
    pattern: CONTACT_EMAIL_PATTERN,
    hint: 'must be an e-mail address',
  }),
  phoneNumber: Type.Optional(TypedPhoneNumber()),
});
export type BasicDetails = Static<typeof BasicDetailsBody>;

export const BusinessDetailsBody = body({
  registrationNumber: pattern(
    '^$|^((CAC|cac)[ /-]*)?([A-Za-z]{2,3}[ .:/-]*([Nn][Oo][ .:/-]*)?)?\\d{3,10}$',
    'must be the number on your CAC certificate, such as RC1234567',
    'RC1234567',
  ),
  address: text(200, '12 Marina Road'),
  city: text(80, 'Lagos'),
  state: text(80, 'Lagos'),
  country: kept(80, 'Nigeria'),
  postalCode: text(20, '101241'),
});
export type BusinessDetails = Static<typeof BusinessDetailsBody>;

export const DirectorDetailsBody = body({
  directorFirstName: text(80, 'Ada'),
  directorLastName: text(80, 'Obi'),
  directorDateOfBirth: pattern('^$|^\\d{4}-\\d{2}-\\d{2}$', 'must be a date, YYYY-MM-DD', '1985-04-17'),
  bvn: pattern('^$|^\\d{11}$', 'must be 11 digits', '22212345901'),
});
export type DirectorDetails = Static<typeof DirectorDetailsBody>;

export const SettlementAccountBody = body({
  bankCode: pattern('^\\d{3,6}$', 'must be 3 to 6 digits', '058'),
  accountNumber: pattern('^\\d{10}$', 'must be 10 digits', '0123456785'),
});
export type SettlementAccount = Static<typeof SettlementAccountBody>;

export const DocumentForm = Type.Object(
  {
    kind: anyOf(DOCUMENT_KINDS, 'What the document is.'),
    file: Type.Unsafe<unknown>({
      type: 'string',
      format: 'binary',
      description: 'A PDF, PNG or JPEG of at most 5 MB. What is in it decides, not its name.',
    }),
  },
  { additionalProperties: false },
);

export const DocumentParams = Type.Object({ documentId: Uuid('The document.') }, { additionalProperties: false });

export const DocumentLinkQuery = Type.Object(
  {
    expires: Type.Integer({ minimum: 0, maximum: 2 ** 40, description: 'Unix time in seconds.' }),
    signature: Type.String({ minLength: 1, maxLength: 100, description: 'Of this link.' }),
  },
  { additionalProperties: false },
);

export const DocumentSchema = Named(
  'Document',
  Type.Object({
    documentId: Uuid(),
    kind: anyOf(DOCUMENT_KINDS, 'What the document is.'),
    fileName: Type.String({ examples: ['certificate.pdf'] }),
    contentType: Type.String({ examples: ['application/pdf'] }),
    bytes: Type.Integer(),
    uploadedAt: DateTime(),
    removable: Type.Boolean({ description: 'False once it was part of an accepted review.' }),
  }),
);

const StepProblemSchema = Named(
  'StepProblem',
  Type.Interface([ProblemSchema], {
    severity: Type.Enum(['ERROR', 'WARNING'], { description: 'An error keeps the step from being complete.' }),
  }),
);

const StepSchema = Named(
  'Step',
  Type.Object({
    key: anyOf(
      STEPS.map(({ key }) => key),
      'As in kycCompletedFields.',
    ),
    title: Type.String(),
    done: Type.Boolean(),
    values: Type.Record(Type.String(), Type.String(), {
      description: 'What was given so far, by field; empty until then. A BVN shows its ends only.',
    }),
    before: Type.Record(Type.String(), Type.String(), {
      description: 'Of the fields that an accepted merchant wants changed: what is in force until then.',
    }),
    problems: Type.Array(StepProblemSchema, {
      description: 'What is missing, and what the reviewers have to look at; a document is named by its kind.',
    }),
  }),
);

const ReadinessProblemSchema = Named(
  'ReadinessProblem',
  Type.Object({
    code: anyOf(READINESS_CODES, 'What is missing.'),
    message: Type.String({ description: 'The same, for people.' }),
    waitsFor: anyOf(READINESS_PARTIES, 'Who can do something about it. SERVICE: it happens automatically.'),
  }),
);

export const LiveReadinessSchema = Named(
  'LiveReadiness',
  Type.Object({
    paymentIn: Type.Array(ReadinessProblemSchema, { description: 'Empty: a first payment can come in.' }),
    payout: Type.Array(ReadinessProblemSchema, { description: 'Empty: a first payout can be made.' }),
  }),
);

export const OnboardingSchema = Named(
  'Onboarding',
  Type.Object({
    steps: Type.Array(StepSchema),
    documents: Type.Array(DocumentSchema),
    status: anyOf(['PENDING', 'ACTIVE', 'SUSPENDED'], 'Whether the merchant may move live money.'),
    reviewStatus: anyOf(['PENDING', 'ACCEPTED', 'REJECTED'], 'What the operator decided.'),
    words: Type.String({ description: 'Where the review stands, in a sentence.' }),
    submittedAt: Nullable(DateTime('Set while the details are with the reviewers.')),
    canEdit: Type.Boolean({
      description: 'False while the details are with the reviewers, and for a suspended merchant.',
    }),
    canSubmit: Type.Boolean(),
    changesAccount: Type.Boolean({
      description: 'The changes name another settlement account: two of the operator’s people have to accept them.',
    }),
    confirmedBy: Nullable(Type.String({ description: 'Who of the operator has confirmed them, as the first of two.' })),
    hasChanges: Type.Boolean({ description: 'An accepted merchant has changes that are not accepted yet.' }),
    rejectedReason: Nullable(Type.String()),
  }),
);
