/** Whether a process with this id runs on this machine. */
export function isRunning(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0 || pid > MOST) return false
  try {
    // Signal 0 only checks for existence.
    process.kill(pid, 0)
    return true
  } catch (error) {
    // The process belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

const MOST = 2 ** 31 - 1
