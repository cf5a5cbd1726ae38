import { type ClassValue, clsx } from 'clsx';
import { createTailwindMerge } from 'tailwind-merge';

const any = () => true;
const isFontSize = (value: string) => /^(\d*(xs|sm|md|lg|xl)|base|\[[\d.]+\w+\])$/.test(value);
const isNumber = (value: string) => /^\d+$/.test(value);

/** Properties whose classes begin with the name of their group. */
const BY_NAME =
  'h w size min-h min-w max-h max-w p px py pt pr pb pl m mx my mt mr mb ml gap gap-x gap-y top right bottom left inset inset-x inset-y ' +
  'z basis grid-cols leading tracking opacity cursor fill stroke translate-x translate-y space-y select animate accent list divide-y ' +
  'underline-offset line-clamp whitespace transition justify items content self col-span col-start scroll-mt pointer-events ' +
  'place-items grow shrink appearance touch outline-offset align shadow';

const named = (names: string) => Object.fromEntries(names.split(' ').map((name) => [name, [{ [name]: ['', any] }]]));

/** Sides of a border: each has a width and a colour. */
const SIDES = ['', '-t', '-r', '-b', '-l', '-x', '-y'];

/** The classes of each property that this dashboard uses, as the library's own table has them for all of Tailwind. */
const classGroups = {
  ...named(BY_NAME),
  ...Object.fromEntries(SIDES.map((side) => [`border${side}`, [{ [`border${side}`]: ['', isNumber] }]])),
  ...Object.fromEntries(SIDES.map((side) => [`border-color${side}`, [{ [`border${side}`]: [any] }]])),
  'border-collapse': [{ border: ['collapse'] }],
  'border-style': [{ border: ['solid', 'dashed', 'dotted', 'none'] }],
  bg: [{ bg: [any] }],
  display: 'block inline-block inline flex inline-flex grid inline-grid table table-cell hidden contents'.split(' '),
  position: 'static fixed absolute relative sticky'.split(' '),
  overflow: [{ overflow: [any] }],
  'overflow-x': [{ 'overflow-x': [any] }],
  'overflow-y': [{ 'overflow-y': [any] }],
  flex: [{ flex: [isNumber, 'auto', 'none'] }],
  'flex-direction': [{ flex: ['row', 'col', 'row-reverse', 'col-reverse'] }],
  'flex-wrap': [{ flex: ['wrap', 'nowrap'] }],
  'font-size': [{ text: [isFontSize] }],
  'text-align': [{ text: ['left', 'center', 'right'] }],
  'text-wrap': [{ text: ['balance', 'pretty', 'wrap', 'nowrap'] }],
  color: [{ text: [any] }],
  'font-family': [{ font: ['mono', 'sans'] }],
  'font-weight': [{ font: ['normal', 'medium', 'semibold', 'bold'] }],
  decoration: ['underline', 'line-through', 'no-underline'],
  transform: ['uppercase', 'normal-case'],
  break: [{ break: [any] }],
  wrap: [{ wrap: [any] }],
  rounded: [{ rounded: ['', 'none', 'full', isFontSize] }],
  sr: ['sr-only', 'not-sr-only'],
};

const sidesOf = (name: string) => SIDES.slice(1).map((side) => name + side);
const boxSidesOf = (name: string) => ['x', 'y', 't', 'r', 'b', 'l'].map((side) => name + side);

/** What a property says of others: those before it count no more. */
const conflictingClassGroups = {
  size: ['w', 'h'],
  p: boxSidesOf('p'),
  px: ['pr', 'pl'],
  py: ['pt', 'pb'],
  m: boxSidesOf('m'),
  mx: ['mr', 'ml'],
  my: ['mt', 'mb'],
  gap: ['gap-x', 'gap-y'],
  inset: ['inset-x', 'inset-y', 'top', 'right', 'bottom', 'left'],
  'inset-x': ['right', 'left'],
  'inset-y': ['top', 'bottom'],
  border: sidesOf('border'),
  'border-x': ['border-r', 'border-l'],
  'border-y': ['border-t', 'border-b'],
  'border-color': sidesOf('border-color'),
  overflow: ['overflow-x', 'overflow-y'],
  flex: ['basis', 'grow', 'shrink'],
  'font-size': ['leading'],
  'line-clamp': ['display', 'overflow'],
};

/** The library's own table of all classes weighs more than the components that use it: `test/dashboard/class-names.test.ts`. */
const merge = createTailwindMerge(() => ({
  cacheSize: 500,
  theme: {},
  classGroups,
  conflictingClassGroups,
  conflictingClassGroupModifiers: {},
  orderSensitiveModifiers: [],
}));

/** Joins class names; of two that say the same thing the later one counts. */
export function cn(...values: ClassValue[]): string {
  return merge(clsx(values));
}
