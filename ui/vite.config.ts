import { resolve } from 'node:path'
import { defineConfig, type Plugin } from 'vite'

/** The script sets the theme, so nothing is painted before it runs. Vite leaves attributes of its own out. */
const beforeFirstPaint: Plugin = {
  name: 'before-first-paint',
  transformIndexHtml: {
    order: 'post',
    handler: (html) => html.replace('<script type="module"', '<script type="module" blocking="render"'),
  },
}

const SHARED =
  /rolldown\/runtime|\/(?:ui\/main\.|ui\/(?:api|parts|state|shell)\/|ui\/text\/(?:format|times|marked)|ui\/pages\/(?:home|facets|query-\w+|typed-query|old-addresses)\.|node_modules\/(?:preact|@preact)\/)/

/** Builds the page into `dist/page`, where `serve` finds it. No inline script or style: the CSP forbids both. */
export default defineConfig({
  root: import.meta.dirname,
  base: '/',
  publicDir: false,
  logLevel: 'warn',
  plugins: [beforeFirstPaint],
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: resolve(import.meta.dirname, '../dist/page'),
    emptyOutDir: true,
    target: 'es2024',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // A busy machine is no reason to warn.
    rolldownOptions: {
      checks: { pluginTimings: false },
      // What the first page needs, and small parts that many pages share, are one file: each more takes a request.
      output: {
        codeSplitting: { groups: [{ name: 'shared', test: SHARED, includeDependenciesRecursively: true }] },
      },
    },
  },
})
