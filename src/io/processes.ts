/** Whether a process of this number runs on this machine. */
export function isRunning(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0 || pid > MOST) return false
  try {
    // Asks, and sends nothing.
    process.kill(pid, 0)
    return true
  } catch (error) {
    // It runs as somebody else.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

const MOST = 2 ** 31 - 1
