import { useEffect, useRef, useSyncExternalStore } from 'react';
import uPlot from 'uplot';
import { onTheme, themeKey } from '../components/theme.ts';
import { formatMoney } from '../format/money.ts';
import { formatDay, formatMoment } from '../format/time.ts';
import { formatRough } from './rough-amount.ts';

export interface ChartLineProps {
  /** What it shows, for those who do not see it; the figures stand elsewhere on the page too. */
  label: string;
  points: readonly { at: string; value: number }[];
  height?: number;
  /** Draws steps instead of slopes: a balance holds until it changes. */
  stepped?: boolean;
}

/** Amounts of naira over time, drawn on a canvas in the colours of the page. */
export function ChartLine({ label, points, height = 220, stepped }: ChartLineProps) {
  const place = useRef<HTMLDivElement>(null);
  const theme = useSyncExternalStore(onTheme, themeKey);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the colours are read from the page, which the theme changes.
  useEffect(() => {
    const parent = place.current;
    if (parent === null) return;
    const times = points.map(({ at }) => new Date(at).getTime() / 1000);
    const values = points.map(({ value }) => value);
    const plot = new uPlot(optionsFor(parent, height, stepped === true), [times, values], parent);
    const watch = new ResizeObserver(() => plot.setSize({ width: parent.clientWidth, height }));
    watch.observe(parent);
    return () => {
      watch.disconnect();
      plot.destroy();
    };
  }, [points, height, stepped, theme]);

  return <div ref={place} role="img" aria-label={label} className="w-full" />;
}

function optionsFor(parent: HTMLElement, height: number, stepped: boolean): uPlot.Options {
  const [ink, line, accent, fill] = ['muted', 'line', 'accent', 'accent-soft'].map((name) => colour(parent, name));
  const axis = { stroke: ink ?? '', grid: { stroke: line ?? '', width: 1 }, ticks: { show: false } };
  const steps = uPlot.paths.stepped?.({ align: 1 });
  return {
    width: parent.clientWidth,
    height,
    cursor: { y: false },
    legend: { show: true, live: true },
    scales: { x: { time: true } },
    axes: [
      {
        ...axis,
        grid: { show: false },
        values: (_plot, at) => at.map((value) => formatDay(new Date(value * 1000))),
        space: 110,
      },
      { ...axis, values: (_plot, amounts) => amounts.map((amount) => formatRough(amount)), size: 68 },
    ],
    series: [
      { label: 'When', value: (plot, at) => formatMoment(new Date((at ?? lastOf(plot.data[0])) * 1000)) },
      {
        label: 'Balance',
        stroke: accent ?? '',
        fill: fill ?? '',
        width: 2,
        points: { show: false },
        value: (plot, amount) => formatMoney(amount ?? lastOf(plot.data[1])),
        ...(stepped && steps !== undefined ? { paths: steps } : {}),
      },
    ],
  };
}

/** While nobody points at the line, what is written under it is its end. */
function lastOf(values: ArrayLike<number | null | undefined> | undefined): number {
  return values?.[values.length - 1] ?? 0;
}

/** A canvas knows no CSS variables: the colour is read from an element that has it. */
function colour(parent: HTMLElement, name: string): string {
  const probe = document.createElement('span');
  probe.style.color = `var(--color-${name})`;
  parent.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
