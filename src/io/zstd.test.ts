import { zstdCompressSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { unpackZstd, unpackZstdAside } from './zstd.ts'

const [first, second] = [zstdCompressSync('one\n'), zstdCompressSync('two\n'.repeat(1000))]
/** A frame that decoders skip, of four bytes. */
const skippable = (mark = 0x50) => Buffer.from([mark, 0x2a, 0x4d, 0x18, 4, 0, 0, 0, 1, 2, 3, 4])
const text = (...frames: Uint8Array[]) => String(unpackZstd(Buffer.concat(frames), 10_000).bytes)

describe('packed content', () => {
  it('is that of all frames, without those that decoders skip', async () => {
    const both = `one\n${'two\n'.repeat(1000)}`
    expect(text(first)).toBe('one\n')
    expect(text(first, second)).toBe(both)
    expect(text(skippable(), first, skippable(0x5f), second, skippable())).toBe(both)
    expect(text(first, zstdCompressSync(''), second)).toBe(both)
    expect(text(zstdCompressSync(''))).toBe('')
    const aside = await unpackZstdAside(Buffer.concat([skippable(), first, second]), 10_000)
    expect([String(aside.bytes), aside.frames]).toEqual([both, 3])
  })

  it('is an error if a frame is cut off or damaged, or something else follows', async () => {
    const cut = /end of file|cut off|no content/
    expect(() => text()).toThrow(cut)
    expect(() => text(skippable())).toThrow(cut)
    for (let length = 1; length < second.length; length += 3) {
      expect(() => text(second.subarray(0, length)), String(length)).toThrow(cut)
      expect(() => text(first, second.subarray(0, length)), String(length)).toThrow(cut)
    }
    for (let length = 1; length < 12; length++)
      expect(() => text(first, skippable().subarray(0, length)), String(length)).toThrow()
    expect(() => text(first, Buffer.from('this is not a frame'))).toThrow('Unknown frame descriptor')
    await expect(unpackZstdAside(Buffer.concat([first, Buffer.from('no')]), 100)).rejects.toThrow()
  })

  it('is limited over all frames, and their number too', () => {
    expect(unpackZstd(Buffer.concat([first, first]), 8).bytes).toHaveLength(8)
    expect(() => unpackZstd(Buffer.concat([first, first]), 7)).toThrow()
    expect(() => unpackZstd(Buffer.alloc(200_001 * 12, skippable()), 100)).toThrow('too much')
  })
})
