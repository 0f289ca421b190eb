import { availableParallelism, hostname, userInfo } from 'node:os'
import { resolve } from 'node:path'

/** What the system says about this machine and this process. */
export const ownMachine = () => ({
  machine: { device: hostname(), user: userName() },
  started: { executable: process.execPath, script: resolve(process.argv[1] ?? '') },
  here: process.cwd(),
  threads: Math.min(8, availableParallelism()),
})

/** Empty if the system has no name for the user. */
function userName(): string {
  try {
    return userInfo().username
  } catch {
    return ''
  }
}
