import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const MINUTE = 60_000
/** How much output of a failed program is shown. */
const SHOWN = 2000

/** An OpenClaw release that is installed below a folder. */
export interface Release {
  version: string
  /** Runs it with its own home directory. Throws with its output if it fails. */
  run(home: string, args: readonly string[]): Promise<string>
}

/** Installs a release with npm unless it is already there. Does not run package scripts. */
export async function installRelease(
  folder: string,
  version: string,
  overrides: Readonly<Record<string, string>>,
): Promise<Release> {
  const program = join(folder, 'node_modules/openclaw/openclaw.mjs')
  if (installedVersion(folder) !== version) {
    mkdirSync(folder, { recursive: true })
    const wanted = { private: true, dependencies: { openclaw: version }, overrides }
    writeFileSync(join(folder, 'package.json'), JSON.stringify(wanted))
    const install = ['install', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund']
    await finished('npm', install, { cwd: folder, env: process.env, minutes: 15 })
  }
  return {
    version,
    run: (home, args) =>
      finished(process.execPath, [program, ...args], {
        cwd: home,
        env: { PATH: process.env.PATH, HOME: home, TZ: 'UTC', NO_COLOR: '1' },
        minutes: 5,
      }),
  }
}

function installedVersion(folder: string): string | undefined {
  const path = join(folder, 'node_modules/openclaw/package.json')
  return existsSync(path)
    ? (JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version
    : undefined
}

interface Running {
  cwd: string
  env: NodeJS.ProcessEnv
  minutes: number
}

/** Asynchronous, because the model replies from this process. */
export function finished(
  command: string,
  args: readonly string[],
  { cwd, env, minutes }: Running,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env,
      timeout: minutes * MINUTE,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let said = ''
    let answer = ''
    child.stdout.on('data', (chunk) => {
      answer += String(chunk)
      said += String(chunk)
    })
    child.stderr.on('data', (chunk) => {
      said += String(chunk)
    })
    child.on('error', reject)
    child.on('close', (code) => {
      if (code === 0) resolve(answer)
      else
        reject(new Error(`${[command, ...args].join(' ')} ended with ${code}:\n${said.trim().slice(-SHOWN)}`))
    })
  })
}
