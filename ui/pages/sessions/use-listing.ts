import { useEffect, useMemo, useState } from 'preact/hooks'
import type { Address } from '../../api/ask.ts'
import type { Failure } from '../../api/client.ts'
import type { ListingAnswer } from '../../api/shapes.ts'
import { useNews } from '../../api/use-answer.ts'
import { Blocks } from './blocks.ts'
import { rowsOf, type SessionRows } from './list.ts'

const LIVE_MS = 3000

/** The last list, so that going back shows it at once, while it is asked for again. */
let latest: Blocks | undefined

interface Listing {
  rows: SessionRows
  /** Undefined until something is there. */
  total: number | undefined
  incomplete: ListingAnswer['incomplete']
  failure: Failure | undefined
  /** Says which rows are in view. */
  show(from: number, to: number): void
  again(): void
}

/** The list at an address. The previous one stays until the first rows of this one arrive. */
export function useListing(address: Address<'listing'>): Listing {
  const [version, setVersion] = useState(0)
  const blocks = useMemo(() => (latest?.address === address ? latest : new Blocks(address)), [address])
  const [before, setBefore] = useState(blocks)
  const shown = blocks.head || blocks.failure ? blocks : before
  useEffect(() => {
    blocks.open(() => {
      latest = blocks
      setBefore(blocks)
      setVersion((n) => n + 1)
    })
    return () => blocks.close()
  }, [blocks])
  useNews(LIVE_MS, () => blocks.refresh())
  const rows = useMemo(() => rowsOf(shown), [shown, version])
  return {
    rows,
    total: shown.head?.total,
    incomplete: shown.head?.incomplete,
    failure: blocks.failure,
    show: (from, to) => shown === blocks && to > from && blocks.show(from, to),
    again: () => blocks.refresh(),
  }
}
