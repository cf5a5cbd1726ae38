import { describe, expect, it } from 'vitest';
import { isWorkingDay, lastRun, nextRun } from '../../src/merchant-settlements/calendar.ts';

/** Christmas of 2026 is a Friday, and Boxing Day a Saturday. */
const HOLIDAYS = new Set(['2026-12-25', '2026-12-26', '2027-01-01']);
const lagos = (text: string) => new Date(`${text}:00+01:00`);

describe('the calendar of settlements', () => {
  it('counts neither weekends nor bank holidays as working days', () => {
    const days = ['2026-12-24', '2026-12-25', '2026-12-26', '2026-12-27', '2026-12-28'];
    expect(days.map((day) => isWorkingDay(day, HOLIDAYS))).toEqual([true, false, false, false, true]);
  });

  it('settles the payments of a day on the next working day, at the time of day in Lagos', () => {
    const on = (text: string) => nextRun(lagos(text), '08:00', HOLIDAYS).day;
    expect(on('2026-11-25T07:59')).toBe('2026-11-25');
    expect(on('2026-11-25T08:00')).toBe('2026-11-26');
    expect(on('2026-11-27T09:00')).toBe('2026-11-30');
    expect(on('2026-12-24T08:00')).toBe('2026-12-28');
    expect(on('2026-12-31T23:59')).toBe('2027-01-04');
    expect(nextRun(lagos('2026-11-25T23:30'), '00:15', HOLIDAYS).at).toEqual(lagos('2026-11-26T00:15'));
  });

  it('finds the last turn that a worker was away for, and none before its first', () => {
    const since = lagos('2026-12-23T00:00');
    expect(lastRun(lagos('2026-12-29T07:00'), since, '08:00', HOLIDAYS)?.day).toBe('2026-12-28');
    expect(lastRun(lagos('2026-12-23T07:00'), since, '08:00', HOLIDAYS)).toBeUndefined();
  });

  it('says that a calendar without a working day is wrong, and looks no further', () => {
    const all = new Set(
      Array.from({ length: 100 }, (_, at) => new Date(Date.UTC(2026, 0, 1 + at)).toISOString().slice(0, 10)),
    );
    expect(() => nextRun(lagos('2026-01-01T09:00'), '08:00', all)).toThrow('no working day');
  });
});
