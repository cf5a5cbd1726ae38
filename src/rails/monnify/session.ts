import { type Static, Type } from 'typebox';
import type { Clock } from '../../platform/clock.ts';
import type { Mode } from '../../platform/tenant.ts';
import type { ProviderAnswer, ProviderHttp, ProviderRequest } from '../http.ts';
import { NotSentError } from '../port.ts';
import { fieldsOf, textOf } from '../provider-answers.ts';
import { openEnvelope } from './transfers.ts';

/**
 * What the operator copies from the provider's dashboard (Developer, API keys) and the number of the wallet that is
 * debited. The key's prefix says whether it is a test key. The secret key signs the webhooks too.
 */
export const MonnifyCredentials = Type.Object(
  {
    apiKey: Type.String({ pattern: '^MK_(TEST|PROD)_\\w{4,100}$' }),
    secretKey: Type.String({ minLength: 16, maxLength: 200 }),
    walletAccountNumber: Type.String({ pattern: '^\\d{10}$' }),
    /** Of the contract under which accounts are opened for wallets; without it there are none. */
    contractCode: Type.Optional(Type.String({ pattern: '^\\w{4,40}$' })),
    /** Ours -> the provider's, ahead of the built-in table. */
    bankCodes: Type.Optional(
      Type.Record(Type.String({ pattern: '^\\d{3,6}$' }), Type.String({ pattern: '^\\w{2,10}$' }), {
        additionalProperties: false,
      }),
    ),
  },
  { additionalProperties: false },
);

export type MonnifyCredentials = Static<typeof MonnifyCredentials>;

/** The mode that a key is for: a test key of Monnify pays nobody. */
export function monnifyMode({ apiKey }: MonnifyCredentials): Mode {
  return apiKey.startsWith('MK_TEST_') ? 'SANDBOX' : 'LIVE';
}

const LOGIN_TIMEOUT_MS = 10_000;
/** A token is left aside this long before it runs out, so that it does not run out on the way. */
const EXPIRY_MARGIN_MS = 60_000;

export interface MonnifySession {
  /**
   * The request with a bearer token. A 401 is taken as a token that ran out early: one new login, one more request,
   * and whatever comes then is the answer. A second send cannot pay twice, the reference sees to that.
   * @throws NotSentError where there was no token to begin with, so that the request never left.
   */
  request(request: ProviderRequest): Promise<ProviderAnswer>;
}

interface Token {
  text: string;
  expiresAtMs: number;
}

/**
 * Logs in with the key and the secret (POST /api/v1/auth/login, basic) and keeps the token, which is good for an hour:
 * https://developers.monnify.com/docs/error-codes. Calls that need one at the same time share one login.
 */
export function createMonnifySession(
  http: ProviderHttp,
  { apiKey, secretKey }: Pick<MonnifyCredentials, 'apiKey' | 'secretKey'>,
  clock: Clock,
): MonnifySession {
  const basic = `Basic ${Buffer.from(`${apiKey}:${secretKey}`).toString('base64')}`;
  let kept: Token | undefined;
  let loggingIn: Promise<string> | undefined;

  async function logIn(): Promise<string> {
    const startedAtMs = clock.now().getTime();
    const latest = await askForToken(http, basic, startedAtMs);
    kept = latest;
    return latest.text;
  }

  function newToken(signal: AbortSignal): Promise<string> {
    if (loggingIn === undefined) {
      // Not with the caller's signal: others wait for the same login.
      loggingIn = logIn().finally(() => {
        loggingIn = undefined;
      });
    }
    return orAborted(loggingIn, signal);
  }

  async function token(signal: AbortSignal): Promise<string> {
    if (kept !== undefined && clock.now().getTime() < kept.expiresAtMs - EXPIRY_MARGIN_MS) return kept.text;
    return newToken(signal);
  }

  return {
    async request(request) {
      const ask = (text: string) => http.request({ ...request, headers: { authorization: `Bearer ${text}` } });
      const first = await token(request.signal);
      const answer = await ask(first);
      if (answer.status !== 401) return answer;
      if (kept?.text === first) kept = undefined;
      try {
        return await ask(await token(request.signal));
      } catch (error) {
        // The first request has left: from here on nobody may say that nothing was sent.
        if (error instanceof NotSentError) return answer;
        throw error;
      }
    },
  };
}

async function askForToken(http: ProviderHttp, authorization: string, startedAtMs: number): Promise<Token> {
  const answer = await http
    .request({
      method: 'POST',
      path: '/api/v1/auth/login',
      headers: { authorization },
      signal: AbortSignal.timeout(LOGIN_TIMEOUT_MS),
    })
    .catch((error: unknown) => {
      throw new NotSentError('Monnify did not answer to the login', { reason: 'RAIL_UNREACHABLE', cause: error });
    });
  const { data, code } = openEnvelope(answer);
  const fields = fieldsOf(data);
  const text = textOf(fields?.['accessToken']);
  const seconds = fields?.['expiresIn'];
  if (text === '' || typeof seconds !== 'number' || !Number.isFinite(seconds)) {
    const { status } = answer;
    const isRefused = status === 401 || status === 403;
    const reason = isRefused ? 'RAIL_CREDENTIALS_REFUSED' : 'RAIL_ANSWER_UNEXPECTED';
    const message = isRefused ? 'Monnify refused the key' : `Monnify gave no token (HTTP ${status})`;
    throw new NotSentError(message, { reason, code: code || null, answered: status >= 400 && status < 500 });
  }
  return { text, expiresAtMs: startedAtMs + seconds * 1_000 };
}

function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) return stop();
    signal.addEventListener('abort', stop, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
