import tailwindcss from '@tailwindcss/vite';
import { tanstackRouter } from '@tanstack/router-plugin/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** The service behind `npm run dev`, which names it. It sees the page's own host: cookies, links and origins fit. */
const SERVICE = process.env['SERVICE'] ?? 'http://127.0.0.1:3000';

/** Icons that only the filters of the long lists have. */
const OF_LISTS = 'arrow-(?:up|down)|bookmark(?:-plus)?|columns-3|save|settings-2|sliders-horizontal|star';
/**
 * What only some pages share: the filters of the long lists with their icons, how two of the operator's people decide, and a
 * choice that is typed.
 */
const OF_SOME =
  'lists/|wallet/period-filter|outcomes/outcome-words|beneficiaries/bank-accounts|components/(?:evidence-fields|close-proposal-dialog|combobox|merchant-picker|wallet-fields)';
const OF_ALL = new RegExp(String.raw`^(?!.*/src/(?:${OF_SOME}))(?!.*/icons/(?:${OF_LISTS})\.)`);
/** All other icons that two pages share, or a page and the navigation: a file each would cost more to name than they weigh. */
const ICONS = new RegExp(String.raw`^(?!.*/icons/(?:${OF_LISTS})\.).*/lucide-react/dist/esm/icons/`);

export default defineConfig({
  root: import.meta.dirname,
  base: '/dashboard/',
  plugins: [
    tanstackRouter({
      target: 'react',
      routesDirectory: `${import.meta.dirname}/src/routes`,
      generatedRouteTree: `${import.meta.dirname}/src/route-tree.gen.ts`,
      autoCodeSplitting: true,
      addExtensions: true,
      quoteStyle: 'single',
      semicolons: true,
      disableLogging: true,
    }),
    react(),
    tailwindcss(),
  ],
  build: {
    outDir: process.env['DASHBOARD_OUT'] ?? 'dist',
    emptyOutDir: true,
    // The content policy has no `data:` for scripts and styles, and a file is cached where inlined bytes are not.
    assetsInlineLimit: 0,
    manifest: true,
    reportCompressedSize: false,
    modulePreload: { polyfill: false },
    // What five pages share is one file: a first load is some ten requests, not forty for a few hundred bytes each.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'shared', minShareCount: 5, test: OF_ALL },
            { name: 'icons', minShareCount: 2, test: ICONS },
          ],
        },
      },
    },
  },
  server: { host: '127.0.0.1', proxy: { '^/(?!dashboard(/|$))': { target: SERVICE } } },
});
