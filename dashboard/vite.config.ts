import tailwindcss from '@tailwindcss/vite';
import { tanstackRouter } from '@tanstack/router-plugin/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type ProxyOptions } from 'vite';

/** The service that `npm run dev:dashboard` talks to; a running `npm start` by default. */
const SERVICE = process.env['SERVICE'] ?? 'http://127.0.0.1:3000';

/** Hands everything but the dashboard's own files to the service, as if the page had come from there. */
const service: ProxyOptions = {
  target: SERVICE,
  changeOrigin: true,
  configure: (proxy) => {
    proxy.on('proxyReq', (request) => {
      if (request.hasHeader('origin')) request.setHeader('origin', new URL(SERVICE).origin);
    });
  },
};

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
  },
  server: { host: '127.0.0.1', proxy: { '^/(?!dashboard(/|$))': service } },
});
