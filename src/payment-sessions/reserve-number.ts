import type { Database } from '../platform/db/database.ts';
import { columnArrays, rowsFor } from '../platform/db/statement.ts';
import { createGroupReader } from '../platform/group-reader.ts';
import { closeOneTimeNumber, findReceivingNumber, insertOneTimeNumbers, type OneTimeNumber } from '../wallets/index.ts';

/** @returns false where the number is a wallet's. */
export type ReserveNumber = (wanted: OneTimeNumber) => Promise<boolean>;

const nameOf = ({ rail, account_number, virtual_account_id }: Taken) =>
  `${rail} ${account_number} ${virtual_account_id}`;

type Taken = Pick<OneTimeNumber, 'rail' | 'account_number' | 'virtual_account_id'>;

/** Reserves numbers for one payment each in the directory. Those that are asked for at once are reserved by one statement. */
export function createNumberReservations(database: Database): ReserveNumber {
  const take = async (wanted: readonly OneTimeNumber[]): Promise<boolean[]> => {
    const values = columnArrays(...rowsFor(insertOneTimeNumbers, wanted));
    const taken = new Set((await database.query<Taken>(insertOneTimeNumbers, values)).map(nameOf));
    return wanted.map((one) => taken.has(nameOf(one)));
  };
  const reserve = createGroupReader(take);
  return async (wanted) => {
    if (await reserve(wanted)) return true;
    const key = [wanted.rail, wanted.account_number, wanted.virtual_account_id];
    // Reserved by an earlier attempt for the same session, whose worker died.
    if ((await database.query(findReceivingNumber, key)).length > 0) return true;
    await database.query(closeOneTimeNumber, [...key, wanted.opened_at]);
    return (await take([wanted]))[0] === true;
  };
}
