import { describe, expect, it } from 'vitest'
import { storedAddress } from './state.ts'

describe('the stored address of a destination', () => {
  it('contains no query values, but differs when they differ', () => {
    const [one, other] = ['s3cret-1', 's3cret-2'].map((key) =>
      storedAddress(`https://logs.test/v1/records?api_key=${key}&team=a%26b`),
    )
    expect(one).toMatch(/^https:\/\/logs\.test\/v1\/records\?api_key=…&team=…~[\w-]{4}$/)
    expect(other).not.toBe(one)
    expect(storedAddress(one!)).not.toContain('s3cret')
  })

  it('is the address itself if there is no query', () => {
    for (const address of ['https://logs.test/v1/records', 'file:/home/ann/archive', 'stdout:'])
      expect(storedAddress(address)).toBe(address)
  })
})
