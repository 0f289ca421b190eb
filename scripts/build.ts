/** Bundles the program for publishing: few files, because each one loaded costs start-up time. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'

rmSync('dist', { recursive: true, force: true })
const { metafile } = await build({
  entryPoints: { cli: 'src/surfaces/cli/main.ts', worker: 'src/commands/worker.ts', index: 'src/index.ts' },
  outdir: 'dist',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  minify: true,
  keepNames: false,
  legalComments: 'none',
  chunkNames: 'chunk-[hash]',
  metafile: true,
  // Dependencies written for CommonJS ask for `require`.
  banner: {
    js: "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);",
  },
})

/** The licences of what is bundled travel with the bundle. */
const bundled = new Set<string>()
for (const input of Object.keys(metafile.inputs)) {
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
