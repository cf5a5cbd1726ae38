import { statement } from '../platform/db/statement.ts';

export const listAllBanks = statement<Bank>(
  'list-all-banks',
  `select code, nip_code as "nipCode", name, short_name as "shortName", kind, active
   from banks
   order by lower(name), code`,
);

/** One row of the directory. */
export interface Bank {
  /** What clients send as `bankCode`; also what the check digit of an account number is made with. */
  code: string;
  /** The interbank network's six digits; null where no source is known. */
  nipCode: string | null;
  name: string;
  shortName: string;
  kind: 'COMMERCIAL' | 'MERCHANT' | 'MICROFINANCE' | 'MOBILE_MONEY' | 'PAYMENT_SERVICE';
  /** False: the bank takes no new payouts; its row stays for old records. */
  active: boolean;
}
