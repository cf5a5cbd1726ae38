import {
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useRef,
  useState,
} from 'react';
import { cn } from '../components/class-names.ts';
import { formatRough } from './rough-amount.ts';

/** What is drawn for one day; amounts in naira. */
export interface DayPoint {
  day: string;
  /** In the order of the series; undefined where there is none. */
  values: readonly (number | undefined)[];
}

export interface DaySeries {
  label: string;
  /** A line; a bar above the line of zero, or below it; a pale bar behind those. */
  shape: 'line' | 'dashed' | 'up' | 'down' | 'up-before' | 'down-before';
}

export interface DayChartProps {
  /** What it shows: "Balance at the end of each day". */
  label: string;
  points: readonly DayPoint[];
  series: readonly DaySeries[];
  /** What a day says, in words. */
  describe: (at: number) => string;
  /** The same beside the chart, for the day that is chosen. */
  readout: (at: number) => ReactNode;
}

const HEIGHT = 200;
const AXIS = 64;
const FOOT = 22;
const TOP = 8;

const STROKES: Partial<Record<DaySeries['shape'], string>> = {
  line: 'stroke-accent',
  dashed: 'stroke-edge [stroke-dasharray:4_4]',
};
const FILLS: Partial<Record<DaySeries['shape'], string>> = {
  up: 'fill-good',
  down: 'fill-accent',
  'up-before': 'fill-line',
  'down-before': 'fill-line',
};

/**
 * Amounts by day, drawn in the colours of the page. The pointer or the arrow keys choose a day, whose figures stand under
 * the chart and are read out; the page has them all in a table too. Nothing in it moves by itself.
 */
export function DayChart({ label, points, series, describe, readout }: DayChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const width = useWidthOf(place);
  const [chosen, setChosen] = useState<number>();
  const last = points.length - 1;
  const at = Math.min(chosen ?? last, last);
  const scale = scaleOf(points, series);
  const inner = Math.max(width - AXIS, 1);
  const slot = inner / points.length;
  const xOf = (index: number) => AXIS + slot * (index + 0.5);
  const yOf = (value: number) => TOP + ((scale.high - value) / (scale.high - scale.low)) * (HEIGHT - TOP - FOOT);

  function press(event: KeyboardEvent): void {
    const next = STEPS[event.key]?.(at, last);
    if (next === undefined) return;
    event.preventDefault();
    setChosen(Math.min(Math.max(next, 0), last));
  }
  function point(event: PointerEvent<HTMLDivElement>): void {
    const x = event.clientX - event.currentTarget.getBoundingClientRect().left - AXIS;
    setChosen(Math.min(Math.max(Math.floor(x / slot), 0), last));
  }

  return (
    <figure className="min-w-0">
      <div
        ref={place}
        role="slider"
        tabIndex={0}
        aria-label={`${label}: choose a day`}
        aria-valuemin={1}
        aria-valuemax={points.length}
        aria-valuenow={at + 1}
        aria-valuetext={describe(at)}
        className="touch-pan-y rounded-md"
        onKeyDown={press}
        onPointerMove={point}
        onPointerLeave={() => setChosen(undefined)}
      >
        <svg aria-hidden width="100%" height={HEIGHT} className="block overflow-visible">
          {scale.ticks.map((tick) => (
            <g key={tick}>
              <line x1={AXIS} x2={width} y1={yOf(tick)} y2={yOf(tick)} className="stroke-line" />
              <text x={AXIS - 8} y={yOf(tick) + 4} textAnchor="end" className="fill-muted text-2xs">
                {formatRough(tick)}
              </text>
            </g>
          ))}
          <line x1={xOf(at)} x2={xOf(at)} y1={TOP} y2={HEIGHT - FOOT} className="stroke-edge" />
          {series.map((one, index) => (
            <Series
              key={one.label}
              shape={one.shape}
              values={points.map(({ values }) => values[index])}
              slot={slot}
              xOf={xOf}
              yOf={yOf}
            />
          ))}
          {daysToWrite(points.length, inner).map((index) => (
            <text
              key={index}
              x={index === last ? width : xOf(index)}
              y={HEIGHT - 4}
              textAnchor={index === last ? 'end' : 'middle'}
              className="fill-muted text-2xs"
            >
              {shortDay(points[index]?.day ?? '')}
            </text>
          ))}
        </svg>
      </div>
      <figcaption className="mt-2 min-h-10 text-sm">{readout(at)}</figcaption>
    </figure>
  );
}

const STEPS: Record<string, (at: number, last: number) => number> = {
  ArrowLeft: (at) => at - 1,
  ArrowDown: (at) => at - 1,
  ArrowRight: (at) => at + 1,
  ArrowUp: (at) => at + 1,
  PageDown: (at) => at - 7,
  PageUp: (at) => at + 7,
  Home: () => 0,
  End: (_, last) => last,
};

interface SeriesProps {
  shape: DaySeries['shape'];
  values: readonly (number | undefined)[];
  slot: number;
  xOf: (index: number) => number;
  yOf: (value: number) => number;
}

function Series({ shape, values, slot, xOf, yOf }: SeriesProps) {
  const stroke = STROKES[shape];
  if (stroke !== undefined) {
    const path = values
      .map((value, at) => (value === undefined ? '' : `${xOf(at).toFixed(1)},${yOf(value).toFixed(1)}`))
      .filter((pair) => pair !== '')
      .join(' ');
    return <polyline points={path} fill="none" strokeWidth={2} strokeLinejoin="round" className={stroke} />;
  }
  const isBefore = shape.endsWith('-before');
  const width = Math.max(slot * (isBefore ? 0.84 : 0.5), 1);
  const isDown = shape.startsWith('down');
  const bars = values.map((value, at) => {
    if (value === undefined || value === 0) return '';
    const end = yOf(isDown ? -value : value);
    const height = Math.max(Math.abs(yOf(0) - end), 1);
    const left = (xOf(at) - width / 2).toFixed(1);
    return `M${left},${Math.min(end, yOf(0)).toFixed(1)}h${width.toFixed(1)}v${height.toFixed(1)}h${(-width).toFixed(1)}z`;
  });
  return <path d={bars.join('')} className={FILLS[shape]} />;
}

/** From the least to the most that is drawn, with zero in it for bars, and round amounts to write beside it. */
function scaleOf(points: readonly DayPoint[], series: readonly DaySeries[]) {
  const values = points.flatMap((point) =>
    point.values.flatMap((value, at) => {
      if (value === undefined) return [];
      return series[at]?.shape.startsWith('down') === true ? -value : value;
    }),
  );
  const hasBars = series.some(({ shape }) => STROKES[shape] === undefined);
  const least = Math.min(...values, ...(hasBars ? [0] : []));
  const most = Math.max(...values, ...(hasBars ? [0] : []));
  const step = roundStep((most - least || Math.abs(most) || 1) / 4);
  const low = Math.floor(least / step) * step;
  const high = Math.max(Math.ceil(most / step) * step, low + step);
  const ticks = Array.from({ length: Math.round((high - low) / step) + 1 }, (_, at) => low + at * step);
  return { low, high, ticks };
}

/** 1, 2 or 5 of a power of ten, and at least the size given. */
function roundStep(size: number): number {
  const power = 10 ** Math.floor(Math.log10(size));
  return power * ([1, 2, 5].find((digit) => digit * power >= size) ?? 10);
}

const DAY_LABEL_WIDTH = 64;

/** As many days as have room, the last among them. */
function daysToWrite(count: number, width: number): number[] {
  const step = Math.max(1, Math.ceil((count * DAY_LABEL_WIDTH) / width));
  return Array.from({ length: count }, (_, at) => at).filter((at) => (count - 1 - at) % step === 0);
}

const SHORT = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const shortDay = (day: string): string => (day === '' ? '' : SHORT.format(new Date(`${day}T12:00:00Z`)));

function useWidthOf(place: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(600);
  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    const watch = new ResizeObserver(() => setWidth(element.clientWidth));
    watch.observe(element);
    return () => watch.disconnect();
  }, [place]);
  return width;
}

/** What each colour is, in words. */
export function Legend({ series }: { series: readonly DaySeries[] }) {
  return (
    <ul className="mb-2 flex flex-wrap gap-x-4 gap-y-1 text-xs text-muted" aria-label="Legend">
      {series.map(({ label, shape }) => (
        <li key={label} className="flex items-center gap-1.5">
          <svg width={18} height={10} aria-hidden>
            {STROKES[shape] === undefined ? (
              <rect width={18} height={10} rx={2} className={cn(FILLS[shape])} />
            ) : (
              <line x1={0} x2={18} y1={5} y2={5} strokeWidth={2} className={STROKES[shape]} />
            )}
          </svg>
          {label}
        </li>
      ))}
    </ul>
  );
}
