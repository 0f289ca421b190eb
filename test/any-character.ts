import fc from 'fast-check'

const codePoint = (min: number, max: number): fc.Arbitrary<string> =>
  fc
    .integer({ min, max })
    .filter((each) => each < 0xd800 || each > 0xdfff)
    .map((each) => String.fromCodePoint(each))

/**
 * Any character, half of them from ASCII with its controls. The unit `binary` of fast-check fills a table of
 * all characters first, which takes a second and 90 MB.
 */
export const anyCharacter: fc.Arbitrary<string> = fc.oneof(
  { weight: 2, arbitrary: codePoint(0, 0x7f) },
  { weight: 1, arbitrary: codePoint(0x80, 0xffff) },
  { weight: 1, arbitrary: codePoint(0x1_0000, 0x10_ffff) },
)
