import {
  type ApiKeySummary,
  EVERY_SCOPE,
  grantedScopes,
  issueApiKey,
  type KeyKind,
  type KeyMaker,
  listApiKeys,
  revokeApiKey,
  rotateApiKey,
} from '../access/index.ts';
import { requireMemberByEmail } from '../people/index.ts';
import { type AdminDeps, type Command, type Given, MERCHANT, THE_OPERATOR, UsageError } from './command.ts';

const KEY = { type: 'string', about: 'id of the key', required: true } as const;
const FOR = {
  type: 'string',
  about: 'e-mail address of the person of the merchant who gets it: its maker, who cannot approve what it sends',
} as const;
const SHOWN_ONCE = 'Keep this key now: it is stored as a hash only and cannot be shown again.';
const SECONDS_PER_HOUR = 3_600;
const MS_PER_DAY = 24 * 60 * 60 * 1_000;

const issueKey: Command = {
  name: 'issue-key',
  // Somebody of the merchant's.
  shows: ['for'],
  audit: 'KEYS',
  about: 'make an API key; a secret sandbox key by default',
  options: {
    merchant: MERCHANT,
    live: { type: 'boolean', about: 'a key for real money' },
    for: FOR,
    public: { type: 'boolean', about: 'a public key, for payment sessions and public data' },
    scope: { type: 'string', about: 'allow only this; may be given several times', multiple: true },
    ip: { type: 'string', about: 'allow only this address or range; several times', multiple: true },
    days: { type: 'string', about: 'end after so many days; for ever by default' },
  },
  async run(deps, options) {
    const days = options.count('days');
    if (days === 0) throw new UsageError('--days must be at least 1.');
    const kind = options.flag('public') ? 'PUBLIC' : 'SECRET';
    const { keyId, key } = await issueApiKey(deps, {
      merchantId: options.id('merchant'),
      createdBy: await makerFor(deps, options),
      mode: options.flag('live') ? 'LIVE' : 'SANDBOX',
      kind,
      scopes: scopesOf(options, kind),
      allowedIps: options.list('ip'),
      expiresAt: days === undefined ? undefined : new Date(deps.clock.now().getTime() + days * MS_PER_DAY),
      by: THE_OPERATOR,
    });
    deps.warn(SHOWN_ONCE);
    deps.print(`${keyId}\t${key}`);
  },
};

/** The words that the key may have, where one of those given is none. */
function scopesOf(options: Given, kind: KeyKind): string[] | undefined {
  const given = options.list('scope');
  const allowed = [...grantedScopes(kind, [EVERY_SCOPE])];
  const wrong = given?.find((scope) => scope !== EVERY_SCOPE && !allowed.some((one) => one === scope));
  if (wrong === undefined) return given;
  const words = kind === 'PUBLIC' ? 'a public key may have' : 'a secret key may have';
  throw new UsageError(`--scope ${JSON.stringify(wrong)} is none that ${words}: ${allowed.join(', ')}.`);
}

/** Nobody by default: then nobody is kept from approving what the key sends. */
async function makerFor(deps: AdminDeps, options: Given): Promise<KeyMaker | undefined> {
  if (options.maybe('for') === undefined) return undefined;
  return requireMemberByEmail(deps.database, { merchantId: options.id('merchant'), email: options.text('for') });
}

const rotateKey: Command = {
  name: 'rotate-key',
  // Somebody of the merchant's.
  shows: ['for'],
  audit: 'KEYS',
  about: 'make a new key like an old one, which ends after an overlap',
  options: {
    merchant: MERCHANT,
    key: KEY,
    for: { ...FOR, about: `${FOR.about}; left out, as before` },
    'overlap-hours': { type: 'string', about: 'how long the old key still works, 24 by default' },
  },
  async run(deps, options) {
    const hours = options.count('overlap-hours');
    const rotated = await rotateApiKey(deps, {
      merchantId: options.id('merchant'),
      keyId: options.id('key'),
      createdBy: await makerFor(deps, options),
      by: THE_OPERATOR,
      overlapSeconds: hours === undefined ? undefined : hours * SECONDS_PER_HOUR,
    });
    deps.warn(`${SHOWN_ONCE} The old key works until ${rotated.oldEndsAt.toISOString()}.`);
    deps.print(`${rotated.keyId}\t${rotated.key}`);
  },
};

const revokeKey: Command = {
  name: 'revoke-key',
  audit: 'KEYS',
  about: 'end a key and its tokens within two seconds',
  options: { merchant: MERCHANT, key: KEY },
  async run(deps, options) {
    const key = { merchantId: options.id('merchant'), keyId: options.id('key') };
    await revokeApiKey({ queries: deps.database, clock: deps.clock }, key);
    deps.print('revoked');
  },
};

const listKeys: Command = {
  name: 'list-keys',
  audit: 'PERSONAL_DATA',
  about: 'the keys of a merchant; those older than 90 days say ROTATE',
  options: { merchant: MERCHANT },
  async run(deps, options) {
    const keys = await listApiKeys({ queries: deps.database, clock: deps.clock }, options.id('merchant'));
    for (const key of keys) deps.print(keyLine(key));
    if (keys.length === 0) deps.warn('This merchant has no keys.');
  },
};

function keyLine(key: ApiKeySummary): string {
  const state = key.rotationDue ? 'ACTIVE, ROTATE' : key.state;
  const used = key.lastUsedAt === null ? 'never used' : `used ${key.lastUsedAt.toISOString()}`;
  const end = key.expiresAt === null ? 'no end' : `ends ${key.expiresAt.toISOString()}`;
  const made = `made ${key.createdAt.toISOString()}`;
  const by = key.createdBy === null ? 'maker nobody' : `maker ${key.createdBy.name}`;
  return [key.id, `${key.prefix}...${key.lastFour}`, state, key.scopes.join(' '), made, end, used, by].join('\t');
}

export const keyCommands: readonly Command[] = [issueKey, rotateKey, revokeKey, listKeys];
