/** The shortest pause between two times, in ms, and how many times as long as a time itself a pause lasts. */
const LEAST_MS = 5000
const PAUSE_SHARE = 20

export interface Paced {
  /** Runs it now, or as soon as the pause is over. */
  ask(): void
  stop(): void
}

/** Something that costs the server more the longer a session is, and is wanted each time one grows. */
export function paced(run: () => Promise<unknown>): Paced {
  let timer: ReturnType<typeof setTimeout> | undefined
  let mayRunAt = 0
  let isRunning = false
  let isAskedAgain = false
  let isStopped = false

  async function start(): Promise<void> {
    timer = undefined
    // A page that nobody sees asks when somebody does.
    if (document.hidden) return document.addEventListener('visibilitychange', start, { once: true })
    if (isStopped) return
    isRunning = true
    const begun = performance.now()
    try {
      await run()
    } finally {
      const ended = performance.now()
      mayRunAt = ended + Math.max(LEAST_MS, (ended - begun) * PAUSE_SHARE)
      isRunning = false
    }
    if (isAskedAgain) ask()
  }

  function ask(): void {
    isAskedAgain = isRunning
    if (isRunning || timer !== undefined || isStopped) return
    timer = setTimeout(start, Math.max(0, mayRunAt - performance.now()))
  }

  return {
    ask,
    stop() {
      isStopped = true
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', start)
    },
  }
}
