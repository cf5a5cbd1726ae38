import { readEventSequence } from '../ledger/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Queries } from '../platform/db/database.ts';
import { type Write, write } from '../platform/db/statement.ts';
import { invalidField } from '../platform/errors.ts';
import type { Mode } from '../platform/tenant.ts';
import { upsertEndpointAddresses } from './queries.ts';
import { type AddressRules, addressFault } from './sending/check-address.ts';

export interface NewAddress {
  mode: Mode;
  /** Empty: nowhere. */
  url: string;
}

/** @throws AppError `VALIDATION_FAILED` naming the field, for an address that must not or cannot be called. */
export function checkWebhookAddress(field: string, url: string, rules: AddressRules): void {
  const fault = url === '' ? undefined : addressFault(url, rules);
  if (fault !== undefined) throw invalidField(field, fault);
}

/**
 * The writes of a movement that sets or takes away webhook addresses of a merchant. Telling begins with the event after
 * the last one of now, so the change itself is the first to be told at a new address.
 */
export async function webhookAddressWrites(
  deps: { database: Queries; clock: Clock },
  { merchantId, movementId }: { merchantId: string; movementId: string },
  addresses: readonly NewAddress[],
): Promise<Write[]> {
  const at = deps.clock.now().toISOString();
  return Promise.all(
    addresses.map(async ({ mode, url }) => {
      // Read before the commit: at most an event of this very moment is told more, and none less.
      const cursor_sequence = await readEventSequence(deps.database, { merchantId, mode });
      // The movement's id, as in the merchant's row: of two changes in one group, the same one wins in both places.
      const id = movementId;
      return write(upsertEndpointAddresses, { merchant_id: merchantId, mode, id, url, cursor_sequence, at });
    }),
  );
}
