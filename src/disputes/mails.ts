import type { NewMail } from '../mail/index.ts';
import { formatMoney } from '../money/index.ts';
import { HOUR_MS, lagosTimeText } from '../platform/clock.ts';
import { manyOf } from '../platform/text.ts';
import type { DisputeRow } from './queries.ts';

/**
 * Payers may open many disputes, and a sandbox any number. All mails to one address are one mail every few minutes, so
 * that other mail does not wait for them, nor a reminder for an opening, nor live mode for the sandbox.
 */
const groupOf = (about: 'disputes' | 'dispute-reminders', { mode }: DisputeRow): string => `${about}/${mode}`;

/**
 * For the people who may answer, when a dispute is opened. It has no link: nobody should get used to following links in
 * such mails.
 */
export function openedMail(to: string, row: DisputeRow): NewMail {
  const amount = formatMoney(row.amount_minor, row.currency);
  return {
    to,
    subject: `${isPlay(row)}A payer’s bank wants ${amount} back`,
    text: [
      `A payer disputes a payment of ${amount}, and their bank wants the money back.`,
      row.message === null ? 'The bank gives no reason.' : `The payer says: ${row.message}`,
      untilOf(row),
      'Accept it, or send what proves that the payment is yours: sign in and open Disputes.',
      'You get this mail because you may answer for your business. There is no link in it: sign in as you always do.',
      'Manilla',
    ].join('\n\n'),
    link: null,
    group: groupOf('disputes', row),
  };
}

/** Sent when a third of the time is left and nobody has answered. */
export function reminderMail(to: string, row: DisputeRow, now: Date): NewMail {
  const amount = formatMoney(row.amount_minor, row.currency);
  const hours = row.due_at === null ? 0 : Math.max(1, Math.round((row.due_at.getTime() - now.getTime()) / HOUR_MS));
  return {
    to,
    subject: `${isPlay(row)}About ${manyOf(hours, 'hour')} left to answer a dispute of ${amount}`,
    text: [
      `Nobody has answered the dispute of ${amount} yet.`,
      untilOf(row),
      'Accept it, or send what proves that the payment is yours: sign in and open Disputes.',
      'Manilla',
    ].join('\n\n'),
    link: null,
    group: groupOf('dispute-reminders', row),
  };
}

const isPlay = ({ mode }: DisputeRow) => (mode === 'SANDBOX' ? '[Sandbox] ' : '');

const untilOf = ({ due_at }: DisputeRow) =>
  due_at === null
    ? 'The provider does not say until when it takes an answer: answer today.'
    : `It can be answered until ${lagosTimeText(due_at)}. Without an answer the money is taken then.`;
