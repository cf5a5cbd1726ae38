import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { leaseDueAnswers } from '../../src/disputes/answer-queries.ts';
import { remindOfDisputes, takeFreed } from '../../src/disputes/index.ts';
import { leaseDueDisputes } from '../../src/disputes/queries.ts';
import { brokenChecks } from '../support/proof.ts';
import { amongOlder, createDisputeFixture, type DisputeFixture } from './fixture.ts';

let t: DisputeFixture;

beforeAll(async () => {
  t = await createDisputeFixture();
});
afterAll(async () => {
  expect((await brokenChecks(t.database)).map(({ name, examples }) => ({ name, examples }))).toEqual([]);
  await t.close();
});

describe('the money of a dispute', () => {
  it('holds what is wanted back as a dispute is opened, once, however often it is reported', async () => {
    const payee = await t.payee();
    const hint = await t.pay(payee, 100_00n);
    const dispute = await t.dispute(hint, 60_00n);
    await Promise.all([t.hear(dispute), t.hear(dispute), t.hear(dispute)]);
    expect(await t.available(payee)).toBe(40_00n);
    expect(await payee.balance()).toBe(100_00n);
    expect(await t.find(dispute.providerDisputeId)).toMatchObject({ status: 'OPEN', held_minor: 60_00n, version: 1 });
  });

  it('releases the hold when the dispute is won', async () => {
    const payee = await t.payee();
    const dispute = await t.dispute(await t.pay(payee, 100_00n), 100_00n);
    expect(await t.available(payee)).toBe(0n);
    expect(await t.end(dispute, 'won')).toMatchObject({ status: 'WON', taken_minor: 0n, loss_minor: 0n });
    expect(await t.available(payee)).toBe(100_00n);
  });

  it('takes what is held when the dispute is lost, by silence too, and owes nothing', async () => {
    const payee = await t.payee();
    const dispute = await t.dispute(await t.pay(payee, 100_00n), 70_00n);
    const row = await t.end(dispute, 'lost', true);
    expect(row).toMatchObject({ status: 'LOST', reason: 'NOT_ANSWERED_IN_TIME', taken_minor: 70_00n, loss_minor: 0n });
    expect(await payee.balance()).toBe(30_00n);
  });

  it('has the merchant owe what its wallet did not have, and later money pays it', async () => {
    const payee = await t.payee();
    const hint = await t.pay(payee, 100_00n);
    const first = await t.dispute(hint, 80_00n);
    const other = await t.pay(payee, 10_00n);
    await t.end(first, 'lost');
    expect(await payee.balance()).toBe(30_00n);
    const second = await t.dispute(hint, 50_00n);
    expect(await t.find(second.providerDisputeId)).toMatchObject({
      disputed_minor: 20_00n,
      operator_reason: 'TAKEN_BACK_BEFORE',
    });
    const third = await t.dispute(other, 10_00n);
    const fourth = await t.dispute(await t.pay(payee, 5_00n), 500_00n);
    expect(await t.find(fourth.providerDisputeId)).toMatchObject({
      disputed_minor: 5_00n,
      operator_reason: 'ABOVE_PAYMENT',
    });
    for (const dispute of [second, third, fourth]) await t.end(dispute, 'accepted');
    expect(await payee.balance()).toBe(0n);
    expect(await t.repay()).toBe(0);
  });

  it('holds what its wallet did not have as that comes, before the merchant spends it, and takes all of it when it is lost', async () => {
    const payee = await t.payee();
    const hint = await t.pay(payee, 100_00n);
    await t.drain(payee);
    const dispute = await t.dispute(hint, 80_00n);
    const held = async () => (await t.find(dispute.providerDisputeId)).held_minor;
    expect(await held()).toBe(0n);
    for (const [comes, holds] of [
      [30_00n, 30_00n],
      [20_00n, 50_00n],
      [100_00n, 80_00n],
    ] as const) {
      await t.pay(payee, comes);
      // Several workers come to it at once.
      await Promise.all([1, 2, 3].map(() => takeFreed(t.deps, 'LIVE')));
      expect(await held()).toBe(holds);
    }
    expect(await t.available(payee)).toBe(70_00n);
    expect(await takeFreed(t.deps, 'LIVE')).toBe(0);
    expect(await t.end(dispute, 'lost')).toMatchObject({ taken_minor: 80_00n, loss_minor: 0n });
    expect(await payee.balance()).toBe(70_00n);
  });

  it('releases all that it held, step by step, when it is won', async () => {
    const payee = await t.payee();
    const hint = await t.pay(payee, 100_00n);
    await t.drain(payee);
    await t.pay(payee, 10_00n);
    const dispute = await t.dispute(hint, 80_00n);
    await t.pay(payee, 90_00n);
    await takeFreed(t.deps, 'LIVE');
    expect(await t.available(payee)).toBe(20_00n);
    await t.end(dispute, 'won');
    expect(await t.available(payee)).toBe(100_00n);
  });

  it('pays a debt down step by step as money comes, and never overdraws', async () => {
    const payee = await t.payee();
    const hint = await t.pay(payee, 100_00n);
    // Spent: the wallet is empty when the dispute comes.
    const spent = await t.dispute(await t.pay(payee, 1_00n), 1_00n);
    await t.end(spent, 'lost');
    await t.drain(payee);
    const dispute = await t.dispute(hint, 100_00n);
    expect(await t.find(dispute.providerDisputeId)).toMatchObject({
      disputed_minor: 100_00n,
      held_minor: 0n,
      hold_id: null,
    });
    const lost = await t.end(dispute, 'lost');
    expect(lost).toMatchObject({ taken_minor: 0n, loss_minor: 100_00n });
    expect((await t.booked(payee))['MERCHANT_RECEIVABLE']).toBe(-100_00n);
    await t.pay(payee, 30_00n);
    await Promise.all([t.repay(), t.repay(), t.repay()]);
    expect(await payee.balance()).toBe(0n);
    expect((await t.booked(payee))['MERCHANT_RECEIVABLE']).toBe(-70_00n);
    await t.pay(payee, 90_00n);
    await t.repay();
    expect((await t.booked(payee))['MERCHANT_RECEIVABLE']).toBe(0n);
    expect(await payee.balance()).toBe(20_00n);
  });
});

describe('a reminder that a dispute is not answered', () => {
  const about = 'left to answer a dispute';
  /** A payee whose owner has an open dispute to be reminded of. */
  async function disputed(email: string) {
    const payee = await t.payee();
    await t.owner(payee, email);
    const { providerDisputeId } = await t.dispute(await t.pay(payee, 100_00n), 1_00n);
    return t.find(providerDisputeId);
  }
  const reminders = async (email: string) => (await t.mails(email)).filter((subject) => subject.includes(about)).length;

  it('comes once, also where another merchant cannot be reminded, and where that one has hundreds', async () => {
    const [unwritable, many] = [await disputed('unwritable@adire.example'), await disputed('many@adire.example')];
    const { id } = await disputed('other@adire.example');
    t.base.clock.advance(12 * 60 * 60_000);
    const rejects = `alter table mails add constraint unwritable check (recipient <> 'unwritable@adire.example') not valid`;
    await t.database.pool.query(rejects);
    const first = new Date((unwritable.remind_at as Date).getTime() - 60 * 60_000);
    await t.database.pool.query('update disputes set remind_at = $2 where id = $1', [unwritable.id, first]);
    const remind = () => remindOfDisputes(t.deps, 'LIVE');
    await amongOlder(t.database, { id: many.id, count: 250 }, async () => {
      await Promise.all([remind(), remind()]);
      expect(await reminders('other@adire.example')).toBe(1);
      await remind();
    });
    expect(await reminders('many@adire.example')).toBe(251);
    expect([await reminders('other@adire.example'), await reminders('unwritable@adire.example')]).toEqual([1, 0]);
    await t.database.pool.query('alter table mails drop constraint unwritable');
    t.base.clock.advance(10 * 60_000);
    expect([await remind(), await reminders('unwritable@adire.example'), await remind()]).toEqual([1, 1, 0]);
    expect((await t.database.pool.query('select remind_at from disputes where id = $1', [id])).rows[0].remind_at).toBe(
      null,
    );
  });
});

describe('what is due of a merchant’s disputes', () => {
  it('is taken up in the same run as that of another who has hundreds', async () => {
    const disputed = async () => {
      const { providerDisputeId } = await t.dispute(await t.pay(await t.payee(), 100_00n), 1_00n);
      return t.find(providerDisputeId);
    };
    const [many, few] = [await disputed(), await disputed()];
    t.base.clock.advance(60 * 60_000);
    const now = t.base.clock.now();
    const until = new Date(now.getTime() + 60_000);
    const ofFew = (rows: readonly { merchant_id: string }[]) =>
      rows.filter(({ merchant_id }) => merchant_id === few.merchant_id).length;
    await amongOlder(t.database, { id: many.id, count: 50 }, async () => {
      expect(ofFew(await t.database.query(leaseDueDisputes, ['LIVE', now, until, 16]))).toBe(1);
    });
    for (const [{ merchant_id, id }, count, minutesAgo] of [
      [many, 50, 9],
      [few, 1, 1],
    ] as const) {
      await t.database.pool.query(
        `insert into dispute_answers (merchant_id, mode, id, dispute_id, action, content, files, status, made_by, made_at, attempts,
           due_at, digest)
         select $1, 'LIVE', gen_random_uuid(), $2, 'CONTEST', '{}', 0, 'QUEUED', 'ada', $3, 0, $3, 'd' from generate_series(1, $4)`,
        [merchant_id, id, new Date(now.getTime() - minutesAgo * 60_000), count],
      );
    }
    expect(ofFew(await t.database.query(leaseDueAnswers, ['LIVE', now, until, 4]))).toBe(1);
    await t.database.pool.query(`delete from dispute_answers where digest = 'd'`);
  });
});
