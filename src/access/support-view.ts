import type { FastifyRequest } from 'fastify';
import { invalidField } from '../platform/errors.ts';
import type { Mode } from '../platform/tenant.ts';
import { supportViewReadOnly } from './errors.ts';
import type { Principal } from './principal.ts';
import { SUPPORT_PERMISSIONS, SUPPORT_SCOPES } from './roles.ts';
import { isRead, principalOfPerson, type SignedIn, type SignedInMerchant } from './session.ts';

/** One of the operator's staff who reads a merchant's pages, in one mode and for a limited time. */
export interface SupportView {
  readonly supportViewId: string;
  readonly merchant: SignedInMerchant;
  readonly mode: Mode;
  readonly reason: string;
  readonly openedAt: Date;
  readonly expiresAt: Date;
}

/** The store of support views, for the guards; the module `support-views` implements it. */
export interface SupportViews {
  /**
   * The view that a token names, where it belongs to this very session and is still open.
   * @throws AppError 403 `SUPPORT_VIEW_ENDED`, also for one that never was or is of somebody else.
   */
  require(token: string, session: SignedIn): Promise<SupportView>;
}

/** The pages of a support view send it with every request, beside the cookie of the session. */
const HEADER = 'x-support-view';

/** The token of the support view in which a request is made, if there is one. */
export function supportViewTokenOf({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined {
  const token = headers[HEADER];
  return token === undefined ? undefined : String(token);
}

/**
 * Refuses every request of a support view that is not a read, on every route, before anything else is checked. Without
 * the token the guard of the merchant's routes refuses a request of the operator's staff, so there is no second way in.
 * @throws AppError 403 `SUPPORT_VIEW_READ_ONLY`.
 */
export function refuseSupportWrites(request: FastifyRequest): void {
  if (supportViewTokenOf(request) !== undefined && !isRead(request)) throw supportViewReadOnly();
}

/** Who reads in a support view, as the principal of a request. @throws AppError 400 for another mode than the view's. */
export function principalOfSupportView(session: SignedIn, view: SupportView, mode: Mode): Principal {
  if (mode !== view.mode) throw invalidField('X-Mode', `must be ${view.mode}, the mode of the support view`);
  const { merchant, supportViewId, reason } = view;
  return principalOfPerson(session, merchant, mode, {
    scopes: SUPPORT_SCOPES,
    // The view decides: it reads what is listed for it, and no role of the merchant's is in that list.
    role: 'VIEWER',
    permissions: SUPPORT_PERMISSIONS,
    stepUpUntil: null,
    supportView: { supportViewId, reason },
  });
}
