import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { chmodSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { makeCertificate } from '../certificate.ts'
import { compileCache, program, refused, variablesOf } from '../program.ts'
import { claude, put, putClaude, temporaryHome, uuid } from '../records.ts'
import { inTerminal } from '../terminal.ts'

interface Served {
  child: ChildProcess
  /** The lines that arrived so far. */
  lines(): string[]
  talk(): string
  /** Resolves to the first line of the answer. */
  address: Promise<string>
  ended: Promise<number | null>
}

function serve(args: readonly string[], home: string, env: Record<string, string> = {}): Served {
  const child = spawn(process.execPath, [program, 'serve', ...args], {
    cwd: home,
    env: variablesOf(home, env),
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let out = ''
  let talk = ''
  child.stderr.on('data', (piece) => (talk += piece))
  const ended = new Promise<number | null>((resolve) => child.on('exit', resolve))
  const address = new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (piece) => {
      out += piece
      const [first, rest] = out.split('\n')
      if (rest !== undefined) resolve(first!)
    })
    void ended.then((code) => reject(new Error(`ended with ${code}: ${talk}`)))
  })
  address.catch(() => {})
  return { child, lines: () => out.split('\n'), talk: () => talk, address, ended }
}

describe('serve', () => {
  it('prints the address with the token and nothing else, and ends with Ctrl-C', async () => {
    const { child, address, ended, lines, talk } = serve(['--demo', '--port', '0'], temporaryHome())
    const url = new URL(await address)
    expect(url.href).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]{43}$/)
    const api = new URL('/api/sessions?all=true', url)
    expect((await fetch(api)).status).toBe(401)
    const authorization = `Bearer ${url.searchParams.get('token')}`
    const answer = await fetch(api, { headers: { authorization } })
    expect(((await answer.json()) as { total: number }).total).toBeGreaterThan(10)
    child.kill('SIGINT')
    expect(await ended).toBe(0)
    expect(lines()).toEqual([url.href, ''])
    expect(talk()).toContain('Press Ctrl-C to stop.')
    expect(talk()).not.toContain(url.searchParams.get('token'))
  })

  it('prints one line of JSON for programs', async () => {
    const { child, address, ended, lines } = serve(['--port', '0', '--json'], temporaryHome())
    const answer = JSON.parse(await address) as { url: string; port: number }
    expect(answer).toEqual({ version: 1, url: expect.any(String), host: '127.0.0.1', port: answer.port })
    expect(new URL(answer.url).port).toBe(String(answer.port))
    child.kill('SIGTERM')
    expect([await ended, lines().length]).toEqual([0, 2])
  })

  it('has the same token after a restart, in a file that only the user may read, and answers what was asked before it had loaded', async () => {
    const home = temporaryHome()
    putClaude(home, uuid(1), [claude.user(1, 'Where do the ferns grow?')])
    const env = { SCROLLBACK_HOME: join(home, 'data') }
    const tokens: (string | null)[] = []
    for (let time = 0; time < 2; time++) {
      const { child, address, ended, lines } = serve(['--port', '0', '--no-open'], home, env)
      const url = new URL(await address)
      tokens.push(url.searchParams.get('token'))
      const headers = { authorization: `Bearer ${tokens[0]}` }
      const answer = await fetch(new URL('/api/sessions?all=true', url), { headers })
      expect(await answer.json()).toMatchObject({ total: 1 })
      child.kill('SIGINT')
      expect([await ended, lines()]).toEqual([0, [url.href, '']])
    }
    const file = join(home, 'data/page-token')
    expect(tokens).toEqual([readFileSync(file, 'utf8').trim(), tokens[0]])
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  it('takes the next port if the usual one is in use, and fails if a named one is', async () => {
    const taken = createServer()
    const port = await new Promise<number>((resolve) =>
      taken.listen(0, '127.0.0.1', () => resolve((taken.address() as { port: number }).port)),
    )
    onTestFinished(() => void taken.close())
    const { code, stderr } = refused(['serve', '--demo', '--port', String(port)], temporaryHome())
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining(`127.0.0.1:${port} is not available (EADDRINUSE)`),
    ])
    const [one, other] = [serve([], temporaryHome()), serve([], temporaryHome())]
    const ports = [await one.address, await other.address].map((address) => new URL(address).port)
    expect(ports[0]).not.toBe(ports[1])
  })

  it('refuses to listen beyond this machine without a token and encryption', () => {
    const home = temporaryHome()
    const token = join(home, 'token')
    writeFileSync(token, 'a-long-random-text\n', { mode: 0o600 })
    const short = join(home, 'short')
    writeFileSync(short, 'fifteen-letters\n', { mode: 0o600 })
    const open = join(home, 'open')
    writeFileSync(open, 'a-long-random-text\n')
    chmodSync(open, 0o644)
    for (const [args, words] of [
      [['--host', '0.0.0.0'], '--token-file'],
      [['--host', '::', '--insecure'], '--token-file'],
      [['--host', '192.0.2.1', '--token-file', token], '--tls-cert and --tls-key, or --insecure'],
      [['--host', '0.0.0.0', '--token-file', open, '--insecure'], 'chmod 600'],
      [['--token-file', short], 'fewer than 16 characters'],
      [['--tls-cert', token], '--tls-cert and --tls-key belong together'],
      [['--tls-cert', token, '--tls-key', token, '--port', '0'], 'not a certificate and its key'],
      [['--no-redact'], '--no-redact'],
    ] as const) {
      const { code, stderr, stdout } = refused(['serve', '--demo', ...args], home)
      expect([args, code, stdout]).toEqual([args, 2, ''])
      expect(stderr).toContain(words)
    }
  })

  it('says what to do about a token file of its own that it cannot use', () => {
    const home = temporaryHome()
    const own = join(home, 'own')
    const refusal = (): string => {
      const { code, stderr } = refused(['serve', '--port', '0'], home, { env: { SCROLLBACK_HOME: own } })
      return `${code} ${stderr}`
    }
    put(join(own, 'page-token'), 'short')
    chmodSync(join(own, 'page-token'), 0o600)
    expect(refusal()).toMatch(
      /^2 .*fewer than 16 characters.*\nDelete the file\. The next start writes a new one\./,
    )
    chmodSync(join(own, 'page-token'), 0o644)
    expect(refusal()).toMatch(/^2 .*read by others\.\nMake it private: chmod 600 /)
    rmSync(own, { recursive: true })
    writeFileSync(own, '')
    expect(refusal()).toMatch(/^1 .*cannot be written \(EEXIST\)\.\nSet SCROLLBACK_HOME /)
  })

  it('starts the browser with a code instead of the token, which signs in only once', async () => {
    const home = temporaryHome()
    // What everybody can read in the list of processes, and what comes of it. Then it ends the server.
    const script = `#!/bin/sh
echo "$@" > "$HOME/opened"
for number in 1 2; do curl -si "$1" | head -1 >> "$HOME/answers"; done
kill -INT $PPID
`
    for (const name of ['xdg-open', 'open']) chmodSync(put(join(home, 'bin', name), script), 0o755)
    const env = { PATH: `${join(home, 'bin')}:${process.env.PATH}`, NODE_COMPILE_CACHE: compileCache }
    const { text } = await inTerminal(`${process.execPath} ${program} serve --port 0`, {
      cwd: home,
      env,
    })
    const opened = readFileSync(join(home, 'opened'), 'utf8')
    expect(opened).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\?code=[\w-]{32}\n$/)
    expect(text).not.toContain(/code=([\w-]+)/.exec(opened)![1])
    expect(readFileSync(join(home, 'answers'), 'utf8')).toMatch(/^HTTP\/1\.1 303 .*\r?\nHTTP\/1\.1 401 /)
  })

  it('is encrypted with a certificate', async () => {
    const home = temporaryHome()
    const { cert, key } = makeCertificate(home, 'DNS:localhost').files
    chmodSync(key, 0o600)
    const { address } = serve(['--port', '0', '--tls-cert', cert, '--tls-key', key], home)
    const url = await address
    expect(url).toMatch(/^https:\/\/127\.0\.0\.1:/)
    const answer = execFileSync('curl', ['-sik', url], { encoding: 'utf8' })
    expect(answer).toMatch(
      /^set-cookie: scrollback-\d+=[\w-]+; HttpOnly; SameSite=Strict; Path=\/; Secure\r$/m,
    )
  })

  it('loads nothing for other commands', async () => {
    const home = temporaryHome()
    const hook = join(home, 'hook.mjs')
    writeFileSync(
      hook,
      `import { registerHooks } from 'node:module'
      import { appendFileSync } from 'node:fs'
      registerHooks({ load: (url, context, next) => (appendFileSync(process.env.LOADED, url + '\\n'), next(url, context)) })`,
    )
    const asked = [
      [['sessions', '--demo', '--all'], 495],
      [['sessions', '--help'], 495],
      // One or two for each command.
      [['--help'], 736],
    ] as const
    const lists = asked.map((_, index) => put(join(home, `loaded-${index}.txt`), ''))
    await Promise.all(
      asked.map(([args], index) =>
        promisify(execFile)(process.execPath, ['--import', hook, program, ...args], {
          cwd: home,
          env: variablesOf(home, { LOADED: lists[index] }),
        }),
      ),
    )
    for (const [index, [args, most]] of asked.entries()) {
      const loaded = readFileSync(lists[index]!, 'utf8')
        .split('\n')
        .filter((url) => url.startsWith('file:') && url !== `file://${hook}`)
      expect(
        loaded.filter((url) =>
          /hono|surfaces\/http|commands\/serve\/(?!command|answer)|dist\/page/.test(url),
        ),
      ).toEqual([])
      // Whoever adds a module that these need raises the number.
      expect([args, loaded.length > most ? loaded.length : most]).toEqual([args, most])
    }
  })
})
