import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { printed, program, run, variablesOf } from '../program.ts'
import { call, claude, openclaw, putClaude, putOpenclaw, temporaryHome, text, uuid } from '../records.ts'

const ATTACKS = [
  '<script>document.title="run"</script>',
  '<img src=x onerror="document.title=`run`">',
  '"><svg/onload=document.title="run">',
  "' onmouseover='document.title=1",
  '</pre></article><iframe src="javascript:1"></iframe>',
  '<style>body{display:none}</style>',
  '&lt;b&gt; &amp; <!-- -->',
  '<a href="javascript:document.title=1">x</a>',
]

/** Markup in every field that is shown. */
function hostileHome(): string {
  const home = temporaryHome()
  const lines: object[] = []
  for (const [index, attack] of ATTACKS.entries()) {
    const number = index * 4 + 1
    const cwd = `/srv/${attack.replaceAll('/', '_')}`
    lines.push(
      claude.user(number, attack, { cwd }),
      claude.reply(number + 1, [text(`said ${attack}`), call(`t${index}`, attack, { file_path: attack })]),
      claude.result(number + 2, `t${index}`, attack, true),
    )
  }
  lines.push({ type: 'custom-title', customTitle: ATTACKS.join(' '), sessionId: uuid(0) })
  putClaude(home, uuid(1), lines)
  putOpenclaw(home, 'x.jsonl', [
    openclaw.header('x'),
    openclaw.user(1, `[Telegram ${ATTACKS[0]} id:5550100 2026-01-31 08:26 GMT+1] ${ATTACKS[1]}`),
    openclaw.reply(2, [text(ATTACKS[2]!)]),
  ])
  return home
}

const exported = (home: string, ...args: string[]): string => printed(home, 'export', ...args)

describe('an exported page', () => {
  it('contains all messages as text, whatever they consist of', () => {
    const home = hostileHome()
    exported(home, '--all', '--out', 'page.html', '--full')
    const page = readFileSync(join(home, 'page.html'), 'utf8')
    const body = page.slice(page.indexOf('<body>'))
    expect(body).not.toMatch(/<(?:script|img|svg|iframe|style|a (?!(?:class="at" )?href="#s-))/i)
    expect(body).not.toMatch(/<[^>]*\son\w+=/i)
    for (const attack of ATTACKS) {
      const escaped = attack.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')
      expect(body).toContain(escaped.replace(/"/g, '&quot;').replace(/'/g, '&#39;'))
    }
    expect(statSync(join(home, 'page.html')).mode & 0o777).toBe(0o600)
  })

  it('is the same as the frozen one', async () => {
    const home = temporaryHome()
    putClaude(home, uuid(1), [
      claude.user(1, 'Water the moss'),
      claude.reply(2, [text('I water it.'), call('t1', 'Bash', { command: 'hose --on' })]),
      claude.result(3, 't1', 'no hose', true),
    ])
    exported(home, uuid(1), '--out', 'page.html')
    const page = readFileSync(join(home, 'page.html'), 'utf8').replace(
      /scrollback on [\d: -]+\d/g,
      'scrollback on NOW',
    )
    await expect(page).toMatchFileSnapshot(join(import.meta.dirname, 'output/export.html'))
  })

  it('goes into a folder that exists, or whose name ends with a slash', () => {
    const home = temporaryHome()
    putClaude(home, uuid(1), [claude.user(1, 'Water the moss')])
    mkdirSync(join(home, 'there'))
    const name = `${uuid(1).slice(0, 8)}.html`
    for (const out of ['there', 'new/']) {
      expect(exported(home, uuid(1), '--out', out)).toContain(join(out, name))
      expect(existsSync(join(home, out, name))).toBe(true)
    }
  })

  const chromium = ['chromium', 'chromium-browser', 'google-chrome'].find(
    (name) => spawnSync(name, ['--version']).status === 0,
  )
  it.skipIf(chromium === undefined)(
    'opens in a browser, which executes nothing and reports no violation of its policy (skipped without one)',
    () => {
      const home = hostileHome()
      exported(home, '--all', '--out', 'page.html')
      const flags = ['--headless', '--no-sandbox', '--disable-gpu']
      flags.push(`--user-data-dir=${join(home, 'browser')}`)
      const look = spawnSync(
        chromium!,
        [...flags, '--enable-logging=stderr', '--v=0', '--dump-dom', `file://${join(home, 'page.html')}`],
        { encoding: 'utf8', timeout: 240_000, env: { ...process.env, HOME: home } },
      )
      expect(look.stdout).toContain('<title>Sessions, as of')
      expect(look.stdout).not.toContain('<title>run')
      expect(look.stderr).not.toMatch(/Content.Security.Policy|Refused to|CONSOLE/i)
      // The policy allows its own style, so the page looks as intended.
      const shot = join(home, 'page.png')
      const view = [`--screenshot=${shot}`, '--window-size=900,700', `file://${join(home, 'page.html')}`]
      const env = { ...process.env, HOME: home }
      execFileSync(chromium!, [...flags, ...view], { stdio: 'ignore', timeout: 240_000, env })
      expect(statSync(shot).size).toBeGreaterThan(5000)
    },
  )
})

describe('scrollback export', () => {
  it('creates a folder of Markdown files for several sessions, with a list', async () => {
    const home = temporaryHome()
    putClaude(home, uuid(1), [claude.user(1, 'Water the moss | and [the] ferns')])
    putClaude(home, uuid(2), [claude.user(2, 'Wind up the hose')])
    exported(home, '--all', '--format', 'md', '--out', 'notes')
    const names = readdirSync(join(home, 'notes')).sort()
    expect(names).toHaveLength(3)
    const index = readFileSync(join(home, 'notes/index.md'), 'utf8')
    for (const name of names) if (name !== 'index.md') expect(index).toContain(`](${name})`)
    expect(index).toContain('Water the moss \\| and \\[the\\] ferns')
    const all = names.map((name) => readFileSync(join(home, 'notes', name), 'utf8')).join('')
    expect(all).toContain('the moss | and [the] ferns')
  })

  it('writes the JSON of read, without a summary of omissions', () => {
    const home = hostileHome()
    for (const format of ['json', 'jsonl']) {
      exported(home, '--all', '--format', format, '--out', `all.${format}`)
      const whole = readFileSync(join(home, `all.${format}`), 'utf8')
      const read = run(['read', '--all', '--format', format], home).stdout
      if (format === 'jsonl') expect(whole).toBe(read)
      else expect(JSON.parse(whole)).toEqual({ ...JSON.parse(read), omitted: undefined })
    }
  })

  it('overwrites nothing without --force, and leaves no partial file', () => {
    const home = hostileHome()
    exported(home, uuid(1))
    expect(existsSync(join(home, `${uuid(1).slice(0, 8)}.html`))).toBe(true)
    const again = run(['export', uuid(1)], home)
    expect(again).toMatchObject({ code: 2, stdout: '' })
    expect(again.stderr).toContain('--force')
    exported(home, uuid(1), '--force')
    const nowhere = run(['export', uuid(1), '--out', join(home, `${uuid(1).slice(0, 8)}.html/x.html`)], home)
    expect(nowhere.code).toBe(1)
    expect(nowhere.stderr).toContain('cannot be written')
    expect(readdirSync(home).filter((name) => name.includes('.part'))).toEqual([])
  })

  it('prints a message if there is nothing to export', () => {
    expect(run(['export', '--all'], temporaryHome())).toMatchObject({
      stdout: 'Nothing to export.\n',
      code: 1,
    })
  })

  it('starts with a table of contents, in order of time, with a link to each message', () => {
    const home = temporaryHome()
    putClaude(home, uuid(2), [claude.user(20, 'the second session')])
    putClaude(home, uuid(1), [claude.user(1, 'the first session'), claude.reply(2, [text('**Yes**')])])
    putClaude(home, uuid(3), [claude.reply(30, [])])
    const { stdout, stderr } = run(['export', '--all', '--out', '-'], home)
    expect(stderr).toBe('1 session is empty and was skipped.\n')
    const [contents, main] = [stdout.indexOf('<nav>'), stdout.indexOf('<main>')]
    expect(contents).toBeGreaterThan(0)
    expect(contents).toBeLessThan(main)
    const links = [...stdout.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id)
    expect(links.length).toBeGreaterThan(4)
    for (const id of links) expect(stdout).toContain(`id="${id}"`)
    expect(stdout.indexOf('the first session', main)).toBeLessThan(stdout.indexOf('the second session', main))
    expect(stdout).toContain('<strong>Yes</strong>')
  })

  it('folds tool calls between two messages, and takes the title of its only session', () => {
    const home = temporaryHome()
    putClaude(home, uuid(1), [
      claude.user(1, 'Look'),
      claude.reply(2, [call('a', 'Read', { file_path: '/x' }), call('b', 'Bash', { command: 'ls' })]),
      claude.result(3, 'b', 'no such file', true),
      claude.reply(4, [text('Done')]),
    ])
    const { stdout } = run(['export', uuid(1), '--out', '-'], home)
    // Nothing follows the document.
    expect(run(['export', uuid(1), '--out', '-', '--json'], home).stdout).toBe(stdout)
    expect(stdout).toContain('<title>Look</title>')
    expect(stdout).toContain('<details><summary>2 tool calls, 1 error: Read, Bash</summary>')
    expect(stdout.match(/<details>/g)).toHaveLength(1)
  })

  it.each(['html', 'md', 'json', 'jsonl'])('writes %s to standard output, and nothing else', (format) => {
    const home = temporaryHome()
    putClaude(home, uuid(1), [claude.user(1, 'Plan the garden')])
    putClaude(home, uuid(2), [claude.user(2, 'Plan the pond')])
    const { stdout, code } = run(['export', 'garden', '--format', format, '--out', '-'], home)
    expect(code).toBe(0)
    expect(stdout).toContain('Plan the pond')
    expect(stdout).not.toContain('Exported 2')
    if (format === 'json') expect(JSON.parse(stdout).sessions).toHaveLength(2)
    const line = `'${process.execPath}' '${program}' export garden --format ${format} --out -`
    const cut = spawnSync('sh', ['-c', `${line} | head -c 1 > /dev/null`], {
      ...{ cwd: home, encoding: 'utf8', env: variablesOf(home) },
    })
    expect(cut.stderr).toBe('')
  })
})

it('an export to a special file leaves it unchanged, even with --force', () => {
  const home = temporaryHome()
  const pipe = join(home, 'pipe.md')
  expect(spawnSync('mkfifo', [pipe]).status).toBe(0)
  const { stderr, code } = run(
    ['export', '640ab4c7', '--demo', '--format', 'md', '--out', pipe, '--force'],
    home,
  )
  expect({ code, isPipe: statSync(pipe).isFIFO() }).toEqual({ code: 2, isPipe: true })
  expect(stderr).toContain('is not a regular file')
})
