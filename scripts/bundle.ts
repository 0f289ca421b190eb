/** The published code, bundled by esbuild. */
import { type BuildOptions, type BuildResult, build, type Plugin } from 'esbuild'

/** The schemas of the tools for agents depend on the sources only. */
const workedOut: Plugin = {
  name: 'worked-out',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]mcp[\\/]announced\.ts$/ }, async () => {
      const { announced } = await import('../src/surfaces/mcp/announced.ts')
      return { contents: `export const announced = ${JSON.stringify(announced)}` }
    })
  },
}

const options = {
  outdir: 'dist',
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  // Names are kept, so that a stack trace shows where a fault happened.
  minifyWhitespace: true,
  minifySyntax: true,
  keepNames: false,
  legalComments: 'none',
  chunkNames: 'chunk-[hash]',
  metafile: true as const,
  // Bundled CommonJS libraries load Node's modules with `require`.
  banner: {
    js: "import{createRequire as requireFrom}from'node:module';const require=requireFrom(import.meta.url);",
  },
  plugins: [workedOut],
} satisfies BuildOptions

/** The bundle for browsers must not contain anything of Node. */
const forBrowsers = { platform: 'browser', target: 'es2023', plugins: [], banner: {} } satisfies BuildOptions

/** Writes to `dist/`, or only returns what would be bundled. */
export async function bundle(write: boolean): Promise<BuildResult<{ metafile: true }>[]> {
  const made = { ...options, write }
  return [
    await build({
      ...made,
      splitting: true,
      entryPoints: {
        cli: 'src/surfaces/cli/main.ts',
        worker: 'src/commands/kit/worker.ts',
        index: 'src/index.ts',
        'library-worker': 'src/surfaces/library/worker.ts',
        'page-worker': 'src/surfaces/http/page/worker.ts',
        'clickhouse-worker': 'src/store/clickhouse/connection/worker.ts',
      },
    }),
    // Bundled separately, so that it is a single file.
    await build({
      ...made,
      splitting: true,
      entryPoints: {
        statusline: 'src/surfaces/cli/statusline.ts',
        'early-page': 'src/surfaces/cli/early-page.ts',
      },
    }),
    await build({ ...made, ...forBrowsers, entryPoints: { parse: 'src/parse.ts' } }),
  ]
}
