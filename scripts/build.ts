/** Bundles the program for publishing: few files, because each one loaded costs start-up time. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type BuildOptions, build, type Plugin } from 'esbuild'
import { madeLater, unchecked } from './lean-protocol.ts'

/** Modules of Node that every command needs at once. The others are loaded when the first of their functions is called. */
const EAGER = ['node:fs', 'node:path', 'node:sqlite', 'node:url']

/**
 * Modules of Node are fetched without the facade an import would build: that runs every getter there is, `process` alone
 * computes all its flags, which costs half as much as starting at all.
 */
const builtins: Plugin = {
  name: 'builtins',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:/ }, ({ path, kind }) => ({
      path,
      namespace: kind === 'require-call' ? 'required' : 'imported',
      sideEffects: false,
    }))
    onLoad({ filter: /./, namespace: 'required' }, ({ path }) => ({
      contents: `module.exports = ${path === 'node:process' ? 'process' : later(fetched(path))}`,
    }))
    onLoad({ filter: /./, namespace: 'imported' }, ({ path }) => ({ contents: moduleOf(path) }))
  },
}

const fetched = (path: string): string => `process.getBuiltinModule('${path}')`
/** An object that is fetched when it is first looked into. */
const later = (object: string): string => `new Proxy({}, { get: (_, name) => ${object}[name] })`

/**
 * The same of one that is no module, such as `process.stdin`: what belongs to the system does its work for no other object, and what
 * is set on it has to be found there again.
 */
const laterItself = (object: string): string =>
  `new Proxy({}, { get: (_, name) => typeof ${object}[name] === 'function' ? ${object}[name].bind(${object}) : ${object}[name], set: (_, name, value) => Reflect.set(${object}, name, value), has: (_, name) => name in ${object} })`

/** The text of a module that stands for one of Node; what of it nobody uses falls out of the bundle. */
function moduleOf(path: string): string {
  const eager = EAGER.includes(path)
  const exports = Object.entries(process.getBuiltinModule(path)!)
    .filter(([name]) => name !== 'default' && /^[a-z_$][\w$]*$/i.test(name))
    .map(([name, value]) => {
      const it = `${fetched(path)}.${name}`
      const body =
        typeof value === 'function' && !eager
          ? `function $${name}(...args) { return new.target ? new (${it})(...args) : ${it}(...args) }`
          : `const $${name} = /* @__PURE__ */ (() => ${eager ? it : laterItself(it)})()`
      return `${body}\nexport { $${name} as ${name} }\n`
    })
  const whole = path === 'node:process' ? 'process' : eager ? fetched(path) : later(fetched(path))
  return `export default /* @__PURE__ */ (() => ${whole})()\n${exports.join('')}`
}

/** What few need is as large as all the rest, and stands in files of its own: the catalogue of prices, the protocol of agents. */
const apart: Plugin = {
  name: 'apart',
  setup({ onResolve }) {
    for (const [filter, path] of [
      [/\/prices\/catalog\.ts$/, './prices.js'],
      [/\/mcp\/stdio\.ts$/, './mcp.js'],
    ] as const)
      onResolve({ filter }, ({ kind }) => (kind === 'dynamic-import' ? { path, external: true } : undefined))
  },
}

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
const forBrowsers: BuildOptions = { platform: 'browser', target: 'es2023', plugins: [] }

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
  plugins: [builtins, apart, unchecked, madeLater, workedOut],
}
// The program is one file, for each that is looked for costs time at its start. The others share what they have in common.
const built = [
  await build({ ...options, entryPoints: { cli: 'src/surfaces/cli/main.ts' } }),
  await build({ ...options, entryPoints: { prices: 'src/prices/catalog.ts' } }),
  await build({ ...options, entryPoints: { mcp: 'src/surfaces/mcp/stdio.ts' } }),
  await build({ ...options, ...forBrowsers, entryPoints: { parse: 'src/parse.ts' } }),
  await build({
    ...options,
    splitting: true,
    entryPoints: { worker: 'src/commands/worker.ts', index: 'src/index.ts' },
  }),
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
