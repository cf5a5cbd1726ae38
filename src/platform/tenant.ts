/**
 * `SANDBOX` is simulated money, `LIVE` is real. The key prefix selects it, every tenant row has it, every query binds
 * it.
 */
export type Mode = 'SANDBOX' | 'LIVE';

export const MODES: readonly Mode[] = ['LIVE', 'SANDBOX'];

/** The owner of rows: one merchant in one mode. No transaction reads or moves anything across two tenants. */
export interface Tenant {
  merchantId: string;
  mode: Mode;
}

/** One movement asks for the same key ten times: each text would be made, and hashed for its map, anew. */
let last: Tenant & { key: string } = { merchantId: '', mode: 'SANDBOX', key: '' };

/** A key for maps by tenant. */
export function tenantKey({ merchantId, mode }: Tenant): string {
  if (last.merchantId !== merchantId || last.mode !== mode) last = { merchantId, mode, key: `${merchantId}/${mode}` };
  return last.key;
}

/** The tenant of a row. */
export function tenantOf({ merchant_id: merchantId, mode }: { merchant_id: string; mode: Mode }): Tenant {
  return { merchantId, mode };
}
