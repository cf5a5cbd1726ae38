import { openBvn } from '../merchants/index.ts';
import type { FieldError } from '../platform/errors.ts';
import type { Secrets } from '../platform/secrets.ts';
import type { AccountHolder, WalletCapabilities } from '../rails/index.ts';
import type { VirtualAccountRow } from '../wallets/index.ts';

/** Numbers by which a person is known to the state, eleven digits each. Never logged, and kept only sealed. */
export interface Identity {
  bvn: string | null;
  nin: string | null;
}

export const NO_IDENTITY: Identity = { bvn: null, nin: null };

type Terms = Pick<WalletCapabilities, 'needs' | 'takesNin'>;

/** What the provider needs of a holder and is not there. */
export function missingOf(holder: AccountHolder, { needs, takesNin }: Terms): WalletCapabilities['needs'] {
  const nin = takesNin ? holder.nin : null;
  const given = { BVN: holder.bvn ?? nin, NAME: holder.name, EMAIL: holder.email, PHONE: holder.phoneNumber };
  return needs.filter((need) => given[need] === null || given[need] === '');
}

/** Of a request for a customer's account, by need: the field that lacks it. */
const FIELDS = { BVN: 'bvn', NAME: 'name', EMAIL: 'email', PHONE: 'phoneNumber' } as const;

/** The fields in which a customer's details are missing, in words. */
export function missingFields(holder: AccountHolder, terms: Terms): FieldError[] {
  return missingOf(holder, terms).map((need) => {
    const field = FIELDS[need];
    if (need !== 'BVN') return { field, message: 'is needed by the provider, and the customer has none' };
    const or = terms.takesNin ? ', or a nin,' : '';
    return { field, message: `is needed by the provider${or} to open an account for a customer` };
  });
}

/** Where an identity is sealed: it opens in this row alone. */
const contextOf = ({ merchant_id, mode, id }: Pick<VirtualAccountRow, 'merchant_id' | 'mode' | 'id'>) =>
  `virtual_accounts/${merchant_id}/${mode}/${id}/identity_sealed`;

/** Null where there is nothing to keep, or the provider has no use for it. */
export function sealIdentity(
  secrets: Secrets,
  row: Parameters<typeof contextOf>[0],
  { identity, terms }: { identity: Identity; terms: Terms | undefined },
): string | null {
  const isNeeded = terms?.needs.includes('BVN') ?? true;
  const nin = terms?.takesNin === false ? null : identity.nin;
  if (!isNeeded || (identity.bvn === null && nin === null)) return null;
  return secrets.seal(JSON.stringify({ bvn: identity.bvn, nin }), contextOf(row));
}

export function openIdentity(secrets: Secrets, row: VirtualAccountRow): Identity {
  if (row.identity_sealed === null) return NO_IDENTITY;
  return JSON.parse(secrets.open(row.identity_sealed, contextOf(row))) as Identity;
}

/** The customer as it was when the account was asked for; undefined of a wallet's own account. */
export function customerHolder(row: VirtualAccountRow, identity: () => Identity): AccountHolder | undefined {
  if (row.customer_id === null) return undefined;
  const { holder_name: name, holder_email: email, holder_phone: phoneNumber } = row;
  return { name: name ?? '', email: email ?? '', phoneNumber: phoneNumber ?? '', ...identity() };
}

/**
 * The merchant, for an account of its own wallet.
 * @param mayShare the merchant's BVN and phone number may be used for it
 */
export function merchantHolder(
  secrets: Secrets,
  merchant: Parameters<typeof openBvn>[1] & { email: string; phone_number: string },
  { name, mayShare }: { name: string; mayShare: boolean },
): AccountHolder {
  const phoneNumber = mayShare ? merchant.phone_number : '';
  return { name, email: merchant.email, phoneNumber, bvn: mayShare ? openBvn(secrets, merchant) : null, nin: null };
}
