/** `SANDBOX` plays, `LIVE` pays. The key prefix selects it, every tenant row carries it, every query binds it. */
export type Mode = 'SANDBOX' | 'LIVE';

/** Whose rows: one merchant in one mode. Nothing ever reads or moves across two tenants in one transaction. */
export interface Tenant {
  merchantId: string;
  mode: Mode;
}

/** For maps of what belongs to tenants. */
export function tenantKey({ merchantId, mode }: Tenant): string {
  return `${merchantId}/${mode}`;
}

/** Whose a row is. */
export function tenantOf({ merchant_id: merchantId, mode }: { merchant_id: string; mode: Mode }): Tenant {
  return { merchantId, mode };
}
