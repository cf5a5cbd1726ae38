import { AppError } from '../errors.ts';

/** What there is of something at once, such as memory, for everybody and for one caller. */
export interface QuotaLimits {
  total: number;
  /** Less than the total: one caller never keeps all others out. */
  perCaller: number;
  /** How many may wait for their turn, and how many of them for one caller; more are refused. */
  maxWaiting: number;
  maxWaitingOfCaller: number;
}

interface Quota {
  /**
   * Takes `amount` of it, when it is the caller's turn. Release it by the function that comes, once or more often.
   * @throws AppError 503 `UPLOADS_BUSY` when too many wait already.
   */
  take(caller: string, amount: number): Promise<() => void>;
}

/** Enough for the next list to be read, seldom enough that retries are no load of their own. */
const RETRY_AFTER_SECONDS = 10;

const uploadsBusy = () =>
  new AppError(
    'unavailable',
    'UPLOADS_BUSY',
    'Too many uploads are being taken in at the moment. Nothing was kept of this one; please send it again shortly.',
    { retryAfterSeconds: RETRY_AFTER_SECONDS },
  );

interface Waiting {
  caller: string;
  amount: number;
  go(): void;
}

/**
 * In order of arrival, but that nobody waits behind a caller who has all that one caller may have. An amount larger than
 * one caller may have is taken when that caller has nothing else. No `createOwnerQueue`: pieces have sizes, and a large one
 * keeps its place.
 */
export function createQuota({ total, perCaller, maxWaiting, maxWaitingOfCaller }: QuotaLimits): Quota {
  const held = new Map<string, number>();
  let heldInAll = 0;
  const waiting: Waiting[] = [];

  const has = (caller: string) => held.get(caller) ?? 0;
  const hasOwnCapacity = ({ caller, amount }: Waiting) => has(caller) + Math.min(amount, perCaller) <= perCaller;
  const hasCapacity = ({ amount }: Waiting) => heldInAll + Math.min(amount, total) <= total;

  function hold({ caller, amount }: Waiting): () => void {
    held.set(caller, has(caller) + amount);
    heldInAll += amount;
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      heldInAll -= amount;
      if (has(caller) === amount) held.delete(caller);
      else held.set(caller, has(caller) - amount);
      admitNext();
    };
  }

  function admitNext(): void {
    for (let at = 0; at < waiting.length; ) {
      const next = waiting[at] as Waiting;
      if (!hasOwnCapacity(next)) {
        at += 1;
        continue;
      }
      // Whoever needs much is not overtaken for ever by those who need little.
      if (!hasCapacity(next)) return;
      waiting.splice(at, 1);
      next.go();
    }
  }

  return {
    take(caller, amount) {
      return new Promise((resolve, reject) => {
        const one: Waiting = { caller, amount, go: () => resolve(hold(one)) };
        waiting.push(one);
        admitNext();
        if (waiting.at(-1) !== one) return;
        const ofCaller = waiting.filter((other) => other.caller === caller).length;
        if (waiting.length <= maxWaiting && ofCaller <= maxWaitingOfCaller) return;
        waiting.pop();
        reject(uploadsBusy());
      });
    },
  };
}
