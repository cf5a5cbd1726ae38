import { stringify } from 'csv-stringify/sync';
import { INERT } from '../platform/spreadsheet/write-csv.ts';
import type { Tenant } from '../platform/tenant.ts';
import type { SandboxRail, SandboxTransfer } from '../rails/index.ts';
import { exportRecord } from './views.ts';

const PIECE = 5_000;

/** The words in a bank's file for each state of a transfer; a return comes after its payment. */
const STATUSES: Partial<Record<SandboxTransfer['outcome'], readonly string[]>> = {
  succeeded: ['successful'],
  failed: ['failed'],
  reversed: ['successful', 'reversed'],
};

/**
 * The sandbox rail's own books of one merchant between two times as a settlement file, in pieces: to try reconciliation
 * without a bank.
 */
export async function* exportSandboxSettlement(
  rail: Pick<SandboxRail, 'listTransfers'>,
  tenant: Tenant,
  { from, to }: { from: Date; to: Date },
): AsyncGenerator<string> {
  let after = '';
  let header = true;
  for (;;) {
    const transfers = await rail.listTransfers(tenant, { after, limit: PIECE });
    const records = transfers
      .filter(({ receivedAt }) => receivedAt >= from && receivedAt <= to)
      .flatMap((transfer) => {
        const { reported, sessionId, receivedAt: at } = transfer;
        const statuses = STATUSES[transfer.outcome] ?? ['pending'];
        return statuses.map((status) => exportRecord({ reported, sessionId, status, at }));
      });
    if (records.length > 0) yield stringify(records, { header, ...INERT });
    if (records.length > 0) header = false;
    const last = transfers.at(-1);
    if (last === undefined) return;
    after = last.railReference;
  }
}
