import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { changes, indexed, indexing } from '../state/events.ts'
import { queries } from '../state/router.ts'
import type { Address, AnswerTo, JsonName, ParametersOf, ReadingName } from './ask.ts'
import { Failure, get } from './client.ts'

export interface Asked<Answer> {
  answer: Answer | undefined
  failure: Failure | undefined
  /** Whether a newer answer is on its way. */
  loading: boolean
  again(): void
}

interface Held {
  address: string | undefined
  answer: unknown
  failure: Failure | undefined
  loading: boolean
}

/** Recent answers by address, so that going back shows a page at once, while it is asked for again. */
const recent = new Map<string, unknown>()
const MOST_RECENT = 40

function remember(address: string, answer: unknown): void {
  recent.delete(address)
  recent.set(address, answer)
  if (recent.size > MOST_RECENT) recent.delete(recent.keys().next().value!)
}

/** What is made from a part of the files is asked again after this time, in ms, until it is made from all. */
const PART_MS = 2000

const startOf = (address: string | undefined): Held => ({
  address,
  answer: address === undefined ? undefined : recent.get(address),
  failure: undefined,
  loading: address !== undefined,
})

/**
 * The answer to a question, if one is asked. `live` asks again when sessions change, at most every so many
 * milliseconds; `keep` shows the previous answer while the next one loads.
 */
export function useAnswer<Name extends JsonName>(
  address: Address<Name> | undefined,
  { live, keep }: { live?: number; keep?: boolean } = {},
): Asked<AnswerTo<Name>> {
  const [held, setHeld] = useState<Held>(() => startOf(address))
  const [round, setRound] = useState(0)
  const again = () => setRound((n) => n + 1)

  // Before the browser paints, so that the answer arrives a frame earlier.
  useLayoutEffect(() => {
    if (address === undefined) return setHeld(startOf(undefined))
    const control = new AbortController()
    setHeld((before) => {
      if (before.address === address) return { ...before, loading: true }
      const start = startOf(address)
      return keep && start.answer === undefined ? { ...start, answer: before.answer } : start
    })
    get(address, control.signal).then(
      (answer) => {
        if (control.signal.aborted) return
        remember(address, answer)
        setHeld({ address, answer, failure: undefined, loading: false })
      },
      (error: unknown) => {
        if (control.signal.aborted) return
        const failure = error instanceof Failure ? error : new Failure(0, String(error))
        // What another address answered must not pass for an answer to this one.
        const answer = recent.get(address)
        setHeld((before) => ({ ...before, answer, failure, loading: false }))
      },
    )
    return () => control.abort()
  }, [address, round])

  useNews(live, again)
  const isPart = (held.answer as { incomplete?: object } | undefined)?.incomplete !== undefined
  useEffect(() => {
    if (!isPart || held.loading) return
    const timer = setTimeout(again, PART_MS)
    return () => clearTimeout(timer)
  }, [held])

  const current = held.address === address || keep ? held : startOf(address)
  return {
    answer: current.answer as AnswerTo<Name> | undefined,
    failure: current.failure,
    loading: current.loading,
    again,
  }
}

/**
 * Calls when an index has ended, and, with `live`, while one is running and as soon as sessions change: at most
 * every so many milliseconds, and not while nobody sees the page.
 */
export function useNews(live: number | undefined, call: () => void): void {
  const latest = useRef(call)
  latest.current = call
  useEffect(() => {
    const before = indexed.peek()
    return indexed.subscribe((times) => {
      if (times !== before) latest.current()
    })
  }, [])

  useEffect(() => {
    if (live === undefined) return
    let timer: ReturnType<typeof setTimeout> | undefined
    let first = true
    let mayCallAt = 0
    const soon = () => {
      timer ??= setTimeout(
        () => {
          timer = undefined
          if (document.hidden) return
          mayCallAt = performance.now() + live
          latest.current()
        },
        Math.max(0, mayCallAt - performance.now()),
      )
    }
    const stopChanges = changes.subscribe(() => {
      if (!first) soon()
      first = false
    })
    // What has been read meanwhile, while an index is running.
    const stopIndexing = indexing.subscribe((progress) => progress && soon())
    return () => {
      stopChanges()
      stopIndexing()
      clearTimeout(timer)
    }
  }, [live])
}

/**
 * Parameters as the address of the page states them: anybody can write there what they like. The server checks
 * them, and its refusal says what it expects.
 */
export const stated = <Name extends ReadingName>(
  names: readonly (keyof ParametersOf<Name> & string)[],
): ParametersOf<Name> => queries(names) as ParametersOf<Name>
