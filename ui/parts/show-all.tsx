import { count } from '../text/figures.ts'
import { Button } from './button.tsx'

interface ShowAllProperties {
  /** How many rows there are. */
  total: number
  all: boolean
  setAll(all: boolean): void
}

/** The button below a list that is cut, which shows all of it, and fewer again. */
export function ShowAll({ total, all, setAll }: ShowAllProperties) {
  return (
    <p class="more-rows">
      <Button
        label={all ? 'Show fewer' : `Show all ${count(total)}`}
        expanded={all}
        onClick={() => setAll(!all)}
      />
    </p>
  )
}
