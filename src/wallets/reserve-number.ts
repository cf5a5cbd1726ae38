import type { Database } from '../platform/db/database.ts';
import { columnArrays, rowsFor } from '../platform/db/statement.ts';
import { createGroupReader } from '../platform/group-reader.ts';
import {
  closeOneTimeNumber,
  findReceivingNumber,
  insertReceivingNumbers,
  type ReceivingNumber,
} from './virtual-account-queries.ts';

/** @returns false where the number is another wallet's. */
export type ReserveNumber = (wanted: ReceivingNumber) => Promise<boolean>;

type Taken = Pick<ReceivingNumber, 'rail' | 'account_number' | 'virtual_account_id'>;

const nameOf = ({ rail, account_number, virtual_account_id }: Taken) =>
  `${rail} ${account_number} ${virtual_account_id}`;

/**
 * Reserves numbers in the directory, of wallets and for one payment each. Those that are asked for at once are reserved
 * by one statement. What had a number for one payment loses it where the provider gives it again.
 */
export function createNumberReservations(database: Database): ReserveNumber {
  const take = async (wanted: readonly ReceivingNumber[]): Promise<boolean[]> => {
    const values = columnArrays(...rowsFor(insertReceivingNumbers, wanted));
    const taken = new Set((await database.query<Taken>(insertReceivingNumbers, values)).map(nameOf));
    return wanted.map((one) => taken.has(nameOf(one)));
  };
  const reserve = createGroupReader(take);
  return async (wanted) => {
    if (await reserve(wanted)) return true;
    const key = [wanted.rail, wanted.account_number, wanted.virtual_account_id];
    // Reserved by an earlier attempt of the same, whose worker died.
    if ((await database.query(findReceivingNumber, key)).length > 0) return true;
    await database.query(closeOneTimeNumber, [...key, wanted.opened_at]);
    return (await take([wanted]))[0] === true;
  };
}
