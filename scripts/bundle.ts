/** The published code: rolldown decides which files there are, and makes them small together with esbuild. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { type TransformOptions, transform } from 'esbuild'
import { type OutputChunk, type Plugin, type RolldownOptions, rolldown } from 'rolldown'
import { type MinifyOptions, minify } from 'rolldown/utils'
import type { TriggerTable } from '../src/redact/triggers.ts'
import { asciiPatterns } from './ascii-patterns.ts'
import { builtins } from './bundle-builtins.ts'
import { createGroups } from './bundle-groups.ts'

const DIST = 'dist'

/** A file of the bundle. */
export interface BundledFile {
  name: string
  /** The module that it is the entry point of, relative to the checkout. */
  entry?: string
  /** The modules of which it contains something, relative to the checkout. */
  modules: string[]
  /** The files that it imports at once. */
  imports: string[]
}

/** The schemas of the tools for agents and the triggers of redaction depend on the sources only. */
const workedOut: Plugin = {
  name: 'worked-out',
  load: {
    filter: { id: /[\\/](?:mcp[\\/]announced|redact[\\/]rule-table)\.ts$/ },
    async handler(id) {
      if (id.endsWith('announced.ts')) {
        const { announced } = await import('../src/surfaces/mcp/announced.ts')
        return `export const announced = ${JSON.stringify(announced)}`
      }
      const { ruleTable } = await import('../src/redact/rule-table.ts')
      return packedTable(ruleTable())
    },
  },
}

/**
 * The module of the triggers. JSON is parsed faster than JavaScript, and only where it is needed. Codes are
 * text in it. Where others in capitals match too, they are the capitals of the text, which halves the bytes.
 * What is alike is side by side, and hashes are distances from the next smaller one, which compresses best.
 */
function packedTable({ literals, kinds, hashes, groups }: TriggerTable): string {
  const rows = literals.map(({ small, capital, before, behind, count, ahead, rules }) => {
    const text = String.fromCharCode(...small)
    const isAnyCase = capital !== small
    if (isAnyCase && text.toUpperCase() !== String.fromCharCode(...capital))
      throw new Error(`the capitals of ${text} are others`)
    return [text, isAnyCase ? 1 : 0, count, rules, before, behind, ahead]
  })
  const columns = rows[0]!.map((_, at) => rows.map((row) => row[at]))
  const order = [...hashes.keys()].sort((one, other) => hashes[one]! - hashes[other]!)
  const distances = order.map((at, place) => hashes[at]! - (hashes[order[place - 1] ?? -1] ?? 0))
  const packed = { columns, kinds, distances, groups: order.map((at) => groups[at]) }
  return `const codesOf = (text) => {
      const codes = new Array(text.length)
      for (let at = 0; at < text.length; at++) codes[at] = text.charCodeAt(at)
      return codes
    }
    export const ruleTable = () => {
      const { columns, kinds, distances, groups } = JSON.parse(${JSON.stringify(JSON.stringify(packed))})
      const [texts, capitals, counts, rules, befores, behinds, aheads] = columns
      const literals = texts.map((text, at) => {
        const small = codesOf(text)
        return {
          small,
          capital: capitals[at] ? codesOf(text.toUpperCase()) : small,
          before: befores[at] ?? undefined,
          behind: behinds[at] ?? undefined,
          count: counts[at],
          ahead: aheads[at] ?? undefined,
          rules: rules[at],
        }
      })
      let hash = 0
      return { literals, kinds, hashes: distances.map((distance) => (hash += distance)), groups }
    }`
}

/** What is bundled separately takes the gate from the program when it needs one. */
const gateOfProgram: Plugin = {
  name: 'gate-of-program',
  resolveId: {
    filter: { id: /[\\/]render[\\/]gate\.ts$/ },
    handler: (_source, _importer, { kind }) =>
      kind === 'dynamic-import' ? { id: './gate.js', external: true } : undefined,
  },
}

/** The rules of redaction are a file for themselves, which the program and the parser for browsers share. */
const rulesOfParser: Plugin = {
  name: 'rules-of-parser',
  resolveId: {
    filter: { id: /[\\/]all-rules\.ts$/ },
    handler: () => ({ id: './rules.js', external: true, moduleSideEffects: false }),
  },
}

/** Libraries need no names: stack traces of our own faults end in our own code. */
const smallLibraries: Plugin = {
  name: 'small-libraries',
  transform: {
    filter: { id: /[\\/]node_modules[\\/].*\.m?js$/ },
    handler: (code, id) =>
      transform(id.includes('genai-prices') ? withoutRemarks(code) : code, {
        ...SMALL,
        minifyIdentifiers: true,
        target: 'node24',
        format: undefined,
        // React has its checks for developers in files of their own.
        define: { 'process.env.NODE_ENV': '"production"' },
      }),
  },
}

/** What Ink would load for developers of Ink itself, from a package that is not here. */
const withoutDevtools: Plugin = {
  name: 'without-devtools',
  load: { filter: { id: /[\\/]ink[\\/]build[\\/]devtools\.js$/ }, handler: () => 'export {}' },
}

/** The list of prices without what it says of models besides, and how answers of servers are read. */
const withoutRemarks = (list: string): string =>
  list
    .replaceAll(
      /^\s*(?:description|price_comments):\s*(?:"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`),?\n/gm,
      '',
    )
    .replaceAll(/^\s*pricing_urls:\s*\[[^\]]*\],?\n/gm, '')
    // Of models. Those of providers are needed.
    .replaceAll(/^ {8}name: "(?:[^"\\\n]|\\.)*",?\n/gm, '')
    .replaceAll(/^\s*context_window: [\de.]+,?\n/gm, '')
    .replaceAll(/^( *)extractors: \[\n[\s\S]*?\n\1\],?\n/gm, '')

/** The rules contain characters that make V8 store all of their file with two bytes each. */
const tableApart = { codeSplitting: { groups: [{ name: 'table', test: /rule-table\.ts$/ }] } }

/** Functions keep their names, so that a stack trace shows where a fault happened. */
const NAMED: MinifyOptions = { module: true, mangle: { keepNames: true } }

/**
 * Characters beyond ASCII are escaped in strings and regular expressions: V8 stores all of a file with two
 * bytes each if one of them needs two.
 */
const SMALL: TransformOptions = {
  format: 'esm',
  minifyWhitespace: true,
  minifySyntax: true,
  legalComments: 'none',
  charset: 'ascii',
}

interface Bundle {
  /** Source by name of the file. */
  input: Record<string, string>
  platform: 'node' | 'browser'
  plugins?: Plugin[]
  options?: RolldownOptions['output']
}

const main = {
  cli: 'src/surfaces/cli/main.ts',
  worker: 'src/commands/worker.ts',
  index: 'src/index.ts',
  gate: 'src/render/gate.ts',
  'library-worker': 'src/surfaces/library/worker.ts',
  'page-worker': 'src/surfaces/http/page/worker.ts',
  'clickhouse-worker': 'src/store/clickhouse/connection/worker.ts',
}

const BUNDLES: readonly Bundle[] = [
  {
    input: main,
    platform: 'node',
    options: { codeSplitting: createGroups({ ...main, commands: 'src/commands/index.ts' }) },
  },
  // Bundled separately, so that they load nothing of the program.
  {
    input: { statusline: 'src/surfaces/cli/statusline.ts', 'early-page': 'src/surfaces/cli/early-page.ts' },
    platform: 'node',
    plugins: [gateOfProgram],
    options: tableApart,
  },
  // It must not contain anything of Node.
  { input: { parse: 'src/parse.ts', rules: 'src/redact/all-rules.ts' }, platform: 'browser' },
]

/** Writes to `dist/`, or only returns what would be bundled. */
export async function bundle(write: boolean): Promise<BundledFile[]> {
  const files: BundledFile[] = []
  if (write) mkdirSync(DIST, { recursive: true })
  for (const { input, platform, plugins = [], options } of BUNDLES) {
    await using bundle = await rolldown({
      input,
      platform,
      plugins:
        platform === 'node'
          ? [...plugins, workedOut, rulesOfParser, withoutDevtools, builtins, smallLibraries]
          : [],
      // Files may need something of an entry point that only the entry point itself needed otherwise.
      preserveEntrySignatures: 'allow-extension',
    })
    const { output } = await bundle.generate({
      format: 'esm',
      entryFileNames: '[name].js',
      chunkFileNames: 'chunk-[hash].js',
      ...options,
    })
    for (const file of output) {
      if (file.type !== 'chunk') throw new Error(`${file.fileName}: only code was expected`)
      const target = platform === 'node' ? 'node24' : 'es2023'
      const isNamed = platform === 'node'
      const short = isNamed ? (await minify(file.fileName, file.code, NAMED)).code : file.code
      const { code } = await transform(short, { ...SMALL, target, minifyIdentifiers: !isNamed })
      if (write) writeFileSync(join(DIST, file.fileName), asciiPatterns(code))
      files.push(fileOf(file))
    }
  }
  return files
}

const fileOf = ({
  fileName,
  facadeModuleId,
  isEntry,
  isDynamicEntry,
  modules,
  imports,
}: OutputChunk): BundledFile => ({
  name: fileName,
  ...(facadeModuleId !== null && (isEntry || isDynamicEntry) && { entry: relative('.', facadeModuleId) }),
  modules: Object.entries(modules).flatMap(([path, { renderedLength }]) =>
    renderedLength > 0 ? relative('.', resolve(path)) : [],
  ),
  imports,
})
