import { spawn } from 'node:child_process'
import { setTimeout as pass } from 'node:timers/promises'
import { compileCache, programFor } from '../program.ts'

export interface Following {
  stdout(): string
  stderr(): string
  /** Checks a condition repeatedly, for at most this many ms, and returns whether it became true. */
  until(condition: () => boolean, most?: number): Promise<boolean>
  /** Asks the program to end and returns its exit code. */
  stop(): Promise<number | null>
  /** Closes the pipe that it writes to, and returns its exit code when it ends. */
  closeOutput(): Promise<number | null>
  kill(): void
  /** Stops the process where it is, and lets it go on. */
  pause(): void
  resume(): void
}

/**
 * A running `follow`, from its first message on. `onOutput` receives its output as it comes; `more` is added to
 * its environment.
 */
export async function startFollowing(
  home: string,
  args: readonly string[],
  onOutput: (text: string) => void = () => {},
  more: NodeJS.ProcessEnv = {},
): Promise<Following> {
  const env = { HOME: home, TZ: 'UTC', PATH: process.env.PATH, NODE_COMPILE_CACHE: compileCache, ...more }
  const child = spawn(process.execPath, [programFor(env), 'follow', ...args], { env, cwd: home })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
    onOutput(text)
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  const following: Following = {
    stdout: () => stdout,
    stderr: () => stderr,
    async until(condition, most = 120_000) {
      for (const began = performance.now(); performance.now() - began < most; await pass(20))
        if (condition()) return true
      return condition()
    },
    stop: () =>
      new Promise((resolve) => {
        child.on('exit', resolve)
        child.kill('SIGTERM')
      }),
    closeOutput: () =>
      new Promise((resolve) => {
        child.on('exit', resolve)
        child.stdout.destroy()
      }),
    kill: () => void child.kill('SIGKILL'),
    pause: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
  }
  await following.until(() => stderr.includes('Following'), 120_000)
  return following
}
