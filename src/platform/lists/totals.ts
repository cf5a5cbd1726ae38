import { Type } from 'typebox';
import { type Database, type Queries, sqlState } from '../db/database.ts';
import { limitStatements } from '../db/statement.ts';
import { AppError } from '../errors.ts';
import { Money, Named, Nullable } from '../http/schemas.ts';
import { type List, MAX_COUNTED } from './list.ts';
import { type Sums, sumsOfList } from './queries.ts';
import { countList } from './read-list.ts';

/** What is looked through without an index may take so long. A person waits no longer, and the database is others' too. */
const MAX_LOOKING_MS = 8_000;

const searchTooLong = () =>
  new AppError(
    'refused',
    'SEARCH_TOO_LONG',
    'There is too much to look through. Choose a shorter period, or another filter beside it.',
  );

/**
 * Reads what may have to look through many rows, in one snapshot, each statement for 8 seconds at most.
 * @throws AppError 422 `SEARCH_TOO_LONG`
 */
export async function lookThrough<T>(
  { reading }: Pick<Database, 'reading'>,
  work: (queries: Queries) => Promise<T>,
  maxMs = MAX_LOOKING_MS,
): Promise<T> {
  try {
    return await reading.snapshot((queries) => {
      // It rides ahead of what is read.
      const limited = queries.query(limitStatements, [String(maxMs)]);
      return Promise.all([work(queries), limited]).then(([found]) => found);
    });
  } catch (error) {
    // The server ended the statement.
    if (sqlState(error) === '57014') throw searchTooLong();
    throw error;
  }
}

/** What the rows with one status and currency come to, in minor units. */
export interface StatusSum {
  status: string;
  currency: string;
  records: number;
  amountMinor: bigint;
  feesMinor: bigint;
}

/** What a filter comes to; `sums` is null where there are more rows than are added up. */
export interface ListSums {
  records: number;
  sums: StatusSum[] | null;
}

/**
 * What a whole list comes to by status and currency, of one moment. Beyond 100,000 rows nothing is said but that there are
 * more: a part of a sum would be a wrong number.
 * @param fees the columns that are added up beside the amount
 * @param upTo how many rows are added up at most
 * @throws AppError 422 `SEARCH_TOO_LONG`
 */
export async function addUpList<Row, Fees extends string>(
  database: Pick<Database, 'reading'>,
  list: List<Row>,
  fees: readonly Fees[],
  upTo = MAX_COUNTED,
): Promise<ListSums> {
  const { statement: asked, values } = sumsOfList<Row, 'status' | 'currency', 'amount_minor' | Fees>(
    list,
    ['status', 'currency'],
    ['amount_minor', ...fees],
    upTo,
  );
  const rows = await lookThrough(database, async (queries) => {
    // What an index counts as too much is not read only to say so. What none counts would be read twice.
    const isTooMuch = list.isFleeting !== true && (await countList(queries, list, upTo)) > upTo;
    return isTooMuch ? undefined : queries.query(asked, values);
  });
  if (rows === undefined) return { records: upTo, sums: null };
  const records = rows.reduce((sum, row) => sum + row.records, 0);
  if (records > upTo) return { records: upTo, sums: null };
  return { records, sums: rows.map((row) => sumOf(row, fees)) };
}

function sumOf<Fees extends string>(
  row: Sums<'status' | 'currency', 'amount_minor' | Fees>,
  fees: readonly Fees[],
): StatusSum {
  const { status, currency, records, amount_minor } = row;
  const feesMinor = fees.reduce((sum, name) => sum + BigInt(row[name] as string), 0n);
  return { status, currency, records, amountMinor: BigInt(amount_minor), feesMinor };
}

/** What a filter comes to, on the wire. */
export const ListTotalsSchema = Named(
  'ListTotals',
  Type.Object({
    isComplete: Type.Boolean({
      description:
        'False: there are more records than are added up, 100,000; then count is a lower bound, and totals null.',
    }),
    count: Type.Integer({ description: 'How many match the filter.' }),
    totals: Nullable(
      Type.Array(
        Type.Object({
          status: Type.String(),
          currency: Type.Literal('NGN'),
          count: Type.Integer(),
          amount: Nullable(Money('The sum of the amounts; null where no JSON number holds it exactly.')),
          fees: Nullable(Money('The sum of charges, or of fees and VAT; null as amount.')),
        }),
      ),
    ),
  }),
);
