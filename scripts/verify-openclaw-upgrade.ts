/**
 * Runs an OpenClaw release that writes files against a scripted model, migrates its files with a release that
 * uses databases, and compares what Scrollback reads before and after: `node
 * scripts/verify-openclaw-upgrade.ts`. Needs npm and takes some minutes.
 */
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type ScriptedModel, startModel } from './openclaw-upgrade/model-server.ts'
import { type HomeContents, readHome } from './openclaw-upgrade/read-home.ts'
import { installRelease, type Release } from './openclaw-upgrade/release.ts'

const USAGE = `node scripts/verify-openclaw-upgrade.ts [--from 2026.3.13] [--to 2026.9.6] [--packages folder] [--override name=spec]… [--keep]
  --packages   where the releases are installed, and found the next time
  --override   another package for one that cannot be had here, as in the overrides of a package.json
  --keep       leave the home as it is, to look at`

/** Each word occurs in one prompt and its reply. */
const REPLIES = new Map(['basil', 'fern', 'moss', 'thyme'].map((word) => [word, `The ${word} is done.`]))
const TOOL = { word: 'fern', name: 'exec', input: { command: 'echo watered' } }
/** Sent by the new release, after the upgrade. */
const LATER = 'quince'
const OTHER_AGENT = 'herbs'

interface Choice {
  from: string
  to: string
  packages: string
  overrides: Record<string, string>
  keep: boolean
}

function choose(): Choice {
  const { values } = parseArgs({
    options: {
      from: { type: 'string', default: '2026.3.13' },
      to: { type: 'string', default: '2026.9.6' },
      packages: { type: 'string' },
      override: { type: 'string', multiple: true, default: [] },
      keep: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) {
    process.stdout.write(`${USAGE}\n`)
    process.exit(0)
  }
  const overrides = values.override.map((each): [string, string] => {
    const at = each.indexOf('=')
    if (at < 1) throw new Error(`--override ${each}: name=spec is wanted`)
    return [each.slice(0, at), each.slice(at + 1)]
  })
  const packages = resolve(values.packages ?? mkdtempSync(join(tmpdir(), 'openclaw-releases-')))
  const { from, to, keep } = values
  return { from, to, packages, overrides: Object.fromEntries(overrides), keep }
}

const say = (line: string): void => void process.stdout.write(`${line}\n`)

function configure(home: string, { address }: ScriptedModel): void {
  const model = {
    id: 'scripted',
    name: 'scripted',
    reasoning: false,
    input: ['text'],
    contextWindow: 128_000,
    maxTokens: 4096,
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  }
  const provider = { baseUrl: address, apiKey: 'none', api: 'openai-completions', models: [model] }
  mkdirSync(join(home, '.openclaw'), { recursive: true })
  writeFileSync(
    join(home, '.openclaw/openclaw.json'),
    JSON.stringify({
      models: { mode: 'merge', providers: { scripted: provider } },
      agents: {
        defaults: { model: { primary: 'scripted/scripted' } },
        list: [{ id: 'main', default: true }, { id: OTHER_AGENT }],
      },
    }),
  )
}

async function talk(release: Release, home: string, prompt: string, agent = 'main'): Promise<void> {
  await release.run(home, ['agent', '--local', '--agent', agent, '--message', prompt, '--json'])
  say(`  ${release.version} answered: ${prompt}`)
}

/** Lines that are in one collection and not in the other. */
const missing = (of: Iterable<string>, from: Iterable<string>, sign: string): string[] => {
  const there = new Set(from)
  return [...of].filter((each) => !there.has(each)).map((each) => `  ${sign} ${each}`)
}

function differences(before: HomeContents, after: HomeContents): string[] {
  const found = ({ found }: HomeContents) => [...found].map(([word, count]) => `${word}: ${count}`)
  return [
    ...missing(before.messages, after.messages, 'missing:'),
    ...missing(after.messages, before.messages, 'added:'),
    ...missing(before.sessions, after.sessions, 'listed before:'),
    ...missing(after.sessions, before.sessions, 'listed after:'),
    ...missing(found(before), found(after), 'found before:'),
    ...missing(found(after), found(before), 'found after:'),
    ...before.problems.map((each) => `  doctor before: ${each}`),
    ...after.problems.map((each) => `  doctor after: ${each}`),
  ]
}

async function verify({ from, to, packages, overrides }: Choice, home: string): Promise<boolean> {
  say(`Installing openclaw ${from} and ${to} into ${packages}`)
  const old = await installRelease(join(packages, from), from, overrides)
  const next = await installRelease(join(packages, to), to, overrides)
  const model = await startModel(new Map([...REPLIES, [LATER, `The ${LATER} is done.`]]), TOOL)
  try {
    configure(home, model)
    await talk(old, home, 'How is the basil?')
    await talk(old, home, 'Water the fern, please.')
    await talk(old, home, 'And the moss?')
    await talk(old, home, 'Cut the thyme.', OTHER_AGENT)
    if (model.asked() === 0) throw new Error(`${from} never asked the model`)
    const before = await readHome(home, REPLIES.keys())
    say(`  ${before.messages.size} messages: ${before.sessions.join('; ')}`)
    for (const [word, count] of before.found)
      if (count < 2) throw new Error(`${word} was sent and answered, but was found ${count} times before`)

    await next.run(home, ['doctor', '--fix', '--non-interactive'])
    for (const agent of ['main', OTHER_AGENT])
      if (!existsSync(join(home, `.openclaw/agents/${agent}/agent/openclaw-agent.sqlite`)))
        throw new Error(`${to} doctor --fix made no database for ${agent}`)
    const after = await readHome(home, REPLIES.keys())
    say(`  ${after.messages.size} messages after the upgrade: ${after.sessions.join('; ')}`)
    const differing = differences(before, after)
    for (const line of differing) say(line)

    await talk(next, home, `Plant a ${LATER}.`)
    const later = (await readHome(home, [LATER])).found.get(LATER)
    say(`  ${LATER}, said to ${to}: found ${later} times`)
    return differing.length === 0 && later === 2
  } finally {
    model.close()
  }
}

const choice = choose()
const home = mkdtempSync(join(tmpdir(), 'openclaw-upgrade-'))
try {
  const same = await verify(choice, home)
  say(same ? 'The same messages before and after, each once.' : 'Not the same: see the lines above.')
  process.exitCode = same ? 0 : 1
} catch (error) {
  say(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
} finally {
  if (choice.keep) say(`The home is ${home}`)
  else rmSync(home, { recursive: true, force: true })
}
