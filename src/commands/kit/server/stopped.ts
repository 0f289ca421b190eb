/** Resolves when the user stops a server, at once if nothing could. */
export const stopped = (stop: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve) => {
    if (!stop || stop.aborted) return resolve()
    stop.addEventListener('abort', () => resolve(), { once: true })
  })
