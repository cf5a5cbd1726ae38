import { readFileSync } from 'node:fs';
import type { ApiDocument } from '../document.ts';
import { errorGuide } from './error-guide.ts';
import { eventGuide } from './event-guide.ts';

/** A page for integrators, at `/docs/<name>` and as Markdown at `/docs/<name>.md`. */
export interface Guide {
  name: string;
  title: string;
  /** One line: what somebody finds there. */
  about: string;
  markdown: string;
}

const FILES = [
  { name: 'integrating', about: 'Keys, modes, amounts, idempotency, payouts, approvals and going live.' },
  { name: 'webhooks', about: 'Receiving events, checking signatures, reading the event log.' },
  { name: 'bulk-files', about: 'Lists of payouts as CSV, Excel workbook or JSON.' },
  { name: 'states', about: 'Every status, what follows it, and what is final.' },
  { name: 'sandbox-rail', about: 'Every way in which a bank goes wrong, on request.' },
  { name: 'rails', about: 'The banks and providers that pay, and what they report.' },
];

/** Everything that an integrator reads of this installation; the catalogues are made from the API document. */
export function guidesOf(document: ApiDocument): Guide[] {
  const files = FILES.map(({ name, about }) => {
    const markdown = readProjectFile(`docs/${name}.md`);
    return { name, about, title: titleOf(markdown), markdown };
  });
  const errors = { name: 'errors', title: 'Errors', about: 'Every error code: its status and what to do.' };
  const events = { name: 'events', title: 'Events', about: 'Every type of event and the fields of its data.' };
  return [
    ...files,
    { ...errors, markdown: errorGuide(document) },
    { ...events, markdown: eventGuide(document) },
    {
      name: 'changelog',
      title: 'Changelog',
      about: 'What changed from version to version.',
      markdown: readProjectFile('CHANGELOG.md'),
    },
  ];
}

const readProjectFile = (path: string): string => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');

const titleOf = (markdown: string): string => /^# (.+)$/m.exec(markdown)?.[1] ?? '';
