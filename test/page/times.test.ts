import { describe, expect, it } from 'vitest'
import { dateOf, dayName } from '../../ui/text/times.ts'

const at = (text: string): number => Date.parse(`${text}T12:00:00`)

describe('days', () => {
  it('have their year unless it is the current one', () => {
    const now = at('2026-11-15')
    expect(dayName(at('2025-09-03'), now)).toContain('2025')
    expect(dayName(at('2026-09-03'), now)).not.toContain('2026')
    expect(dateOf(at('2025-12-31'), now)).toContain('2025')
    expect(dateOf(at('2026-01-01'), now)).not.toContain('2026')
  })
})
