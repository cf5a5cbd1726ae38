import { setInsert, setStatement, statement } from '../platform/db/statement.ts';
import type { List, ListOrder } from '../platform/lists/list.ts';
import type { Mode, Tenant } from '../platform/tenant.ts';

export interface CustomerRow {
  merchant_id: string;
  mode: Mode;
  id: string;
  name: string;
  email: string;
  phone_number: string | null;
  /** JSON text. */
  metadata: string | null;
  /** From 1; every change takes the next. */
  version: number;
  created_at: Date;
  updated_at: Date;
}

const columns = {
  merchant_id: 'uuid',
  mode: 'text',
  id: 'uuid',
  name: 'text',
  email: 'text',
  phone_number: 'text',
  metadata: 'json',
  version: 'integer',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
} as const;

export const insertCustomers = setInsert<CustomerRow>('customers', columns);

/** The version that the change took decides whether it may: nobody else has written in between. */
export const updateCustomers = setStatement<CustomerRow>(
  'update-customers',
  columns,
  `update customers c
      set name = rows.name, email = rows.email, phone_number = rows.phone_number, metadata = rows.metadata,
          version = rows.version, updated_at = rows.updated_at
     from :rows
    where c.merchant_id = rows.merchant_id and c.mode = rows.mode and c.id = rows.id
      and c.version = rows.version - 1`,
);

export const findCustomer = statement<CustomerRow>(
  'find-customer',
  'select * from customers where merchant_id = $1 and mode = $2 and id = $3',
);

const NEWEST: ListOrder<CustomerRow> = {
  direction: 'desc',
  keys: [{ sql: 'id', type: 'uuid', of: ({ id }) => id }],
};

/** No text of people has it: what begins with a prefix sorts before the prefix with it. */
const LAST_CHARACTER = '\u{10ffff}';

/** Byte by byte, as the index has it: of a prefix that is a parameter, `like` would use none. */
const beginning = (column: string) => `select * from customers
  where merchant_id = $1 and mode = $2 and lower(${column}) ~>=~ $3 and lower(${column}) ~<~ $4`;

/** Whose name or address begins so, each once. `offset 0`: both parts are read by their own index, wherever a page begins. */
const FOUND = `(${beginning('name')} union ${beginning('email')} offset 0) customers`;

/**
 * A merchant's customers, newest first: their ids sort by time, and a name may change.
 * @param search what a name or an e-mail address begins with, in lower case
 */
export function customerList({ merchantId, mode }: Tenant, search: string | undefined): List<CustomerRow> {
  const values: unknown[] = [merchantId, mode];
  const where = ['merchant_id = $1', 'mode = $2'];
  if (search !== undefined) values.push(search, `${search}${LAST_CHARACTER}`);
  return {
    name: 'customers',
    of: [merchantId, mode, search],
    order: NEWEST,
    columns: '*',
    from: search === undefined ? 'customers' : FOUND,
    where,
    values,
  };
}
