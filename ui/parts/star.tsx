import type { SessionRow } from '../api/shapes.ts'
import { marksAvailable, marksOf, toggleStar } from '../state/marks.ts'
import { Button } from './button.tsx'

export function Star({ row }: { row: SessionRow }) {
  if (!marksAvailable.value) return null
  const isStarred = marksOf(row).star === true
  return (
    <span class="star" data-on={isStarred}>
      <Button
        label={isStarred ? 'Remove the star' : 'Star'}
        icon="star"
        bare
        filled={isStarred}
        pressed={isStarred}
        onClick={() => void toggleStar(row)}
      />
    </span>
  )
}
