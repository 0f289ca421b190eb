/**
 * Lets the newest clients from npm talk to a scripted model on loopback, with a tool, the MCP server of
 * Scrollback and, for Claude Code, a subagent and a terminal. Compares the transcripts as Scrollback
 * reads them with what was typed, called and served. Fails if they contain types or fields that are unknown,
 * and otherwise writes the versions into the pages of their formats.
 * Arguments name the clients to test; without any, all are.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { checkout } from '../program.ts'
import { claudeCode } from './claude-code.ts'
import { type Client, type Installed, install } from './clients.ts'
import { cline } from './cline.ts'
import { codex } from './codex.ts'
import { differences, unknowns } from './compare.ts'
import { continueCli } from './continue.ts'
import { copilot } from './copilot.ts'
import { elsewhere } from './elsewhere.ts'
import { geminiCli } from './gemini-cli.ts'
import { handedOver } from './handed-over.ts'
import { kimiCode } from './kimi-code.ts'
import { modelServer } from './model-server.ts'
import { openclaw } from './openclaw.ts'
import { kiloCode, opencode } from './opencode.ts'
import { pi } from './pi.ts'
import { qwenCode } from './qwen-code.ts'

/** `older`: the release that is tested where the newest one depends on packages that npm does not have. */
const CLIENTS: readonly { name: string; make: (installed: Installed) => Client; older?: string }[] = [
  { name: '@anthropic-ai/claude-code', make: claudeCode },
  { name: 'openclaw', make: openclaw },
  { name: '@openai/codex', make: codex },
  { name: '@earendil-works/pi-coding-agent', make: pi, older: '1.5.2' },
  { name: 'opencode-ai', make: opencode },
  { name: '@google/gemini-cli', make: geminiCli },
  { name: '@github/copilot', make: copilot },
  { name: '@kilocode/cli', make: kiloCode, older: '7.7.7' },
  { name: '@qwen-code/qwen-code', make: qwenCode },
  { name: '@moonshot-ai/kimi-code', make: kimiCode },
  { name: 'cline', make: cline },
  { name: '@continuedev/cli', make: continueCli },
]

const say = (text: string): void => void process.stdout.write(`${text}\n`)

/** Whether everything that one client wrote was read correctly. */
async function check(client: Client): Promise<boolean> {
  const home = mkdtempSync(join(tmpdir(), 'scrollback-client-'))
  await using server = await modelServer()
  try {
    await client.talk(home, server.address)
    const wrong = [
      ...differences(home, client, server.served),
      ...unknowns(home),
      ...(await elsewhere(home, client, server)),
      ...(await handedOver(home, client, server)),
    ]
    for (const each of wrong) say(`  ✗ ${each}`)
    if (wrong.length === 0)
      say('  ✓ words, tools, errors and tokens are those of the script, and every field is known')
    return wrong.length === 0
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

const LINE = /^Last compared with .*$/m

/** Writes which release was compared last, and when: into the page, and for `doctor`. */
function note({ name, page, version }: Client): void {
  const path = join(checkout, page)
  const text = readFileSync(path, 'utf8')
  const day = new Date().toISOString().slice(0, 10)
  const line = `Last compared with ${name} ${version} on ${day}, by \`npm run test:clients\`.`
  writeFileSync(path, LINE.test(text) ? text.replace(LINE, line) : text.replace(/^(# .*\n)/, `$1\n${line}\n`))
  const identity = join(checkout, 'src/platforms', basename(page, '.md'), 'identity.ts')
  const known = readFileSync(identity, 'utf8')
  const tried = TRIED.exec(known)?.[1]
  if (tried !== undefined && tried.localeCompare(version, 'en', { numeric: true }) < 0)
    writeFileSync(identity, known.replace(TRIED, `tried: '${version}'`))
}

const TRIED = /\btried: '([^']*)'/

const wanted = process.argv.slice(2)

let failed = false
for (const { name, make, older } of CLIENTS) {
  if (wanted.length > 0 && !wanted.some((word) => name.includes(word))) continue
  const folder = mkdtempSync(join(tmpdir(), 'scrollback-install-'))
  try {
    const installed = install(name, folder, older)
    if ('reason' in installed) {
      say(`${name}: skipped, for ${installed.reason}`)
      continue
    }
    const client = make(installed)
    say(`${client.name} ${client.version}`)
    if (await check(client)) note(client)
    else failed = true
  } catch (error) {
    say(`  ✗ ${(error as Error).message}`)
    failed = true
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
process.exitCode = failed ? 1 : 0
