import pg from 'pg';

const INT8 = 20;
const INT8_ARRAY = 1016;
const TEXT_ARRAY: number = 1009;
const TIMESTAMPTZ: number = 1184;
const DATE = 1082;

/** int8 as bigint, once, here: money is never a float on its way in. A date has no time of day and no zone: it stays text. */
export const valueTypes: pg.CustomTypesConfig = {
  getTypeParser(oid: number, format?: string) {
    if (oid === INT8 && format !== 'binary') return BigInt;
    if (oid === INT8_ARRAY && format !== 'binary') return bigints;
    if (oid === DATE && format !== 'binary') return String;
    if (oid === TIMESTAMPTZ && format !== 'binary') return writableTime;
    return pg.types.getTypeParser(oid, format as 'text');
  },
};

function bigints(text: string): (bigint | null)[] {
  const parse = pg.types.getTypeParser(TEXT_ARRAY, 'text') as (text: string) => (string | null)[];
  return parse(text).map((item) => (item === null ? null : BigInt(item)));
}

const FIRST_TIME = Date.parse('0001-01-01T00:00:00.000Z');
const LAST_TIME = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * Years of four digits: PostgreSQL keeps others, and takes none of them back the way that JavaScript writes them. A row
 * with such a time must be readable and writable as any other.
 */
function writableTime(text: string): Date {
  // Infinity comes as a number.
  const parse = pg.types.getTypeParser(TIMESTAMPTZ, 'text') as (text: string) => Date | number;
  return new Date(Math.min(Math.max(Number(parse(text)), FIRST_TIME), LAST_TIME));
}
