/** Bundles the program for publishing: few files, because each one loaded costs start-up time. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type BuildOptions, build, type Plugin } from 'esbuild'

/** What tools for agents look like follows from the sources alone. */
const workedOut: Plugin = {
  name: 'worked-out',
  setup({ onLoad }) {
    onLoad({ filter: /\/mcp\/announced\.ts$/ }, async () => {
      const { announced } = await import('../src/surfaces/mcp/announced.ts')
      return { contents: `export const announced = ${JSON.stringify(announced)}` }
    })
  },
}

/** For browsers: nothing of Node may be in it. */
const forBrowsers: BuildOptions = { platform: 'browser', target: 'es2023', plugins: [], banner: {} }

rmSync('dist', { recursive: true, force: true })
const options: BuildOptions = {
  outdir: 'dist',
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  minify: true,
  keepNames: false,
  legalComments: 'none',
  chunkNames: 'chunk-[hash]',
  metafile: true,
  // Libraries that are no modules of their own ask for those of Node in the older way.
  banner: { js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);" },
  plugins: [workedOut],
}
const built = [
  await build({
    ...options,
    splitting: true,
    entryPoints: {
      cli: 'src/surfaces/cli/main.ts',
      worker: 'src/commands/worker.ts',
      index: 'src/index.ts',
    },
  }),
  // By itself, so that it is one file and not a dozen.
  await build({ ...options, splitting: true, entryPoints: { statusline: 'src/surfaces/cli/statusline.ts' } }),
  await build({ ...options, ...forBrowsers, entryPoints: { parse: 'src/parse.ts' } }),
]

/** The licences of what is bundled travel with the bundle. */
const bundled = new Set<string>()
for (const input of built.flatMap(({ metafile }) => Object.keys(metafile!.inputs))) {
  const match = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input)
  if (match) bundled.add(match[1]!)
}
const notices = [...bundled].sort().map((folder) => {
  const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    name: string
    version: string
  }
  const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each))
  return `${name} ${version}\n\n${file ? readFileSync(join(folder, file), 'utf8') : '(no licence file)'}`
})
mkdirSync('dist', { recursive: true })
writeFileSync(join('dist', 'THIRD-PARTY-LICENSES.txt'), `${notices.join(`\n${'-'.repeat(72)}\n\n`)}\n`)
