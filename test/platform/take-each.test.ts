import { expect, it } from 'vitest';
import { takeEach } from '../../src/platform/take-each.ts';

function refusing() {
  const lines: unknown[][] = [];
  const logger = { error: (...line: unknown[]) => void lines.push(line) };
  const refused = {
    logger,
    message: 'a report could not be taken',
    about: { rail: 'one' },
    answer: 'Please send them again.',
  };
  return { lines, refused: refused as unknown as Parameters<typeof takeEach>[2] };
}

it('takes all reports at once and returns what became of each, in their order', async () => {
  const { lines, refused } = refusing();
  const taken = await takeEach(
    [30, 10, 20],
    (ms) => new Promise((resolve) => setTimeout(() => resolve(ms), ms)),
    refused,
  );
  expect(taken).toEqual([30, 10, 20]);
  expect(lines).toEqual([]);
});

it('takes the others where some cannot be kept, says each cause once with how often, and asks for all of them again', async () => {
  const { lines, refused } = refusing();
  const taken: number[] = [];
  const take = async (report: number) => {
    if (report % 2 === 0) throw new Error('the disk is full');
    if (report === 5) throw Object.assign(new Error('401'), { advice: 'the provider refuses its key', reason: 'KEY' });
    taken.push(report);
  };
  await expect(takeEach([1, 2, 3, 4, 5], take, refused)).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    message: 'Please send them again.',
  });
  expect(taken).toEqual([1, 3]);
  expect(lines).toEqual([
    [{ err: new Error('the disk is full'), rail: 'one', times: 2 }, 'a report could not be taken'],
    [
      { rail: 'one', times: 1, reason: 'KEY' },
      'a report could not be taken (account one): the provider refuses its key',
    ],
  ]);
});
