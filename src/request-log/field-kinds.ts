/**
 * What is kept of a text in a body, by what its schema says of it (`x-log`), else by the name of its field:
 * SECRET and PERSONAL are left out, LAST4 keeps four characters, HOST the host of an address; TEXT is kept without what
 * looks like a secret, an e-mail address or a number of an account, a card or a person; NAME, which stands for something
 * of ours or of the merchant's programs, is kept with its digits.
 */
export type FieldKind = 'SECRET' | 'PERSONAL' | 'LAST4' | 'HOST' | 'TEXT' | 'NAME';

const KINDS: Readonly<Record<FieldKind, string>> = {
  SECRET: `pin password newPassword code2fa token accessToken refreshToken secret clientSecret key apiKey signature bvn nin
    cvv otp checkoutUrl pageUrl secretKey publicKey`,
  PERSONAL: `email phoneNumber phone address city state postalCode directorDateOfBirth registrationNumber firstName lastName
    name accountName beneficiaryAccountName originatorAccountName senderAccountName customerName payerName givenName
    holderName nickname`,
  LAST4: `accountNumber beneficiaryAccountNumber originatorAccountNumber senderAccountNumber walletAccountNumber iban
    cardNumber pan`,
  HOST: 'sandboxWebhookURL productionWebhookURL url returnUrl cancelUrl',
  TEXT: `message description narration title purpose reason cause error warning warnings businessName businessType
    businessCategory merchantName storeName bankName shortName beneficiaryBankName originatorBankName senderBankName
    country source label whyNot madeFrom refusedByRail payoutReason accepted field sheet column header
    amount givenAmount outcome allowedOrigins allowedReturnHosts`,
  NAME: `type reference batchReference originBatchReference transactionReference providerReference railReference requestId
    idempotencyKey sessionId transactionId id code bankCode beneficiaryBankCode originatorBankCode
    destinationInstitutionCode nipCode railCode rail provider first second ruleId digest currency scope kycCompletedFields
    nextCursor previousCursor day from to docUrl`,
};

const BY_NAME: ReadonlyMap<string, FieldKind> = new Map(
  Object.entries(KINDS).flatMap(([kind, names]) =>
    names.split(/\s+/).map((name) => [name, kind as FieldKind] as const),
  ),
);

/** Undefined: nobody has thought about a field of this name, so no text in it is kept. */
export const kindOfField = (name: string): FieldKind | undefined => BY_NAME.get(name);

/** Whatever the field, what gives access. */
const CREDENTIALS = /\b(?:[sp]k_(?:test|live)_|whsec_|mcs_(?:test|live)_)[^\s"'<>]*|\beyJ[\w-]+\.[\w-]+(?:\.[\w-]*)?/g;
const MAIL = /[^\s@"'<>(),;:]+@[^\s@"'<>(),;:]+\.[^\s@"'<>(),;:]+/g;
/** Numbers of accounts, phones, people and cards, also in groups of four; not the digits inside an id in hexadecimal. */
const LONG_NUMBER = /(?<![\da-fA-F])\+?\d{10,19}(?![\da-fA-F])|(?<!\d)\d{4}(?:[ -]\d{4}){2}[ -]\d{1,7}(?!\d)/g;

export const SECRET = '[secret]';
export const PERSONAL = '[personal]';

/** The end of a number, which is enough to know it again. */
export function lastFour(text: string): string {
  return text.length < 8 ? '••••' : `••••${text.slice(-4)}`;
}

/** A text without what gives access or names a person. @param hidden what was left out elsewhere in the same request */
export function scrubbed(text: string, kind: 'TEXT' | 'NAME', hidden: ReadonlyMap<string, string>): string {
  let clean = text;
  for (const [value, instead] of hidden) if (clean.includes(value)) clean = clean.replaceAll(value, instead);
  clean = clean.replace(CREDENTIALS, SECRET).replace(MAIL, PERSONAL);
  return kind === 'NAME' ? clean : clean.replace(LONG_NUMBER, lastFour);
}
