import type { Random } from '../random.ts'

const digits = '0123456789'
const small = 'abcdefghijklmnopqrstuvwxyz'
const capital = small.toUpperCase()

const alphabets: Record<string, string> = {
  digit: digits,
  small,
  capital,
  hex: `${digits}abcdef`,
  HEX: `${digits}ABCDEF`,
  low: digits + small,
  base32: `${capital}234567`,
  bech32: 'QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L',
  alnum: digits + small + capital,
  word: `${digits + small + capital}_-`,
  base64: `${digits + small + capital}+/`,
  sign: '!#%+*.~^',
  /** Written as nothing in a pattern. */
  pipe: '|',
}

export const draw = (random: Random, alphabet: string, length: number): string => {
  const letters = alphabets[alphabet]!
  let text = ''
  while (text.length < length) text += letters[random(letters.length)]
  return text
}

export const pick = <Value>(random: Random, values: readonly Value[]): Value => values[random(values.length)]!

/**
 * An invented value: `<hex:32>` is replaced by this many characters of an alphabet, `<hex:20-40>` by a number
 * between the two, `<uuid>` by one, and `|` by nothing, so that no file contains what looks like a secret.
 */
export function invent(random: Random, shape: string): string {
  return shape
    .replaceAll('|', '')
    .replace(/<basic:(\w+)>/g, (_, user: string) =>
      Buffer.from(`${user}:${draw(random, 'alnum', 16)}`).toString('base64'),
    )
    .replace(/<pem:(\d+)>/g, (_, length: string) =>
      Buffer.from(`-----BEGIN RSA PRIVATE KEY-----\n${draw(random, 'base64', Number(length))}`).toString(
        'base64',
      ),
    )
    .replace(/<uuid>/g, '<hex:8>-<hex:4>-4<hex:3>-a<hex:3>-<hex:12>')
    .replace(/<(\w+):(\d+)(?:-(\d+))?>/g, (_, alphabet: string, least: string, most?: string) =>
      draw(random, alphabet, Number(least) + (most ? random(Number(most) - Number(least) + 1) : 0)),
    )
}
