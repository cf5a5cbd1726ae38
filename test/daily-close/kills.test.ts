import { afterAll, beforeAll, expect, it } from 'vitest';
import { readDay, reopenClose, signClose, signCloseSecond } from '../../src/daily-close/index.ts';
import { lagosDay } from '../../src/platform/clock.ts';
import { createSettlementFixture, type SettlementFixture } from '../provider-settlements/fixture.ts';
import { killedAtStep } from '../support/killed-database.ts';
import { brokenChecks } from '../support/proof.ts';

let fixture: SettlementFixture;
let day: string;
beforeAll(async () => {
  fixture = await createSettlementFixture();
  const merchant = await fixture.payee();
  await fixture.pay(merchant, 1_000_00n);
  day = lagosDay(fixture.clock.now());
  fixture.clock.advance(2 * 24 * 60 * 60_000);
});
afterAll(async () => {
  expect(await brokenChecks(fixture.database)).toEqual([]);
  await fixture.close();
});

const read = () => readDay(fixture, { mode: 'LIVE', day });
/** More than any of the commands takes. */
const MOST_STEPS = 20;

/** A command by a process that is killed at each of its steps in turn, with what is there after each. */
async function killed(
  when: 'BEFORE' | 'AFTER',
  command: (deps: Pick<SettlementFixture, 'database' | 'clock'>) => Promise<unknown>,
  after: () => Promise<void>,
): Promise<number> {
  for (let nth = 1; nth <= MOST_STEPS; nth += 1) {
    const { doomed, died } = killedAtStep(fixture.database, nth, when);
    await command({ database: doomed, clock: fixture.clock }).catch(() => undefined);
    await after();
    if (!died()) return nth - 1;
  }
  throw new Error('the command takes more steps than that');
}

it.each(['BEFORE', 'AFTER'] as const)(
  'a day whose signing is killed %s any step is signed once or not at all, and the same again for the second and for reopening',
  async (when) => {
    const { ada, bola, chidi } = fixture.people;
    const { digest, versions: before } = await read();
    const sign = (deps: Pick<SettlementFixture, 'database' | 'clock'>) =>
      signClose(deps, { mode: 'LIVE', day, digest, personId: ada });
    const steps = await killed(when, sign, async () => {
      const { versions } = await read();
      expect(versions.length - before.length).toBeLessThanOrEqual(1);
    });
    expect(steps).toBeGreaterThan(2);
    const { close } = await read();
    expect(close).toMatchObject({ version: before.length + 1, figures_digest: digest, signed_by: ada });
    const closeId = close?.id ?? '';
    await killed(
      when,
      (deps) => signCloseSecond(deps, { closeId, digest, personId: bola }),
      async () => {
        const second = (await read()).close;
        expect([null, bola]).toContain(second?.second_by ?? null);
        expect((second?.second_by ?? null) === null).toBe((second?.second_at ?? null) === null);
      },
    );
    expect((await read()).close).toMatchObject({ second_by: bola });
    await killed(
      when,
      (deps) => reopenClose(deps, { closeId, reason: 'The bank corrected a payment', personId: chidi }),
      async () => {
        const found = (await read()).versions.find(({ id }) => id === closeId);
        expect((found?.reopened_at ?? null) === null).toBe((found?.reopened_by ?? null) === null);
      },
    );
    expect((await read()).close).toBeUndefined();
  },
);
