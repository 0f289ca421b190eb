import { spawn } from 'node:child_process'
import { setTimeout as pass } from 'node:timers/promises'
import { compileCache, program } from '../program.ts'

export interface Following {
  told(): string
  said(): string
  /** Looks again and again whether it is so, for so many ms at most; whether it came to be. */
  until(condition: () => boolean, most?: number): Promise<boolean>
  /** Asks it to end; its exit code. */
  stop(): Promise<number | null>
  kill(): void
}

/** The program as it follows, from when it says so. `heard` gets what it tells as it comes. */
export async function startFollowing(
  home: string,
  args: readonly string[],
  heard: (text: string) => void = () => {},
): Promise<Following> {
  const env = { HOME: home, TZ: 'UTC', PATH: process.env.PATH, NODE_COMPILE_CACHE: compileCache }
  const child = spawn(process.execPath, [program, 'follow', ...args], { env, cwd: home })
  let told = ''
  let said = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    told += text
    heard(text)
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  const following: Following = {
    told: () => told,
    said: () => said,
    async until(condition, most = 8000) {
      for (const began = performance.now(); performance.now() - began < most; await pass(20))
        if (condition()) return true
      return condition()
    },
    stop: () =>
      new Promise((resolve) => {
        child.on('exit', resolve)
        child.kill('SIGTERM')
      }),
    kill: () => void child.kill('SIGKILL'),
  }
  await following.until(() => said.includes('Following'), 30_000)
  return following
}
