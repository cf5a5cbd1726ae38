import { type LockedCheck, lockedCheck } from '../ledger/index.ts';
import { type Database, violatedUnique } from '../platform/db/database.ts';
import { columnArrays, rowsFor, type Write, write } from '../platform/db/statement.ts';
import { AppError } from '../platform/errors.ts';
import { createGroupReader } from '../platform/group-reader.ts';
import { accountNumberTaken } from './errors.ts';
import {
  closeOneTimeNumber,
  findReceivingNumber,
  findTakenNumbers,
  insertFreeNumbers,
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

/**
 * Takes a number in the directory as part of a movement: with all that the movement does, or not at all.
 * The movement fails with what `isNumberTaken` knows where somebody has the number.
 */
export function numberTaking(wanted: ReceivingNumber): { check: LockedCheck; write: Write } {
  const { rail, account_number } = wanted;
  const check = lockedCheck({
    question: findTakenNumbers,
    rows: [{ rail, account_number }],
    // Numbers are of no one tenant: where two take one at the same moment, its unique index refuses one of them.
    about: [],
    refusal: (found) => (found.length > 0 ? accountNumberTaken() : undefined),
  });
  return { check, write: write(insertFreeNumbers, wanted) };
}

/** Whether a movement failed because somebody has a number that it was to take. */
export function isNumberTaken(error: unknown): boolean {
  if (error instanceof AppError) return error.code === accountNumberTaken().code;
  return violatedUnique(error) === 'receiving_numbers_one_open';
}
