import { hash } from 'node:crypto';
import { createLruMap } from '../platform/cache.ts';
import { uuidOfHex } from '../platform/ids.ts';
import { type Tenant, tenantKey } from '../platform/tenant.ts';
import type { EventDraft, VaryingPlace, VaryingText } from './movement.ts';

/** What events of one kind have in common, as a row of `event_templates`. */
export interface EventTemplate {
  id: string;
  text: string;
  valueCount: number;
}

/** The text of an event as its row has it. */
export interface StoredText {
  data: string;
  /** Undefined where `data` is the whole text. */
  template?: EventTemplate;
}

/**
 * How a process stores the texts of its events: whole, or as what differs from a template. It learns the templates from
 * the events, and uses one for an event only where it gives exactly the text of that event.
 */
export interface EventTexts {
  /** The template that an event is likely to be stored with, to look whether the database has it. */
  likely(tenant: Tenant, draft: EventDraft): EventTemplate | undefined;
  /** @param at the event's time, ISO 8601 */
  store(tenant: Tenant, draft: EventDraft, at: string): StoredText;
}

interface Learned {
  template: EventTemplate;
  /** The constant parts; there is one more of them than of places. */
  parts: readonly string[];
  /** What stands between them, by its number in the template less 1. */
  places: readonly number[];
}

/** What a process knows of a kind of events. */
interface Kind {
  /** Absent where it was met once. */
  learned?: Learned;
  /** How often the template was used after it was learned. */
  uses: number;
  /** How many templates before it were used less often than they cost. */
  unused: number;
}

/** Kinds of events that a process knows, some 3 KB each. */
const MAX_KINDS = 4_000;
/** A template costs about as much as its first two uses save. */
const WORTH = 3;
/** After so many that were not worth it, events of the kind differ in more than they say: their texts stay whole. */
const MOST_UNUSED = 3;

export function createEventTexts(): EventTexts {
  const kinds = createLruMap<Kind>(MAX_KINDS);

  function templateOf(place: string, draft: EventDraft, values: readonly string[]): EventTemplate | undefined {
    const kind = kinds.get(place);
    if (kind === undefined) {
      // What comes once would cost a template and save nothing.
      kinds.set(place, { uses: 0, unused: 0 });
      return undefined;
    }
    const { learned } = kind;
    if (learned !== undefined && gives(learned, values, draft.data)) {
      kind.uses += 1;
      return learned.template;
    }
    if (kind.unused === MOST_UNUSED) return undefined;
    const next = learn(draft, values);
    if (next === undefined) return undefined;
    kind.unused = learned === undefined || kind.uses >= WORTH ? 0 : kind.unused + 1;
    kind.learned = next;
    kind.uses = 0;
    return next.template;
  }

  return {
    likely(tenant, { varying }) {
      return varying && kinds.get(placeOfKind(tenant, varying))?.learned?.template;
    },
    store(tenant, draft, at) {
      const { data, varying, subjectId } = draft;
      if (varying === undefined || at.length !== ISO_LENGTH || varying.values.some(isNoJson)) return { data };
      const values = [...ofEveryEvent(subjectId, at), ...varying.values];
      const template = templateOf(placeOfKind(tenant, varying), draft, values);
      return template === undefined ? { data } : { data: varying.values.join(BETWEEN_VALUES), template };
    },
  };
}

const placeOfKind = (tenant: Tenant, { kind }: VaryingText): string => `${tenantKey(tenant)} ${kind}`;

/** `2026-11-30T09:30:00.000Z`, as PostgreSQL writes the time again. */
const ISO_LENGTH = 24;

/** No JSON has it as it stands (RFC 8259). */
const BETWEEN_VALUES = '\u001f';
const isNoJson = (value: string): boolean => value.includes(BETWEEN_VALUES);

/** Whether a template and these values give this text. Made and compared as a whole, it takes a third of looking piece by piece. */
function gives({ parts, places }: Learned, values: readonly string[], data: string): boolean {
  let text = parts[0] as string;
  for (let i = 0; i < places.length; i += 1) text += (values[places[i] as number] as string) + (parts[i + 1] as string);
  return text === data;
}

/** Learns a template from a text; undefined where a value does not stand where its field says. */
function learn({ data, varying }: EventDraft, values: readonly string[]): Learned | undefined {
  const parts: string[] = [];
  const places: number[] = [];
  let from = 0;
  for (const [before, of] of varying?.fields ?? []) {
    const place = placeOf(of);
    const start = data.indexOf(before, from) + before.length;
    const value = values[place];
    if (start < from + before.length || value === undefined || !data.startsWith(value, start)) return undefined;
    parts.push(data.slice(from, start));
    places.push(place);
    from = start + value.length;
  }
  parts.push(data.slice(from));
  return { template: templateFrom(parts, places, values.length), parts, places };
}

/**
 * The text of an event that is stored with a template, as the view `events` has it.
 * @throws Error where the row has other values than the template has places for
 */
export function wholeText(
  { id, text, valueCount }: EventTemplate,
  { subjectId, at, data }: { subjectId: string; at: string; data: string },
): string {
  const own = data.split(BETWEEN_VALUES);
  if (own.length !== valueCount) throw new Error(`an event of ${subjectId} has other values than its template ${id}`);
  const values = [...ofEveryEvent(subjectId, at), ...own];
  return text.replaceAll(/%%|%(\d+)\$s/g, (_found, place?: string) =>
    place === undefined ? '%' : (values[Number(place) - 1] as string),
  );
}

/** What every event has, before its values. */
const OF_EVERY_EVENT: readonly VaryingPlace[] = ['SUBJECT', 'SUBJECT_WITHOUT_HYPHENS', 'TIME'];

const ofEveryEvent = (subjectId: string, at: string): string[] => [subjectId, subjectId.replaceAll('-', ''), at];

const placeOf = (of: VaryingPlace): number =>
  typeof of === 'number' ? OF_EVERY_EVENT.length + of : OF_EVERY_EVENT.indexOf(of);

function templateFrom(parts: readonly string[], places: readonly number[], values: number): EventTemplate {
  const text = parts
    .map((part, i) => part.replaceAll('%', '%%') + (i < places.length ? `%${(places[i] as number) + 1}$s` : ''))
    .join('');
  return {
    id: uuidOfHex(hash('sha256', text, 'hex').slice(0, 32)),
    text,
    valueCount: values - OF_EVERY_EVENT.length,
  };
}
