import { expect, it, vi } from 'vitest';
import { ConfigError, readConfig } from '../../src/config.ts';

const refusalOf = (env: Record<string, string>): string => {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return '';
};

it.each([
  ['PORT', 'true'],
  ['PORT', '1.5'],
  ['PORT', '0x10'],
  ['PROCESSES', '1e1'],
  ['RATE_LIMIT_PER_SECOND', 'false'],
  ['RATE_LIMIT_PER_SECOND', 'Infinity'],
  ['TRUSTED_PROXIES', '*'],
  ['TRUSTED_PROXIES', 'true'],
  ['TRUSTED_PROXIES', '1'],
  ['TRUSTED_PROXIES', '"10.0.0.1"'],
  ['TRUSTED_PROXIES', '10.0.0.0/99'],
  ['PUBLIC_URL', 'https://'],
  ['PUBLIC_URL', 'https://pay.example/manilla'],
  ['PUBLIC_URL', 'https://pay.example?to=us'],
])('a setting %s of %s is refused by its name, with what it takes', (name, text) => {
  expect(refusalOf({ [name]: text })).toMatch(new RegExp(`^These settings are wrong:\n  ${name} must be .*; it is `));
});

it.each([
  'postgres://manilla:pass#zebra@db/manilla',
  'postgres://manilla:pass/zebra@db/manilla',
  'postgres://manilla:pass@zebra@db/manilla',
  'postgres://manilla:p@ss/w#zebra@127.0.0.1:5432/manilla',
  'postgres://db:99999/m',
  'postgres://manilla:zebra@db/m?port=99999',
  'postgres://manilla:zebra@db/m?port=none',
  'postgres://manilla:zebra@db/m?query_timeout=abc',
  'postgres://manilla:zebra@a,b/m?statement_timeout=60s&target_session_attrs=primary',
])('an address of the database that nobody can read, %s, is refused without being repeated', (DATABASE_URL) => {
  const refusal = refusalOf({ DATABASE_URL, DEMO_DATA: 'true' });
  expect(refusal).toContain('DATABASE_URL must be');
  expect(refusal).not.toContain('zebra');
});

it('every wrong setting is said at once, whatever the others take', () => {
  const wrong = { LOG_LEVEL: 'loud', RETAIN_REQUESTS_DAYS: '3', RETAIN_MAILS_DAYS: '1', ARCHIVE_AFTER_MONTHS: '1' };
  const names = refusalOf(wrong).match(/^ {2}(\w+) must be/gm);
  expect(names?.map((line) => line.trim().split(' ')[0])).toEqual(Object.keys(wrong));
});

it('a certificate of the database that is not there is said by its path, before anything is begun', () => {
  for (const [name, part] of [
    ['DATABASE_URL', 'sslrootcert'],
    ['READ_DATABASE_URL', 'sslcert'],
  ] as const) {
    const address = `postgres://manilla:password@db/m?sslmode=verify-full&${part}=/not/there.pem`;
    expect(refusalOf({ [name]: address, DEMO_DATA: 'true' })).toBe(
      `These settings are wrong:\n  ${name} names the file /not/there.pem, which cannot be read (ENOENT)`,
    );
  }
});

it('a word for TLS that the driver does not know is refused, and not taken for one that it knows', () => {
  for (const name of ['DATABASE_URL', 'READ_DATABASE_URL']) {
    expect(refusalOf({ [name]: 'postgres://m:secret@db/m?sslmode=off', DEMO_DATA: 'true' })).toBe(
      `These settings are wrong:\n  ${name} has the sslmode "off"; it is one of disable, prefer, require, verify-ca, verify-full, no-verify`,
    );
    // A template may leave it empty, and the driver takes that for none.
    expect(refusalOf({ [name]: 'postgres://m:secret@db/m?sslmode=', DEMO_DATA: 'true' })).toBe('');
  }
});

it('mails have one sender: an address that is cut off, or two of them, are refused', () => {
  for (const from of [
    'Manilla <a@b.example',
    'a@b.example>',
    'a@b.example, c@d.example',
    'Manilla a@b.example',
    'a@b.example, Manilla <c@d.example>',
    // A mail server is told of a group, or of no sender at all.
    'Pay: Inc <a@b.example>',
    'Pay; Inc <a@b.example>',
    'Pay (Lagos <a@b.example>',
    'Pay "Inc <a@b.example>',
    '"Pay\\" <a@b.example>',
    'a:b@c.example',
    'a(b@c.example',
    'Pay <a:b@c.example>',
  ])
    expect(refusalOf({ MAIL_FROM: from })).toContain('MAIL_FROM must be');
  for (const from of [
    'a@b.example',
    'Manilla <a@b.example>',
    '"Manilla, a bank @ Lagos" <a@b.example>',
    '"Pay: Inc (Lagos)" <a@b.example>',
    "Ò'Pay, Inc. <no-reply+x@b.example>",
  ])
    expect(refusalOf({ MAIL_FROM: from })).toBe('');
});

it('an address that asks for TLS gets a server whose certificate is checked, without a warning of the driver', () => {
  const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
  const read = (query: string) =>
    readConfig({ DATABASE_URL: `postgres://m:s@a,b/m?${query}`, DEMO_DATA: 'true' }).databaseUrl;
  expect(read('sslmode=require&connect_timeout=3')).toBe('postgres://m:s@a,b/m?sslmode=verify-full&connect_timeout=3');
  expect(read('connect_timeout=3&sslmode=prefer')).toBe('postgres://m:s@a,b/m?connect_timeout=3&sslmode=verify-full');
  expect(warn).not.toHaveBeenCalled();
  const kept = ['sslmode=disable', 'sslmode=no-verify', 'uselibpqcompat=true&sslmode=require'];
  expect(kept.map(read)).toEqual(kept.map((query) => `postgres://m:s@a,b/m?${query}`));
  warn.mockRestore();
});

it('a setting of spaces is one that is not set: no limit of requests is lifted by it', () => {
  const { port, rateLimitPerSecond } = readConfig({ PORT: ' ', RATE_LIMIT_PER_SECOND: ' ' });
  expect([port, rateLimitPerSecond]).toEqual([3000, 100]);
});

it('several servers, a socket, and ranges of proxies are read as before', () => {
  const given = { DEMO_DATA: 'true', TRUSTED_PROXIES: 'loopback, 10.0.0.0/8,::1, fd00::/8' };
  for (const DATABASE_URL of [
    'postgres://m:s@a:5432,b/m?target_session_attrs=any',
    'postgres:///m?host=/run/pg&query_timeout=60000',
  ]) {
    expect(readConfig({ ...given, DATABASE_URL }).trustedProxies).toHaveLength(4);
  }
});

it('links begin with the public address as it is, whether or not a slash or a line break stands at its end', () => {
  for (const PUBLIC_URL of ['https://pay.example', 'https://pay.example/', 'https://Pay.example:443/\n']) {
    const { publicUrl, hostNames } = readConfig({ PUBLIC_URL });
    expect([publicUrl, hostNames]).toEqual(['https://pay.example', ['127.0.0.1', 'pay.example']]);
  }
});

it('a replica is one server: an address of several is refused, of which none would be read', () => {
  const READ_DATABASE_URL = 'postgres://m:password@one:5432,two:5432/m';
  const refusal = refusalOf({ READ_DATABASE_URL, DEMO_DATA: 'true' });
  expect(refusal).toBe(
    'These settings are wrong:\n  READ_DATABASE_URL must be a postgres:// address of one replica, which lists and files are read from',
  );
});

it('a password of the mail server that cannot be decoded is refused at the start, and not with each mail', () => {
  const refusal = refusalOf({
    SMTP_URL: 'smtps://manilla:100%pass@mail.example:465',
    MAIL_FROM: 'no-reply@pay.example',
  });
  expect(refusal).toMatch(/^These settings are wrong:\n {2}SMTP_URL must be smtps:.* %25$/);
  expect(refusal).not.toContain('100');
});

it.each([
  ['true', true],
  ['TRUE', true],
  ['1', true],
  ['false', false],
  ['0', false],
])('WEBHOOK_ALLOW_LOOPBACK=%s is read as a word', (text, read) => {
  expect(readConfig({ DEMO_DATA: 'true', WEBHOOK_ALLOW_LOOPBACK: text }).webhookAllowLoopback).toBe(read);
});
