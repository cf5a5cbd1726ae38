import { type Write, write } from '../platform/db/statement.ts';
import { type MerchantRow, updateMerchantProfiles } from './queries.ts';

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
