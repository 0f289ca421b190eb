/**
 * `npm run test:mutation -- src/stats`: changes the code of a module in many small ways and reports how many
 * of the changes its unit tests notice. Further arguments are folders of tests that also count, such as
 * `src/platforms`. Works on a copy of the checkout, into which Stryker is installed.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const VERSION = '10.1.1'
const checkout = resolve(import.meta.dirname, '..')
const [target, ...tests] = process.argv.slice(2)
if (target === undefined || !existsSync(join(checkout, target)))
  throw new Error('name a file or folder, such as: npm run test:mutation -- src/stats')

const copy = mkdtempSync(join(tmpdir(), 'scrollback-mutation-'))
try {
  prepare(copy)
  const module = target.replace(/(?:\/[\w-]+)?\.ts$/, '')
  const pattern = target.endsWith('.ts') ? target : `${target}/**/*.ts`
  configure(pattern, [module, ...tests])
  spawnSync(join(copy, 'node_modules/.bin/stryker'), ['run'], { cwd: copy, stdio: 'inherit' })
  print(join(copy, 'mutation.json'))
} finally {
  rmSync(copy, { recursive: true, force: true })
}

function prepare(folder: string): void {
  for (const name of ['src', 'test', 'demo', 'package.json', 'package-lock.json', 'tsconfig.json'])
    cpSync(join(checkout, name), join(folder, name), { recursive: true })
  cpSync(join(checkout, 'node_modules'), join(folder, 'node_modules'), { recursive: true })
  const packages = ['core', 'vitest-runner'].map((name) => `@stryker-mutator/${name}@${VERSION}`)
  execFileSync('npm', ['install', '--no-save', '--silent', ...packages], { cwd: folder, stdio: 'inherit' })
  mkdirSync(join(folder, 'reports'), { recursive: true })
}

function configure(pattern: string, folders: readonly string[]): void {
  const include = JSON.stringify(folders.map((folder) => `${folder}/**/*.test.ts`))
  writeFileSync(join(copy, 'vitest.config.ts'), `export default { test: { include: ${include} } }\n`)
  const config = {
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    vitest: { related: false },
    coverageAnalysis: 'perTest',
    mutate: [pattern, '!**/*.test.ts'],
    // What runs once, when a module is loaded, would need a new process per change.
    ignoreStatic: true,
    disableTypeChecks: false,
    // TypeScript 7 has no API with which Stryker could rewrite the real one.
    tsconfigFile: 'none.json',
    reporters: ['progress', 'clear-text', 'json'],
    clearTextReporter: { logTests: false, allowColor: false },
    jsonReporter: { fileName: 'mutation.json' },
  }
  writeFileSync(join(copy, 'stryker.config.json'), JSON.stringify(config, null, 2))
}

/** The share of changes that a test noticed. */
function print(path: string): void {
  if (!existsSync(path)) throw new Error('Stryker did not finish; its output is above')
  const report = JSON.parse(readFileSync(path, 'utf8')) as {
    files: Record<string, { mutants: { status: string }[] }>
  }
  const statuses = Object.values(report.files).flatMap(({ mutants }) => mutants.map(({ status }) => status))
  const count = (...wanted: string[]): number => statuses.filter((status) => wanted.includes(status)).length
  const noticed = count('Killed', 'Timeout')
  const all = noticed + count('Survived', 'NoCoverage')
  console.log(`${noticed} of ${all} changes were noticed: ${((100 * noticed) / all).toFixed(1)} %`)
}
