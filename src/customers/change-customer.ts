import type { CommitResult, IdempotencyKey, Ledger } from '../ledger/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import { write } from '../platform/db/statement.ts';
import { AppError } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import { jsonOf } from '../platform/json-text.ts';
import type { Tenant } from '../platform/tenant.ts';
import { type CustomerRow, insertCustomers, updateCustomers } from './queries.ts';
import { customerChanged, customerView, requireCustomer } from './read-customers.ts';
import type { CustomerChanges, CustomerInput } from './schemas.ts';

export interface CustomerDeps {
  database: Database;
  ledger: Ledger;
  clock: Clock;
}

interface Asked<Fields> {
  tenant: Tenant;
  /** Without metadata, which is beside it as it was sent. */
  fields: Fields;
  /** JSON text; undefined: nothing is said of it. */
  metadata: string | null | undefined;
  idempotency: IdempotencyKey | undefined;
}

/** Adds a customer. Nothing is merged: the same name or address twice makes two customers. */
export function addCustomer(
  { ledger, clock }: Pick<CustomerDeps, 'ledger' | 'clock'>,
  { tenant, fields, metadata, idempotency }: Asked<Omit<CustomerInput, 'metadata'>>,
): Promise<CommitResult> {
  const at = clock.now();
  const row: CustomerRow = {
    merchant_id: tenant.merchantId,
    mode: tenant.mode,
    id: newId(),
    name: fields.name,
    email: fields.email,
    phone_number: fields.phoneNumber ?? null,
    metadata: metadata ?? null,
    version: 1,
    created_at: at,
    updated_at: at,
  };
  return ledger.commit({
    tenant,
    id: row.id,
    occurredAt: at.toISOString(),
    idempotency,
    writes: [write(insertCustomers, row)],
    events: [{ id: newId(), type: 'customer.created', subjectId: row.id, data: jsonOf(customerView(row)) }],
    answer: { message: 'Customer added' },
  });
}

/** Of unique keys: one change of each version of a customer. */
const VERSION_SCOPE = 'CUSTOMER_VERSION';
/** Others that change one customer at the same moment; each costs one attempt at most. */
const MAX_ATTEMPTS = 10;

/**
 * Changes what is named of a customer, and leaves the rest, also where two change it at once. Sessions that name the
 * customer keep the name and address that they were opened with.
 * @throws AppError `CUSTOMER_NOT_FOUND`, `CUSTOMER_CHANGED`
 */
export async function changeCustomer(
  deps: CustomerDeps,
  asked: Asked<Omit<CustomerChanges, 'metadata'>> & { customerId: string },
): Promise<CommitResult> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await change(deps, asked);
    } catch (error) {
      const isRace = error instanceof AppError && error.code === customerChanged().code;
      if (!isRace || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

async function change(
  { database, ledger, clock }: CustomerDeps,
  { tenant, customerId, fields, metadata, idempotency }: Parameters<typeof changeCustomer>[1],
): Promise<CommitResult> {
  const before = await requireCustomer(database, tenant, customerId);
  const { name, email, phoneNumber } = fields;
  const at = clock.now();
  const after: CustomerRow = {
    ...before,
    name: name ?? before.name,
    email: email ?? before.email,
    phone_number: phoneNumber === undefined ? before.phone_number : phoneNumber,
    metadata: metadata === undefined ? before.metadata : metadata,
    version: before.version + 1,
    updated_at: at,
  };
  return ledger.commit({
    tenant,
    id: customerId,
    occurredAt: at.toISOString(),
    idempotency,
    uniqueKeys: [{ scope: VERSION_SCOPE, value: `${customerId}/${before.version}`, refusal: customerChanged }],
    writes: [write(updateCustomers, after)],
    events: [{ id: newId(), type: 'customer.updated', subjectId: customerId, data: jsonOf(customerView(after)) }],
    answer: { message: 'Customer updated' },
  });
}
