/** The one stylesheet of the guides. Colours follow the reader's light or dark theme. */
export const STYLE = `:root {
  color-scheme: light dark;
  --text: light-dark(#1c1917, #f5f5f4);
  --quiet: light-dark(#57534e, #a8a29e);
  --line: light-dark(#e7e5e4, #44403c);
  --shade: light-dark(#fafaf9, #292524);
  --page: light-dark(#ffffff, #1c1917);
  --link: light-dark(#0f5e4d, #5eead4);
}
* { box-sizing: border-box; }
body { margin: 0; color: var(--text); background: var(--page); font: 16px/1.6 system-ui, sans-serif; }
a { color: var(--link); }
nav { border-bottom: 1px solid var(--line); padding: 1rem 1.25rem; }
nav ul { list-style: none; margin: .5rem 0 0; padding: 0; display: flex; flex-wrap: wrap; gap: .25rem 1rem; }
nav a { text-decoration: none; }
nav a[aria-current] { font-weight: 600; color: var(--text); }
main { max-width: 48rem; margin: 0 auto; padding: 1.5rem 1.25rem 4rem; overflow-wrap: break-word; }
h1, h2, h3 { line-height: 1.25; scroll-margin-top: 1rem; }
h2 { margin-top: 2.5rem; border-bottom: 1px solid var(--line); padding-bottom: .3rem; }
h3:target, h2:target { background: light-dark(#fef9c3, #422006); }
.anchor { color: var(--quiet); text-decoration: none; opacity: 0; }
:is(h1, h2, h3):hover .anchor, .anchor:focus { opacity: 1; }
code { font: .875em ui-monospace, monospace; background: var(--shade); padding: .1em .3em; border-radius: 3px; }
pre { background: var(--shade); border: 1px solid var(--line); border-radius: 6px; padding: 1rem; overflow-x: auto; }
pre code { padding: 0; background: none; }
.table { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .9375rem; }
th, td { text-align: left; vertical-align: top; padding: .4rem .6rem; border-bottom: 1px solid var(--line); }
blockquote { margin: 1rem 0; padding-left: 1rem; border-left: 3px solid var(--line); color: var(--quiet); }
footer { margin-top: 3rem; color: var(--quiet); font-size: .875rem; }
.skip { position: absolute; left: -999rem; }
.skip:focus { left: 1rem; top: 1rem; background: var(--page); padding: .5rem; }
@media (min-width: 64rem) {
  body { display: grid; grid-template-columns: 15rem 1fr; }
  nav { border: 0; border-right: 1px solid var(--line); min-height: 100vh; position: sticky; top: 0; align-self: start; }
  nav ul { flex-direction: column; }
  main { margin: 0 2rem; }
}
`;
