import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The prompts of a client, one after another in the same session. */
export const PROMPTS = ['USE-TOOL: which tea is on the list?', 'FAIL-TOOL: and which coffee?', 'Good night.']

export interface Client {
  name: string
  /** The page of its format, which contains the version. */
  page: string
  version: string
  /** Sends the prompts to a model server, in a home of its own. Throws with its output if it fails. */
  talk(home: string, address: string): Promise<void>
}

/** Installs the newest release from npm into a folder. Returns the reason if that fails. */
export function install(
  name: string,
  folder: string,
): { folder: string; version: string } | { reason: string } {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{"private":true}')
  const newest = npm(['view', name, 'version'], folder)
  if (newest.status !== 0) return { reason: `npm does not report the newest ${name}` }
  const { status, stderr } = npm(
    ['install', '--no-audit', '--no-fund', `${name}@${newest.stdout.trim()}`],
    folder,
  )
  if (status !== 0) return { reason: `npm cannot install ${name}: ${stderr.trim().split('\n').at(-1)}` }
  const own = join(folder, 'node_modules', name)
  const { version } = JSON.parse(readFileSync(join(own, 'package.json'), 'utf8')) as { version: string }
  // Its program is downloaded by a script that npm does not run by default.
  const script = join(own, 'install.cjs')
  if (existsSync(script)) spawnSync(process.execPath, [script], { cwd: own, stdio: 'ignore' })
  return { folder, version }
}

const npm = (args: readonly string[], cwd: string) =>
  spawnSync('npm', args, { cwd, encoding: 'utf8', timeout: 600_000, env: withOwnNode(process.env) })

/** Clients need a recent Node, so ours comes first. */
const withOwnNode = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({
  ...env,
  PATH: `${dirname(process.execPath)}:${env.PATH}`,
})

/** Claude Code in print mode, with its own configuration, and no traffic except to the model. */
export const claudeCode = ({ folder, version }: { folder: string; version: string }): Client => ({
  name: 'Claude Code',
  page: 'docs/formats/claude-code.md',
  version,
  async talk(home, address) {
    for (const [index, prompt] of PROMPTS.entries())
      await run(
        join(folder, 'node_modules/.bin/claude'),
        [
          ...(index > 0 ? ['--continue'] : []),
          '-p',
          prompt,
          '--allowedTools',
          'Bash',
          '--output-format',
          'json',
        ],
        home,
        {
          ANTHROPIC_BASE_URL: address,
          ANTHROPIC_API_KEY: 'no-key-at-all',
          CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
          DISABLE_AUTOUPDATER: '1',
        },
      )
  },
})

/** OpenClaw without its gateway, one agent turn after another. */
export const openclaw = ({ folder, version }: { folder: string; version: string }): Client => ({
  name: 'OpenClaw',
  page: 'docs/formats/openclaw.md',
  version,
  async talk(home, address) {
    const model = {
      ...{ id: 'claude-script-1', name: 'Script', reasoning: false, input: ['text'] },
      ...{ contextWindow: 200_000, maxTokens: 8192 },
      cost: { input: 1, output: 1, cacheRead: 1, cacheWrite: 1 },
    }
    const config = {
      agents: {
        defaults: {
          model: { primary: 'script/claude-script-1' },
          workspace: join(home, '.openclaw/workspace'),
        },
      },
      models: {
        providers: {
          script: { baseUrl: address, apiKey: 'no-key-at-all', api: 'anthropic-messages', models: [model] },
        },
      },
    }
    mkdirSync(join(home, '.openclaw/workspace'), { recursive: true })
    writeFileSync(join(home, '.openclaw/openclaw.json'), JSON.stringify(config))
    for (const prompt of PROMPTS)
      await run(
        join(folder, 'node_modules/.bin/openclaw'),
        [
          'agent',
          '--local',
          '--agent',
          'main',
          '--session-id',
          'script-session',
          '--message',
          prompt,
          '--json',
        ],
        home,
        {},
      )
  },
})

const PATIENCE_MS = 120_000

/** Runs a client in a clean environment and an empty working directory of its home. */
async function run(
  program: string,
  args: readonly string[],
  home: string,
  variables: NodeJS.ProcessEnv,
): Promise<void> {
  const work = join(home, 'shop')
  mkdirSync(work, { recursive: true })
  const child = spawn(program, args, {
    cwd: work,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: PATIENCE_MS,
    env: withOwnNode({ HOME: home, PATH: process.env.PATH, TZ: 'UTC', LANG: 'C.UTF-8', ...variables }),
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      printed += chunk
    })
  const code = await new Promise<number | null>((settle) => {
    child.on('close', (status) => settle(status))
    child.on('error', () => settle(null))
  })
  if (code !== 0) throw new Error(`${program} ended with ${code}: ${printed.slice(-2000)}`)
}
