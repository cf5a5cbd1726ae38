import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createSecureContext, createServer as createTlsServer } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openConnection } from '../../src/webhooks/connection.ts';
import {
  addressFault,
  type Dial,
  ForbiddenAddressError,
  guardedConnect,
  isCallable,
} from '../../src/webhooks/guarded-connect.ts';
import { startReceiver } from './receiver.ts';
import { createWebhookFixture, type WebhookFixture } from './webhook-fixture.ts';

const PUBLIC = '93.184.215.14';
const PUBLIC_V6 = '2606:4700::6810:84e5';

/** Everything that listens on this machine, on every address of it: whatever gets here got too far. */
let server: Server;
let port: number;
let connections = 0;
let fixture: WebhookFixture;
beforeAll(async () => {
  server = createServer((_, response) => response.end('you should not be here'));
  server.on('connection', () => (connections += 1));
  await new Promise<void>((resolve) => server.listen(0, '::', resolve));
  ({ port } = server.address() as AddressInfo);
  fixture = await createWebhookFixture({ allowLoopback: false });
});
afterAll(async () => {
  await new Promise((resolve) => server.close(resolve));
  await fixture.close();
});

/** Dials nobody, and notes who would have been. */
function notingDial(): { dial: Dial; dialled: string[] } {
  const dialled: string[] = [];
  return {
    dialled,
    dial: ({ hostname, servername }, callback) => {
      dialled.push(`${hostname}${servername == null ? '' : ` as ${servername}`}`);
      callback(Object.assign(new Error('nobody is called'), { code: 'ECONNREFUSED' }), null);
    },
  };
}

/** As text in an address; PORT stands for the one that listens here. */
const LITERALS = [
  'http://127.0.0.1:PORT',
  'http://127.1:PORT',
  'http://127.0.1:PORT',
  'http://127.8.9.10:PORT',
  'http://127.0.0.1.:PORT',
  'http://2130706433:PORT',
  'http://0x7f000001:PORT',
  'http://0x7f.0x0.0x0.0x1:PORT',
  'http://0x7f.1:PORT',
  'http://017700000001:PORT',
  'http://0177.0.0.1:PORT',
  'http://0177.0.0.01:PORT',
  'http://①②⑦.⓪.⓪.①:PORT',
  'http://127。0。0。1:PORT',
  'http://127.0.0.1:PORT/?x=@example.com',
  'http://0:PORT',
  'http://0.0.0.0:PORT',
  'http://localhost:PORT',
  'http://LOCALHOST:PORT',
  'http://localhost.:PORT',
  'http://api.localhost:PORT',
  'http://ｌｏｃａｌｈｏｓｔ:PORT',
  'http://[::1]:PORT',
  'http://[::]:PORT',
  'http://[0:0:0:0:0:0:0:1]:PORT',
  'http://[::ffff:127.0.0.1]:PORT',
  'http://[::ffff:7f00:1]:PORT',
  'http://[0:0:0:0:0:ffff:127.0.0.1]:PORT',
  'http://[::127.0.0.1]:PORT',
  'http://[64:ff9b::7f00:1]:PORT',
  'http://[64:ff9b:1::7f00:1]:PORT',
  'http://[2002:7f00:1::]:PORT',
  'http://[2001:0:7f00:1::]:PORT',
  'http://[fe80::1]:PORT',
  'http://[fe80::1%25lo]:PORT',
  'http://[fc00::1]:PORT',
  'http://[fd00:ec2::254]:PORT',
  'http://[fec0::1]:PORT',
  'http://[ff02::1]:PORT',
  'http://[2001:db8::1]:PORT',
  'http://[3fff::1]:PORT',
  'http://[5f00::1]:PORT',
  'http://[4000::1]:PORT',
  'http://10.0.0.1:PORT',
  'http://10.255.255.255:PORT',
  'http://172.16.0.1:PORT',
  'http://172.31.255.254:PORT',
  'http://192.168.1.1:PORT',
  'http://0300.0250.1.1:PORT',
  'http://169.254.169.254/latest/meta-data',
  'http://169.254.170.2:PORT',
  'http://2852039166/latest/meta-data',
  'http://100.64.0.1:PORT',
  'http://100.100.100.200:PORT',
  'http://192.0.0.192:PORT',
  'http://192.0.2.1:PORT',
  'http://198.18.0.1:PORT',
  'http://198.51.100.7:PORT',
  'http://203.0.113.9:PORT',
  'http://192.88.99.1:PORT',
  'http://168.63.129.16:PORT',
  'http://224.0.0.1:PORT',
  'http://240.0.0.1:PORT',
  'http://255.255.255.255:PORT',
  'http://user@127.0.0.1:PORT',
  'http://example.com@127.0.0.1:PORT',
  'http://example.com:80@127.0.0.1:PORT',
  'http://example.com%2f@127.0.0.1:PORT',
  'http://1.1.1.1 &@127.0.0.1:PORT',
  'http:127.0.0.1:PORT',
  'http:///127.0.0.1:PORT',
  'http:\\\\127.0.0.1:PORT',
  'http://127.0.0.1%00.example.com:PORT',
  'http://metadata.google.internal/computeMetadata/v1/',
  'http://printer.local:PORT',
  'http://intranet:PORT',
  'http://wallet.corp:PORT',
  'file:///etc/passwd',
  'gopher://127.0.0.1:PORT',
  'ftp://127.0.0.1:PORT',
  'unix:/var/run/docker.sock',
  'http://example.com:22',
  'http://example.com:25',
  'http://example.com:6379',
  'http://example.com:5432',
];

describe('an address as it is written', () => {
  it.each(LITERALS)('%s is refused, and no connection is made', async (text) => {
    const url = text.replace('PORT', String(port));
    const before = connections;
    expect(addressFault(url, { mode: 'SANDBOX', allowLoopback: false })).toMatch(/^must .*[^.]$/);
    const connection = openConnection(url, { mode: 'SANDBOX', allowLoopback: false });
    const result = await connection.post('{}', {});
    connection.close();
    expect(result).toMatchObject({ statusCode: null, answer: null });
    expect(result?.error).toMatch(/^The address must .*\.$/);
    expect(connections).toBe(before);
  });

  it.each([
    'https://shop.example.com/hooks?key=1#part',
    'https://shop.example.com:8443/hooks',
    'http://shop.example.com:80/hooks',
    'https://SHOP.example.com/hooks',
    'https://shop.example.com./hooks',
    'https://café.example.com/hooks',
    'https://xn--caf-dma.example.com/hooks',
    'https://8.8.8.8/hooks',
    'https://[2606:4700::6810:84e5]/hooks',
    'https://shop.example.com/@user:pass',
  ])('%s is taken', (url) => {
    expect(addressFault(url, { mode: 'SANDBOX', allowLoopback: false })).toBeUndefined();
  });

  it('must be https for live events', () => {
    const live = { mode: 'LIVE', allowLoopback: true } as const;
    expect(addressFault('http://shop.example.com/hooks', live)).toBe('must begin with https:// in live mode');
    expect(addressFault('https://shop.example.com/hooks', live)).toBeUndefined();
  });

  it('may be this machine for sandbox events and by setting only', () => {
    for (const url of ['http://127.0.0.1:4000/', 'http://localhost:4000/', 'http://[::1]:4000/']) {
      expect(addressFault(url, { mode: 'SANDBOX', allowLoopback: true })).toBeUndefined();
      expect(addressFault(url, { mode: 'SANDBOX', allowLoopback: false })).toBeDefined();
      expect(addressFault(url.replace('http', 'https'), { mode: 'LIVE', allowLoopback: true })).toBeDefined();
    }
    for (const url of ['http://10.0.0.1/', 'http://169.254.169.254/', 'http://2130706433:4000/']) {
      expect(addressFault(url, { mode: 'SANDBOX', allowLoopback: true })).toBeDefined();
    }
  });

  it('is refused with its field when it is set, and the old one stays', async () => {
    const merchant = await fixture.addMerchant();
    await merchant.setAddress('https://shop.example.com/hooks');
    const refusedOnes = [
      ...['http://169.254.169.254/', 'http://0x7f.1/', 'https://user:pw@shop.example.com/'],
      ...[
        String.raw`https://shop.example.com\hooks`,
        'https://shop.example.com/\u202eskooh',
        'https://@shop.example.com/',
      ],
    ];
    for (const url of refusedOnes) {
      const { status, body } = await merchant.call('PATCH', '/merchant/info', { sandboxWebhookURL: url });
      expect([status, body.code, body.errors[0].field]).toEqual([400, 'VALIDATION_FAILED', 'sandboxWebhookURL']);
    }
    expect((await merchant.endpoint()).url).toBe('https://shop.example.com/hooks');
    const live = await fixture.addMerchant('LIVE');
    const refused = await live.call('PATCH', '/merchant/info', { productionWebhookURL: 'http://shop.example.com/' });
    expect(refused.body.errors).toEqual([
      { field: 'productionWebhookURL', message: 'must begin with https:// in live mode' },
    ]);
  });
});

describe('a name', () => {
  const ANSWERS: [string, string[]][] = [
    ['this machine', ['127.0.0.1']],
    ['this machine in IPv6', ['::1']],
    ['this machine, mapped', ['::ffff:127.0.0.1']],
    ['this machine by NAT64', ['64:ff9b::7f00:1']],
    ['one private address among public ones', [PUBLIC, PUBLIC_V6, '10.0.0.5', '1.1.1.1']],
    ['a private IPv6 address behind a public IPv4 address', [PUBLIC, 'fd00::1']],
    ['the metadata of a cloud', ['169.254.169.254']],
    ['the unspecified address', ['0.0.0.0']],
    ['the unspecified IPv6 address', ['::']],
    ['a shared address', ['100.64.0.1']],
    ['multicast', ['224.0.0.251']],
    ['a link-local address', ['fe80::1']],
    ['6to4 around this machine', ['2002:7f00:1::1']],
    ['nowhere', []],
    ['something that is no address', ['shop.example.com']],
  ];

  it.each(ANSWERS)('that leads to %s is not called', async (_what, addresses) => {
    const { dial, dialled } = notingDial();
    const before = connections;
    const options = { mode: 'SANDBOX', allowLoopback: false, dial, resolve: async () => addresses } as const;
    const connection = openConnection(`http://shop.example.com:${port}/`, options);
    const result = await connection.post('{}', {});
    connection.close();
    expect(result?.error).toBe('The address leads to a private or reserved network.');
    expect(dialled).toEqual([]);
    expect(connections).toBe(before);
  });

  it('is called at the very addresses that were checked, under its own name', async () => {
    const { dial, dialled } = notingDial();
    const resolve = async () => [PUBLIC, PUBLIC_V6];
    for (const url of ['https://shop.example.com./hooks', 'http://shop.example.com/hooks']) {
      const connection = openConnection(url, { mode: 'SANDBOX', allowLoopback: false, dial, resolve });
      await connection.post('{}', {});
      connection.close();
    }
    const once = [`${PUBLIC} as shop.example.com`, `${PUBLIC_V6} as shop.example.com`];
    expect(dialled).toEqual([...once, ...once]);
  });

  it('that leads elsewhere after the check is not followed there, and not at the next connection', async () => {
    const { dial, dialled } = notingDial();
    let asked = 0;
    const resolve = async () => {
      asked += 1;
      return [asked === 1 ? PUBLIC : '127.0.0.1'];
    };
    const before = connections;
    const options = { mode: 'SANDBOX', allowLoopback: false, dial, resolve } as const;
    const connection = openConnection(`http://shop.example.com:${port}/`, options);
    expect((await connection.post('{}', {}))?.error).toBe('The connection was refused.');
    expect(asked).toBe(1);
    expect((await connection.post('{}', {}))?.error).toBe('The address leads to a private or reserved network.');
    connection.close();
    expect(dialled).toEqual([`${PUBLIC} as shop.example.com`]);
    expect(connections).toBe(before);
  });

  it('that cannot be looked up is said in words', async () => {
    const words = async (code: string) => {
      const resolve = () => Promise.reject(Object.assign(new Error(code), { code }));
      const connection = openConnection('https://shop.example.com/', { mode: 'LIVE', allowLoopback: false, resolve });
      const result = await connection.post('{}', {});
      connection.close();
      return result?.error;
    };
    expect(await words('ENOTFOUND')).toBe('The host name does not exist.');
    expect(await words('ETIMEOUT')).toBe('The host name could not be looked up in time.');
  });

  it('is asked for by name in TLS, and a certificate that nobody vouches for is not accepted', async () => {
    const asked: string[] = [];
    const tls = createTlsServer({
      SNICallback: (name, done) => {
        asked.push(name);
        done(null, createSecureContext({}));
      },
    });
    tls.on('tlsClientError', () => undefined);
    await new Promise<void>((resolve) => tls.listen(0, '127.0.0.1', resolve));
    const url = `https://shop.example.com:${(tls.address() as AddressInfo).port}/`;
    const resolve = async () => ['127.0.0.1'];
    const connection = openConnection(url, { mode: 'SANDBOX', allowLoopback: true, resolve });
    const result = await connection.post('{}', {});
    connection.close();
    await new Promise((done) => tls.close(done));
    expect(asked).toEqual(['shop.example.com']);
    expect(result).toMatchObject({ statusCode: null });
    expect(result?.error).not.toBeNull();
  });
});

describe('a connection', () => {
  it('is refused by itself for every such address, should one ever get past the reading of it', async () => {
    const urls = LITERALS.map((text) => text.replace('PORT', String(port)))
      .filter((text) => URL.canParse(text) && new URL(text).protocol === 'http:')
      .map((text) => new URL(text));
    const before = connections;
    // Every name leads to this machine.
    const connect = guardedConnect({ allowLoopback: false, resolve: async () => ['127.0.0.1'] });
    expect(urls.length).toBeGreaterThan(60);
    for (const { hostname, host, protocol } of urls) {
      const refused = await new Promise((resolve) =>
        connect({ hostname, host, protocol, port: String(port) }, (...[error]) => resolve(error)),
      );
      expect(refused, host).toBeInstanceOf(ForbiddenAddressError);
    }
    expect(connections).toBe(before);
  });
});

describe('an IP address', () => {
  it.each(['8.8.8.8', '1.1.1.1', PUBLIC, PUBLIC_V6, '2a00:1450:4001::1'])('%s is public', (address) => {
    expect(isCallable(address, false)).toBe(true);
  });

  it('of this machine is allowed by the setting, and nothing else of this kind is', () => {
    for (const address of ['127.0.0.1', '127.9.9.9', '::1']) expect(isCallable(address, true)).toBe(true);
    for (const address of ['10.0.0.1', '0.0.0.0', '::', '::ffff:127.0.0.1', 'fe80::1', '169.254.169.254'])
      expect(isCallable(address, true)).toBe(false);
  });
});

describe('an address that became forbidden', () => {
  it('is not called with live events: the log says why', async () => {
    const receiver = await startReceiver();
    const live = await fixture.addMerchant('LIVE', { productionWebhookUrl: receiver.url });
    await live.happen(1);
    await fixture.worker.runOnce();
    const [delivery] = await live.deliveries();
    expect(delivery).toMatchObject({ status: 'PENDING', attempts: 1 });
    expect(delivery.lastAttempt.error).toBe('The address must begin with https:// in live mode.');
    expect(receiver.connections()).toBe(0);
    await receiver.close();
  });

  it('is refused by a test call, too', async () => {
    const receiver = await startReceiver();
    const merchant = await fixture.addMerchant('SANDBOX', { sandboxWebhookUrl: receiver.url });
    await fixture.worker.runOnce();
    await fixture.database.pool.query(
      `insert into webhook_endpoints (merchant_id, mode, id, url, status, cursor_sequence, failures_in_a_row, created_at, updated_at)
       values ($1, 'SANDBOX', $1, $2, 'ENABLED', 0, 0, now(), now()) on conflict do nothing`,
      [merchant.merchantId, receiver.url],
    );
    const result = await merchant.must('POST', '/webhook/test');
    expect(result).toMatchObject({ delivered: false, statusCode: null });
    expect(receiver.connections()).toBe(0);
    await receiver.close();
  });
});
