import { Type } from 'typebox';
import { type Write, write } from '../platform/db/statement.ts';
import { invalidField } from '../platform/errors.ts';
import { type MerchantRow, updateMerchantProfiles } from './queries.ts';

/** A phone number as people write it: with spaces, dots, brackets, with or without the country's prefix. */
export const TypedPhoneNumber = () =>
  Type.String({
    pattern: '^ *[+(]{0,2}\\d([ ().-]*\\d){6,14} *$',
    maxLength: 30,
    examples: ['2348012345678'],
    'x-hint': 'must be a phone number of 7 to 15 digits, such as 0803 123 4567 or +234 803 123 4567',
  });

/** Nigerian mobile numbers begin so after the country's prefix or the leading zero, and have ten digits. */
const MOBILE = /^(?:0|2340?)([789][01]\d*)$/;
const MOBILE_DIGITS = 10;

/**
 * A Nigerian mobile number has one meaning however it is written: `0803 123 4567` is `2348031234567`.
 * @throws AppError 400 for one with a digit too few or too many.
 */
export function internationalNumber(given: string): string {
  const digits = given.replaceAll(/\D/g, '').replace(/^00/, '');
  const mobile = MOBILE.exec(digits)?.[1];
  if (mobile === undefined) return digits;
  if (mobile.length !== MOBILE_DIGITS) {
    throw invalidField('phoneNumber', 'must have as many digits as 0803 123 4567 or +234 803 123 4567');
  }
  return `234${mobile}`;
}

/** What a merchant may change about itself; what is left out stays. */
export interface MerchantChanges {
  /** The empty text takes the address away. */
  sandboxWebhookURL?: string;
  productionWebhookURL?: string;
  email?: string;
  phoneNumber?: string;
  address?: string;
  city?: string;
  state?: string;
  country?: string;
  postalCode?: string;
  logo?: string;
}

const COLUMNS = {
  sandboxWebhookURL: 'sandbox_webhook_url',
  productionWebhookURL: 'production_webhook_url',
  email: 'email',
  phoneNumber: 'phone_number',
  address: 'address',
  city: 'city',
  state: 'state',
  country: 'country',
  postalCode: 'postal_code',
  logo: 'logo',
} as const satisfies Record<keyof MerchantChanges, keyof MerchantRow>;

/** The write of a movement that changes a merchant. Takes values that a schema has checked. */
export function merchantChangesWrite(merchantId: string, movementId: string, changes: MerchantChanges): Write {
  return write(updateMerchantProfiles, {
    merchant_id: merchantId,
    id: movementId,
    changes: JSON.stringify(columnsOf(changes)),
  });
}

/** The row as these changes leave it. */
export function withChanges(row: MerchantRow, changes: MerchantChanges): MerchantRow {
  return { ...row, ...columnsOf(changes) };
}

function columnsOf(changes: MerchantChanges): Partial<MerchantRow> {
  const columns = Object.entries(changes).map(([field, value]) => [COLUMNS[field as keyof MerchantChanges], value]);
  return Object.fromEntries(columns) as Partial<MerchantRow>;
}
