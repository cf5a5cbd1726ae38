import type { Secrets } from '../platform/secrets.ts';

/** What a bank verification number becomes before anything stores it. Takes 11 digits. */
export function bvnColumns(
  secrets: Secrets,
  merchantId: string,
  bvn: string,
): { bvn_sealed: string; bvn_masked: string } {
  return { bvn_sealed: secrets.seal(bvn, bvnContext(merchantId)), bvn_masked: maskBvn(bvn) };
}

/** What a sealed BVN is bound to: it opens on its own merchant's row only. */
function bvnContext(merchantId: string): string {
  return `merchants/${merchantId}/bvn_sealed`;
}

/** `22212345901` as `222*****901`. */
function maskBvn(bvn: string): string {
  return `${bvn.slice(0, 3)}*****${bvn.slice(-3)}`;
}
