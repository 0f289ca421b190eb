import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
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
import { join } from 'node:path'
import { checkout } from './program.ts'

/** The package as npm packs it, and as it is installed from that. */
export interface Installed {
  /** The folder that it was installed in. */
  folder: string
  /** What npm put into `node_modules/.bin`. */
  program: string
  tarball: string
  /** What is in the tarball. */
  files: string[]
}

/** What goes into a package, or is needed to make it. */
const SOURCES = [
  ...[
    'package.json',
    'tsconfig.json',
    'tsconfig.types.json',
    'README.md',
    'LICENSE',
    'AGENTS.md',
    'CONTRIBUTING.md',
  ],
  ...['bin', 'src', 'demo', 'docs', 'skills', 'scripts', 'bench/README.md'],
]

/**
 * The package, installed offline into an empty folder: made anew where the sources changed, and used by all tests until then. Whoever
 * is first makes it; what two make at once is the same.
 */
export function installed(): Installed {
  const cache = join(checkout, 'node_modules/.cache/installed')
  const folder = join(cache, fingerprint())
  if (!existsSync(folder)) {
    mkdirSync(cache, { recursive: true })
    const made = mkdtempSync(join(cache, 'making-'))
    make(made)
    for (const old of readdirSync(cache))
      if (!old.startsWith('making-') && join(cache, old) !== folder)
        rmSync(join(cache, old), { recursive: true, force: true })
    try {
      renameSync(made, folder)
    } catch {
      // Another worker was quicker.
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

/** Tells whether a source changed since. */
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
      if (stats.isFile()) hash.update(`${each} ${stats.size} ${stats.mtimeMs}\n`)
    }
  }
  return hash.digest('hex').slice(0, 16)
}

function make(folder: string): void {
  // Packed from a copy, so that nothing in the checkout is built over; outside of it, where Node runs no types.
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

/** Runs npm in a home of its own. Throws with what it said where it fails. */
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
