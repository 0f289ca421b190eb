import type { Signal } from '@preact/signals'
import { useEffect, useLayoutEffect } from 'preact/hooks'
import { query, setQueryLater } from '../state/router.ts'

/** Browsers limit how often an address changes. */
const PAUSE_MS = 200

/** The address follows when the typing pauses, and the field follows the address. */
export function useTypedQuery(typed: Signal<string>, field: { current: HTMLInputElement | null }): void {
  const inAddress = query('q')
  useEffect(() => {
    if (typed.value === inAddress) return
    return setQueryLater({ q: typed.value, at: '' }, PAUSE_MS)
  }, [typed.value])
  useLayoutEffect(() => {
    if (document.activeElement !== field.current) typed.value = inAddress
  }, [inAddress])
}
