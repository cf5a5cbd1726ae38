import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DemoFile } from '../../src/demo/index.ts';
import { type HttpClient, httpClient } from './http-client.ts';
import type { SampleRequest } from './operations.ts';

/** One thing that a client wants done once, whatever happens to the service meanwhile. */
export interface Wish {
  key: string;
  request: SampleRequest;
  /** The answer that it got; a broken connection and a 5xx are none. */
  answer: { status: number; text: string; replayed: boolean } | undefined;
  /** What it heard instead of an answer, in order: an error's code or a body. */
  heard: string[];
}

export interface Load {
  /** Everything asked so far, also by loads before this one. */
  wishes: Wish[];
  /** Lets what is under way end, and begins nothing new. */
  stop(): Promise<void>;
}

/** After an answer that is none: a client does not hammer a service that is down. */
const PAUSE_MS = 25;

/** Asks without pause on so many connections: debits, credits and now and then a payout, each with a key of its own. */
export function startLoad(
  baseUrl: string,
  demo: DemoFile,
  connections: number,
  wishes: Wish[] = [],
  keyPrefix = 'wish',
): Load {
  const client = httpClient(baseUrl, connections);
  let stopped = false;
  const ask = async (): Promise<void> => {
    while (!stopped) {
      const wish: Wish = {
        key: `${keyPrefix}-${wishes.length}`,
        request: makeRequest(demo),
        answer: undefined,
        heard: [],
      };
      wishes.push(wish);
      if (!(await tell(client, demo, wish))) await sleep(PAUSE_MS);
    }
  };
  const asking = Promise.all(Array.from({ length: connections }, ask));
  return {
    wishes,
    async stop() {
      stopped = true;
      await asking;
      await client.close();
    },
  };
}

/** Sends a wish once; true when that brought an answer. */
export async function tell(client: HttpClient, demo: DemoFile, wish: Wish): Promise<boolean> {
  const headers = { authorization: `Bearer ${demo.secretKey}`, 'idempotency-key': wish.key };
  try {
    const { status, headers: got, text } = await client.send(wish.request, headers);
    if (status < 500) wish.answer = { status, text, replayed: got['idempotency-replayed'] === 'true' };
    else wish.heard.push(`${status} ${text}`);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    wish.heard.push(code ?? message);
  }
  return wish.answer !== undefined;
}

/** Until each has its answer. @throws Error for one that gets none in good time. */
export async function tellAgain(
  baseUrl: string,
  demo: DemoFile,
  wishes: readonly Wish[],
  withinMs: number,
): Promise<void> {
  const client = httpClient(baseUrl, 32);
  const deadline = Date.now() + withinMs;
  const waiting = [...wishes];
  const work = async (): Promise<void> => {
    for (let wish = waiting.pop(); wish !== undefined; wish = waiting.pop()) {
      while (!(await tell(client, demo, wish))) {
        if (Date.now() > deadline) throw new Error(`${wish.key} got no answer: ${wish.heard.join(' | ')}`);
        await sleep(100);
      }
    }
  };
  await Promise.all(Array.from({ length: 32 }, work));
  await client.close();
}

/** Money out of stores and into and out of subaccounts; one in twenty more than there is; one in twenty-five a payout. */
function makeRequest(demo: DemoFile): SampleRequest {
  const { pin } = demo;
  const amount = randomInt(1, 5_000) / 100;
  const pick = (ids: readonly string[]) => ids[randomInt(ids.length)] as string;
  const post = (url: string, body: object): SampleRequest => ({ method: 'POST', url, body });
  const choice = randomInt(100);
  if (choice < 4) {
    const to = { bankCode: '058', accountNumber: '0123456785' };
    const payment = {
      pin,
      amount: randomInt(10_000, 20_000) / 100,
      ...to,
      narration: 'Under load',
      allowDuplicate: true,
    };
    return post('/payout/single', payment);
  }
  if (choice < 45)
    return post('/branch/store/debit', { pin, amount, storeId: pick(demo.storeIds), narration: 'Under load' });
  if (choice < 75) return post('/subaccount/credit', { amount, subaccountId: pick(demo.subaccountIds) });
  const tooMuch = choice > 94 ? 9_000_000 : amount;
  return post('/subaccount/debit', { pin, amount: tooMuch, subaccountId: pick(demo.subaccountIds) });
}
