import { errors, jwtVerify, SignJWT } from 'jose';
import type { Clock } from '../platform/clock.ts';
import { isUuid, newId } from '../platform/ids.ts';
import type { Secrets } from '../platform/secrets.ts';
import type { Mode } from '../platform/tenant.ts';
import { keyTypeNotAllowed, scopeNotGranted, tokenExpired, tokenInvalid } from './errors.ts';
import type { Principal } from './principal.ts';
import { isScope, type Scope } from './roles.ts';

/** Long enough for a batch of calls, short enough that a lost token is soon worthless. */
const TOKEN_LIFETIME_SECONDS = 15 * 60;
/** Fixed on both sides: a token never chooses how it is checked. */
const ALGORITHM = 'HS256';
const PARTY = 'manilla';

/** What a genuine token says. Whether its key is still valid is in the database. */
export interface TokenGrant {
  merchantId: string;
  keyId: string;
  mode: Mode;
  scopes: Scope[];
  expiresAt: Date;
}

interface TokenDeps {
  secrets: Secrets;
  clock: Clock;
}

/**
 * Issues a short-lived token for a secret key, with the same or fewer scopes. It ends with its key.
 * @throws AppError 403 `KEY_TYPE_NOT_ALLOWED` for a public key or a token, `SCOPE_NOT_GRANTED`.
 */
export async function issueToken(
  deps: TokenDeps,
  principal: Principal,
  wanted?: readonly string[],
): Promise<{ token: string; expiresInSeconds: number; scopes: Scope[] }> {
  if (principal.keyKind !== 'SECRET' || principal.via !== 'API_KEY') throw keyTypeNotAllowed();
  const scopes = [...new Set(wanted ?? principal.scopes)].map((scope) => {
    if (!isScope(scope) || !principal.scopes.has(scope)) throw scopeNotGranted(scope);
    return scope;
  });
  const now = Math.floor(deps.clock.now().getTime() / 1000);
  const token = await new SignJWT({ key: principal.keyId, mode: principal.tenant.mode, scope: scopes.join(' ') })
    .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT' })
    .setIssuer(PARTY)
    .setAudience(PARTY)
    .setSubject(principal.tenant.merchantId)
    .setJti(newId())
    .setIssuedAt(now)
    .setExpirationTime(now + TOKEN_LIFETIME_SECONDS)
    .sign(deps.secrets.tokenKey);
  return { token, expiresInSeconds: TOKEN_LIFETIME_SECONDS, scopes };
}

/** @throws AppError 401 `TOKEN_EXPIRED` for a genuine token past its time, `TOKEN_INVALID` for anything else. */
export async function readToken(deps: TokenDeps, text: string): Promise<TokenGrant> {
  try {
    const { payload } = await jwtVerify(text, deps.secrets.tokenKey, {
      algorithms: [ALGORITHM],
      issuer: PARTY,
      audience: PARTY,
      typ: 'JWT',
      requiredClaims: ['sub', 'exp', 'jti', 'key', 'mode', 'scope'],
      currentDate: deps.clock.now(),
    });
    const { sub, exp, key, mode, scope } = payload;
    if (typeof sub !== 'string' || !isUuid(sub) || typeof key !== 'string' || !isUuid(key)) throw tokenInvalid();
    if ((mode !== 'SANDBOX' && mode !== 'LIVE') || typeof scope !== 'string' || exp === undefined) throw tokenInvalid();
    return {
      merchantId: sub,
      keyId: key,
      mode,
      scopes: scope.split(' ').filter(isScope),
      expiresAt: new Date(exp * 1000),
    };
  } catch (error) {
    throw error instanceof errors.JWTExpired ? tokenExpired() : tokenInvalid();
  }
}
