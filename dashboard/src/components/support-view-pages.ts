import { SUPPORT_VIEW } from '../api/support-view.ts';
import type { Mode } from '../api/types.ts';

/** Opens the pages of a merchant as a support view, in place of the desk. */
export function enterSupportView(token: string, mode: Mode): void {
  const search = new URLSearchParams(mode === 'LIVE' ? { support: token, mode: 'live' } : { support: token });
  location.assign(`${import.meta.env.BASE_URL}?${search}`);
}

/** Back to the page of the merchant at the desk. */
export function leaveSupportView(): void {
  const merchantId = SUPPORT_VIEW?.split('.')[0] ?? '';
  location.assign(`${import.meta.env.BASE_URL}operator/merchants/${encodeURIComponent(merchantId)}`);
}
