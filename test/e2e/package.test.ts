import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { installed } from '../installed.ts'
import { checkout } from '../program.ts'
import { claude, put, putClaude, temporaryHome, uuid } from '../records.ts'

const DOCUMENT = /^(?:README|LICENSE|THIRD-PARTY-LICENSES|CHANGELOG|SECURITY)(?:\.md)?$/

describe('the package', () => {
  it('installs without a network and runs without its sources', async () => {
    const home = temporaryHome()
    const { program, tarball, files, folder } = installed()
    expect(files.filter((path) => /^(?:src|test|scripts)\/|\.test\./.test(path))).toEqual([])
    expect(
      [...new Set(files.flatMap((path) => (DOCUMENT.test(path) ? [] : path.split('/')[0])))].sort(),
    ).toEqual(['bin', 'demo', 'dist', 'docs', 'package.json', 'skills'])
    for (const document of ['LICENSE', 'THIRD-PARTY-LICENSES.md', 'CHANGELOG.md', 'SECURITY.md'])
      expect(files).toContain(document)
    expect(files.filter((path) => path.startsWith('dist/') && path.endsWith('.d.ts'))).toContain(
      'dist/index.d.ts',
    )
    expect(statSync(tarball).size).toBeLessThan(1_720_000)

    const user = join(home, 'user')
    put(join(user, 'package.json'), '{"private":true,"type":"module"}')
    symlinkSync(join(folder, 'node_modules'), join(user, 'node_modules'))
    const run = (...args: string[]): string => {
      const { stdout, stderr } = spawnSync(process.execPath, args, {
        cwd: user,
        encoding: 'utf8',
        env: { HOME: home, TZ: 'UTC' },
      })
      expect(stderr).toBe('')
      return stdout
    }
    expect(run(program, '--version')).toMatch(/^\d+\.\d+\.\d+\n$/)
    const { sessions } = JSON.parse(run(program, 'sessions', '--all', '--demo', '--json')) as {
      sessions: unknown[]
    }
    expect(sessions.length).toBe(30)
    expect(run(program, 'read', '640ab4c7', '--demo')).toContain(
      'Once per order. The bookkeeper was clear about that.',
    )
    expect(run(program, 'projects', 'eastore', '--demo')).toContain('eastore')
    put(
      join(user, 'library.js'),
      "import * as library from 'agent-scrollback'\nconsole.log(Object.keys(library).sort().join())\n",
    )
    expect(run(join(user, 'library.js'))).toBe(
      'ScrollbackError,createRedactor,findSecrets,findSessions,openStore,readSession,redact\n',
    )
    put(
      join(user, 'parts.js'),
      `import { openStore } from 'agent-scrollback'
import { parseTranscript } from 'agent-scrollback/parse'
using store = await openStore({ demo: true })
const { totals } = await store.stats()
const { lines } = await parseTranscript(['{}', '{}'], { platform: 'openclaw' }).session()
console.log(totals.sessions, totals.cost > 0, lines)
`,
    )
    expect(run(join(user, 'parts.js'))).toBe('30 true 2\n')

    // Enough for other threads to take part.
    const line = JSON.stringify(claude.user(1, 'x'.repeat(100_000)))
    put(putClaude(home, uuid(1), []), `${line}\n`.repeat(300))
    const archive = join(home, 'archive')
    expect(
      run(program, 'collect', archive, '--history', 'all', '--claude-dir', join(home, '.claude')),
    ).toMatch(/^Delivered \d+ records? \(/)
  })

  it('is installed by the command of the README, of which the last part is run here', () => {
    const readme = readFileSync(join(checkout, 'README.md'), 'utf8')
    const [, command] = /^npm ci && npm pack && (npm install --global [^#\n]*)/m.exec(readme)!
    const { tarball } = installed()
    const home = temporaryHome()
    const clone = join(home, 'clone')
    mkdirSync(clone)
    const { name, version } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8'))
    copyFileSync(tarball, join(clone, `${name}-${version}.tgz`))
    const env = { PATH: process.env.PATH, HOME: home, npm_config_prefix: join(home, 'global') }
    const options = { cwd: clone, encoding: 'utf8', env: { ...env, npm_config_offline: 'true' } } as const
    const { stdout, stderr } = spawnSync('sh', ['-c', command!], options)
    expect(stdout, stderr).toContain('added 1 package')
    const told = spawnSync(process.execPath, [join(home, 'global/bin/scrollback'), '--version'], { env })
    expect(String(told.stdout)).toBe(`${version}\n`)
  })

  it('has documents whose links are part of the package, except for screenshots, examples and documents for contributors', () => {
    const { files } = installed()
    const links = (path: string): string[] =>
      [...readFileSync(join(checkout, path), 'utf8').matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(
        ([, link]) => join(dirname(path), link!),
      )
    const isLeftOut = (link: string): boolean =>
      /^docs\/pictures\/.*\.(?:png|svg)$|^docs\/(?:(?:decisions|examples|formats|glossary)\b|guides\/(?:guarantee|new-platform|redaction-measured))|^bench\/|^(?:AGENTS|CONTRIBUTING)\.md$/.test(
        link,
      )
    expect(links('README.md')).toContain('docs/picture.svg')
    const broken = files
      .filter((path) => path.endsWith('.md') && !path.startsWith('demo/'))
      .flatMap((path) => links(path).map((link) => ({ path, link })))
      .filter(
        ({ link }) =>
          !isLeftOut(link) && !files.includes(link) && !files.some((path) => path.startsWith(`${link}/`)),
      )
    expect(broken).toEqual([])
  })

  it('can be run from a checkout without a build, and leaves it unchanged', () => {
    const { mode } = statSync(join(checkout, 'bin/scrollback.js'))
    expect(mode & 0o111).not.toBe(0)
    if (existsSync(join(checkout, '.git'))) {
      const { stdout } = spawnSync('git', ['ls-files', '-s', 'bin/scrollback.js'], {
        cwd: checkout,
        encoding: 'utf8',
      })
      expect(stdout).toMatch(/^100755 /)
    }
  })

  it('has no large code with characters that make V8 store all of it with two bytes each', () => {
    const dist = join(dirname(realpathSync(installed().program)), '../dist')
    const loaded = new Set<string>()
    const load = (name: string): void => {
      if (loaded.has(name)) return
      loaded.add(name)
      for (const [, next] of readFileSync(join(dist, name), 'utf8').matchAll(
        /(?:from|import)"\.\/([^"]+\.js)"/g,
      ))
        load(next!)
    }
    for (const entry of ['cli.js', 'page-worker.js']) load(entry)
    const wide = [...loaded].filter((name) => /[^\0-\xff]/.test(readFileSync(join(dist, name), 'utf8')))
    const sizes = wide.map((name) => statSync(join(dist, name)).size)
    expect(loaded.size).toBeGreaterThan(10)
    expect(sizes.filter((size) => size > 60_000)).toEqual([])
  })
})
