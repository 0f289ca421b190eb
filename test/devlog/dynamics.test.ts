import { describe, expect, it } from 'vitest'
import { foundIn, measure } from './labelled.ts'

describe('the rules for dynamics', () => {
  const { figures } = measure('all')

  it('are measured on at least 300 labelled spans', () => {
    expect(figures.reduce((sum, { labelled }) => sum + labelled, 0)).toBeGreaterThanOrEqual(300)
  })

  it.each(figures)('find $kind with a precision of at least 0.8', ({ precision, recall }) => {
    expect(precision).toBeGreaterThanOrEqual(0.8)
    expect(recall).toBeGreaterThanOrEqual(0.8)
  })

  it('need a reply of the agent for agreement and disagreement', () => {
    expect([...foundIn(['H: yes, go ahead'])]).not.toContain('0 agreement')
    expect([...foundIn(['A: Shall I start?', 'H: yes, go ahead'])]).toEqual([])
    expect([...foundIn(['H: hello there', 'A: Shall I start?', 'H: yes, go ahead'])]).toContain('2 agreement')
  })

  it('do not read commands of the client or pasted documents', () => {
    expect([...foundIn(['H: /compact I want the plan', `H: I want this. ${'x '.repeat(2000)}`])]).toEqual([])
  })

  it('report no repair where nothing was tried', () => {
    expect([...foundIn(['H: hello', 'T: Bash npm test', 'E: failed'])]).toEqual([])
  })
})
