import { useNavigate } from '@tanstack/react-router';
import { History, type LucideIcon } from 'lucide-react';
import { type KeyboardEvent, type RefObject, useDeferredValue, useEffect, useId, useState } from 'react';
import { messageOf } from '../api/errors.ts';
import { useRead } from '../api/reads.ts';
import { useMay, useMode, useSession } from '../api/session.ts';
import { Alert } from '../components/alert.tsx';
import { Button } from '../components/button.tsx';
import { cn } from '../components/class-names.ts';
import { Dialog } from '../components/dialog.tsx';
import { Status } from '../components/status.tsx';
import { Amount, Moment } from '../components/values.tsx';
import { HIT_WORDS, type Hit, targetOf } from './find-hits.ts';
import { type FindProps, findPlaces, placesOf } from './find-places.ts';
import { keepRecent, readRecent } from './find-recent.ts';

/** Something that can be chosen in the list. */
interface Choice {
  key: string;
  group: string;
  icon: LucideIcon;
  title: string;
  detail: string;
  hit?: Hit;
  choose: () => void;
}

const PAUSE_MS = 200;
const MAX_LENGTH = 100;

/** What can be searched at all: two letters, or an amount. */
const isSearchable = (text: string): boolean => /[\p{L}\p{N}].*[\p{L}\p{N}]|^\D*\d/u.test(text);

interface FindDialogProps extends FindProps {
  /** What was typed while this was fetched; undefined once its field has it. */
  typedAhead: RefObject<string | undefined>;
  onClose: () => void;
}

/** Finds payouts, people, pages and whatever else there is, by typing; the keys go through what was found. */
export function FindDialog({ groups, of, typedAhead, onClose }: FindDialogProps) {
  const [typed, setTyped] = useState('');
  const [wanted, setWanted] = useState('');
  // Keys are caught until the field shows what was caught: one that it took before would be all that it shows.
  useEffect(() => {
    if (typedAhead.current === typed) typedAhead.current = undefined;
    else if (typedAhead.current !== undefined) setTyped(typedAhead.current);
  }, [typed, typedAhead]);
  useEffect(() => {
    const timer = setTimeout(() => setWanted(typed.trim()), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  const search = useSearch(of, isSearchable(wanted) ? wanted : undefined);
  const isTyping = typed.trim() !== wanted;
  const isWaiting = isTyping || search.isFetching;
  // What is shown fits what is typed, or Enter would open something else.
  const choices = useChoices({ groups, of, onClose, typed, setTyped, hits: isTyping ? NO_HITS : search.hits });

  return (
    <Dialog open onClose={onClose} kind="top" title="Find">
      <Choices typed={typed} onType={setTyped} choices={choices} isWaiting={isWaiting} />
      <Said isWaiting={isWaiting} typed={typed} found={choices.length} search={search} onClear={() => setTyped('')} />
    </Dialog>
  );
}

interface Searched {
  hits: readonly Hit[];
  more: readonly string[];
  /** All that has happened is searched. */
  isComplete: boolean;
  isFetching: boolean;
  error: unknown;
  retry: () => void;
}

const NO_HITS: readonly Hit[] = [];

/** What is overtaken by further typing is cancelled: nobody waits for its answer any more. */
function useSearch(of: FindProps['of'], q: string | undefined): Searched {
  const query = { query: { q: q ?? '' } };
  const isMerchant = of === 'MERCHANT';
  const options = { staleTime: 5_000, gcTime: 60_000 };
  const own = useRead('/search', query, { ...options, enabled: q !== undefined && isMerchant });
  const all = useRead('/operator/search', query, { ...options, enabled: q !== undefined && !isMerchant });
  const read = isMerchant ? own : all;
  const isRefused = read.error?.code === 'SEARCH_TOO_SHORT';
  return {
    hits: q === undefined ? NO_HITS : (read.data?.hits ?? NO_HITS),
    more: q === undefined ? [] : (read.data?.more ?? []),
    isComplete: own.data?.index.complete !== false,
    isFetching: read.isFetching,
    error: q === undefined || isRefused ? null : read.error,
    retry: () => void read.refetch(),
  };
}

interface ChoicesOf extends FindProps {
  onClose: () => void;
  typed: string;
  setTyped: (text: string) => void;
  hits: readonly Hit[];
}

function useChoices({ groups, of, onClose, typed, setTyped, hits }: ChoicesOf): Choice[] {
  const navigate = useNavigate();
  const mode = useMode();
  const may = useMay();
  const { personId } = useSession().person;
  if (typed.trim() === '') {
    return readRecent(personId).map((text) => ({
      key: `recent ${text}`,
      group: 'Searched for in this tab',
      icon: History,
      title: text,
      detail: '',
      choose: () => setTyped(text),
    }));
  }
  const go = (target: Parameters<typeof navigate>[0]) => {
    keepRecent(personId, typed);
    onClose();
    void navigate(target);
  };
  const places = findPlaces(
    placesOf(groups, of, (right) => may(right, mode)),
    typed,
  ).map((place) => ({
    key: `${place.about} ${place.label}`,
    group: 'Pages and actions',
    icon: place.icon,
    title: place.label,
    detail: place.about,
    choose: () => go({ to: place.to, search: {} } as Parameters<typeof navigate>[0]),
  }));
  const found = hits.map((hit) => ({
    key: `${hit.type} ${hit.id}`,
    group: HIT_WORDS[hit.type].many,
    icon: HIT_WORDS[hit.type].icon,
    title: hit.title,
    detail: detailOf(hit),
    hit,
    choose: () => go(targetOf(hit) as Parameters<typeof navigate>[0]),
  }));
  // What is just what was typed comes before pages that begin so.
  return hits[0]?.exact === true ? [...found, ...places] : [...places, ...found];
}

function detailOf(hit: Hit): string {
  const parts = [hit.subtitle, hit.reference];
  if ('merchantName' in hit && hit.type !== 'MERCHANT') {
    const mode = hit.mode === null ? '' : hit.mode === 'LIVE' ? ', live' : ', sandbox';
    parts.unshift(hit.merchantName === null ? 'Operator' : `${hit.merchantName}${mode}`);
  }
  return parts.filter((part) => part !== null && part !== '' && part !== hit.title).join(' · ');
}

interface ChoicesProps {
  typed: string;
  onType: (text: string) => void;
  choices: readonly Choice[];
  /** More may be found. */
  isWaiting: boolean;
}

/** The field and its list: the focus stays in the field, and the arrow keys go through the list. */
function Choices(props: ChoicesProps) {
  const { typed, onType, choices } = props;
  const listId = useId();
  const [active, setActive] = useState(0);
  const choose = useChoosing(props);
  const at = Math.min(active, Math.max(choices.length - 1, 0));
  const optionId = (place: number) => `${listId}-${place}`;

  function moveTo(place: number): void {
    const next = (place + choices.length) % Math.max(choices.length, 1);
    setActive(next);
    document.getElementById(optionId(next))?.scrollIntoView({ block: 'nearest' });
  }
  function press(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      moveTo(at + step);
    } else if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
      event.preventDefault();
      choose(at);
    }
  }

  return (
    <>
      <div className="sticky top-0 z-10 bg-surface py-1">
        <input
          role="combobox"
          aria-label="What to find"
          aria-expanded={choices.length > 0}
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={choices[at] === undefined ? undefined : optionId(at)}
          autoComplete="off"
          spellCheck={false}
          maxLength={MAX_LENGTH}
          data-autofocus
          enterKeyHint="go"
          className="control"
          placeholder="A name, an amount, a reference, an account number, a page"
          value={typed}
          onChange={(event) => {
            onType(event.target.value);
            setActive(0);
          }}
          onKeyDown={press}
        />
      </div>
      <div id={listId} role="listbox" aria-label="Found" tabIndex={-1} className="mt-3">
        {groupsOf(choices).map(({ group, from, some }) => (
          // biome-ignore lint/a11y/useSemanticElements: a listbox has groups of options, and no fieldset.
          <div key={group} role="group" aria-label={group} className="mb-2">
            <p className="px-2.5 py-1 text-2xs font-semibold text-muted" aria-hidden>
              {group}
            </p>
            {some.map((choice, place) => (
              <ChoiceRow
                key={choice.key}
                id={optionId(from + place)}
                choice={choice}
                isActive={from + place === at}
                onActive={() => setActive(from + place)}
              />
            ))}
          </div>
        ))}
      </div>
    </>
  );
}

/** Enter, pressed before anything is found, opens the first that is, unless somebody types on. */
function useChoosing({ typed, choices, isWaiting }: ChoicesProps): (at: number) => void {
  const [pressedFor, setPressedFor] = useState<string>();
  const [first] = choices;
  const opens = pressedFor === typed && first !== undefined;
  useEffect(() => {
    if (!opens) return;
    setPressedFor(undefined);
    first?.choose();
  }, [opens, first]);
  return (at) => {
    if (choices[at] === undefined) setPressedFor(isWaiting ? typed : undefined);
    else choices[at].choose();
  };
}

/** Neighbours of one group together, each group with the place of its first. */
function groupsOf(choices: readonly Choice[]): { group: string; from: number; some: Choice[] }[] {
  const groups: { group: string; from: number; some: Choice[] }[] = [];
  for (const [from, choice] of choices.entries()) {
    const last = groups.at(-1);
    if (last?.group === choice.group) last.some.push(choice);
    else groups.push({ group: choice.group, from, some: [choice] });
  }
  return groups;
}

interface ChoiceRowProps {
  id: string;
  choice: Choice;
  isActive: boolean;
  onActive: () => void;
}

function ChoiceRow({ id, choice: { icon: Icon, title, detail, hit, choose }, isActive, onActive }: ChoiceRowProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the field's; the focus stays there.
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isActive}
      className={cn(
        'flex min-h-11 cursor-pointer items-center gap-3 rounded-md px-2.5 py-1.5',
        isActive && 'bg-accent-soft',
      )}
      onPointerDown={(event) => event.preventDefault()}
      onPointerMove={onActive}
      onClick={choose}
    >
      <Icon className="size-4.5 shrink-0 text-muted" aria-hidden />
      <span className="min-w-0 flex-1">
        <span className="block truncate font-medium">{title}</span>
        {detail !== '' && <span className="block truncate text-xs text-muted">{detail}</span>}
      </span>
      {hit !== undefined && (
        <span className="flex shrink-0 flex-col-reverse items-end gap-0.5 sm:flex-row sm:items-center sm:gap-3">
          {hit.status !== null && <Status status={hit.status} />}
          {hit.amount !== null && (
            <span className="text-right">
              <Amount value={hit.amount} className="block font-medium" />
              <Moment at={hit.createdAt} show="day" className="hidden text-xs text-muted sm:block" />
            </span>
          )}
        </span>
      )}
    </div>
  );
}

interface SaidProps {
  isWaiting: boolean;
  typed: string;
  found: number;
  search: Searched;
  onClear: () => void;
}

/** What came of it, for eyes and for who listens. */
function Said({ isWaiting, typed, found, search, onClear }: SaidProps) {
  const isEmpty = typed.trim() === '';
  const said = useDeferredValue(isEmpty ? '' : isWaiting ? 'Searching' : foundWords(found, search.more.length > 0));
  return (
    <>
      <p role="status" className={cn('px-2.5 text-sm text-muted', found > 0 && 'sr-only')}>
        {said}
      </p>
      {search.error !== null && (
        <Alert
          tone="bad"
          title="The search did not work."
          action={
            <Button size="small" onClick={search.retry}>
              Try again
            </Button>
          }
        >
          {messageOf(search.error)}
        </Alert>
      )}
      {isEmpty && (
        <p className="px-2.5 text-sm text-muted">Type a part of it. Arrow keys choose, Enter opens, Escape closes.</p>
      )}
      {!isEmpty && !isWaiting && found === 0 && search.error === null && (
        <Button size="small" className="mt-2 ml-2.5" onClick={onClear}>
          Search for something else
        </Button>
      )}
      {!isEmpty && !search.isComplete && (
        <p className="px-2.5 pt-2 text-sm text-muted">What happened a moment ago may be missing.</p>
      )}
      {search.more.length > 0 && (
        <p className="px-2.5 pt-1 text-sm text-muted">There is more: type more of it, or open its list.</p>
      )}
    </>
  );
}

function foundWords(found: number, isMore: boolean): string {
  if (found === 0) return 'Nothing is like this.';
  return `${found} found${isMore ? ', and there is more' : ''}`;
}
