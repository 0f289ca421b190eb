import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const checkout = resolve(import.meta.dirname, '..')

/** The package as npm packs it, and as it is installed from that. */
export interface Installed {
  /** The folder in which it is installed. */
  folder: string
  /** The program in `node_modules/.bin`. */
  program: string
  tarball: string
  /** The files in the tarball. */
  files: string[]
}

/** An installation is deleted this long after it was made, when a newer one is made. */
const UNUSED_MS = 3_600_000

/** The files that go into a package, or are needed to build it. */
const SOURCES = [
  'package.json',
  'tsconfig.json',
  'tsconfig.types.json',
  'README.md',
  'LICENSE',
  'CHANGELOG.md',
  'SECURITY.md',
  'THIRD-PARTY-LICENSES.md',
  'bin',
  'src',
  'ui',
  'demo',
  'docs',
  'skills',
  'scripts',
]

/**
 * The package, installed offline into an empty folder. It is rebuilt if the sources have changed, and shared
 * by all tests until then. The first test that needs it builds it; if two build it at once, the results are
 * the same.
 */
export function installed(): Installed {
  const cache = join(checkout, 'node_modules/.cache/installed')
  const folder = join(cache, fingerprint())
  if (!existsSync(folder)) {
    mkdirSync(cache, { recursive: true })
    const made = mkdtempSync(join(cache, 'making-'))
    // Other users run it in tests of permissions.
    chmodSync(made, 0o755)
    make(made)
    for (const name of readdirSync(cache)) {
      const other = join(cache, name)
      // A recent one may still be in use.
      if (other !== made && Date.now() - statSync(other).mtimeMs > UNUSED_MS)
        rmSync(other, { recursive: true, force: true })
    }
    try {
      renameSync(made, folder)
    } catch {
      // Another worker was faster.
      rmSync(made, { recursive: true, force: true })
    }
  }
  const { files } = JSON.parse(readFileSync(join(folder, 'packed.json'), 'utf8')) as Pick<Installed, 'files'>
  return {
    folder: join(folder, 'user'),
    program: join(folder, 'user/node_modules/.bin/scrollback'),
    tarball: join(folder, 'package.tgz'),
    files,
  }
}

/** Whether a source has changed since then. */
function fingerprint(): string {
  const hash = createHash('sha256')
  for (const name of SOURCES) {
    const path = join(checkout, name)
    const paths = statSync(path).isDirectory()
      ? readdirSync(path, { recursive: true, encoding: 'utf8' })
          .sort()
          .map((each) => join(path, each))
      : [path]
    for (const each of paths) {
      const stats = statSync(each)
      if (stats.isFile() && !each.endsWith('.test.ts'))
        hash.update(`${each} ${stats.size} ${stats.mtimeMs}\n`)
    }
  }
  return hash.digest('hex').slice(0, 16)
}

function make(folder: string): void {
  // Packed from a copy, so that nothing in the checkout is overwritten. The copy is outside the checkout,
  // where Node runs no types.
  const copy = mkdtempSync(join(tmpdir(), 'scrollback-package-'))
  for (const name of SOURCES) cpSync(join(checkout, name), join(copy, name), { recursive: true })
  symlinkSync(join(checkout, 'node_modules'), join(copy, 'node_modules'))
  npm(['run', '--silent', 'build'], copy, folder)
  const [packed] = JSON.parse(npm(['pack', '--json', '--ignore-scripts'], copy, folder)) as [
    { filename: string; files: { path: string }[] },
  ]
  cpSync(join(copy, packed.filename), join(folder, 'package.tgz'))
  rmSync(copy, { recursive: true })
  writeFileSync(join(folder, 'packed.json'), JSON.stringify({ files: packed.files.map(({ path }) => path) }))
  const user = join(folder, 'user')
  mkdirSync(user)
  writeFileSync(join(user, 'package.json'), '{"private":true,"type":"module"}')
  npm(
    ['install', '--offline', '--no-audit', '--no-fund', '--ignore-scripts', join(folder, 'package.tgz')],
    user,
    folder,
  )
}

/** Runs npm in a home of its own. Throws with its output if it fails. */
function npm(args: readonly string[], cwd: string, home: string): string {
  const { stdout, stderr, status } = spawnSync('npm', args, {
    cwd,
    encoding: 'utf8',
    env: {
      HOME: home,
      PATH: process.env.PATH,
      npm_config_cache: join(home, '.npm'),
      npm_config_update_notifier: 'false',
    },
  })
  if (status !== 0) throw new Error(`npm ${args.join(' ')}: ${stderr}`)
  return stdout
}
